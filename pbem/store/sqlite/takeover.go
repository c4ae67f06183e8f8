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

// Earlier versions kept the bytes of mails in files beside the database. Incoming mails
// were in the spool, each in its own file or many in a pack. Outgoing mails were in the
// database or in segment files in the directory ledger.d/letters, each with a header
// and its envelope. The first start of this version reads these files, and then removes
// them.

// takeOver moves the mails that an earlier version kept in files into the database.
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

// takeSegments reads the mails in segments. Mails that the database does not know are queued.
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

// segmentRecord reads the mail at the beginning of a segment, and returns the length of
// its record, or 0 if the record is incomplete or damaged. A record starts with the word
// letter, the lengths of envelope and mail, and the checksum of both.
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

// takeSpool reads the incoming mails from the spool and removes it. If any mail does not
// match its hash, the spool is kept and renamed to end in .damaged.
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

// takeSpooled reads a file of the spool: a mail, or a pack of mails. A pack begins with the
// word mails and their number, followed by a line with the name and length of each.
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
