package daemon_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine/ruling"
	"starpost/pbem/auth"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// disputed returns a game after one turn, with both captains' mails read.
func disputed(t *testing.T, wait bool) (*world, *vault.Game) {
	t.Helper()
	w := newWorld(t)
	mail := schedule()
	mail.DisputesWait = wait
	g := w.game("wolf", mail)
	w.run()
	w.box.put(w.order(g, "Kirk", "power", "  move 16", "  shields 2:5", "final"))
	w.box.put(w.order(g, "Kor", "power", "  shields 2:5", "final"))
	w.run()
	if w.turnOf(g) != 1 {
		t.Fatal("the turn was not played")
	}
	return w, g
}

// settle makes the referee decide a dispute.
func (w *world) settle(n int, d referee.Decision) {
	w.t.Helper()
	if _, err := referee.Settle(w.load("wolf"), referee.Act{By: "Ann", Now: w.clock.Now()}, n, d); err != nil {
		w.t.Fatal(err)
	}
}

// TestDisputeByMail goes from protest to verdict. The captain and the referee get all of it, the
// other captains only the verdict.
func TestDisputeByMail(t *testing.T) {
	w, g := disputed(t, false)
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#protest 1.2 the helm did not answer\n"))
	sent := w.run()
	own, toReferee := sent.to(kirk, "Protest against event 1.2"), sent.to(refAddress, "Protest of Kirk against event 1.2")
	if len(sent) != 2 || len(own) != 1 || len(toReferee) != 1 {
		t.Fatalf("sent:\n%s", sent)
	}
	if !strings.Contains(own[0].Text, "dispute 1") || !strings.Contains(toReferee[0].Text, "dispute 1") || strings.Contains(toReferee[0].Text, "#dispute") {
		t.Errorf("%s\n%s", own[0].Text, toReferee[0].Text)
	}
	st, err := w.load("wolf").AdminState()
	if err != nil || len(st.OpenDisputes()) != 1 || st.Disputes[0].ProtestData.Seq == 0 || st.Paused != nil {
		t.Fatalf("%+v, %v", st, err)
	}

	w.settle(1, referee.Decision{Step: journal.DisputeAnswer, Text: "Which line of your orders?"})
	sent = w.run()
	own = sent.to(kirk, "The referee on your protest against event 1.2")
	if len(sent) != 2 || len(own) != 1 || len(sent.to(refAddress, "Dispute 1 of Kirk: answered")) != 1 {
		t.Fatalf("sent:\n%s", sent)
	}
	if !strings.Contains(own[0].Text, "Which line of your orders?") || !strings.Contains(own[0].Text, "The dispute stays open.") {
		t.Errorf("%s", own[0].Text)
	}

	// Everyone who reads of the event reads what happened, in words.
	for _, m := range append(toReferee, append(sent.to(refAddress, "Dispute 1 of Kirk: answered"), own...)...) {
		if text := strings.Join(strings.Fields(m.Text), " "); !strings.Contains(text, "1.2: Hood: 44 power:") || strings.Contains(text, "allotted:") {
			t.Errorf("the event is not told in words:\n%s", m.Text)
		}
	}

	w.settle(1, referee.Decision{Step: journal.DisputeReject, Text: "It did what line 3 says."})
	for range 2 { // told once
		sent = append(sent[:0:0], w.run()...)
		if len(sent) == 0 {
			break
		}
		own, theirs := sent.to(kirk, "Your protest against event 1.2 was rejected"), sent.to(kor, "A protest on turn 1 was rejected")
		if len(sent) != 3 || len(own) != 1 || len(theirs) != 1 || len(sent.to(refAddress, "Dispute 1 of Kirk: rejected")) != 1 {
			t.Fatalf("sent:\n%s", sent)
		}
		if !strings.Contains(own[0].Text, "It did what line 3 says.") {
			t.Errorf("%s", own[0].Text)
		}
		for _, secret := range []string{"Kirk", "Hood", "1.2", "line 3", "helm", kirk} {
			if strings.Contains(theirs[0].raw, secret) {
				t.Errorf("another captain is told %q:\n%s", secret, theirs[0].raw)
			}
		}
		if report, err := turn.MessageID(g, vault.Stage{Turn: 1}, "Kor"); err != nil || theirs[0].InReplyTo != strings.Trim(report, "<>") {
			t.Errorf("the verdict answers %q, not the report %q (%v)", theirs[0].InReplyTo, report, err)
		}
	}
	if len(sent) != 0 {
		t.Errorf("told again:\n%s", sent)
	}
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#status\n"))
	if text := w.run().to(kirk, "Status")[0].Text; !strings.Contains(strings.Join(strings.Fields(text), " "), "your protest against event 1.2 (dispute 1): rejected") {
		t.Errorf("%s", text)
	}
	w.box.put(w.command(kor, w.keyed(g, "Kor"), "#status\n"))
	if text := w.run().to(kor, "Status")[0].Text; strings.Contains(text, "protest") {
		t.Errorf("%s", text)
	}
}

