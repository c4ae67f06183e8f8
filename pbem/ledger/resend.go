package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// keepGivenUp is how long a mail that was given up can be sent again.
const keepGivenUp = 30 * 24 * time.Hour

// givenUp are the mails that were given up lately and can be sent again.
const givenUp = "state = 'failed' AND settled_at >= ? AND (path <> '' OR bytes IS NOT NULL)"

// GivenUp counts the mails that were given up lately and that Resend would send.
func (l *Ledger) GivenUp(ctx context.Context, now time.Time) (n int, err error) {
	err = l.db.QueryRowContext(ctx, "SELECT count(*) FROM outbox WHERE "+givenUp, stamp(now.Add(-keepGivenUp))).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count mails that were given up: %w", err)
	}
	return n, nil
}

// Resend has mails of the ledger in the file path that were given up lately wait
// again, under their Message-IDs. A daemon may use the ledger meanwhile. It gives
// those mails.
func Resend(ctx context.Context, path string, now time.Time) (again []OutboxMessage, err error) {
	db, err := connect(ctx, path, "mode=rw&_pragma=busy_timeout(5000)&_pragma=synchronous(FULL)")
	if err != nil {
		return nil, hinted(path, fmt.Errorf("open ledger %s: %w", path, err))
	}
	l := &Ledger{db: db}
	defer func() { err = errors.Join(err, db.Close()) }()
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return nil, hinted(path, fmt.Errorf("%s: %w", path, err))
	}
	switch {
	case version > len(migrations):
		return nil, hinted(path, fmt.Errorf("%s: %w", path, ErrNewer))
	case version < len(migrations):
		return nil, &Error{Way: "start the daemon once", Err: fmt.Errorf("%s was written by an earlier version of starpost", path)}
	}
	since := stamp(now.Add(-keepGivenUp))
	err = l.within(ctx, func(tx *transaction) error {
		rows, err := tx.QueryContext(ctx, "SELECT "+outboxColumns+" FROM outbox WHERE "+givenUp+" ORDER BY id", since)
		if err != nil {
			return err
		}
		defer rows.end(&err)
		for rows.Next() {
			m, err := scanOutboxMessage(rows)
			if err != nil {
				return err
			}
			again = append(again, m)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		// The bytes are in the database since they were given up.
		_, err = tx.ExecContext(ctx, `UPDATE outbox SET state = 'queued', attempts = 0, next_try = ?, settled_at = 0,
			segment = 0, place = 0, length = 0 WHERE `+givenUp, stamp(now), since)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("requeue mails: %w", err)
	}
	return again, nil
}
