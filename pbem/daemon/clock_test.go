package daemon_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/pbem/clock"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// at sets the clock to a time in Berlin.
func (w *world) at(text string) {
	w.t.Helper()
	t, err := time.ParseInLocation("2006-01-02 15:04", text, w.zone())
	if err != nil {
		w.t.Fatal(err)
	}
	w.clock.Set(t)
}

func (w *world) zone() *time.Location {
	w.t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		w.t.Fatal(err)
	}
	return zone
}

// due returns the current deadline as Berlin time.
func (w *world) due(g *vault.Game) string {
	w.t.Helper()
	return w.timing(g).Deadline.In(w.zone()).Format("2006-01-02 15:04 MST")
}

// play makes both captains send final orders, and runs the turn.
func (w *world) play(g *vault.Game) sentMails {
	w.t.Helper()
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kor", "final"))
	turn := w.turnOf(g)
	sent := w.run()
	if w.turnOf(g) != turn+1 {
		w.t.Fatalf("turn %d did not run:\n%s", turn+1, sent)
	}
	return sent
}

func TestDeadlinesByTheCalendar(t *testing.T) {
	w := newWorld(t)
	mail := schedule()
	mail.Zone, mail.Weekends, mail.Holidays = "Europe/Berlin", clock.WeekendsSkip, []string{"DE"}
	mail.Dates, mail.DeadlineAt = []string{"2026-05-18..2026-05-20"}, "20:00"
	w.at("2026-05-07 19:30") // a Thursday
	g := w.game("wolf", mail)
	for _, c := range []struct{ now, due string }{
		{"2026-05-07 20:10", "2026-05-12 20:00 CEST"},
		{"2026-05-12 20:05", "2026-05-21 20:00 CEST"}, // Ascension, a weekend and three configured days are skipped
		{"2026-05-21 23:00", "2026-05-28 20:00 CEST"}, // Whit Monday too; four days, because the hour is past
	} {
		w.at(c.now)
		sent := w.play(g)
		if got := w.due(g); got != c.due {
			t.Errorf("at %s turn %d is due by %s, want %s", c.now, g.Turn()+1, got, c.due)
		}
		if m := sent.to(kirk, "report"); len(m) != 1 || !strings.Contains(m[0].Text, " 20:00 CEST") {
			t.Errorf("the report does not say when: %v", m)
		}
	}
}

// The hour of the deadline stays the same over a change to or from summer time, and reminders and grace
// have their stated lengths.
func TestSummerTime(t *testing.T) {
	for _, c := range []struct{ begin, remind, due, graceEnds string }{
		{"2026-03-27 20:00", "2026-03-29 20:00", "2026-03-30 20:00 CEST", "2026-03-31 08:00"},
		{"2026-10-22 20:00", "2026-10-24 21:00", "2026-10-25 20:00 CET", "2026-10-26 08:00"},
		{"2026-03-26 02:30", "2026-03-28 02:00", "2026-03-29 03:00 CEST", "2026-03-29 15:00"}, // an hour that is skipped
		{"2026-10-22 02:30", "2026-10-24 03:30", "2026-10-25 02:30 CET", "2026-10-25 14:30"},  // an hour that occurs twice
	} {
		w := newWorld(t)
		mail := schedule()
		mail.Zone, mail.Remind = "Europe/Berlin", []clock.Span{clock.Day}
		w.at(c.begin)
		g := w.game("wolf", mail)
		w.run()
		if got := w.due(g); got != c.due {
			t.Fatalf("begun at %s turn 1 is due by %s, want %s", c.begin, got, c.due)
		}
		deadline := w.timing(g).Deadline
		w.at(c.remind)
		w.clock.Advance(-time.Minute)
		if sent := w.run(); len(sent) != 0 {
			t.Errorf("begun at %s: too early:\n%s", c.begin, sent)
		}
		w.at(c.remind)
		if sent := w.run(); len(sent.to(kirk, "missing")) != 1 {
			t.Errorf("begun at %s: not reminded at %s:\n%s", c.begin, c.remind, sent)
		}
		w.clock.Set(deadline.Add(-time.Minute))
		if sent := w.run(); len(sent) != 0 {
			t.Errorf("begun at %s: before the deadline:\n%s", c.begin, sent)
		}
		w.clock.Set(deadline)
		if sent := w.run(); len(sent.to(kor, "of grace")) != 1 {
			t.Errorf("begun at %s: at the deadline:\n%s", c.begin, sent)
		}
		w.at(c.graceEnds)
		w.clock.Advance(-time.Minute)
		if w.run(); w.turnOf(g) != 0 {
			t.Errorf("begun at %s: resolved in the grace period", c.begin)
		}
		w.at(c.graceEnds)
		if w.run(); w.turnOf(g) != 1 {
			t.Errorf("begun at %s: not resolved at %s", c.begin, c.graceEnds)
		}
	}
}

