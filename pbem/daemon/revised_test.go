package daemon_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"starpost/engine/testkit/enginetest"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// rule makes the referee change the last turn of a game.
func (w *world) rule(id string, rulings ...string) {
	w.t.Helper()
	a := referee.Act{By: "Rita", Why: "a mistake of mine", Now: w.clock.Now()}
	g := w.load(id)
	if _, err := referee.Rerun(g, a, referee.Plan{Turn: g.Turn(), Rulings: rulings}, turn.Options{}); err != nil {
		w.t.Fatal(err)
	}
}

// A referee may change a turn on the console while the daemon serves: the corrected report goes out at the daemon's
// next look.
func TestServeSendsCorrectedReports(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		w.game("wolf", schedule())
		end := w.serve()
		defer end()
		synctest.Wait()
		if _, err := turn.Resolve(w.load("wolf"), turn.Options{Now: w.clock.Now(), Missing: vault.PolicyStanding}); err != nil {
			t.Fatal(err)
		}
		poll := func() sentMails {
			time.Sleep(w.cfg.Poll.Duration())
			synctest.Wait()
			return w.delivered()
		}
		if sent := poll(); len(sent.to(kirk, "Turn 1: report")) != 1 {
			t.Fatalf("sent:\n%s", sent)
		}
		poll()
		w.rule("wolf", "set Hood superstructure 7")
		if sent := poll(); len(sent) != 1 || len(sent.to(kirk, "CORRECTED, revision 2, turn 1")) != 1 {
			t.Errorf("sent:\n%s", sent)
		}
	})
}

// TestCorrectedReportsAreSentOnce: corrected reports go to those for whom something changed, and not again after the
// daemon was restarted or lost its store.
func TestCorrectedReportsAreSentOnce(t *testing.T) {
	w, g := disputed(t, false)
	w.rule("wolf", "set Hood superstructure 7")
	sent := w.run()
	mine := sent.to(kirk, "CORRECTED, revision 2, turn 1")
	if len(sent) != 1 || len(mine) != 1 || !strings.Contains(mine[0].Text, "CORRECTED, revision 2 of the report of turn 1") {
		t.Fatalf("sent:\n%s", sent)
	}
	if sent := w.run(); len(sent) != 0 {
		t.Errorf("again:\n%s", sent)
	}
	w.rule("wolf", "move Riskadh 0303 D")
	// Revisions are numbered for each captain separately: no one learns that others' reports were corrected.
	if sent := w.run(); len(sent) != 2 || len(sent.to(kor, "CORRECTED, revision 2, turn 1")) != 1 || len(sent.to(kirk, "CORRECTED, revision 3, turn 1")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
	w.loseStore()
	if sent := w.run(); len(sent) != 0 {
		t.Errorf("after the store was lost:\n%s", sent)
	}
	if sent := w.onTurn(g); len(sent.to(kirk, "Turn 2: report")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
}

// TestCorrectedBeforeItWasSent: both the report and its correction are sent.
func TestCorrectedBeforeItWasSent(t *testing.T) {
	w, _ := disputed(t, false)
	g := w.load("wolf")
	if _, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyStanding, Now: w.clock.Now()}); err != nil {
		t.Fatal(err)
	}
	w.rule("wolf", "set Hood superstructure 7")
	sent := w.run()
	if len(sent.to(kirk, "Turn 2: report")) != 1 || len(sent.to(kor, "Turn 2: report")) != 1 || len(sent.to(kirk, "CORRECTED, revision 2, turn 2")) != 1 || len(sent) != 3 {
		t.Errorf("sent:\n%s", sent)
	}
}

// TestRolledBackAndPlayedAgain: the captains are told that a turn is due again, and its reports are sent when it is
// played again.
func TestRolledBackAndPlayedAgain(t *testing.T) {
	w, g := disputed(t, false)
	w.onTurn(g)
	if _, err := referee.Rollback(w.load("wolf"), referee.Act{By: "referee", Why: "two mails were lost", Now: w.clock.Now()}, 0, false); err != nil {
		t.Fatal(err)
	}
	sent := w.run()
	told := sent.to(kor, "Turn 1: it is due again")
	if len(sent) != 2 || len(told) != 1 || !strings.Contains(strings.Join(strings.Fields(told[0].Text), " "), "has undone turns 1 to 2") || !strings.Contains(strings.Join(strings.Fields(told[0].Text), " "), "two mails were lost") {
		t.Fatalf("sent:\n%s", sent)
	}
	if w.turnOf(g) != 0 {
		t.Fatalf("turn %d", g.Turn())
	}
	if sent := w.run(); len(sent) != 0 {
		t.Errorf("again:\n%s", sent)
	}
	for n := 1; n <= 3; n++ {
		sent := w.onTurn(g)
		subject := "Turn " + string(rune('0'+n)) + ", played again: report for Hood"
		if n == 3 {
			subject = "Turn 3: report for Hood"
		}
		if len(sent.to(kirk, subject)) != 1 {
			t.Errorf("turn %d, sent:\n%s", n, sent)
		}
	}
	w.clock.Advance(time.Minute)
	if found, err := proof.Verify(w.load("wolf"), nil); err != nil || len(found) > 0 {
		t.Errorf("%v, %v", found, err)
	}
}

