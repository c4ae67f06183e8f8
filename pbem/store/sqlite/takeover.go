package sqlite

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"starpost/pbem/store"
)

// Earlier versions kept the bytes of mails in files beside the database: those that
// came in the spool, each in a file of its own or many in a pack, and those to be
// sent in the database or in segments, in the directory ledger.d/letters, with a head
// and the envelope before each. At the first start of this version all of them are
// read once, and then removed.

// takeOver fetches what an earlier version kept elsewhere.
func (l *Store) takeOver(ctx context.Context) error {
	side := strings.TrimSuffix(l.path, filepath.Ext(l.path)) + ".d"
	spool := filepath.Join(filepath.Dir(l.path), "spool")
	for dir, take := range map[string]func(context.Context, string) error{filepath.Join(side, "letters"): l.takeSegments, spool: l.takeSpool} {
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := take(ctx, dir); err != nil {
			return fmt.Errorf("take over %s of an earlier version: %w", dir, err)
		}
	}
	return os.RemoveAll(side)
}

// takeSegments reads mails that wait: one that the database does not know waits, too.
func (l *Store) takeSegments(ctx context.Context, dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.letters"))
	if err != nil {
		return err
	}
	return l.Group(ctx, func(ctx context.Context) error {
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			for {
				m, n := segmentRecord(text)
				if n == 0 {
					break
				}
				text = text[n:]
				if _, err := l.Queue(ctx, m); err != nil {
					return err
				}
				known, _, err := l.Message(ctx, m.MessageID)
				if err == nil && (known.State == store.Queued || known.State == store.Ambiguous) {
					err = l.StoreLetter(ctx, known.ID, m.Bytes)
				}
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// segmentRecord reads the mail at the beginning of a segment, and how long its record
// is: a head of the word letter, the lengths of envelope and mail, and the checksum of
// both; 0 when it is not whole.
func segmentRecord(text []byte) (m store.OutboxMessage, length int) {
	var word, sum string
	var env, raw int
	head, _, _ := bytes.Cut(text[:min(len(text), 80)], []byte("\n"))
	rest := text[min(len(text), len(head)+1):]
	if n, err := fmt.Sscan(string(head), &word, &env, &raw, &sum); n != 4 || err != nil || word != "letter" || env <= 0 || raw <= 0 || env > len(rest) || raw > len(rest)-env-2 {
		return m, 0
	}
	envelope, bytes := rest[:env], rest[env+1:env+1+raw]
	var e struct {
		Game      string     `json:"game"`
		Kind      store.Kind `json:"kind"`
		MessageID string     `json:"message_id"`
		From      string     `json:"from"`
		To        string     `json:"to"`
		QueuedAt  int64      `json:"queued_at"`
	}
	if fmt.Sprintf("%08x", crc32.Checksum(slices.Concat(envelope, bytes), crc32.MakeTable(crc32.Castagnoli))) != sum || json.Unmarshal(envelope, &e) != nil {
		return m, 0
	}
	return store.OutboxMessage{Game: e.Game, Kind: e.Kind, MessageID: e.MessageID, From: e.From, To: e.To, QueuedAt: time.UnixMicro(e.QueuedAt).UTC(), Bytes: bytes},
		len(head) + 1 + env + 1 + raw + 1
}

// takeSpool reads the mails that came. What is not what its name says stays where it
// is, in a directory that is called so.
func (l *Store) takeSpool(ctx context.Context, dir string) error {
	damaged := false
	take := func(path string) error {
		return l.Group(ctx, func(ctx context.Context) error {
			whole, err := l.takeSpooled(ctx, path)
			damaged = damaged || !whole
			return err
		})
	}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".eml") && !strings.HasSuffix(path, ".mails") {
			return err
		}
		return take(path)
	})
	if err != nil {
		return err
	}
	if damaged {
		return os.Rename(dir, dir+".damaged")
	}
	return os.RemoveAll(dir)
}

// takeSpooled reads a file of the spool: a mail, or a pack, which begins with the word
// mails and how many there are, and a line with name and length for each.
func (l *Store) takeSpooled(ctx context.Context, path string) (whole bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	names, lengths := []string{strings.TrimSuffix(filepath.Base(path), ".eml")}, []int64{-1}
	text := bufio.NewReader(f)
	if strings.HasSuffix(path, ".mails") {
		n := 0
		if _, err := fmt.Fscanf(text, "mails %d\n", &n); err != nil || n > 1<<16 {
			return false, nil //nolint:nilerr // it is damaged
		}
		names, lengths = make([]string, n), make([]int64, n)
		for i := range n {
			if _, err := fmt.Fscanf(text, "%s %d\n", &names[i], &lengths[i]); err != nil || lengths[i] < 0 {
				return false, nil //nolint:nilerr // it is damaged
			}
		}
	}
	whole = true
	for i, sha := range names {
		part := io.Reader(text)
		if lengths[i] >= 0 {
			part = io.LimitReader(text, lengths[i])
		}
		raw, err := io.ReadAll(part)
		if err != nil {
			return false, err
		}
		if store.ContentHash(raw) != sha {
			whole = false
			continue
		}
		if _, err := l.Exec(ctx, "store a mail", "INSERT OR IGNORE INTO raws SELECT min(id), ? FROM mails WHERE sha256 = ? HAVING count(*) > 0", raw, sha); err != nil {
			return false, err
		}
	}
	return whole, nil
}
