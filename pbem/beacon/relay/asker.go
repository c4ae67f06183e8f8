package relay

import (
	"context"
	"errors"
	"sync"
	"time"

	"starpost/pbem/beacon"
)

// Source is where beacons come from: a [Client], or what stands in for one.
type Source interface {
	// Get gives a round of a chain, verified.
	Get(ctx context.Context, chain beacon.Chain, round uint64) (*beacon.Beacon, error)
	// CheckClock gives a *beacon.ClockError when the sources agree that the clock is wrong.
	CheckClock(ctx context.Context, now func() time.Time) error
}

// Bounds of asking.
const (
	Again     = 30 * time.Second // from a question without an answer to the next
	askLimit  = 20 * time.Second // for an answer
	keepAsked = 10 * time.Minute // an answer is known
)

// errNone says that there is no one to ask.
var errNone = errors.New("no relays are configured: set relays in [beacon], or have a captain or referee bring the beacon")

// Asker asks a source aside, since a relay may be slow, and no question twice at a time.
type Asker struct {
	source Source // nil for none
	now    func() time.Time

	mu     sync.Mutex
	inline bool
	asked  map[string]*question
}

// question is what is asked, or was.
type question struct {
	answered time.Time // zero while it is asked
	beacon   *beacon.Beacon
	err      error
	wake     []func() // of those who wait for it
}

// NewAsker makes an asker of a source, which may be nil, by a clock.
func NewAsker(source Source, now func() time.Time) *Asker {
	return &Asker{source: source, now: now, asked: map[string]*question{}}
}

// Inline has the asker wait for answers, for a process that does not stay.
func (r *Asker) Inline() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inline = true
}

// Beacon gives a round of a chain. Pending tells that it is asked for: wake is called when there is an answer, which
// the next call gives.
func (r *Asker) Beacon(ctx context.Context, chain beacon.Chain, round uint64, wake func()) (b *beacon.Beacon, pending bool, err error) {
	if r.source == nil {
		return nil, false, errNone
	}
	return r.ask(ctx, chain.Path(round), wake, func(ctx context.Context) (*beacon.Beacon, error) { return r.source.Get(ctx, chain, round) })
}

// Clock holds the clock against those of the source. The error is a *beacon.ClockError, or tells that the source does
// not know the time.
func (r *Asker) Clock(ctx context.Context, wake func()) (pending bool, err error) {
	if r.source == nil {
		return false, nil
	}
	_, pending, err = r.ask(ctx, "clock", wake, func(ctx context.Context) (*beacon.Beacon, error) { return nil, r.source.CheckClock(ctx, r.now) })
	return pending, err
}

func (r *Asker) ask(ctx context.Context, key string, wake func(), find func(context.Context) (*beacon.Beacon, error)) (b *beacon.Beacon, pending bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	for k, q := range r.asked {
		if old := now.Sub(q.answered); !q.answered.IsZero() && (old >= keepAsked || q.err != nil && old >= Again) {
			delete(r.asked, k)
		}
	}
	q, known := r.asked[key]
	switch {
	case known && q.answered.IsZero():
		q.wake = append(q.wake, wake)
		return nil, true, nil
	case known:
		return q.beacon, false, q.err
	}
	q = &question{wake: []func(){wake}}
	r.asked[key] = q
	if !r.inline {
		go func() {
			for _, wake := range r.answer(ctx, q, find) {
				wake()
			}
		}()
		return nil, true, nil
	}
	r.mu.Unlock()
	r.answer(ctx, q, find)
	r.mu.Lock()
	return q.beacon, false, q.err
}

// answer finds the answer to a question, and gives who waits for it.
func (r *Asker) answer(ctx context.Context, q *question, find func(context.Context) (*beacon.Beacon, error)) []func() {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	b, err := find(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	wake := q.wake
	q.answered, q.beacon, q.err, q.wake = r.now(), b, err, nil
	return wake
}