// TestPublicVerdictTellsNoSecrets: the public text goes to all other captains.
func TestPublicVerdictTellsNoSecrets(t *testing.T) {
	w, g := disputed(t, false)
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#protest 1.2 no\n"))
	w.run()
	w.rule("wolf", "set Hood superstructure 7")
	w.settle(1, referee.Decision{Step: journal.DisputeUphold, Text: "You are right.", Tell: "A shield was counted wrongly.", Turn: 1, Revision: 2})
	sent := w.run()
	theirs, own := sent.to(kor, "A protest on turn 1 was upheld"), sent.to(kirk, "was upheld")
	if len(theirs) != 1 || !strings.Contains(theirs[0].Text, "A shield was counted wrongly.") || strings.Contains(theirs[0].Text, "changed") {
		t.Fatalf("sent:\n%s\n%v", sent, theirs)
	}
	if len(own) != 1 || !strings.Contains(own[0].Text, "You are right.") || !strings.Contains(own[0].Text, "Your report of turn 1 has been corrected") {
		t.Fatalf("sent:\n%s\n%v", sent, own)
	}
}

// TestVerdictTellsOfNoHiddenChange: if an upheld protest led to a change that does not show in the
// captain's report, the captain is only told that it was upheld.
func TestVerdictTellsOfNoHiddenChange(t *testing.T) {
	w, _ := disputed(t, false)
	g := w.load("wolf")
	w.box.put(w.command(kor, w.keyed(g, "Kor"), "#protest 1.2 no\n"))
	w.run()
	w.rule("wolf", "set Hood superstructure 7")
	w.settle(1, referee.Decision{Step: journal.DisputeUphold, Text: "You are right.", Turn: 1, Revision: 2})
	sent := w.run()
	if own := sent.to(kor, ""); len(own) != 1 || !strings.Contains(own[0].Text, "You are right.") || strings.Contains(own[0].Text, "corrected") {
		t.Errorf("sent:\n%s", sent)
	}
}

// TestGameWaitsForDispute: with that setting, no turn runs while a protest is open, and the turn
// keeps its remaining time.
func TestGameWaitsForDispute(t *testing.T) {
	w, g := disputed(t, true)
	at := w.clock.Now()
	w.clock.Advance(24 * time.Hour) // two days are left
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#protest 1.2 no\n"))
	w.box.put(w.command(kor, w.keyed(g, "Kor"), "#protest 1.1 no\n"))
	sent := w.run()
	for _, who := range []string{kirk, kor} {
		told := sent.to(who, "Turn 2: the game is paused")
		if len(told) != 1 || !strings.Contains(strings.Join(strings.Fields(told[0].Text), " "), "by the rule on protests: a protest waits for the referee") {
			t.Fatalf("%s was not told of the pause:\n%s", who, sent)
		}
	}
	if text := sent.to(kirk, "Protest against")[0].Text; !strings.Contains(text, "is stopped") {
		t.Errorf("%s", text)
	}
	w.box.put(w.order(g, "Kirk", "power", "  shields 2:5", "final"))
	w.box.put(w.order(g, "Kor", "power", "  shields 2:5", "final"))
	w.clock.Advance(10 * 24 * time.Hour)
	// No one was away: the guard's notices do not matter here.
	if w.run(); w.turnOf(g) != 1 {
		t.Fatal("the turn ran while a protest was open")
	}
	if _, err := turn.Resolve(w.load("wolf"), turn.Options{Now: w.clock.Now(), Missing: vault.PolicyStanding}); err == nil || !strings.Contains(err.Error(), "paused by the rule on protests") {
		t.Fatalf("by hand: %v", err)
	}
	w.settle(1, referee.Decision{Step: journal.DisputeReject, Text: "No."})
	if w.run(); w.turnOf(g) != 1 {
		t.Fatal("the turn ran while the second protest was open")
	}
	w.settle(2, referee.Decision{Step: journal.DisputeUphold, Text: "Yes."})
	timing, err := w.load("wolf").Timing()
	if err != nil || timing.Paused != nil || timing.Deadline.Sub(w.clock.Now()) < 47*time.Hour {
		t.Fatalf("%+v at %v, begun %v: %v", timing, w.clock.Now(), at, err)
	}
	sent = w.run()
	if w.turnOf(g) != 2 {
		t.Fatalf("the turn did not run when all were in; sent:\n%s", sent)
	}
	if len(sent.to(kor, "A protest on turn 1 was rejected")) != 0 { // told before
		t.Errorf("sent:\n%s", sent)
	}
}

