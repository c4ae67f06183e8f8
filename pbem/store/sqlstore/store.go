package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"starpost/pbem/store"
)

// Store is an open store. It is safe for concurrent use; all goroutines
// share one connection.
type Store struct {
	*handle
	incoming
	outbox
	notes
}

// handle is the state that all parts of a store share.
type handle struct {
	db *Database
	// again loads a mail that is damaged here from elsewhere; nil if there is no other copy.
	again func(ctx context.Context, sha string) ([]byte, error)

	recent      map[int64]letter // see remember
	recentBytes int

	spent  []int64 // sent mails with bytes still stored; see dropSent
	looked bool    // dropSent has removed what an earlier process left
}

// incoming, outbox and notes are the parts of a store: incoming mails, outgoing mails, and notes of what was done.
type (
	incoming struct{ *handle }
	outbox   struct{ *handle }
	notes    struct{ *handle }
)

// New returns the store in a database that already has its tables. again loads, by its SHA-256, a mail that is damaged in
// the database; it is nil if there is no other copy.
func New(db *Database, again func(ctx context.Context, sha string) ([]byte, error)) *Store {
	h := &handle{db: db, again: again}
	return &Store{h, incoming{h}, outbox{h}, notes{h}}
}

// ErrFilled is returned by Copy for a store that is not empty.
var ErrFilled = errors.New("the store is not empty")

// Overview summarizes the state of a store.
type Overview struct {
	Waiting  int              // mails still to be sent
	GivenUp  int              // mails that Resend would send
	Bouncing []store.Bouncing // addresses that mails bounced from, sorted
}

// Overview returns what may need a person's attention.
func (s *Store) Overview(ctx context.Context, now time.Time) (o Overview, err error) {
	if o.GivenUp, err = s.GivenUp(ctx, now); err != nil {
		return o, err
	}
	if o.Waiting, err = s.Waiting(ctx); err != nil {
		return o, err
	}
	o.Bouncing, err = s.allBounces(ctx)
	return o, err
}

// Rates counts the mails sent in a period, and the mails permanently refused in it.
type Rates struct{ Sent, Bounced int }

// RatesSince counts the mails sent and refused at or after since.
func (s *Store) RatesSince(ctx context.Context, since time.Time) (r Rates, err error) {
	if r.Sent, err = Get[int](ctx, s.db, "count mails that were sent", "SELECT count(*) FROM outbox WHERE state = 'sent' AND settled_at >= ?", stamp(since)); err != nil {
		return r, err
	}
	r.Bounced, err = Get[int](ctx, s.db, "count bounces", "SELECT count(DISTINCT message_id) FROM bounces WHERE permanent <> 0 AND at >= ?", stamp(since))
	return r, err
}

// Times are stored as microseconds since 1970 in UTC, and zero as zero.

func stamp(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func unstamp(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

// micros scans a stored time.
type micros time.Time

// Scan implements sql.Scanner.
func (m *micros) Scan(from any) error {
	n, ok := from.(int64)
	if !ok {
		return fmt.Errorf("a time is stored as %T", from)
	}
	*m = micros(unstamp(n))
	return nil
}

// flag returns a bool as it is stored: databases have different boolean types.
func flag(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}
