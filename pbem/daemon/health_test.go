package daemon_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/daemon/watch"
)

// problems returns the problems of a health check, one per line.
func problems(w *world, now time.Time) string {
	var all []string
	for _, c := range watch.Health(w.cfg, now) {
		if !c.OK() {
			all = append(all, c.What+": "+c.Problem)
			if c.Hint == "" {
				w.t.Errorf("no way out of %s: %s", c.What, c.Problem)
			}
		}
	}
	return strings.Join(all, "\n")
}

// bubbled is the machine's clock in a synctest bubble.
type bubbled struct {
	clock.Real
	start time.Time
}

func (b bubbled) Elapsed() time.Duration { return time.Since(b.start) }

func TestHealthOfADaemon(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		if got := problems(w, time.Now()); !strings.Contains(got, "daemon: there is no heartbeat") {
			t.Errorf("before the first start: %s", got)
		}
		w.cfg.Poll = clock.Span(10 * time.Minute)
		w.game("wolf", schedule())
		w.machine = bubbled{start: time.Now()}
		end := w.serve()
		for range 20 { // at any moment
			time.Sleep(7*time.Minute + 13*time.Second)
			synctest.Wait()
			if got := problems(w, time.Now()); got != "" {
				t.Errorf("at work: %s", got)
			}
		}
		w.box.fail(errors.New("down"))
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := problems(w, time.Now()); !strings.HasPrefix(got, "mailbox "+robot+": was not read for") {
			t.Errorf("with the mailbox down: %s", got)
		}
		end()
		w.box.fail(nil)
		if got := problems(w, time.Now().Add(20*time.Minute)); !strings.HasPrefix(got, "daemon: no heartbeat for") {
			t.Errorf("after its end: %s", got)
		}
		if got := problems(w, time.Now().Add(-24*time.Hour)); !strings.Contains(got, "in the future by this machine's clock") {
			t.Errorf("with the clock put back: %s", got)
		}
	})
}

func TestHealthOfRunsFromCron(t *testing.T) {
	w := newWorld(t)
	w.game("wolf", schedule())
	for range 6 {
		if _, err := w.once(); err != nil {
			t.Fatal(err)
		}
		if got := problems(w, w.clock.Now().Add(time.Minute)); got != "" {
			t.Errorf("after a run: %s", got)
		}
		w.clock.Advance(30 * time.Minute)
	}
	if got := problems(w, w.clock.Now().Add(30*time.Minute)); got != "" {
		t.Errorf("a run left out: %s", got)
	}
	if got := problems(w, w.clock.Now().Add(3*time.Hour)); !strings.Contains(got, "daemon: no heartbeat") || !strings.Contains(got, "was not read for") {
		t.Errorf("no more runs: %s", got)
	}
}
