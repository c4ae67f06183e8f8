package ledger

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// carbons are copies of letters that wait and whose bytes are nowhere but in the
// database: one file each, gone when the letter is settled. Like the trail they
// are not synced.
type carbons struct{ dir string }

// envelope is the second line of a carbon, after a checksum; the letter's bytes
// follow.
type envelope struct {
	Game      string `json:"game,omitempty"`
	Kind      Kind   `json:"kind"`
	MessageID string `json:"message_id"`
	From      string `json:"from"`
	To        string `json:"to"`
	QueuedAt  int64  `json:"queued_at"` // microseconds since 1970
}

// path is the file of the letter with that Message-ID.
func (c carbons) path(messageID string) string {
	id := sha256.Sum256([]byte(messageID))
	return filepath.Join(c.dir, hex.EncodeToString(id[:16]))
}

// keep writes the carbon of a letter, unless there is one; made tells.
func (c carbons) keep(m Letter) (made bool, err error) {
	head, err := json.Marshal(envelope{m.Game, m.Kind, m.MessageID, m.From, m.To, stamp(m.QueuedAt)})
	if err != nil {
		return false, fmt.Errorf("keep a copy of mail %q: %w", m.MessageID, err)
	}
	// The first line tells whether the rest was written to its end.
	const sumLength = 2 * sha256.Size
	text := make([]byte, sumLength+1, sumLength+1+len(head)+1+len(m.Bytes))
	text[sumLength] = '\n'
	text = append(append(append(text, head...), '\n'), m.Bytes...)
	sum := sha256.Sum256(text[sumLength+1:])
	hex.Encode(text, sum[:])
	path := c.path(m.MessageID)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err == nil {
		_, err = f.Write(text)
		if err = errors.Join(err, f.Close()); err != nil {
			err = errors.Join(err, removed(os.Remove(path)))
		}
	}
	if err != nil {
		return false, fmt.Errorf("keep a copy of mail %q: %w", m.MessageID, err)
	}
	return true, nil
}

// drop removes the carbon of a letter that is settled.
func (c carbons) drop(messageID string) error {
	if err := removed(os.Remove(c.path(messageID))); err != nil {
		return fmt.Errorf("drop the copy of mail %q: %w", messageID, err)
	}
	return nil
}

// letters reads all carbons. Files that are not whole are removed: the crash
// that tore them came before the letter was queued.
func (c carbons) letters() ([]Letter, error) {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return nil, fmt.Errorf("read the copies of mails that wait: %w", err)
	}
	var found []Letter
	for _, e := range entries {
		path := filepath.Join(c.dir, e.Name())
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read the copies of mails that wait: %w", err)
		}
		m, ok := parseCarbon(text)
		if !ok {
			if err := removed(os.Remove(path)); err != nil {
				return nil, fmt.Errorf("remove half a copy of a mail: %w", err)
			}
			continue
		}
		found = append(found, m)
	}
	slices.SortFunc(found, func(a, b Letter) int {
		return cmp.Or(a.QueuedAt.Compare(b.QueuedAt), strings.Compare(a.MessageID, b.MessageID))
	})
	return found, nil
}

func parseCarbon(text []byte) (Letter, bool) {
	want, text, _ := bytes.Cut(text, []byte("\n"))
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != string(want) {
		return Letter{}, false
	}
	head, raw, _ := bytes.Cut(text, []byte("\n"))
	var env envelope
	if json.Unmarshal(head, &env) != nil || len(raw) == 0 {
		return Letter{}, false
	}
	return Letter{
		Game: env.Game, Kind: env.Kind, MessageID: env.MessageID, From: env.From, To: env.To, Bytes: raw, QueuedAt: unstamp(env.QueuedAt),
	}, true
}
