package watch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/disk"
)

// HeartbeatFile is the name of the heartbeat in the state directory.
const HeartbeatFile = "heartbeat.json"

// How a daemon runs.
const (
	ModeServe = "serve"
	ModeOnce  = "once"
)

// Heartbeat is the file that shows others that the daemon is running, and shows the daemon, when it
// starts, for how long it was down. It is rewritten whole: when the daemon becomes idle, and then
// every minute.
type Heartbeat struct {
	Time    time.Time `json:"time"`          // when it was written, by the machine's clock
	PID     int       `json:"pid"`           // of the process that wrote it
	Version string    `json:"version"`       // of the program
	ID      string    `json:"id,omitempty"`  // of the state directory, used in marks
	Next    time.Time `json:"next,omitzero"` // the latest time at which the daemon looks again
	// Mailboxes has the state of each mailbox, by address.
	Mailboxes map[string]MailboxState `json:"mailboxes"`
	// Interruptions are those that some games have not been paused for yet.
	Interruptions []Interruption `json:"stops,omitempty"`
}

// MailboxState is the state of a mailbox.
type MailboxState struct {
	Looked time.Time `json:"looked"`
	Mode   string    `json:"mode"` // how the daemon ran then: ModeServe or ModeOnce
	// Gaps are the times between the last few runs of ModeOnce.
	Gaps []clock.Span `json:"gaps,omitempty"`
	// Reading and Sending say why its mails cannot be handled, and why none can be sent from it;
	// nil if they can.
	Reading *Problem `json:"reading,omitempty"`
	Sending *Problem `json:"sending,omitempty"`
	// Others are the marks of other daemons seen in the mailbox, by owner.
	Others map[string]seenMark `json:"others,omitempty"`
}

// Problem is why something does not work.
type Problem struct {
	Since time.Time `json:"since"`
	Why   string    `json:"why"`
	// Lasting says that waiting alone does not help.
	Lasting bool `json:"lasting,omitempty"`
}

// gapsKept is how many gaps between runs are remembered.
const gapsKept = 5

// UsualGap returns the expected gap between two reads: the poll interval or, for ModeOnce, the
// median gap between past runs. known is false if there are no gaps yet.
func (h MailboxState) UsualGap(poll clock.Span) (gap time.Duration, known bool) {
	if h.Mode != ModeOnce {
		return poll.Duration(), true
	}
	if len(h.Gaps) == 0 {
		return 0, false
	}
	sorted := slices.Sorted(slices.Values(h.Gaps))
	return sorted[len(sorted)/2].Duration(), true
}

// ReadHeartbeat reads the heartbeat in a state directory. The error is fs.ErrNotExist if there is
// none.
func ReadHeartbeat(state string) (Heartbeat, error) {
	var h Heartbeat
	data, err := os.ReadFile(filepath.Join(state, HeartbeatFile))
	if err != nil {
		return h, fmt.Errorf("read the heartbeat: %w", err)
	}
	if err := json.Unmarshal(data, &h); err != nil {
		return Heartbeat{}, fmt.Errorf("read the heartbeat: %s: %w", filepath.Join(state, HeartbeatFile), err)
	}
	return h, nil
}

// write replaces the heartbeat of a state directory. On a full disk it overwrites the old one in
// place, which takes no room, because the trouble must be recorded somewhere.
func (h Heartbeat) write(state string) error {
	data, err := json.MarshalIndent(h, "", "  ")
	if err != nil {
		return fmt.Errorf("write the heartbeat: %w", err)
	}
	path := filepath.Join(state, HeartbeatFile)
	if err := disk.Replace(path, append(data, '\n'), 0o600); err != nil {
		if disk.IsUnwritable(err) {
			err = errors.Join(err, overwrite(path, data))
		}
		return fmt.Errorf("write the heartbeat: %w", err)
	}
	return nil
}

// overwrite replaces the content of a file in one write and without shortening it, so that
// concurrent readers find all of it.
func overwrite(path string, text []byte) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	const block = 4096 // a longer file may need room that is not there
	if room := max(info.Size(), block); int64(len(text)) >= room {
		return fmt.Errorf("%s has %d bytes free, and %d are needed", path, room, len(text)+1)
	}
	text = append(text, bytes.Repeat([]byte(" "), int(max(0, info.Size()-int64(len(text))-1)))...)
	_, err = f.WriteAt(append(text, '\n'), 0)
	return err
}

// BeatEvery is the interval between heartbeats while the daemon waits; beatApart is the least time
// between two while it is busy.
const (
	BeatEvery = time.Minute
	beatApart = 10 * time.Second
)
