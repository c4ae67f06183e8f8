package simulate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/pbem/clock"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

const (
	domain  = "fleet.example"
	robot   = "starpost@" + domain
	referee = "referee@" + domain
	gameID  = "duel"
)

// scenario is a battle that always ends after few turns.
const scenario = `format = 1
name = "duel"
title = "A Duel"
rules = "stcs-basic"
last_turn = 2

[[side]]
id = "federation"
name = "Federation"

[[side]]
id = "klingon"
name = "Klingon"

[[ship]]
name = "Hood"
side = "federation"
class = "constitution-hood"
hex = "1010"
heading = "A"

[[ship]]
name = "Riskadh"
side = "klingon"
class = "d-10-wolf"
hex = "1005"
heading = "D"

[[victory]]
side = "federation"
when = "drive-off"

[[victory]]
side = "klingon"
when = "drive-off"
`

// catalogue makes its rule sets once for all tests; nothing changes them.
var catalogue = sync.OnceValue(func() vault.Catalogue { return vault.CatalogueOf(fasa.Family()) })

// plan is the configuration of a world apart from its seed.
type plan struct {
	hosts   int     // number of hosts that share the games, the mailbox and the store; 0 is one
	planted planted // the fault of the daemons
}

// world is everything that a seed determines.
type world struct {
	seed  uint64
	plan  plan
	dir   string
	began time.Time
	post  *post
	game  string // directory

	hosts  []*host
	shared *sqlite.Store // store of several hosts
	ending atomic.Bool

	mu       sync.Mutex // held for a moment only
	drawn    map[string]uint64
	trace    bytes.Buffer
	taken    map[string][]*taken // mails that the outgoing server accepted, by Message-ID
	faulty   bool                // faults happen
	captains []*captain
	over     chan struct{} // closed when each captain has the last report
	people   sync.WaitGroup
	busy     atomic.Int64 // people who are about to do something
	problems []error
}

// start is when worlds begin: later than any file created by the machine under them.
var start = time.Date(2100, 1, 1, 12, 0, 0, 0, time.UTC)

// play plays the battle of a seed to its end. It returns a trace, one line per event, and the broken invariants.
func play(t *testing.T, seed uint64, p plan) (trace string, broken error) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(start))
		w := &world{seed: seed, plan: p, dir: dir, began: time.Now(), drawn: map[string]uint64{}, taken: map[string][]*taken{}, faulty: true, over: make(chan struct{})}
		w.post = newPost(w)
		broken = w.battle(t)
		trace = w.trace.String()
	})
	return trace, broken
}