func (w *world) away(g *vault.Game, captain engine.CaptainName, from, to string) {
	w.t.Helper()
	day := func(text string) time.Time {
		t, err := time.ParseInLocation(time.DateOnly, text, time.UTC)
		if err != nil {
			w.t.Fatal(err)
		}
		return t
	}
	e := journal.NewEntry(journal.Away, string(captain), w.clock.Now(), journal.AwayData{From: day(from), To: day(to).AddDate(0, 0, 1)})
	e.Captain = captain
	if _, err := g.Append(e); err != nil {
		w.t.Fatal(err)
	}
}

// An absence does not move the current deadline, but it moves later ones. A captain who is away is not
// reminded, and the others are told if the game says so.
func TestAbsence(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule()) // due on 4 March at noon
	w.run()
	w.away(g, "Kor", "2026-03-03", "2026-03-08")
	w.clock.Set(began.Add(48 * time.Hour))
	sent := w.run()
	if m := sent.to(kirk, "orders are missing for Hood"); len(sent) != 1 || len(m) != 1 ||
		!strings.Contains(unwrapped(m[0].Text), "Orders are missing from: Hood, Riskadh (away until Sun 8 Mar 2026).") {
		t.Errorf("sent:\n%s\n%v", sent, m)
	}
	if got := w.timing(g); got.Moved() {
		t.Errorf("%+v", got)
	}
	w.box.put(w.order(g, "Kirk", "final"))
	sent = w.run()
	if m := sent.to(kirk, "accepted"); len(m) != 1 || !strings.Contains(m[0].Text, "Riskadh (away until Sun 8 Mar 2026)") {
		t.Errorf("sent:\n%s\n%v", sent, m)
	}
	w.clock.Set(began.Add(72 * time.Hour))
	if sent := w.run(); len(sent) != 0 || w.kinds(g) != "away grace" {
		t.Errorf("journal: %s, sent:\n%s", w.kinds(g), sent)
	}
	w.clock.Set(began.Add(84 * time.Hour))
	if m := w.run().to(kirk, "report"); len(m) != 1 || !strings.Contains(m[0].Text, "The deadline makes room for a captain who is away.") {
		t.Errorf("the report does not tell: %v", m)
	}
	if got, want := w.timing(g), time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC); g.Turn() != 1 || !got.Deadline.Equal(want) {
		t.Errorf("after turn %d: %+v, want %s", g.Turn(), got, want)
	}
	// The next deadline is no longer moved.
	w.clock.Set(time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC))
	if m := w.play(g).to(kirk, "report"); len(m) != 1 || strings.Contains(m[0].Text, "makes room") {
		t.Errorf("the report tells of an absence: %v", m)
	}
	if got := w.timing(g); !got.Deadline.Equal(w.clock.Now().Add(72 * time.Hour)) {
		t.Errorf("%+v", got)
	}
}

