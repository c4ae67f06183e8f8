package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// sentCopies are what an earlier version kept of mails that wait, one file each,
// in the directory of the segments. They are read, put into a segment and
// removed.
type sentCopies struct{ dir string }

// messages reads all copies, and tells their files; those that are not whole too:
// the crash that tore them came before the mail was queued.
func (c sentCopies) messages() (found []OutboxMessage, files []string, err error) {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return nil, nil, fmt.Errorf("read the copies of mails that wait: %w", err)
	}
	for _, e := range entries {
		if segmentNumber(e.Name()) > 0 {
			continue
		}
		path := filepath.Join(c.dir, e.Name())
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, fmt.Errorf("read the copies of mails that wait: %w", err)
		}
		if m, ok := parseSentCopy(text); ok {
			found = append(found, m)
		}
		files = append(files, path)
	}
	return found, files, nil
}

// drop removes copies.
func (c sentCopies) drop(files []string) error {
	var all []error
	for _, path := range files {
		all = append(all, removed(os.Remove(path)))
	}
	if err := errors.Join(all...); err != nil {
		return fmt.Errorf("remove the copies of mails that wait: %w", err)
	}
	return nil
}

// parseSentCopy reads a copy: a line with the checksum of the rest, one with the
// envelope, and the mail's bytes.
func parseSentCopy(text []byte) (OutboxMessage, bool) {
	want, text, _ := bytes.Cut(text, []byte("\n"))
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != string(want) {
		return OutboxMessage{}, false
	}
	head, raw, _ := bytes.Cut(text, []byte("\n"))
	var env envelope
	if json.Unmarshal(head, &env) != nil || len(raw) == 0 {
		return OutboxMessage{}, false
	}
	m := env.message()
	m.Bytes = raw
	return m, true
}
