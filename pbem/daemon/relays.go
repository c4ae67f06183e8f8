package daemon

import (
	"context"
	"errors"
	"sync"
	"time"

	"starpost/pbem/beacon"
)

// BeaconSource is where beacons come from, such as relays on the network.
type BeaconSource interface {
	// Get gives a round of a chain, verified.
	Get(ctx context.Context, chain beacon.Chain, round uint64) (*beacon.Beacon, error)
	// CheckClock gives a *beacon.ClockError when the sources agree that the clock is wrong.
	CheckClock(ctx context.Context, now func() time.Time) error
}

// Bounds of asking relays.
const (
	askAgain  = 30 * time.Second // from one question to the next
	askLimit  = 20 * time.Second // for an answer
	keepAsked = 10 * time.Minute // an answer is known
)

// errNoRelays says that the settings have none.
var errNoRelays = errors.New("no relays are configured: set [beacon] relays, or have a captain or referee bring the beacon")

// relays asks for beacons aside, since a relay may be slow: games are not kept waiting for it, nor mails.
type relays struct {
	source BeaconSource // nil for none
	inline bool         // ask at once: the process does not stay
	now    func() time.Time
	wake   func(*game)

	mu    sync.Mutex
	asked map[string]*question
}

// question is what is asked, or was.
type question struct {
	answered time.Time // zero while it is asked
	beacon   *beacon.Beacon
	err      error
	games    []*game // that wait for it
}

// ask gives the answer to a question, by a key of it. Pending tells that there is none yet: the game is looked at
// again when there is.
func (r *relays) ask(ctx context.Context, g *game, key string, find func(context.Context) (*beacon.Beacon, error)) (b *beacon.Beacon, pending bool, err error) {
	if r.source == nil && key != "" {
		return nil, false, errNoRelays
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	for k, q := range r.asked {
		if old := now.Sub(q.answered); !q.answered.IsZero() && (old >= keepAsked || q.err != nil && old >= askAgain) {
			delete(r.asked, k)
		}
	}
	q, known := r.asked[key]
	switch {
	case known && q.answered.IsZero():
		q.games = append(q.games, g)
		return nil, true, nil
	case known:
		return q.beacon, false, q.err
	}
	q = &question{games: []*game{g}}
	r.asked[key] = q
	if !r.inline {
		go func() {
			for _, g := range r.answer(ctx, q, find) {
				r.wake(g)
			}
		}()
		return nil, true, nil
	}
	r.mu.Unlock()
	r.answer(ctx, q, find)
	r.mu.Lock()
	return q.beacon, false, q.err
}

// answer finds the answer to a question, and gives the games that wait for it.
func (r *relays) answer(ctx context.Context, q *question, find func(context.Context) (*beacon.Beacon, error)) []*game {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	b, err := find(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	waiting := q.games
	q.answered, q.beacon, q.err, q.games = r.now(), b, err, nil
	return waiting
}

// wakeGame has a game looked at soon. No lock of a game may be held.
func (d *Daemon) wakeGame(g *game) {
	d.mu.Lock()
	defer d.mu.Unlock()
	g.worker.agenda.now(g)
	nudge(g.worker.wake)
}
