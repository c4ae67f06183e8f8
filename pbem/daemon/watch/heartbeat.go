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

// Heartbeat is the file by which others see that the daemon is at work, and by
// which the daemon sees, when it starts, for how long it was not. It is replaced
// whole, whenever there is nothing more to do and then every minute.
type Heartbeat struct {
	Time    time.Time `json:"time"`          // when it was written, by the machine's clock
	PID     int       `json:"pid"`           // of the process that wrote it
	Version string    `json:"version"`       // of the program
	ID      string    `json:"id,omitempty"`  // what the state directory is called in marks
	Next    time.Time `json:"next,omitzero"` // when the daemon looks again at the latest
	// Mailboxes says by address how it stands with each.
	Mailboxes map[string]MailboxState `json:"mailboxes"`
	// Interruptions are those that some games do not know of yet.
	Interruptions []Interruption `json:"stops,omitempty"`
}

// MailboxState is when a mailbox was last read.
type MailboxState struct {
	Looked time.Time `json:"looked"`
	Mode   string    `json:"mode"` // how the daemon ran then: ModeServe or ModeOnce
	// Gaps are the times between the last few runs of ModeOnce.
	Gaps []clock.Span `json:"gaps,omitempty"`
	// Reading and Sending are why its mails cannot be handled, and why none can be
	// sent from it; nil when they can.
	Reading *Problem `json:"reading,omitempty"`
	Sending *Problem `json:"sending,omitempty"`
	// Others are marks of other daemons that were seen in the mailbox, by owner.
	Others map[string]seenMark `json:"others,omitempty"`
}

// Problem is why something does not work.
type Problem struct {
	Since time.Time `json:"since"`
	Why   string    `json:"why"`
	// Lasting says that waiting alone does not mend it.
	Lasting bool `json:"lasting,omitempty"`
}

// gapsKept is how many gaps between runs are remembered.
const gapsKept = 5

// UsualGap is the expected gap from one look to the next: between
// runs of ModeOnce the middle one of those that were. Known is false when none
// was.
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

// ReadHeartbeat reads the heartbeat in a state directory. Without one the error
// is fs.ErrNotExist.
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

// write replaces the heartbeat of a state directory. On a full disk it is written
// over the old one, which takes no room: that nothing can be written must be told
// somewhere.
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

// overwrite puts text over that of a file, in one write and without making the file
// shorter, so that who reads it meanwhile finds all of it.
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
	const block = 4096 // what is beyond it may need room that is not there
	if room := max(info.Size(), block); int64(len(text)) >= room {
		return fmt.Errorf("%s has %d bytes free, and %d are needed", path, room, len(text)+1)
	}
	text = append(text, bytes.Repeat([]byte(" "), int(max(0, info.Size()-int64(len(text))-1)))...)
	_, err = f.WriteAt(append(text, '\n'), 0)
	return err
}

// BeatEvery is how old a heartbeat becomes while the daemon waits, and beatApart
// how far apart two are while it is busy.
const (
	BeatEvery = time.Minute
	beatApart = 10 * time.Second
)
