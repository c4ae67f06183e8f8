package daemon_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/testkit/enginetest"
	"starpost/pbem/rating"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
)

// missing creates a game without grace and reminders, in which standing orders replace missing
// ones, with a rule on missed turns.
func (w *world) missing(turns int, then string) *vault.Game {
	w.t.Helper()
	mail := schedule()
	mail.Grace, mail.Remind, mail.Missed = 0, nil, vault.MissedTurnsRule{Turns: turns, Then: then}
	g := w.game("wolf", mail)
	w.run()
	return g
}

// silence makes Kirk send orders and Kor none, and lets the deadline pass.
func (w *world) silence(g *vault.Game) sentMails {
	w.t.Helper()
	w.box.put(w.order(g, "Kirk", "power", "  shields 2:3"))
	sent := w.run()
	w.clock.Advance(g.Settings().Mail.Deadline.Duration() + time.Minute)
	return append(sent, w.run()...)
}

// words returns a mail's text without line breaks.
func (l sentMail) words() string { return strings.Join(strings.Fields(l.Text), " ") }

// By default the referee is told of each missed turn, and after two the game waits.
func TestMissedTurnsAskTheReferee(t *testing.T) {
	w := newWorld(t)
	mail := schedule()
	mail.Grace, mail.Remind = 0, nil
	g := w.game("wolf", mail)
	w.run()
	for n, want := range []string{
		"", "Turn 1 was played without orders from captain Kor (Riskadh): standing orders applied. After 2 turns in a row, the next one waits for you.",
		"No orders have come for 2 turns in a row. If none come for turn 3, the game waits for you when the time is up.",
	} {
		if n == 0 {
			continue
		}
		told := w.silence(g).to(refAddress, "no orders from Kor")
		if len(told) != 1 || !strings.Contains(told[0].words(), want) || !strings.Contains(told[0].words(), "starpost referee wolf replace Kor ADDRESS") || w.turnOf(g) != n {
			t.Fatalf("turn %d of %d, the referee is told:\n%s\n%v", w.turnOf(g), n, told, told)
		}
		if sent := w.run(); len(sent) != 0 {
			t.Errorf("told again:\n%s", sent)
		}
	}
	told := w.silence(g).to(refAddress, "Turn 3: trouble")
	if len(told) != 1 || w.turnOf(g) != 2 || !strings.Contains(told[0].words(), "Captain Kor has sent no orders for 2 turns in a row. Please decide") {
		t.Fatalf("turn %d is played; told:\n%s", w.turnOf(g), told)
	}
	w.clock.Advance(30 * 24 * time.Hour)
	if sent := w.run(); len(sent.to(refAddress, "")) > 1 || w.turnOf(g) != 2 { // one is about the outage
		t.Errorf("turn %d is played; sent:\n%s", w.turnOf(g), sent)
	}
	w.box.put(w.order(g, "Kor", "power", "  shields 2:3"))
	if sent := w.run(); w.turnOf(g) != 3 || len(sent.to(refAddress, "no orders")) != 0 {
		t.Errorf("after orders of Kor turn %d is played; sent:\n%s", w.turnOf(g), sent)
	}
	if told := w.silence(g).to(refAddress, "no orders"); len(told) != 1 || strings.Contains(told[0].Text, "in a row. If none") || w.turnOf(g) != 4 {
		t.Errorf("counted on from before: %v", told)
	}
	services, err := rating.Services(g)
	if err != nil {
		t.Fatal(err)
	}
	want := []rating.Service{{Address: kirk, Conduct: rating.Conduct{Answered: 4}}, {Address: kor, Conduct: rating.Conduct{Answered: 1, Missed: 3}}}
	if !slices.Equal(services, want) {
		t.Errorf("the record of the captains is %+v, want %+v", services, want)
	}
}