// TestAmendedOrdersAreTold: amended orders are reported to their captain only, once.
func TestAmendedOrdersAreTold(t *testing.T) {
	w, g := disputed(t, false)
	text := "#orders wolf turn 2 ship Hood\npower\n  shields 2:4\n#end\n"
	a := referee.Act{By: "referee", Why: "by telephone", Now: w.clock.Now()}
	if _, err := referee.Amend(w.load("wolf"), a, referee.Amendment{Name: "Hood", Text: []byte(text)}); err != nil {
		t.Fatal(err)
	}
	sent := w.run()
	told := sent.to(kirk, "Turn 2: orders for Hood from the referee")
	if len(sent) != 1 || len(told) != 1 || !strings.Contains(told[0].Text, "has given orders for Hood: by telephone.") {
		t.Fatalf("sent:\n%s", sent)
	}
	if sent := w.run(); len(sent) != 0 {
		t.Errorf("again:\n%s", sent)
	}
	w.box.put(w.order(g, "Kor", "final"))
	w.clock.Advance(4 * 24 * time.Hour)
	w.run()
	if w.turnOf(g) != 2 {
		t.Fatalf("turn %d", g.Turn())
	}
	if set, err := g.Stages.File(vault.At(2), "orders/Hood.txt"); err != nil || !strings.Contains(string(set), "2:4") {
		t.Errorf("played with %s, %v", set, err)
	}
}

// TestCorrectionsOfOthersStayHidden plays the same game twice. In one of them the referee changes, after each turn,
// what Kor cannot see, and upholds another captain's protest for it. All mails to Kor, including all requested ones,
// are the same except for the hash of the record, which is keyed.
func TestCorrectionsOfOthersStayHidden(t *testing.T) {
	enginetest.Sequential(t)
	var got [2][]string
	for i := range got {
		w, g := disputed(t, false)
		hidden := func(what ...string) {
			if i == 1 {
				w.rule("wolf", what...)
			}
		}
		take := func(sent sentMails) {
			for _, m := range sent.to(kor, "") {
				text := m.MessageID + "\n" + m.InReplyTo + "\n" + m.Subject + "\n" + m.Text
				got[i] = append(got[i], enginetest.WithoutHashes(text))
			}
		}
		ask := func(lines string) {
			w.clock.Advance(time.Minute)
			w.box.put(w.command(kor, w.keyed(g, "Kor"), lines))
			take(w.run())
		}
		hidden("set Hood superstructure 7")
		hidden("set Hood power 20")
		take(w.run())
		ask("#status\n")
		ask("#report 1\n")
		ask("#protest 1.1 it was not so\n")
		w.settle(1, referee.Decision{Step: journal.DisputeReject, Text: "It was.", Turn: 0})
		take(w.run())
		w.rule("wolf", "set Riskadh superstructure 9") // the first correction that Kor sees
		take(w.run())
		hidden("repair Hood all")
		ask("#report 1\n")
		w.box.put(w.order(g, "Kor", "power", "  shields 2:5"))
		take(w.run())
		take(w.onTurn(g))
		hidden("set Hood superstructure 5")
		ask("#report\n")
		if _, err := referee.Rollback(w.load("wolf"), referee.Act{By: "Rita", Why: "a mistake", Now: w.clock.Now()}, 1, false); err != nil {
			t.Fatal(err)
		}
		take(w.run())
		if at := w.turnOf(g); at != 1 {
			t.Fatalf("turn %d", at)
		}
		take(w.onTurn(g))
		ask("#status\n")
	}
	if len(got[0]) != len(got[1]) || len(got[0]) < 10 {
		t.Fatalf("%d mails, and with hidden corrections %d", len(got[0]), len(got[1]))
	}
	for n := range got[0] {
		if got[0][n] != got[1][n] {
			t.Errorf("mail %d:\n%s\nand with hidden corrections:\n%s", n, got[0][n], got[1][n])
		}
	}
	if all := strings.Join(got[1], "\n"); !strings.Contains(all, "CORRECTED, revision 2, turn 1") || strings.Contains(all, "revision 3") {
		t.Error("the corrections are not counted for Kor alone")
	}
}
