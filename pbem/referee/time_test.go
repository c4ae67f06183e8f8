package referee_test

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/pbem/clock"
	"starpost/pbem/record/directory"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// catalogue makes its rule sets only once for all tests; nothing changes them.
var catalogue = sync.OnceValue(func() vault.Catalogue { return vault.CatalogueOf(fasa.Family()) })

// began is a Monday.
var began = time.Date(2026, 5, 4, 20, 0, 0, 0, time.UTC)

func at(hours int) time.Time { return began.Add(time.Duration(hours) * time.Hour) }

// game returns a game with three days for a turn.
func game(t *testing.T, change func(*vault.MailSettings)) *vault.Game {
	t.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	mail := vault.DefaultMail()
	if change != nil {
		change(&mail)
	}
	dir := filepath.Join(t.TempDir(), "wolf")
	_, err = turn.Create(dir, catalogue(), turn.Setup{
		Scenario: all["big-bad-wolf"], ID: "wolf", Mail: mail, Secret: dice.FromSeed(1), Options: turn.Options{Now: began},
	})
	if err != nil {
		t.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), catalogue())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func by(who string, hours int) referee.Act {
	return referee.Act{By: who, Why: "storm", Now: at(hours)}
}

func entries(t *testing.T, g *vault.Game) int {
	t.Helper()
	all, err := g.Journal.Entries()
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

// must fails the test on an error.
func must(t *testing.T) func(vault.Timing, error) vault.Timing {
	t.Helper()
	return func(got vault.Timing, err error) vault.Timing {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
}

func refused(t *testing.T, g *vault.Game, kind error, say string) func(vault.Timing, error) {
	t.Helper()
	before := entries(t, g)
	return func(_ vault.Timing, err error) {
		t.Helper()
		told, ok := errors.AsType[*referee.Error](err)
		if !ok || !errors.Is(err, kind) || !strings.Contains(err.Error(), say) || told.Hint() == "" || entries(t, g) != before {
			t.Errorf("error %v with %d entries, was %d", err, entries(t, g), before)
		}
	}
}

func TestPauseStopsTheClock(t *testing.T) {
	g := game(t, nil)
	refused(t, g, referee.ErrNotPaused, "game wolf is not paused")(referee.Resume(g, by(referee.ByReferee, 0)))
	got := must(t)(referee.Pause(g, by(referee.ByReferee, 32))) // 40 hours before the deadline
	if p := got.Paused; p == nil || p.Why != "storm" || p.By != "referee" || p.Left.Duration() != 40*time.Hour || !p.Until.IsZero() || got.Moved() {
		t.Errorf("%+v", got)
	}
	refused(t, g, referee.ErrPaused, "already paused, by the referee")(referee.Pause(g, by(referee.ByReferee, 33)))
	got = must(t)(referee.Resume(g, by(referee.ByReferee, 132)))
	if got.Paused != nil || !got.Deadline.Equal(at(172)) || !got.Moved() {
		t.Errorf("%+v", got)
	}
	// There is always a day left.
	must(t)(referee.Pause(g, by(referee.ByReferee, 170)))
	if got = must(t)(referee.Resume(g, by(referee.ByReferee, 171))); !got.Deadline.Equal(at(195)) {
		t.Errorf("%+v", got)
	}
	must(t)(referee.Pause(g, by(referee.ByReferee, 300)))
	if got = must(t)(referee.Resume(g, by(referee.ByReferee, 400))); !got.Deadline.Equal(at(424)) {
		t.Errorf("long after the deadline: %+v", got)
	}
	// A deadline set during the pause stays.
	must(t)(referee.Pause(g, by(referee.ByReferee, 401)))
	must(t)(referee.Extend(g, by(referee.ByReferee, 402), referee.DeadlineLater(clock.Day, at(402)), false))
	if got = must(t)(referee.Resume(g, by(referee.ByReferee, 430))); !got.Deadline.Equal(at(448)) {
		t.Errorf("set in the pause: %+v", got)
	}
}

func TestResumeKeepsTheCalendar(t *testing.T) {
	g := game(t, func(m *vault.MailSettings) {
		m.Weekends, m.DeadlineAt, m.Zone = clock.WeekendsMove, "20:00", "Europe/Berlin"
	})
	must(t)(referee.Pause(g, by(referee.ByReferee, 24)))
	got := must(t)(referee.Resume(g, by(referee.ByReferee, 60))) // Thursday morning; two days are left
	if want := "2026-05-11 20:00 CEST"; got.Deadline.In(zone(t)).Format("2006-01-02 15:04 MST") != want {
		t.Errorf("%v, want %s", got.Deadline.In(zone(t)), want)
	}
}

func zone(t *testing.T) *time.Location {
	t.Helper()
	z, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestInterrupt(t *testing.T) {
	g := game(t, nil)
	robot := func(cause string, hours int) referee.Act {
		a := by(referee.ByDaemon, hours)
		a.Cause = cause
		return a
	}
	// Down from hour 30 to 40, until 52: 42 hours were left.
	got := must(t)(referee.Interrupt(g, robot("one", 40), at(30), at(52)))
	if p := got.Paused; p == nil || !p.Until.Equal(at(52)) || !got.Deadline.Equal(at(94)) {
		t.Fatalf("%+v", got)
	}
	before := entries(t, g)
	if got = must(t)(referee.Interrupt(g, robot("one", 41), at(30), at(53))); !got.Paused.Until.Equal(at(52)) || entries(t, g) != before {
		t.Errorf("the same again: %+v", got)
	}
	// The clock jumps back and forth: the time left stays the same.
	if got = must(t)(referee.Interrupt(g, robot("two", 9000), at(41), at(9012))); !got.Deadline.Equal(at(9054)) {
		t.Errorf("far ahead: %+v", got)
	}
	if got = must(t)(referee.Interrupt(g, robot("three", 42), at(9000), at(54))); !got.Deadline.Equal(at(96)) {
		t.Errorf("and back: %+v", got)
	}
	// Resumed early by hand: the announced deadline stays.
	if got = must(t)(referee.Resume(g, by(referee.ByReferee, 50))); !got.Deadline.Equal(at(96)) || got.Paused != nil {
		t.Errorf("%+v", got)
	}
	// Little time was left: a day is added. It resumes late: a day from then.
	if got = must(t)(referee.Interrupt(g, robot("four", 120), at(95), at(132))); !got.Deadline.Equal(at(156)) {
		t.Errorf("%+v", got)
	}
	if got = must(t)(referee.Resume(g, robot("", 150))); !got.Deadline.Equal(at(174)) {
		t.Errorf("%+v", got)
	}
	// Without an end the deadline is set on resume.
	if got = must(t)(referee.Interrupt(g, robot("five", 160), at(151), time.Time{})); !got.Paused.Until.IsZero() || !got.Deadline.Equal(at(174)) {
		t.Errorf("%+v", got)
	}
	if got = must(t)(referee.Resume(g, by(referee.ByReferee, 200))); !got.Deadline.Equal(at(224)) {
		t.Errorf("%+v", got)
	}
	// A game that someone paused stays as it is, and one that would resume by itself can be stopped
	// for longer.
	if got = must(t)(referee.Interrupt(g, robot("six", 210), at(205), at(222))); !got.Deadline.Equal(at(246)) {
		t.Errorf("%+v", got)
	}
	if got = must(t)(referee.Pause(g, by(referee.ByReferee, 211))); !got.Paused.Until.IsZero() || got.Paused.Left.Duration() != 24*time.Hour {
		t.Errorf("%+v", got)
	}
	before = entries(t, g)
	if got = must(t)(referee.Interrupt(g, robot("seven", 300), at(250), at(312))); got.Paused.By != "referee" || entries(t, g) != before {
		t.Errorf("%+v", got)
	}
}

func TestExtend(t *testing.T) {
	g := game(t, func(m *vault.MailSettings) { m.Zone = "Europe/Berlin" })
	extend := func(hours int, to func(vault.Timing, clock.Schedule) (time.Time, error), shorten bool) (vault.Timing, error) {
		return referee.Extend(g, by(referee.ByReferee, hours), to, shorten)
	}
	if got := must(t)(extend(1, referee.DeadlineLater(clock.Day, at(1)), false)); !got.Deadline.Equal(at(96)) || !got.Announced.Equal(at(72)) || !got.Moved() {
		t.Errorf("%+v", got)
	}
	if got := must(t)(extend(1, referee.DeadlineAt("2026-05-09 12:00"), false)); !got.Deadline.Equal(time.Date(2026, 5, 9, 10, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", got)
	}
	refused(t, g, referee.ErrTime, "is earlier than 2026-05-09T10:00:00Z, which the captains know")(extend(2, referee.DeadlineAt("2026-05-09 11:59"), false))
	refused(t, g, referee.ErrTime, "already")(extend(2, referee.DeadlineAt("2026-05-09 12:00"), true))
	refused(t, g, referee.ErrTime, "is past")(extend(50, referee.DeadlineAt("2026-05-06 12:00"), true))
	refused(t, g, referee.ErrTime, "ten years")(extend(50, referee.DeadlineAt("3026-05-06 12:00"), true))
	if _, err := extend(50, referee.DeadlineAt("tomorrow"), true); err == nil || !strings.Contains(err.Error(), `write for example "2d", or "2026-12-01 20:00" as clocks show it in Europe/Berlin`) {
		t.Errorf("error %v", err)
	}
	if got := must(t)(extend(2, referee.DeadlineAt("2026-05-08 12:00"), true)); !got.Deadline.Equal(time.Date(2026, 5, 8, 10, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", got)
	}
	// After the deadline the time counts from now.
	if got := must(t)(extend(100, referee.DeadlineLater(clock.Span(6*time.Hour), at(100)), false)); !got.Deadline.Equal(at(106)) {
		t.Errorf("%+v", got)
	}
}

// No sequence of outages, pauses and extensions takes time from the captains or leaves a game with
// a past deadline when it resumes.
func TestRefusedActsChangeNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g, now := game(t, nil), 0
		for range rapid.IntRange(1, 8).Draw(rt, "acts") {
			now += rapid.IntRange(0, 60).Draw(rt, "hours")
			was, err := g.Timing()
			if err != nil {
				t.Fatal(err)
			}
			cause := by(referee.ByDaemon, now)
			switch rapid.SampledFrom([]string{"pause", "resume", "outage", "for ever", "extend"}).Draw(rt, "act") {
			case "pause":
				_, err = referee.Pause(g, by(referee.ByReferee, now))
			case "resume":
				_, err = referee.Resume(g, by(rapid.SampledFrom([]string{referee.ByReferee, referee.ByDaemon}).Draw(rt, "by"), now))
			case "outage":
				_, err = referee.Interrupt(g, cause, at(now-rapid.IntRange(0, 100).Draw(rt, "down")), at(now+12))
			case "for ever":
				_, err = referee.Interrupt(g, cause, at(now-rapid.IntRange(0, 100).Draw(rt, "down")), time.Time{})
			case "extend":
				_, err = referee.Extend(g, by(referee.ByReferee, now), referee.DeadlineLater(clock.Day, at(now)), false)
			}
			if _, no := errors.AsType[*referee.Error](err); err != nil && !no {
				t.Fatal(err)
			}
			is, err := g.Timing()
			if err != nil {
				t.Fatal(err)
			}
			if is.Ends().Before(was.Ends()) {
				rt.Fatalf("the deadline went from %v to %v", was.Ends(), is.Ends())
			}
			if was.Paused != nil && is.Paused == nil && !is.Ends().After(at(now)) {
				rt.Fatalf("it goes on at %v with a deadline at %v", at(now), is.Ends())
			}
		}
	})
}
