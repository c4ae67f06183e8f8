package daemon_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/pbem/clock"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

func TestChangeWindow(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.box.put(w.order(g, "Kirk", "power", "  shields 2:4"))
	w.box.put(w.order(g, "Kor", "power", "  shields 2:4"))
	if sent := w.run(); w.turnOf(g) != 0 || len(sent) != 2 {
		t.Fatalf("turn %d, sent:\n%s", g.Turn(), sent)
	}
	w.clock.Advance(20 * time.Minute)
	w.box.put(w.order(g, "Kor", "power", "  shields 2:6"))
	w.run()
	w.clock.Advance(20 * time.Minute)
	if w.run(); w.turnOf(g) != 0 {
		t.Fatal("the second set does not open the window anew")
	}
	w.clock.Advance(10 * time.Minute)
	if sent := w.run(); w.turnOf(g) != 1 || len(sent) != 2 {
		t.Fatalf("turn %d, sent:\n%s", g.Turn(), sent)
	}
	text, err := g.Stages.File(vault.At(1), "orders/Riskadh.txt")
	if err != nil || !strings.Contains(string(text), "2:6") {
		t.Errorf("played with %s %v", text, err)
	}
}

func TestWaitForTheDeadline(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.box.put(w.order(g, "Kirk", "wait"))
	w.box.put(w.order(g, "Kor", "final"))
	w.run()
	w.clock.Advance(72*time.Hour - time.Minute)
	if w.run(); w.turnOf(g) != 0 {
		t.Fatal("resolved before the deadline")
	}
	w.clock.Advance(time.Minute)
	if w.run(); w.turnOf(g) != 1 {
		t.Fatal("not resolved at the deadline")
	}
}

func TestRemindersAndGrace(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule()) // three days, reminders at 24 h and 4 h, 12 h of grace, then standing orders
	w.run()
	w.box.put(w.order(g, "Kirk", "final"))
	w.run()
	for _, step := range []struct {
		until time.Duration // from the start
		want  string        // in the subject of the only mail, to Kor; "" for none
		turn  int
	}{
		{47 * time.Hour, "", 0},
		{48 * time.Hour, "orders are missing for Riskadh", 0},
		{49 * time.Hour, "", 0},
		{68 * time.Hour, "orders are missing for Riskadh", 0},
		{71 * time.Hour, "", 0},
		{72 * time.Hour, "of grace", 0},
		{83 * time.Hour, "", 0},
	} {
		w.clock.Set(began.Add(step.until))
		sent := w.run()
		switch {
		case step.want == "" && len(sent) != 0, step.want != "" && (len(sent) != 1 || len(sent.to(kor, step.want)) != 1):
			t.Errorf("after %s, want %q:\n%s", step.until, step.want, sent)
		case step.want != "" && !strings.Contains(sent[0].Text, "missing from: Riskadh"):
			t.Errorf("after %s:\n%s", step.until, sent[0].Text)
		case strings.Contains(step.want, "missing for") && !strings.Contains(strings.Join(strings.Fields(sent[0].Text), " "),
			"is waiting for your orders for turn 1: Riskadh. The deadline is") || step.want != "" && !strings.Contains(strings.Join(strings.Fields(sent[0].Text), " "), "After it, standing orders apply."):
			t.Errorf("after %s it is not said what comes then:\n%s", step.until, sent[0].Text)
		}
		if w.turnOf(g) != step.turn {
			t.Errorf("after %s: turn %d", step.until, g.Turn())
		}
	}
	w.clock.Set(began.Add(84 * time.Hour))
	w.run()
	if w.turnOf(g) != 1 {
		t.Fatal("not resolved after the grace period")
	}
	m, err := g.Stages.Manifest(vault.At(1))
	if err != nil || m.Missing[engine.Seat{Ship: "riskadh"}] != vault.PolicyStanding || len(m.Missing) != 1 {
		t.Errorf("missing: %v %v", m.Missing, err)
	}
	if want := began.Add(84*time.Hour + 72*time.Hour); !m.Deadline.Equal(want) {
		t.Errorf("next deadline %s, want %s", m.Deadline, want)
	}
}

func TestLateButInTheGrace(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.clock.Set(began.Add(73 * time.Hour))
	w.run()
	w.box.put(w.order(g, "Kirk", "power", "  shields 2:4"))
	w.box.put(w.order(g, "Kor", "power", "  shields 2:4"))
	sent := w.run()
	if len(sent.to(kirk, "accepted")) != 1 || !strings.Contains(sent.to(kirk, "accepted")[0].Text, "Thu 5 Mar 2026, 01:00 UTC") {
		t.Errorf("sent:\n%s\n%v", sent, sent.to(kirk, "accepted"))
	}
	w.clock.Advance(30 * time.Minute)
	if w.run(); w.turnOf(g) != 1 {
		t.Error("all in and the window over, but not resolved")
	}
}

