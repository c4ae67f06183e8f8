package postgres

import (
	"context"
	"strings"
	"time"

	"starpost/pbem/store"
	"starpost/pbem/store/sqlstore"
)

// Of the hosts that share a database one at a time serves a mailbox: reads it, plays its games, sends from it. It has a lease,
// by the server's clock, which it renews while it lives; the next host has the mailbox when the lease is over, or at once if it was
// given back.

// Hold gives a mailbox to a holder from now on for a time, unless another one has it, and tells who has it then. looked is when the
// holder read it last.
func (s *Store) Hold(ctx context.Context, mailbox, holder string, length time.Duration, looked time.Time) (h store.Holding, err error) {
	mailbox = strings.ToLower(mailbox)
	read := int64(0)
	if !looked.IsZero() {
		read = looked.UnixMicro()
	}
	err = s.Group(ctx, func(ctx context.Context) error {
		if _, err := s.Exec(ctx, "hold "+mailbox, `INSERT INTO mailboxes AS m VALUES (?1, ?2, 1, clock_timestamp() + ?3::bigint * interval '1 microsecond', ?4::bigint)
			ON CONFLICT (mailbox) DO UPDATE SET holder = ?2, fence = m.fence + CASE WHEN m.holder = ?2 AND m.until > '-infinity' THEN 0 ELSE 1 END,
			until = clock_timestamp() + ?3::bigint * interval '1 microsecond', looked = greatest(m.looked, ?4::bigint)
			WHERE m.holder = ?2 OR m.until <= clock_timestamp()`, mailbox, holder, length.Microseconds(), read); err != nil {
			return err
		}
		return s.Query(ctx, "look up who holds "+mailbox, func(row sqlstore.Row) error {
			var last int64
			err := row.Scan(&h.Holder, &h.Fence, &last, &h.Owner)
			if last > 0 {
				h.Looked = time.UnixMicro(last).UTC()
			}
			return err
		}, "SELECT holder, fence, looked, (SELECT id FROM owner) FROM mailboxes WHERE mailbox = ?", mailbox)
	})
	return h, err
}

// Release gives a mailbox back.
func (s *Store) Release(ctx context.Context, mailbox, holder string) error {
	_, err := s.Exec(ctx, "give back "+mailbox, "UPDATE mailboxes SET until = '-infinity' WHERE mailbox = ? AND holder = ?", strings.ToLower(mailbox), holder)
	return err
}
