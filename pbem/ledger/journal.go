package ledger

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"
)

// journal is a plain file beside the database to which everything is written that
// could not be found out again if the database were lost: one JSON object a
// line. It is written before the database, and not synced: what the system has
// survives the process, and to lose both the database and the power takes two
// accidents.
type journal struct {
	path string
	mu   sync.Mutex
	file *os.File
	size int64
}

// trace is one line of the journal. Just one field is set.
type trace struct {
	Mail     *mailTrace     `json:"mail,omitempty"`
	Queued   []string       `json:"queued,omitempty"` // Message-IDs of mails that lie in files
	Settled  *outboxTrace   `json:"settled,omitempty"`
	Turn     *turnTrace     `json:"turn,omitempty"`
	Reminder *reminderTrace `json:"reminder,omitempty"`
	Answer   *answerTrace   `json:"answer,omitempty"`
	Event    *Event         `json:"event,omitempty"`
	Bounce   *Bounce        `json:"bounce,omitempty"`
	Start    *startTrace    `json:"start,omitempty"`
}

// mailTrace is a mail that was acted on.
type mailTrace struct {
	SHA256    string    `json:"sha256"`
	MessageID string    `json:"message_id,omitempty"`
	Received  time.Time `json:"received"`
	Outcome   string    `json:"outcome"`
}

// outboxTrace is a mail that was sent, or refused for good.
type outboxTrace struct {
	MessageID string    `json:"message_id"`
	State     Delivery  `json:"state"`
	At        time.Time `json:"at"`
	Game      string    `json:"game,omitempty"`
	Kind      Kind      `json:"kind"`
	From      string    `json:"from"`
	To        string    `json:"to"`
	Why       string    `json:"why,omitempty"`
}

// turnTrace tells up to which turn the reports of a game were queued.
type turnTrace struct {
	Game string `json:"game"`
	Turn int    `json:"turn"`
}

type reminderTrace struct {
	Game    string    `json:"game"`
	Turn    int       `json:"turn"`
	Captain string    `json:"captain,omitempty"`
	Which   string    `json:"which"`
	At      time.Time `json:"at"`
}

type answerTrace struct {
	Sender string    `json:"sender"`
	Kind   string    `json:"kind"`
	Cause  string    `json:"cause"`
	At     time.Time `json:"at"`
}

// maxJournal is the size from which a journal is rewritten without what is old,
// and keepTrail how many lines of a kind are kept then.
const (
	maxJournal = 8 << 20
	keepLines  = 10000
)

func openJournal(path string) (*journal, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the ledger's journal: %w", err)
	}
	t := &journal{path: path, file: f}
	if err := t.mend(); err != nil {
		return nil, errors.Join(fmt.Errorf("open the ledger's journal: %w", err), f.Close())
	}
	return t, nil
}

// mend ends a line that a crash tore, so that the next one stands by itself.
func (t *journal) mend() error {
	info, err := t.file.Stat()
	if err != nil {
		return err
	}
	if t.size = info.Size(); t.size == 0 {
		return nil
	}
	last := make([]byte, 1)
	if _, err := t.file.ReadAt(last, t.size-1); err != nil {
		return err
	}
	if last[0] == '\n' {
		return nil
	}
	_, err = t.file.Write([]byte("\n"))
	t.size++
	return err
}

// note writes lines.
func (t *journal) note(all ...trace) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	for _, one := range all {
		if err := enc.Encode(one); err != nil {
			return fmt.Errorf("append to the ledger's journal: %w", err)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	n, err := t.file.Write(text.Bytes())
	t.size += int64(n)
	if err != nil {
		// A part of a line would spoil the next one.
		if n > 0 {
			if terr := t.file.Truncate(t.size - int64(n)); terr == nil {
				t.size -= int64(n)
			}
		}
		return fmt.Errorf("append to the ledger's journal: %w", err)
	}
	return nil
}

// read hands over every line in order. Lines that cannot be read are counted:
// a crash or a loss of power may have torn them.
func (t *journal) read(take func(trace) error) (torn int, err error) {
	f, err := os.Open(t.path)
	if err != nil {
		return 0, fmt.Errorf("read the ledger's journal: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	lines := bufio.NewReaderSize(f, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var one trace
			if json.Unmarshal(line, &one) != nil {
				torn++
			} else if terr := take(one); terr != nil {
				return torn, terr
			}
		}
		if errors.Is(err, io.EOF) {
			return torn, nil
		}
		if err != nil {
			return torn, fmt.Errorf("read the ledger's journal: %w", err)
		}
	}
}

// replace rewrites the journal.
func (t *journal) replace(all []trace) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	for _, one := range all {
		if err := enc.Encode(one); err != nil {
			return fmt.Errorf("rewrite the ledger's journal: %w", err)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	// A crash may leave a half of it in the place of an earlier half, no more.
	half := t.path + ".new"
	if err := writeSynced(half, text.Bytes()); err != nil {
		return fmt.Errorf("rewrite the ledger's journal: %w", err)
	}
	if err := os.Rename(half, t.path); err != nil {
		return fmt.Errorf("rewrite the ledger's journal: %w", err)
	}
	f, err := os.OpenFile(t.path, os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("rewrite the ledger's journal: %w", err)
	}
	old := t.file
	t.file, t.size = f, int64(text.Len())
	return old.Close()
}

// writeSynced writes a file and has it on the disk.
func writeSynced(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func (t *journal) close() error { return t.file.Close() }

// removed takes a file that is not there for one that was removed.
func removed(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
