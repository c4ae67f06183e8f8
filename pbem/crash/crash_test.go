package crash_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"starpost/pbem/beacon/fakerelay"
	"starpost/pbem/clock"
	"starpost/pbem/daemon/process"
	"starpost/pbem/record/directory"
	"starpost/pbem/vault"
)

var (
	howOften = flag.Int("kills", 20, "how often to kill the program at random instants")
	stops    = flag.Bool("stops", false, "stop daemons too, and have others take their place")
)

// undisturbed returns the history of a seed's battles without kills. It plays them only once.
func undisturbed(t *testing.T, seed uint64) history {
	t.Helper()
	known.Lock()
	defer known.Unlock()
	if h, ok := known.bySeed[seed]; ok {
		return h
	}
	w := newWorld(t, seed)
	h := w.inPeace()
	known.bySeed[seed] = h
	return h
}

// inPeace plays the battles without kills and returns their history.
func (w *world) inPeace() history {
	w.t.Helper()
	how := w.survive(func(ending) (life, bool) { return life{}, false })
	h := w.history()
	w.check(h, false)
	if how[stopped] != 1 || len(h) < 20 {
		w.t.Fatalf("%v, %d files", how, len(h))
	}
	for id, copies := range w.copies {
		if len(copies) != 1 {
			w.t.Errorf("%s was sent %d times", id, len(copies))
		}
	}
	return h
}

var known = struct {
	sync.Mutex
	bySeed map[uint64]history
}{bySeed: map[uint64]history{}}

// survive runs life after life until the battle is over, then runs the program
// once more without a kill. It returns how the lives ended. next gets the last
// ending and returns the next life, or false for one that is not disturbed.
func (w *world) survive(next func(last ending) (life, bool)) map[ending]int {
	w.t.Helper()
	ends := map[ending]int{}
	must(w.t, plain) // build before the first life, because building takes longest
	must(w.t, fragile)
	if late, ok := w.t.Deadline(); ok {
		still := time.AfterFunc(time.Until(late)-10*time.Second, func() {
			panic("the tests take too long, or nothing happens any more\n" + tail(w.log.String(), 20000))
		})
		defer still.Stop()
	}
	var seen atomic.Int64 // mails that captains read
	w.moved(func() { seen.Add(1) })
	before, vain := int64(0), 0 // lives since a captain last read a mail
	for n, end := 0, born; ; n++ {
		l, more := next(end)
		if !more {
			l = life{program: must(w.t, plain)}
		}
		if vain++; seen.Load() != before {
			before, vain = seen.Load(), 0
		}
		// Lives get longer after vain ones, as on a busy machine none might live long enough.
		l.after += l.after * time.Duration(vain) / 5
		var err error
		end, err = live(l, w.config, w.done, &w.log)
		ends[end]++
		if end == failed {
			w.t.Fatalf("life %d: %v\n%s", n, err, tail(w.log.String(), 8000))
		}
		select {
		case <-w.done:
		default:
			continue
		}
		// Finish what the last life could not: moves, marks.
		if end, err := live(life{program: must(w.t, plain), once: true}, w.config, nil, &w.log); end != over {
			w.t.Fatalf("the last run: %v\n%s", err, tail(w.log.String(), 8000))
		}
		w.rest()
		return ends
	}
}

// timely are the steps taken only when time passes, see [TestKilledInTime].
var timely = []string{"beat", "grace", "pause", "resume"}

// refereed are the steps of a referee's acts, which no captain causes. Package
// vault tests a kill at each of them.
var refereed = []string{"vault park", "vault put"}

// opening are the steps of games that wait for their seats to be taken. The games here begin at
// once; package daemon tests an interruption at each of these steps.
var opening = []string{"begin", "cancel"}

// dicing are the steps of games with public dice, whose history depends on the time of day. Package daemon tests an
// interruption at each of them, and TestKilledWithPublicDice kills at random.
var dicing = []string{"close", "closed", "vault close"}