func TestMissedTurnsPauseTheGame(t *testing.T) {
	w := newWorld(t)
	g := w.missing(1, vault.ThenPause)
	sent := w.silence(g)
	if p := w.timing(g).Paused; p == nil || p.By != "rule on missed turns" || len(sent.to(kirk, "paused")) != 1 || len(sent.to(kor, "paused")) != 1 {
		t.Fatalf("paused %+v; sent:\n%s", p, sent)
	}
	if told := sent.to(refAddress, "no orders from Kor"); len(told) != 1 || !strings.Contains(told[0].words(), "To resume it: starpost referee wolf resume") {
		t.Errorf("told: %v", told)
	}
	if _, err := referee.Resume(g, referee.Act{By: referee.ByReferee, Now: w.clock.Now()}); err != nil {
		t.Fatal(err)
	}
	if w.run(); w.timing(g).Paused != nil {
		t.Error("what the referee let go on is paused again for the same turn")
	}
	if w.silence(g); w.turnOf(g) != 2 || w.timing(g).Paused == nil {
		t.Errorf("turn %d, not paused after another missed turn", w.turnOf(g))
	}
}

// A robot has the ships until their captain writes again; the game does not wait.
func TestMissedTurnsGoToTheRobot(t *testing.T) {
	w := newWorld(t)
	g := w.missing(1, vault.ThenRobot)
	w.silence(g)
	w.box.put(w.order(g, "Kirk", "final"))
	if w.run(); w.turnOf(g) != 2 {
		t.Fatal("the turn waits for who is not to be waited for")
	}
	m, err := g.Stages.Manifest(vault.At(2))
	if err != nil || m.Missing[engine.Seat{Ship: "riskadh"}] != vault.PolicyRobot {
		t.Errorf("orders were by %q, %v", m.Missing[engine.Seat{Ship: "riskadh"}], err)
	}
	w.box.put(w.order(g, "Kor", "power", "  shields 2:3"))
	w.run()
	w.box.put(w.order(g, "Kirk", "final"))
	w.run()
	w.clock.Advance(g.Settings().Mail.Deadline.Duration())
	w.run()
	if m, err = w.load("wolf").Stages.Manifest(vault.At(3)); err != nil || len(m.Missing) != 0 {
		t.Errorf("he who came back is not heard: %v, %v", m.Missing, err)
	}
}

func TestMissedTurnsForfeit(t *testing.T) {
	w := newWorld(t)
	g := w.missing(1, vault.ThenForfeit)
	if w.silence(g); w.turnOf(g) != 1 {
		t.Fatal("turn 1 was not played")
	}
	sent := w.silence(g)
	if m, err := w.load("wolf").Stages.Manifest(vault.At(2)); err != nil || m.Missing[engine.Seat{Ship: "riskadh"}] != vault.PolicyForfeit || len(sent.to(kirk, "over")) == 0 {
		t.Errorf("%v, %v; sent:\n%s", m.Missing, err, sent)
	}
}

// Anyone may take the seat, though the game is not open. Its former captain is told.
func TestMissedTurnsFreeTheSeat(t *testing.T) {
	w := newWorld(t)
	g := w.missing(1, vault.ThenReplace)
	w.box.put(w.mail(anybody, "join wolf as Riskadh\n"))
	if sent := w.run(); len(sent.to(anybody, "confirm")) != 0 {
		t.Fatalf("a seat that is held is offered:\n%s", sent)
	}
	sent := w.silence(g)
	if left := sent.to(kor, "Kor has lost the command"); len(left) != 1 || !strings.Contains(left[0].words(), "By the rule on missed turns, captain Kor has lost the command: no orders from captain Kor for 1 turn in a row") {
		t.Fatalf("sent:\n%s", sent)
	}
	if len(sent.to(kirk, "Kor has lost the command")) != 1 {
		t.Errorf("the others are not told:\n%s", sent)
	}
	w.clock.Advance(24 * time.Hour)
	w.box.put(w.mail(anybody, "join wolf as Riskadh\n"))
	asked := w.run().to(anybody, "confirm")
	if len(asked) != 1 {
		t.Fatal("nobody may join")
	}
	_, token, _ := strings.Cut(asked[0].words(), "with this line: confirm ")
	w.box.put(w.mail(anybody, "confirm "+strings.Fields(token)[0]+"\n"))
	w.run()
	if err := g.Refresh(); err != nil {
		t.Fatal(err)
	}
	if c, _ := g.Settings().Captain("Kor"); c.Address != anybody {
		t.Errorf("the seat is that of %q", c.Address)
	}
	if told := w.silence(g).to(refAddress, "no orders from Kor"); len(told) != 0 {
		t.Errorf("who came while the turn was due is counted: %v", told)
	}
}

