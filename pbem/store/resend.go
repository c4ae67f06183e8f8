package store

import (
	"context"
	"fmt"
	"time"
)

// writing is how a store is opened that a daemon may use meanwhile.
const writing = "mode=rw&_pragma=busy_timeout(5000)&_pragma=synchronous(FULL)&_pragma=wal_autocheckpoint(0)"

// keepGivenUp is how long a mail that was given up can be sent again.
const keepGivenUp = 30 * 24 * time.Hour

// givenUp are the mails that were given up lately and can be sent again.
const givenUp = "state = 'failed' AND settled_at >= ? AND (path <> '' OR EXISTS (SELECT 1 FROM letters WHERE letters.id = outbox.id))"

// GivenUp counts the mails that were given up lately and that Resend would send.
func (l *Store) GivenUp(ctx context.Context, now time.Time) (int, error) {
	return get[int](ctx, l, "count mails that were given up", "SELECT count(*) FROM outbox WHERE "+givenUp, stamp(now.Add(-keepGivenUp)))
}

// Resend has mails of the store in the file path that were given up lately wait
// again, under their Message-IDs. A daemon may use the store meanwhile. It gives
// those mails.
func Resend(ctx context.Context, path string, now time.Time) (again []OutboxMessage, err error) {
	err = look(ctx, path, writing, func(l *Store, version int) error {
		if version < len(migrations) {
			return &Error{Way: "start the daemon once", Err: fmt.Errorf("%s was written by an earlier version of starpost", path)}
		}
		since := stamp(now.Add(-keepGivenUp))
		return l.Group(ctx, func(ctx context.Context) error {
			if again, err = l.outboxWhere(ctx, "requeue mails", givenUp+" ORDER BY id", since); err != nil {
				return err
			}
			_, err = l.exec(ctx, "requeue mails", "UPDATE outbox SET state = 'queued', attempts = 0, next_try = ?, settled_at = 0 WHERE "+givenUp, stamp(now), since)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return again, nil
}
