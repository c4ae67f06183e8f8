package sqlite

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"database/sql"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"starpost/pbem/store"
	"starpost/pbem/store/sqlstore"
)

// execute runs statements without preparing them.
func execute(t *testing.T, l *Store, query string) {
	t.Helper()
	if err := l.db.Use(t.Context(), func() error {
		_, err := l.link.conn.ExecContext(t.Context(), query)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// stored records a mail and returns it as the store has it.
func (l *Store) stored(ctx context.Context, m store.Mail) (store.Mail, error) {
	if _, err := l.RecordStored(ctx, m, nil); err != nil {
		return store.Mail{}, err
	}
	m, _, err := l.SeenRef(ctx, m.Ref)
	return m, err
}

// full returns mails with their bytes.
func full(t *testing.T, l *Store, messages ...store.OutboxMessage) []store.OutboxMessage {
	t.Helper()
	var all []store.OutboxMessage
	for _, m := range messages {
		var err error
		if m.Bytes, err = sqlstore.Get[[]byte](t.Context(), l.db, "look up mail", "SELECT bytes FROM letters WHERE id = ?", m.ID); err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

// older unpacks the state directory of the last version that had a journal, segments
// and a spool, and returns the path of the store in it.
func older(t *testing.T) (path string) {
	t.Helper()
	dir := t.TempDir()
	f, err := os.Open(filepath.Join("testdata", "older-state.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	packed, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	for all := tar.NewReader(packed); ; {
		h, err := all.Next()
		if errors.Is(err, io.EOF) {
			return filepath.Join(dir, "state", "ledger.db")
		}
		to := filepath.Join(dir, filepath.FromSlash(h.Name)) //nolint:gosec // it is ours
		text, rerr := io.ReadAll(all)
		if h.Typeflag == tar.TypeDir {
			err = errors.Join(err, os.Mkdir(to, 0o700))
		} else {
			err = errors.Join(err, rerr, os.WriteFile(to, text, 0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func message(id string) store.OutboxMessage {
	return store.OutboxMessage{Game: "wolf", Kind: store.Ack, MessageID: id, From: "battles@example.org", To: "ann@example.org", Bytes: []byte("mail " + id), QueuedAt: noon}
}

func queueAll(t *testing.T, l *Store, messages ...store.OutboxMessage) {
	t.Helper()
	if _, err := l.Queue(t.Context(), messages...); err != nil {
		t.Fatal(err)
	}
}

func find(t *testing.T, l *Store, messageID string) store.OutboxMessage {
	t.Helper()
	m, ok, err := l.Message(t.Context(), messageID)
	if err != nil || !ok {
		t.Fatalf("mail %s: %v, %v", messageID, ok, err)
	}
	return full(t, l, m)[0]
}

func due(t *testing.T, l *Store, now time.Time) []string {
	t.Helper()
	list, err := l.Due(t.Context(), now, 100)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, m := range list {
		ids = append(ids, m.MessageID)
	}
	return ids
}

// SeenRef returns the mail with that Ref, if it is known.
func (l *Store) SeenRef(ctx context.Context, ref store.Ref) (m store.Mail, known bool, err error) {
	err = l.db.Use(ctx, func() error {
		var received, arrived int64
		err := l.link.conn.QueryRowContext(ctx, `SELECT id, sha256, message_id, received_at, state, outcome, arrived FROM mails
			WHERE mailbox = ? AND uidvalidity = ? AND uid = ?`, ref.Mailbox, ref.UIDValidity, ref.UID).
			Scan(&m.ID, &m.SHA256, &m.MessageID, &received, &m.State, &m.Outcome, &arrived)
		m.Ref = ref
		for at, n := range map[*time.Time]int64{&m.ReceivedAt: received, &m.Arrived: arrived} {
			if n != 0 {
				*at = time.UnixMicro(n).UTC()
			}
		}
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return store.Mail{}, false, nil
	}
	return m, err == nil, err
}
