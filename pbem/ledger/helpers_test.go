package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"testing"
)

// Exec carries out statements as they stand.
func (d *database) Exec(query string) (sql.Result, error) {
	return d.ExecContext(context.Background(), query)
}

// stored records a mail and gives it as the ledger has it.
func (l *Ledger) stored(ctx context.Context, m Mail) (Mail, error) {
	if err := l.RecordStored(ctx, m); err != nil {
		return Mail{}, err
	}
	m, _, err := l.SeenRef(ctx, m.Ref)
	return m, err
}

// full is mails as they are sent, with their bytes, and without the place where
// these are.
func full(t *testing.T, l *Ledger, messages ...OutboxMessage) []OutboxMessage {
	t.Helper()
	var all []OutboxMessage
	for _, m := range messages {
		one, err := l.outboxWithBytes(t.Context(), "look up mail", "id = ?", m.ID)
		if err != nil || len(one) != 1 {
			t.Fatalf("mail %s: %v", m.MessageID, err)
		}
		one[0].at = place{}
		all = append(all, one[0])
	}
	return all
}

// older makes the ledger in a file one of a version that had all mails in the
// database, and nothing beside it.
func older(t *testing.T, path string) {
	t.Helper()
	copied := path + ".copy"
	if err := Snapshot(t.Context(), path, copied); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path + "-wal", path + "-shm", sideDir(path)} {
		if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(copied, path); err != nil {
		t.Fatal(err)
	}
	db, err := connect(t.Context(), path, "mode=rw")
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{
		"DROP TABLE starts", "ALTER TABLE mails DROP COLUMN arrived", "ALTER TABLE outbox DROP COLUMN segment", "ALTER TABLE outbox DROP COLUMN place", "ALTER TABLE outbox DROP COLUMN length", "PRAGMA user_version = 2",
	} {
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// SeenRef gives the mail at that place, if it is known.
func (l *Ledger) SeenRef(ctx context.Context, ref Ref) (Mail, bool, error) {
	m, err := scanMail(l.db.QueryRowContext(ctx,
		"SELECT "+mailColumns+" FROM mails WHERE mailbox = ? AND uidvalidity = ? AND uid = ?",
		ref.Mailbox, ref.UIDValidity, ref.UID))
	if errors.Is(err, sql.ErrNoRows) {
		return Mail{}, false, nil
	}
	if err != nil {
		return Mail{}, false, fmt.Errorf("look up mail %d in %s: %w", ref.UID, ref.Mailbox, err)
	}
	return m, true, nil
}
