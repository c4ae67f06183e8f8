package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"starpost/pbem/store"
)

// Store is an open store. It is safe for use by many goroutines; all of them
// share one connection.
type Store struct {
	*handle
	incoming
	outbox
	notes
}

// handle is what all parts of a store work with.
type handle struct {
	db *Database
	// again gives bytes of a mail that are damaged here; nil where there is no other place that has them.
	again func(ctx context.Context, sha string) ([]byte, error)

	recent      map[int64]letter // see remember
	recentBytes int

	spent  []int64 // mails that were sent, whose bytes are still there; see dropSent
	looked bool    // for such as an earlier process left
}

// incoming, outbox and notes are the parts: the mails that came, those to be sent, and what was done once.
type (
	incoming struct{ *handle }
	outbox   struct{ *handle }
	notes    struct{ *handle }
)

// New is the store in a database, whose tables are there. again gives bytes of a mail, by their SHA-256, that are damaged in
// the database; nil where there is no other place that has them.
func New(db *Database, again func(ctx context.Context, sha string) ([]byte, error)) *Store {
	h := &handle{db: db, again: again}
	return &Store{h, incoming{h}, outbox{h}, notes{h}}
}

// ErrFilled is returned by Copy for a store that is not empty.
var ErrFilled = errors.New("the store is not empty")

// Overview is what a look into a store gives.
type Overview struct {
	Waiting  int              // mails that are still to be sent
	GivenUp  int              // mails that Resend would send
	Bouncing []store.Bouncing // addresses from which mails came back, sorted
}

// Overview looks at what a person may have to do something about.
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

// Rates are how many mails went out in a time, and how many of all came back for good in it.
type Rates struct{ Sent, Bounced int }

// RatesSince counts the mails since a time.
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

// micros is a time that is scanned.
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

// flag is how yes and no are stored: databases differ in what they call so.
func flag(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}