func TestAbsenceIsBounded(t *testing.T) {
	w := newWorld(t)
	mail := schedule()
	mail.AwayMax = 2 * clock.Day
	g := w.game("wolf", mail)
	w.run()
	w.away(g, "Kor", "2026-03-02", "2026-06-30")
	w.play(g)
	if got := w.timing(g); !got.Deadline.Equal(began.Add(120 * time.Hour)) {
		t.Errorf("%+v", got)
	}
	mail.AwayMax = 0
	g = w.game("lamb", mail)
	w.away(g, "Kor", "2026-03-02", "2026-06-30")
	w.play(g)
	if got := w.timing(g); !got.Deadline.Equal(began.Add(72 * time.Hour)) {
		t.Errorf("%+v", got)
	}
}

// A calendar without a free day keeps the turn from being played, and the referee is told what to do.
func TestNoDayForADeadline(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	path := filepath.Join(g.Dir(), "game.toml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	change := func(days string) {
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), "weekends = \"count\"", "weekends = \"count\"\nholidays_dates = ["+days+"]", 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	change(`"2026-01-01..2026-12-31", "2027-01-01..2027-12-31"`)
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kor", "final"))
	if _, err := w.once(); err == nil || !strings.Contains(err.Error(), "no deadline is possible: every day from 2026-03-04") || w.turnOf(g) != 0 {
		t.Errorf("turn %d: %v", g.Turn(), err)
	}
	change(`"2026-03-04"`)
	w.run()
	if got := w.timing(g); w.turnOf(g) != 1 || !got.Deadline.Equal(began.Add(96*time.Hour)) {
		t.Errorf("turn %d: %+v", g.Turn(), got)
	}
}

// A stand-in for a captain is reminded, sends the orders, and gets the reports. No deadline is moved.
func TestStandInPlays(t *testing.T) {
	const bo = "bo@example.org"
	w := newWorld(t)
	g := w.game("wolf", schedule()) // due on 4 March at noon
	w.run()
	w.box.put(w.command(kor, w.keyed(g, "Kor"), "#away until 2026-03-08 stand-in "+bo))
	asked := w.run().to(bo, "Will you stand in?")
	if len(asked) != 1 {
		t.Fatal("the stand-in is not asked")
	}
	w.box.put(w.command(bo, asked[0].ReplyTo[0].Addr, "confirm\n"))
	if sent := w.run(); len(sent.to(bo, "You stand in")) != 1 || len(sent.to(bo, "orders for turn 1")) != 1 || len(sent.to(kor, "has agreed")) != 1 {
		t.Fatalf("sent:\n%s", sent)
	}
	w.clock.Set(began.Add(48 * time.Hour))
	if sent := w.run(); len(sent.to(bo, "orders are missing for Riskadh")) != 1 || len(sent.to(kor, "")) != 0 {
		t.Errorf("reminded:\n%s", sent)
	}
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(strings.Replace(w.order(g, "Kor", "final"), kor, bo, 1))
	sent := w.run()
	if report := sent.to(bo, "report for Riskadh"); w.turnOf(g) != 1 || len(sent.to(bo, "accepted")) != 1 || len(report) != 1 || !strings.Contains(report[0].ReplyTo[0].Addr, "+") {
		t.Errorf("turn %d, sent:\n%s", w.turnOf(g), sent)
	}
	if got, want := w.timing(g).Deadline, w.clock.Now().Add(72*time.Hour); !got.Equal(want) {
		t.Errorf("the next deadline is %s, want %s", got, want)
	}
	if sent := w.run(); len(sent) != 0 {
		t.Errorf("sent again:\n%s", sent)
	}
	w.clock.Set(time.Date(2026, 3, 9, 0, 0, 1, 0, time.UTC))
	if sent := w.play(g); len(sent.to(bo, "")) != 0 || len(sent.to(kor, "Turn 2: report")) != 1 {
		t.Errorf("after these days there went out\n%s", sent)
	}
}