// TestResumeCountsDuringADispute: one dispute pauses the game once. If someone resumes it, it stays
// resumed.
func TestResumeCountsDuringADispute(t *testing.T) {
	w, g := disputed(t, true)
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#protest 1.2 no\n"))
	w.run()
	if _, err := referee.Resume(w.load("wolf"), referee.Act{By: referee.ByReferee, Now: w.clock.Now()}); err != nil {
		t.Fatal(err)
	}
	w.run()
	if timing, err := w.load("wolf").Timing(); err != nil || timing.Paused != nil {
		t.Fatalf("%+v, %v", timing, err)
	}
	w.settle(1, referee.Decision{Step: journal.DisputeReject, Text: "No."})
	w.run()
	if got := kinds(t, w.load("wolf")); got != "protest pause resume dispute" {
		t.Errorf("journal: %s", got)
	}
}

// TestDisputeWhileTheGameIsInUse: a game that another process is writing to is left alone, and
// looked at again later.
func TestDisputeWhileTheGameIsInUse(t *testing.T) {
	w, _ := disputed(t, true)
	other := w.load("wolf")
	if err := other.Lock(); err != nil {
		t.Fatal(err)
	}
	e := journal.NewEntry(journal.Protest, "Kirk", w.clock.Now(), journal.ProtestData{Turn: 1, Event: 2, Reason: "no"})
	e.Captain, e.Turn = "Kirk", 2
	if _, err := other.Append(e); err != nil {
		t.Fatal(err)
	}
	w.run()
	if timing, err := w.load("wolf").Timing(); err != nil || timing.Paused != nil {
		t.Fatalf("%+v, %v", timing, err)
	}
	if err := other.Unlock(); err != nil {
		t.Fatal(err)
	}
	w.run()
	if timing, err := w.load("wolf").Timing(); err != nil || timing.Paused == nil || timing.Paused.By != referee.ByProtest {
		t.Fatalf("%+v, %v", timing, err)
	}
}

// TestProtestsAreBounded: one captain cannot make a game wait for any number of protests.
func TestProtestsAreBounded(t *testing.T) {
	w, g := disputed(t, true)
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#protest 1.1 a\n#protest 1.2 b\n#protest 1.3 c\n#protest 1.1 d\n"))
	sent := w.run()
	st, err := w.load("wolf").AdminState()
	if err != nil || len(st.Disputes) != 3 {
		t.Fatalf("%d disputes, %v; sent:\n%s", len(st.Disputes), err, sent)
	}
	answer := sent.to(kirk, "[wolf]")[0].Text
	for n := 1; n <= 3; n++ {
		if !strings.Contains(answer, fmt.Sprintf("dispute %d", n)) {
			t.Errorf("dispute %d is not told of:\n%s", n, answer)
		}
	}
	if !strings.Contains(strings.Join(strings.Fields(answer), " "), "3 of your protests wait for the referee already") {
		t.Errorf("%s", answer)
	}
}

// TestDisputeAfterTheEnd: a protest against the last turn is handled after the end of the game.
func TestDisputeAfterTheEnd(t *testing.T) {
	w, g := disputed(t, true)
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "vote draw\n"))
	w.box.put(w.command(kor, w.keyed(g, "Kor"), "vote draw\n"))
	w.run()
	// The last key is for the last turn.
	w.box.put(w.command(kirk, auth.WithKey(robot, turn.Key(w.load("wolf"), 2, "Kirk")), "#protest 1.2 no\n"))
	sent := w.run()
	if len(sent.to(refAddress, "Protest of Kirk")) != 1 {
		t.Fatalf("sent:\n%s", sent)
	}
	w.settle(1, referee.Decision{Step: journal.DisputeReject, Text: "No."})
	sent = w.run()
	if len(sent.to(kirk, "was rejected")) != 1 || len(sent.to(kor, "A protest on turn 1 was rejected")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
}