// A grace period that would have ended before the daemon came back is counted from then, because no one was told
// of it.
func TestGraceOpenedLate(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.clock.Set(began.Add(100 * time.Hour))
	sent := w.run()
	if w.turnOf(g) != 0 || len(sent) != 2 || len(sent.to(kor, "grace")) != 1 || !strings.Contains(sent.to(kor, "grace")[0].Text, "Fri 6 Mar 2026, 04:00 UTC") {
		t.Errorf("turn %d, sent:\n%s", g.Turn(), sent)
	}
	w.clock.Set(began.Add(112*time.Hour - time.Minute))
	if w.run(); w.turnOf(g) != 0 {
		t.Error("resolved before the end of the grace period")
	}
	w.clock.Set(began.Add(112 * time.Hour))
	if w.run(); w.turnOf(g) != 1 {
		t.Error("not resolved after the grace period")
	}
}

func TestMissingPolicies(t *testing.T) {
	for _, policy := range []string{vault.PolicyHold, vault.PolicyStanding, vault.PolicyRobot, vault.PolicyForfeit} {
		t.Run(policy, func(t *testing.T) {
			w := newWorld(t)
			mail := schedule()
			mail.Missing, mail.Grace, mail.Remind = policy, 0, nil
			g := w.game("wolf", mail)
			w.run()
			w.box.put(w.order(g, "Kirk", "final"))
			w.run()
			w.clock.Set(began.Add(72 * time.Hour))
			sent := w.run()
			if policy != vault.PolicyHold {
				told := map[bool]int{false: 1}[policy == vault.PolicyForfeit] // then the game is over, and there is nothing to do
				if w.turnOf(g) != 1 || len(sent.to(refAddress, "")) != told || len(sent.to(refAddress, "no orders from Kor")) != told {
					t.Fatalf("turn %d, sent:\n%s", g.Turn(), sent)
				}
				m, err := g.Stages.Manifest(vault.At(1))
				if err != nil || m.Missing[engine.Seat{Ship: "riskadh"}] != policy {
					t.Errorf("missing %v %v", m.Missing, err)
				}
				state, err := g.Stages.State(vault.At(1))
				if err != nil || (state.Result != nil) != (policy == vault.PolicyForfeit) {
					t.Errorf("result %v %v", state.Result, err)
				}
				return
			}
			if w.turnOf(g) != 0 || len(sent) != 1 || len(sent.to(refAddress, "trouble")) != 1 || !strings.Contains(sent[0].Text, "Riskadh") {
				t.Fatalf("turn %d, sent:\n%s", g.Turn(), sent)
			}
			w.clock.Advance(24 * time.Hour)
			if sent := w.run(); len(sent) != 0 {
				t.Errorf("the referee is told again:\n%s", sent)
			}
			w.box.put(w.order(g, "Kor", "final"))
			if w.run(); w.turnOf(g) != 1 {
				t.Error("does not go on when the orders come")
			}
		})
	}
}

