package crash_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// hours are the hours of its clock at which the program is run: every few hours,
// then not for a day, then again.
var hours = []int{0, 5, 10, 15, 20, 25, 30, 35, 40, 65, 70, 75, 80, 85, 90, 95, 100, 105, 110}

// idle returns a world with two silent captains, in which there are reminders,
// grace periods and an outage, until robots play.
func idle(t *testing.T) *world {
	t.Helper()
	mailing := vault.DefaultMail()
	mailing.Missing, mailing.Deadline, mailing.Grace = vault.PolicyRobot, clock.Day, clock.Span(12*time.Hour)
	mailing.Remind = []clock.Span{clock.Span(6 * time.Hour)}
	w := newWorldOf(t, 1, gameIDs[:1], mailing, nil)
	w.acting.Lock()
	defer w.acting.Unlock()
	for _, b := range w.games {
		for _, c := range b.captains {
			c.silent = true
		}
	}
	return w
}

// watch runs the program once at each of hours. If step is not "", the program
// first kills itself there, up to three times an hour. It returns the number of kills.
func (w *world) watch(step string) (kills int) {
	w.t.Helper()
	for _, hour := range hours {
		ahead := fmt.Sprintf("STARPOST_CRASH_CLOCK=%dh", hour)
		for try := 1; ; try++ {
			l := life{program: must(w.t, fragile), once: true, env: []string{ahead}}
			if step != "" && try <= 3 {
				l.env = append(l.env, fmt.Sprintf("STARPOST_CRASH_AT=%s:%d", step, try))
			}
			end, err := live(l, w.config, nil, &w.log)
			if end == failed {
				w.t.Fatalf("at hour %d: %v\n%s", hour, err, tail(w.log.String(), 8000))
			}
			if end == over {
				break
			}
			kills++
		}
	}
	w.rest()
	return kills
}

// told returns recipients and subjects of all mails, with their numbers. They do not depend on the time.
func (w *world) told() map[string]int {
	all := map[string]int{}
	for id, copies := range w.copies {
		for _, c := range copies[1:] {
			if c.raw != copies[0].raw {
				w.t.Errorf("two mails with the id %s:\n%s\n\n%s", id, c.raw, copies[0].raw)
			}
		}
		all[copies[0].to+": "+copies[0].Subject]++
	}
	return all
}

// journaled returns the entries of the journals, without their times.
func (w *world) journaled() []string {
	var all []string
	for _, id := range slices.Sorted(maps.Keys(w.games)) {
		g, err := vault.Open(directory.At(w.games[id].dir), catalogue())
		if err != nil {
			w.t.Fatal(err)
		}
		entries, err := g.Journal.Entries()
		if err != nil {
			w.t.Fatal(err)
		}
		for _, e := range entries {
			all = append(all, fmt.Sprintf("%s %d %s by %s", id, e.Turn, e.Kind, e.By))
		}
		if found, err := proof.Verify(g, nil); err != nil || len(found) > 0 {
			w.t.Errorf("verify %s: %v %v", id, found, err)
		}
	}
	return all
}

// TestKilledInTime kills the program at the steps that it takes when time passes.
func TestKilledInTime(t *testing.T) {
	ref := idle(t)
	ref.watch("")
	told, journaled, played := ref.told(), ref.journaled(), ref.history()
	if len(journaled) < 4 || len(told) < 10 {
		t.Fatalf("too little happens: %q\n%v", journaled, told)
	}
	for _, step := range append([]string{"queue", "queue turn", "resolve", "resolved"}, timely...) {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			w := idle(t)
			kills := w.watch(step)
			if kills == 0 {
				t.Error("never reached")
			}
			if got := w.told(); !maps.Equal(got, told) {
				t.Errorf("the world was told\n%v\ninstead of\n%v", got, told)
			}
			if got := w.journaled(); !slices.Equal(got, journaled) {
				t.Errorf("the journals tell\n%q\ninstead of\n%q", got, journaled)
			}
			if got := w.history(); !maps.Equal(got, played) {
				t.Error("another battle was played")
			}
			if t.Failed() {
				t.Logf("log of the processes:\n%s", tail(w.log.String(), 20000))
			}
		})
	}
}
