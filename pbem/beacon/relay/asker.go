package relay

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"starpost/pbem/beacon"
)

// Source provides beacons: [Relays], or a substitute.
type Source interface {
	// Get returns a verified round of a chain.
	Get(ctx context.Context, chain beacon.Chain, round uint64) (Answer, error)
	// CheckClock returns a *ClockError if relays of the chain agree that the clock is wrong.
	CheckClock(ctx context.Context, chain beacon.Chain, now func() time.Time) error
}

// Relays are addresses of relays, which serve any chain.
type Relays []string

// Limits of requests to relays.
const (
	answerLimit = 5 * time.Second  // for one answer
	maxOff      = 30 * time.Second // allowed difference between our clock and theirs
)

// Get implements Source.
func (r Relays) Get(ctx context.Context, chain beacon.Chain, round uint64) (Answer, error) {
	c, err := New(chain, r, answerLimit)
	if err != nil {
		return Answer{}, err
	}
	return c.Fetch(ctx, round)
}

// Try asks one relay for a round, to check that it works.
func Try(ctx context.Context, chain beacon.Chain, address string, round uint64) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	c := &Client{chain: chain, wait: answerLimit, http: plainHTTP()}
	_, err = c.fetch(ctx, u, round)
	return err
}

// CheckClock implements Source. If no relay tells the time, the error says why.
func (r Relays) CheckClock(ctx context.Context, chain beacon.Chain, now func() time.Time) error {
	c, err := New(chain, r, answerLimit)
	if err != nil {
		return err
	}
	offsets, err := c.Offsets(ctx, now)
	if wrong := CheckClock(offsets, maxOff); wrong != nil {
		return wrong
	}
	if len(offsets) > 0 {
		return nil
	}
	return err
}

// Timing of questions.
const (
	Again     = 30 * time.Second // from an unanswered question to the next
	askLimit  = 30 * time.Second // for an answer
	keepAsked = 10 * time.Minute // for which an answer is kept
)

// errNone says that there is no relay to ask.
var errNone = errors.New("no relays are configured: set relays in [beacon], or have a captain or referee bring the beacon")

// Asker asks a source in the background, because a relay may be slow, and no question twice at a time.
type Asker struct {
	source Source // nil for none
	now    func() time.Time

	mu     sync.Mutex
	inline bool
	asked  map[string]*question
}

// question is a pending or answered question.
type question struct {
	answered time.Time // zero while it is pending
	answer   Answer
	err      error
	wake     []func() // called when it is answered
}

// NewAsker returns an asker for a source, which may be nil, with a clock.
func NewAsker(source Source, now func() time.Time) *Asker {
	return &Asker{source: source, now: now, asked: map[string]*question{}}
}

// Inline makes the asker wait for answers, for a process that ends soon.
func (r *Asker) Inline() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inline = true
}

// Beacon returns a round of a chain. pending means that it has been requested: wake is called when there is an
// answer, which the next call returns.
func (r *Asker) Beacon(ctx context.Context, chain beacon.Chain, round uint64, wake func()) (a Answer, pending bool, err error) {
	if r.source == nil {
		return Answer{}, false, errNone
	}
	return r.ask(ctx, fmt.Sprint(chain.Hash, "/", round), wake, func(ctx context.Context) (Answer, error) { return r.source.Get(ctx, chain, round) })
}

// Clock compares the clock with those of the source. The error is a *ClockError, or says that the source does not
// know the time.
func (r *Asker) Clock(ctx context.Context, chain beacon.Chain, wake func()) (pending bool, err error) {
	if r.source == nil {
		return false, nil
	}
	_, pending, err = r.ask(ctx, chain.Hash+" clock", wake, func(ctx context.Context) (Answer, error) {
		return Answer{}, r.source.CheckClock(ctx, chain, r.now)
	})
	return pending, err
}

func (r *Asker) ask(ctx context.Context, key string, wake func(), find func(context.Context) (Answer, error)) (a Answer, pending bool, err error) {
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
		return Answer{}, true, nil
	case known:
		return q.answer, false, q.err
	}
	q = &question{wake: []func(){wake}}
	r.asked[key] = q
	if !r.inline {
		go func() {
			for _, wake := range r.answer(ctx, q, find) {
				wake()
			}
		}()
		return Answer{}, true, nil
	}
	r.mu.Unlock()
	r.answer(ctx, q, find)
	r.mu.Lock()
	return q.answer, false, q.err
}

// answer finds the answer to a question, and returns the functions to call then.
func (r *Asker) answer(ctx context.Context, q *question, find func(context.Context) (Answer, error)) []func() {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	a, err := find(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	wake := q.wake
	q.answered, q.answer, q.err, q.wake = r.now(), a, err, nil
	return wake
}