// In a game where robots stand in, a captain without an address is not waited for.
func TestRobotOpponent(t *testing.T) {
	w := newWorld(t)
	mail := schedule()
	mail.Missing = vault.PolicyRobot
	g := w.game("wolf", mail)
	path := filepath.Join(g.Dir(), "game.toml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), `address = "kor@example.org"`, `address = ""`, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	w.run()
	if w.turnOf(g) != 0 {
		t.Fatal("resolved without Kirk")
	}
	w.box.put(w.order(g, "Kirk", "final"))
	if sent := w.run(); w.turnOf(g) != 1 || len(sent.to(kor, "")) != 0 {
		t.Errorf("turn %d, sent:\n%s", g.Turn(), sent)
	}
}

func TestOrdersSentAhead(t *testing.T) {
	w := newWorld(t)
	mail := schedule()
	mail.ChangeWindow = clock.Span(time.Minute)
	g := w.game("wolf", mail)
	w.run()
	for _, captain := range []engine.CaptainName{"Kirk", "Kor"} {
		now := w.order(g, captain, "final")
		w.box.put(now)
		w.box.put(strings.NewReplacer("turn 1 ", "turn 2 ", "Message-ID: <", "Message-ID: <ahead").Replace(w.order(g, captain, "power", "  shields 2:4")))
	}
	w.run()
	if w.turnOf(g) != 1 {
		t.Fatalf("turn %d", g.Turn())
	}
	w.clock.Advance(time.Minute)
	if w.run(); w.turnOf(g) != 2 {
		t.Errorf("turn %d: what was sent ahead is not used", g.Turn())
	}
}

func TestOrdersSentAheadThatDoNotFit(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kor", "final"))
	w.box.put(strings.NewReplacer("turn 1 ", "turn 2 ", "Message-ID: <", "Message-ID: <ahead").Replace(w.order(g, "Kirk", "power", "  shields 2:99")))
	sent := w.run()
	if w.turnOf(g) != 1 || len(sent.to(kirk, "sent ahead were dropped")) != 1 {
		t.Fatalf("turn %d, sent:\n%s", g.Turn(), sent)
	}
	if files, err := g.Orders.For(vault.At(2)); err != nil || len(files) != 0 {
		t.Errorf("still there: %v %v", files, err)
	}
}

// TestOrdersOfAllShipsSentAheadThatDoNotFit: a captain is found by the name of the order set, with spaces or
// hyphens, and told of dropped orders. The luck lines no longer fit, because the captain has become a referee.
func TestOrdersOfAllShipsSentAheadThatDoNotFit(t *testing.T) {
	for name, word := range map[engine.CaptainName]string{"Jean-Luc": "Jean-Luc", "James Tiberius": "James-Tiberius", "Anna-Maria van Dyk": "anna-maria-van-dyk"} {
		w := newWorld(t)
		g := w.made("wolf", "big-bad-wolf", schedule(), vault.Captain{Name: name, Address: kirk, Ships: []string{"Hood"}}, vault.Captain{Name: "Kor", Address: kor, Ships: []string{"Riskadh"}})
		w.run()
		final := fmt.Sprintf("#orders wolf turn 1 ship Hood key %s\nfinal\n#end\n", turn.Key(g, 1, name))
		w.box.put(w.mail(kirk, fmt.Sprintf("#orders wolf turn 2 captain %s key %s\nluck engage\n#end\n", word, turn.Key(g, 1, name))))
		w.run()
		if files, err := g.Orders.For(vault.At(2)); err != nil || len(files) != 1 {
			t.Fatalf("captain %s: %v %v", name, files, err)
		}
		path := filepath.Join(g.Dir(), "game.toml")
		settings := string(must(os.ReadFile(path)))
		settings += fmt.Sprintf("\n[[referee]]\nname = \"Otto\"\naddress = \"otto@example.org\"\nplays = %q\n", name)
		if err := os.WriteFile(path, []byte(settings), 0o644); err != nil {
			t.Fatal(err)
		}
		w.box.put(w.mail(kirk, final))
		w.box.put(w.order(g, "Kor", "final"))
		sent := w.run()
		told := sent.to(kirk, "sent ahead were dropped")
		if w.turnOf(g) != 1 || len(told) != 1 || !strings.Contains(told[0].Text, "E514") {
			t.Fatalf("captain %s, turn %d, sent:\n%s", name, g.Turn(), sent)
		}
		if files, err := g.Orders.For(vault.At(2)); err != nil || len(files) != 0 {
			t.Errorf("captain %s: still there: %v %v", name, files, err)
		}
	}
}

func TestBadOrderFileHoldsTheTurn(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	path := filepath.Join(g.Dir(), "orders", "Hood.txt")
	if err := os.WriteFile(path, []byte("#orders wolf turn 1 ship Hood\nbogus\n#end\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.box.put(w.order(g, "Kor", "final"))
	w.clock.Advance(100 * time.Hour)
	if w.run(); w.turnOf(g) != 0 {
		t.Fatal("resolved with a bad file")
	}
	w.box.put(w.order(g, "Kirk", "final"))
	if w.run(); w.turnOf(g) != 1 {
		t.Error("a good set does not mend it")
	}
}

// A game.toml without a change window uses the daemon's.
func TestChangeWindowOfTheDaemon(t *testing.T) {
	w := newWorld(t)
	w.cfg.ChangeWindow = clock.Span(5 * time.Minute)
	g := w.game("wolf", schedule())
	path := filepath.Join(g.Dir(), "game.toml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "change_window") {
			kept = append(kept, line)
		}
	}
	if err := os.WriteFile(path, []byte(strings.Join(kept, "")), 0o644); err != nil {
		t.Fatal(err)
	}
	w.box.put(w.order(g, "Kirk", "power", "  shields 2:4"))
	w.box.put(w.order(g, "Kor", "power", "  shields 2:4"))
	sent := w.run()
	if w.turnOf(g) != 0 || !strings.Contains(sent.to(kor, "accepted")[0].Text, "5m") {
		t.Fatalf("turn %d, sent:\n%s", g.Turn(), sent)
	}
	w.clock.Advance(5 * time.Minute)
	if w.run(); w.turnOf(g) != 1 {
		t.Error("not resolved after the daemon's window")
	}
}
