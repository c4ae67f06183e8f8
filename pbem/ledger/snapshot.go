package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
)

// Snapshot copies the ledger in the file from, as it is at one moment, to a new
// file, with the mails that wait in it. A daemon may use it meanwhile. What lies
// beside a ledger is not needed: it is rebuilt when the copy is opened.
func Snapshot(ctx context.Context, from, to string) error {
	if _, err := os.Stat(from); err != nil {
		return fmt.Errorf("copy the ledger: %w", err)
	}
	var missed []string
	for {
		if err := copyInto(ctx, from, to); err != nil {
			return hinted(from, fmt.Errorf("copy the ledger %s: %w", from, err))
		}
		missing, err := fillIn(ctx, to, segmentsDir(from))
		if err != nil {
			return fmt.Errorf("copy the ledger %s: %w", from, err)
		}
		// What is missing was sent since it was copied; unless it is missing in
		// one copy after the other, for then it is lost in the ledger itself.
		if len(missing) == 0 || slices.Equal(missing, missed) {
			break
		}
		missed = missing
		if err := os.Remove(to); err != nil {
			return fmt.Errorf("copy the ledger %s again: %w", from, err)
		}
	}
	if err := os.Chmod(to, 0o600); err != nil {
		return fmt.Errorf("copy the ledger %s: %w", from, err)
	}
	return nil
}

// copyInto has SQLite copy a database.
func copyInto(ctx context.Context, from, to string) (err error) {
	db, err := connect(ctx, from, "mode=ro&_pragma=busy_timeout(5000)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", to)
	return err
}

// fillIn puts the bytes of mails that wait into the copy of a ledger, from the
// directory of its segments. It tells the mails whose bytes are not there.
func fillIn(ctx context.Context, path, dir string) (missing []string, err error) {
	db, err := connect(ctx, path, "mode=rw")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil || version < 3 {
		return nil, err // earlier versions have all mails in the database
	}
	l := &Ledger{db: db, segments: segments{dir: dir}}
	waiting, err := l.outboxWhere(ctx, "list waiting mails", "state IN ('queued', 'ambiguous') AND segment > 0 ORDER BY id")
	if err != nil {
		return nil, err
	}
	err = l.within(ctx, func(tx *transaction) error {
		for part := range slices.Chunk(waiting, 100) {
			l.segments.fill(part)
			for _, m := range part {
				if m.Missing != nil {
					missing = append(missing, m.MessageID)
					continue
				}
				if _, err := tx.ExecContext(ctx, "UPDATE outbox SET bytes = ?, segment = 0, place = 0, length = 0 WHERE id = ?", m.Bytes, m.ID); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return missing, err
}