// TestDisputeKilledAtEachStep kills the daemon before each step for a protest and its end: every
// mail goes out once, and the journal has every fact once.
func TestDisputeKilledAtEachStep(t *testing.T) {
	base, _ := disputed(t, true)
	play := func(t *testing.T, kill int) (steps int) {
		t.Helper()
		w := base.again(t)
		g := w.load("wolf")
		var sent sentMails
		stage := func() {
			w.before = func(step string) error {
				if !strings.Contains(step, "journal") && !slices.Contains([]string{"store", "queue", "acted", "answered"}, step) {
					return nil
				}
				if steps++; steps == kill+1 {
					return errKill
				}
				return nil
			}
			_, err := w.once()
			sent = append(sent, w.delivered()...)
			w.before = nil
			if errors.Is(err, errKill) {
				_, err = w.once()
				sent = append(sent, w.delivered()...)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#protest 1.2 no\n"))
		stage()
		w.settle(1, referee.Decision{Step: journal.DisputeReject, Text: "No."})
		stage()
		if got := kinds(t, w.load("wolf")); got != "protest pause dispute resume" {
			t.Errorf("killed at %d: the journal has %s", kill, got)
		}
		w.checkStage(fmt.Sprintf("killed at %d", kill), sent, []string{
			kirk + " [wolf] Protest against", refAddress + " [wolf] Protest of Kirk", kirk + " [wolf] Turn 2: the game is paused", kor + " [wolf] Turn 2: the game is paused",
			kirk + " [wolf] Your protest against", kor + " [wolf] A protest on turn 1", refAddress + " [wolf] Dispute 1 of Kirk", kirk + " [wolf] Turn 2: the game goes on", kor + " [wolf] Turn 2: the game goes on",
		})
		return steps
	}
	steps := play(t, -1)
	if steps < 8 {
		t.Fatalf("only %d steps", steps)
	}
	for kill := range steps {
		t.Run(fmt.Sprint(kill), func(t *testing.T) {
			t.Parallel()
			play(t, kill)
		})
	}
}

// TestDisputeToCorrectedReports: a protest by mail pauses the game. The referee corrects the turn
// and upholds the protest. Everyone who sees a difference gets a corrected report, all get the
// verdict, and the game goes on.
func TestDisputeToCorrectedReports(t *testing.T) {
	w, g := disputed(t, true)
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#protest 1.2 my hull was counted wrongly\n"))
	if sent := w.run(); len(sent.to(kor, "the game is paused")) != 1 {
		t.Fatalf("sent:\n%s", sent)
	}
	change := turn.Change{By: "Ann", Why: "counted wrongly", Now: w.clock.Now(), Rulings: []ruling.Ruling{
		{By: "Ann", At: "2026-03-04T12:00:00Z", Why: "counted wrongly", What: "set Hood superstructure 11"},
	}}
	if _, err := turn.Correct(w.load("wolf"), 1, change, turn.Later{}, nil, turn.Options{Now: w.clock.Now()}); err != nil {
		t.Fatal(err)
	}
	w.settle(1, referee.Decision{Step: journal.DisputeUphold, Text: "You are right: it is 11.", Turn: 1, Revision: 2})
	sent := w.run()
	if len(sent.to(kirk, "CORRECTED")) != 1 || len(sent.to(kor, "CORRECTED")) != 0 {
		t.Errorf("corrected reports:\n%s", sent)
	}
	if len(sent.to(kirk, "Your protest against event 1.2 was upheld")) != 1 || len(sent.to(kor, "A protest on turn 1 was upheld")) != 1 || len(sent.to(kor, "the game goes on")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
	for _, m := range sent.to(kor, "") {
		if strings.Contains(m.Text, "11") && strings.Contains(m.Text, "superstructure") || strings.Contains(m.Text, "Hood was") {
			t.Errorf("another captain is told of the change:\n%s", m.Text)
		}
	}
	if again := w.run(); len(again) != 0 {
		t.Errorf("told again:\n%s", again)
	}
	if found, err := proof.Verify(w.load("wolf"), nil); err != nil || len(found) != 0 {
		t.Errorf("%v, %v", found, err)
	}
}

// A captain is told once of a dispute that a referee opened for them.
func TestDisputeOpenedForACaptain(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.play(g)
	n, err := referee.OpenDispute(g, referee.Act{By: "Rita", Now: w.clock.Now()}, "Riskadh", 1, 2, "the shields were up")
	if err != nil || n != 1 {
		t.Fatal(n, err)
	}
	sent := w.run()
	told := sent.to(kor, "Your protest against event 1.2")
	if len(sent) != 1 || len(told) != 1 || !strings.Contains(told[0].words(), "Rita has recorded your protest against event 1.2 as dispute 1: the shields were up") {
		t.Errorf("sent:\n%s\n%s", sent, told)
	}
	if sent := w.run(); len(sent) != 0 {
		t.Errorf("told again:\n%s", sent)
	}
}