// TestRunsWithoutKillsAreEqual checks the undisturbed battles, with which the other tests compare theirs.
func TestRunsWithoutKillsAreEqual(t *testing.T) { undisturbed(t, 1) }

// TestToldToEnd tells the program to end while the server has the last mail but has not answered yet. The program must
// wait for the answer: inPeace checks that no mail goes out twice.
func TestToldToEnd(t *testing.T) {
	w := newWorld(t, 1)
	w.linger()
	w.inPeace()
}

// TestKilledAtEveryNamedStep has the program kill itself at each step in turn.
func TestKilledAtEveryNamedStep(t *testing.T) {
	want := undisturbed(t, 1)
	left := slices.DeleteFunc(process.Steps(), func(s string) bool { return slices.Contains(slices.Concat(timely, refereed, opening, dicing), s) })
	luck := rand.New(rand.NewPCG(1, 2))
	kills := 0
	for battles := 0; len(left) > 0; battles++ {
		if battles == 5 {
			t.Fatalf("never reached: %q", left)
		}
		w := newWorld(t, 1)
		w.survive(func(last ending) (life, bool) {
			if last == killed {
				left = left[1:]
				kills++
			}
			if len(left) == 0 {
				return life{}, false
			}
			at := fmt.Sprintf("STARPOST_CRASH_AT=%s:%d", left[0], 1+luck.IntN(3))
			return life{program: must(t, fragile), env: []string{at}, once: luck.IntN(4) == 0}, true
		})
		w.check(want, false)
	}
	t.Logf("killed at %d steps", kills)
}

// TestKilledAtRandom kills the program, as it is shipped, at random instants.
func TestKilledAtRandom(t *testing.T) {
	want := undisturbed(t, 1)
	luck := rand.New(rand.NewPCG(3, 4))
	kills, battles, mails, began := 0, 0, 0, time.Now()
	for ; kills < *howOften; battles++ {
		w := newWorld(t, 1)
		w.survive(func(last ending) (life, bool) {
			if last == killed {
				kills++
			}
			if kills >= *howOften {
				return life{}, false
			}
			after := time.Duration(5+luck.IntN(120)) * time.Millisecond
			return life{program: must(t, plain), after: after, once: luck.IntN(5) == 0}, true
		})
		w.check(want, false)
		if t.Failed() {
			break
		}
		mails += len(w.mails)
	}
	t.Logf("%d kills in %d times %d battles with %d mails of captains, in %s", kills, battles, len(gameIDs), mails, time.Since(began).Round(time.Millisecond))
}

// TestKilledWithPublicDice kills the program, as it is shipped, at random in battles with dice from a beacon, and checks
// that each turn is closed once, that each captain is told so once, and that the games verify.
func TestKilledWithPublicDice(t *testing.T) {
	luck := rand.New(rand.NewPCG(5, 6))
	mailing := vault.DefaultMail()
	mailing.ChangeWindow, mailing.Missing = clock.Span(12*time.Hour), vault.PolicyHold
	key, err := fakerelay.NewKey("crash", time.Now().Add(-time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	key.Period = 1
	kills := 0
	w := newWorldOf(t, 1, gameIDs[:2], mailing, key)
	w.survive(func(last ending) (life, bool) {
		if last == killed {
			kills++
		}
		return life{program: must(t, plain), after: time.Duration(5+luck.IntN(1500)) * time.Millisecond, once: luck.IntN(4) == 0}, kills < *howOften
	})
	w.check(w.history(), false)
	turns := 0
	for _, b := range w.games {
		g, err := vault.Open(directory.At(b.dir), catalogue())
		if err != nil {
			t.Fatal(err)
		}
		turns += g.Turn()
	}
	if len(w.closings) != 2*turns {
		t.Errorf("%d mails of closings in %d turns", len(w.closings), turns)
	}
	t.Logf("%d kills in %d turns", kills, turns)
}