// Turns during an announced absence do not count.
func TestAnnouncedAbsencesAreNoMissedTurns(t *testing.T) {
	w := newWorld(t)
	g := w.missing(1, vault.ThenPause)
	w.box.put(w.command(kor, w.keyed(g, "Kor"), "away 2026-03-01 2026-03-14"))
	w.run()
	if told := w.silence(g).to(refAddress, "no orders"); len(told) != 0 || w.turnOf(g) != 1 || w.timing(g).Paused != nil {
		t.Errorf("turn %d, told: %v", w.turnOf(g), told)
	}
}

// If orders are taken for a phase at a time, a turn counts as missed if none came for any of its
// phases.
func TestMissedTurnsOfPhases(t *testing.T) {
	w := newWorld(t)
	mail := schedule()
	mail.Grace, mail.Remind, mail.Missed = 0, nil, vault.MissedTurnsRule{Turns: 1, Then: vault.ThenPause}
	g := w.duel("wolf", mail)
	w.run()
	phase := func(kor bool, n int) sentMails {
		w.box.put(w.phase(g, "Kirk", n, fmt.Sprintf("phase %d", n), "  move H"))
		if kor {
			w.box.put(w.phase(g, "Kor", n, fmt.Sprintf("phase %d", n), "  move H"))
		}
		sent := w.run()
		w.clock.Advance(mail.Deadline.Duration() + time.Minute)
		return append(sent, w.run()...)
	}
	for n := range 3 {
		if sent := phase(n == 1, n+1); len(sent.to(refAddress, "")) != 0 || w.timing(g).Paused != nil {
			t.Fatalf("phase %d of turn 1:\n%s", n+1, sent)
		}
	}
	for n := range 3 {
		sent := phase(false, n+1)
		if told := sent.to(refAddress, "Turn 2: no orders from Kor"); (len(told) == 1) != (n == 2) || (w.timing(g).Paused != nil) != (n == 2) {
			t.Fatalf("phase %d of turn 2 at %s:\n%s", n+1, w.newest(g), sent)
		}
	}
}

// After a kill at any step, the daemon still tells the referee and follows the rule, once.
func TestMissedTurnsKilled(t *testing.T) {
	enginetest.Sequential(t)
	for _, then := range []string{vault.ThenReplace, vault.ThenPause} {
		base := watchedWorld(t)
		g := base.missing(1, then)
		base.box.put(base.order(g, "Kirk", "power", "  shields 2:3"))
		base.run()
		base.clock.Advance(g.Settings().Mail.Deadline.Duration() + time.Minute)
		for kill := range 8 {
			w := base.again(t)
			n := 0
			w.before = func(step string) error {
				if strings.Contains(step, "queue") || strings.Contains(step, "journal") || step == "resolved" {
					if n++; n > kill {
						return errKill
					}
				}
				return nil
			}
			_, err := w.once()
			if err != nil && !errors.Is(err, errKill) {
				t.Fatal(err)
			}
			w.before = nil
			sent := append(w.delivered(), w.run()...)
			ids := map[string]bool{}
			for _, m := range sent.to(refAddress, "no orders from Kor") {
				ids[m.MessageID] = true
			}
			g := w.load("wolf")
			want := map[string]string{vault.ThenReplace: "resign", vault.ThenPause: "pause"}[then]
			if got := strings.Count(kinds(t, g), want); len(ids) != 1 || got != 1 {
				t.Errorf("%s, killed at %d (%v): %d mails, %d entries %q", then, kill, err, len(ids), got, kinds(t, g))
			}
			if err == nil {
				if kill < 4 {
					t.Errorf("%s: killed %d times only", then, kill)
				}
				break
			}
		}
	}
}