// draw returns the next number of a named stream. Streams are independent of each other.
func (w *world) draw(stream string) uint64 {
	w.mu.Lock()
	n := w.drawn[stream]
	w.drawn[stream] = n + 1
	w.mu.Unlock()
	h := fnv.New64a()
	_, _ = h.Write(fmt.Appendf(nil, "%d %s %d", w.seed, stream, n)) // never fails
	x := h.Sum64()                                                  // FNV gives neighbours similar hashes; the finisher of SplitMix64 separates them
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// within draws a duration of at least a nanosecond.
func (w *world) within(stream string, most time.Duration) time.Duration {
	return 1 + time.Duration(w.draw(stream)%uint64(most))
}

// happens draws whether something happens that happens often times in a thousand; nothing does after faults have
// ended.
func (w *world) happens(stream string, often uint64) bool {
	n := w.draw(stream)
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.faulty && n%1000 < often
}

// note adds a line to the trace.
func (w *world) note(who, what string, more ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Fprintf(&w.trace, "%13.6f %s %s", time.Since(w.began).Seconds(), who, what)
	for _, m := range more {
		fmt.Fprintf(&w.trace, " %v", m)
	}
	w.trace.WriteByte('\n')
}

// broke records a broken invariant.
func (w *world) broke(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.problems = append(w.problems, fmt.Errorf(format, args...))
}

// Times of a battle.
const (
	faultsFor = 90 * time.Minute // how long faults happen
	patience  = 24 * time.Hour   // what is not done by then never will be
	lookEvery = 5 * time.Minute
)

// battle plays and checks.
func (w *world) battle(t *testing.T) error {
	t.Helper()
	if err := w.makeGame(); err != nil {
		return err
	}
	if err := w.openShared(); err != nil {
		return err
	}
	var disturbed sync.WaitGroup
	for n := range max(1, w.plan.hosts) {
		h := newHost(w, string(rune('A'+n)))
		w.hosts = append(w.hosts, h)
		go h.run()
		disturbed.Go(h.disturb)
		time.Sleep(w.within(h.name+" alone", time.Hour))
	}
	if w.happens("server forgets", 300) {
		disturbed.Go(func() {
			time.Sleep(w.within("server forgets when", faultsFor))
			w.note("server", "numbers its mails anew")
			w.post.renumber()
		})
	}
	select {
	case <-w.over:
	case <-time.After(time.Until(w.began.Add(faultsFor))):
	}
	w.mu.Lock()
	w.faulty = false
	w.mu.Unlock()
	disturbed.Wait()
	for ended := time.Now(); !w.isQuiet(t.Context()); time.Sleep(lookEvery) {
		if time.Since(ended) > patience {
			w.broke("something still waits %s after faults ended", patience)
			break
		}
	}
	time.Sleep(lookEvery) // what comes now was not requested
	w.ending.Store(true)
	for _, h := range w.hosts {
		h.end()
	}
	w.people.Wait()
	w.check(t.Context())
	return errors.Join(w.problems...)
}

// openShared opens the store of several hosts. They share one connection, because hosts that share a database take
// turns in it.
func (w *world) openShared() (err error) {
	if w.plan.hosts > 1 {
		w.shared, err = openFile(w.storeOf("shared"))
	}
	return err
}

// storeOf returns the path of a host's store.
func (w *world) storeOf(host string) string {
	if w.plan.hosts > 1 {
		host = "shared"
	}
	return filepath.Join(w.dir, "store-"+host+".db")
}

// isQuiet reports whether everything that must happen has happened; check finds what should not have.
func (w *world) isQuiet(ctx context.Context) bool {
	w.mu.Lock()
	broken, idle := len(w.problems) > 0, w.busy.Load() == 0 && w.post.isEmpty()
	for _, c := range w.captains {
		idle = idle && c.done && !slices.ContainsFunc(c.sent, func(s *sent) bool { return len(s.answers) == 0 })
	}
	w.mu.Unlock()
	if broken || !idle {
		return broken // nothing more to find out
	}
	o, err := sqlite.Inspect(ctx, w.storeOf("A"))
	if err != nil {
		w.broke("look into the store: %w", err)
	}
	return o.Waiting == 0
}

// makeGame creates the game directory, and its captains.
func (w *world) makeGame() error {
	mailing := vault.DefaultMail()
	mailing.Robot, mailing.Deadline, mailing.ChangeWindow, mailing.Grace = robot, clock.Span(30*time.Minute), clock.Span(2*time.Minute), clock.Span(8*time.Minute)
	mailing.Remind = []clock.Span{clock.Span(15 * time.Minute)}
	seed := w.seed
	setup := turn.Setup{
		Scenario: []byte(scenario), ID: gameID, Mail: mailing, Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: time.Now()},
	}
	for _, ship := range []string{"Hood", "Riskadh"} {
		c := newCaptain(w, ship)
		w.captains = append(w.captains, c)
		setup.Captains = append(setup.Captains, vault.Captain{Name: engine.CaptainName(ship), Address: c.address, Ships: []string{ship}})
	}
	w.game = filepath.Join(w.dir, "games", gameID)
	_, err := turn.Create(w.game, catalogue(), setup)
	return err
}
