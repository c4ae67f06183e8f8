package daemon_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/pbem/auth"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

const rita = "rita@example.org"

// refereed returns The Big Bad Wolf with a referee, Rita, after one turn, with all mails read.
func refereed(t *testing.T, more ...vault.Referee) (*world, *vault.Game) {
	t.Helper()
	w := newWorld(t)
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(1)
	if _, err = turn.Create(filepath.Join(w.dir, "games", "wolf"), catalogue(), turn.Setup{
		Scenario: all["big-bad-wolf"], ID: "wolf", Mail: schedule(),
		Captains: []vault.Captain{{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}}, {Name: "Kor", Address: kor, Ships: []string{"Riskadh"}}},
		Referees: append([]vault.Referee{{Name: "Rita", Address: rita}}, more...),
		Secret:   dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: w.clock.Now()},
	}); err != nil {
		t.Fatal(err)
	}
	g := w.load("wolf")
	first := w.run()
	if len(first.to(rita, "The game begins")) != 1 || len(first.to(refAddress, "The game begins")) != 0 {
		t.Fatalf("sent:\n%s", first)
	}
	w.box.put(w.order(g, "Kirk", "power", "  move 16", "  shields 2:5", "final"))
	w.box.put(w.order(g, "Kor", "power", "  shields 2:5", "final"))
	if sent := w.run(); w.turnOf(g) != 1 || len(sent.to(rita, "Turn 1 is out")) != 1 {
		t.Fatalf("the turn was not played, or the referee not told:\n%s", sent)
	}
	return w, g
}

// key returns a referee's current key.
func (w *world) key(name string) string {
	w.t.Helper()
	g := w.load("wolf")
	return referee.Key(g, g.Turn()+1, name)
}

// rules sends a referee's mail with the key, and returns the answer and everything that was sent.
func (w *world) rules(text string) (string, sentMails) {
	w.t.Helper()
	return w.asks(rita, auth.WithKey(robot, w.key("Rita")), text)
}

func (w *world) asks(from, to, text string) (string, sentMails) {
	w.t.Helper()
	w.box.put(w.command(from, to, text))
	sent := w.run()
	for _, l := range sent {
		if strings.Contains(l.MessageID, "ack.") && slices.ContainsFunc(l.Recipients(), func(a string) bool { return auth.SameAddress(a, from) }) {
			return l.Subject + "\n" + l.Text, sent
		}
	}
	return "", sent
}

// TestRefereeByMail goes through the commands of a referee, one mail each.
func TestRefereeByMail(t *testing.T) {
	w, _ := refereed(t)
	for _, step := range []struct{ send, want, kinds string }{
		{"#show\n", "Order sets", ""},
		{"show turn 1\n", "The Big Bad Wolf", ""},
		{"#show wolf turn 2\n", "orders are missing for", ""},
		{"#trace 1.2\n", "The event", ""},
		{"#trace 1.1 --as Hood\n", "in the report of Kirk", ""},
		{"#preview\n", "dry run: nothing was written", ""},
		{"#preview --as Hood\n", "Report of turn 2", ""},
		{"#pause --why I am ill\n", "paused by Rita", "pause"},
		{"#resume\n", "turn 2 is due", "resume"},
		{"#extend 2d --why the mail server\nwas down\n\nRita\n", "turn 2 is due", "deadline"},
		{"#ruling fields Hood\n", "superstructure", ""},
		{"#whatif --with set Hood superstructure 12 --with set Hood superstructure 7\n", "case 2", ""},
		{"#rerun 1 --with set Hood superstructure 12\n", "--commit makes it count", ""},
		{"#rerun 1 --with set Hood superstructure 12 --commit --why \u201cit was counted twice\u201d\n", "it now counts", "revise"},
		{"#ruling set Hood superstructure 11 --why counted again\n", "it now counts", "revise"},
		{"#ruling set Hood superstructure 10 --dry-run\n", "without --dry-run it takes effect", ""},
		{"#ruling kill Riskadh --why it blew up\n", "this ends the game", ""},
		{"#disputes\n", "no disputes", ""},
		{"#dispute open 1.2 --for Kor --why the shields were up\n", "dispute 1 of wolf, open", "protest"},
		{"#dispute 1 reject --why they were down\n", "is rejected", "dispute"},
		{"#process 2 --force\n", "turn 3 is due next", "process"},
		{"#process 2 --force\n", "was resolved before", ""},
		{"#rollback 1 --keep-orders --why a mistake\n", "turn 2 is due", "rollback"},
		{"#resume\n", "see: starpost status wolf", ""},
		{"#help\n", "rollback TURN", ""},
		{"#help ruling\n", "--dry-run it shows the differences line by line", ""},
		{"#pause\n", "pause needs --why: the captains are told the reason", ""},
		{"#pause turn 1 --why x\n", "turn 1 is not due; turn 2 is", ""},
		{"#extend tomorrow --why x\n", "neither a duration nor a time", ""},
		{"#ruling sett Hood superstructure 4 --why x\n", "did you mean \"set\"?", ""},
		{"#dispute 1 upheld --why x\n", "did you mean uphold?", ""},
		{"#dispute 1 answer In turn 3 all was well\n", "is decided: the protest was rejected", ""},
		{"#whatif\n", "whatif needs --with", ""},
		{"#file 2\n", "file needs a filing", ""},
		{"#amend Hood --why x\n", "amend needs an order set", ""},
		{"#renew\n", "Rita has a new key", "key"},
	} {
		w.clock.Advance(5 * time.Minute) // to stay below the hourly limit of answers
		before := kinds(t, w.load("wolf"))
		answer, sent := w.rules(step.send)
		if !strings.Contains(strings.Join(strings.Fields(answer), " "), step.want) {
			t.Fatalf("%s: the answer is:\n%s\nsent:\n%s", step.send, answer, sent)
		}
		if added := strings.TrimSpace(strings.TrimPrefix(kinds(t, w.load("wolf")), before)); added != step.kinds {
			t.Errorf("%s: noted %q, want %q", step.send, added, step.kinds)
		}
		if strings.Contains(answer, w.key("Rita")) {
			t.Errorf("%s: the answer has the key:\n%s", step.send, answer)
		}
	}
	g := w.load("wolf")
	for _, e := range must(g.Journal.Entries()) {
		if e.By != "Rita" {
			t.Errorf("%s by %s", e.Kind, e.By)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestForgedRefereeMailsAreRefused sends commands without the right or the proof of a referee:
// nothing is done and nothing revealed.
func TestForgedRefereeMailsAreRefused(t *testing.T) {
	w, g := refereed(t)
	at := kinds(t, w.load("wolf"))
	old := referee.Key(g, 1, "Rita")
	for name, c := range map[string]struct{ from, to, want string }{
		"no key":                   {rita, robot, "your key as referee is missing"},
		"an old key":               {rita, auth.WithKey(robot, old), "is not your referee"},
		"a captain's key":          {rita, w.keyed(g, "Kirk"), "is not your referee"},
		"from a captain, his key":  {kirk, auth.WithKey(robot, w.key("Rita")), ""},
		"from a captain, own key":  {kirk, w.keyed(g, "Kirk"), ""},
		"from a stranger, his key": {"eve@example.org", auth.WithKey(robot, w.key("Rita")), ""},
		"from whom the file names": {refAddress, auth.WithKey(robot, w.key("Rita")), ""},
	} {
		for _, command := range []string{"#rollback 0 --why x\n", "#show turn 1\n", "#pause --why x\n"} {
			answer, sent := w.asks(c.from, c.to, command)
			if !strings.Contains(answer, c.want) || c.want == "" && answer != "" {
				t.Errorf("%s, %s: %s\n%s", name, command, answer, sent)
			}
			for _, l := range sent {
				for _, word := range []string{"rollback", "Order sets", "referee", "pause"} {
					if c.from != rita && strings.Contains(strings.ToLower(l.Text), strings.ToLower(word)) {
						t.Errorf("%s, %s: learnt %q:\n%s", name, command, word, l.Text)
					}
				}
			}
		}
	}
	if now := kinds(t, w.load("wolf")); now != at || w.turnOf(g) != 1 {
		t.Errorf("the journal holds %s, was %s", now, at)
	}
}

// TestRefereeDispute plays a dispute through by mail, from the protest to the verdict.
func TestRefereeDispute(t *testing.T) {
	w, g := refereed(t)
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#protest 1.2 the helm did not answer\n"))
	sent := w.run()
	told := sent.to(rita, "Protest of Kirk against event 1.2")
	if len(told) != 1 || !strings.Contains(unwrapped(told[0].Text), "write #dispute 1 on the first line") || !strings.Contains(told[0].Text, w.key("Rita")) {
		t.Fatalf("sent:\n%s", sent)
	}
	if answer, _ := w.rules("#dispute 1\n"); !strings.Contains(answer, "the helm did not answer") {
		t.Fatal(answer)
	}
	if answer, _ := w.rules("#trace 1.2 --as Hood\n"); !strings.Contains(answer, "The event") {
		t.Fatal(answer)
	}
	if answer, _ := w.rules("#rerun 1 --with set Hood superstructure 12\n"); !strings.Contains(answer, "superstructure") {
		t.Fatal(answer)
	}
	answer, sent := w.rules("#rerun 1 --with set Hood superstructure 12 --commit --why the log was wrong\n")
	corrected := sent.to(kirk, "CORRECTED")
	if !strings.Contains(answer, "it now counts") || len(corrected) != 1 || !strings.Contains(corrected[0].Subject, "revision 2") || len(sent.to(kor, "CORRECTED")) != 0 {
		t.Fatalf("%s\nsent:\n%s", answer, sent)
	}
	answer, sent = w.rules("#dispute 1 uphold --why You are right. --revision 1.2\n")
	if !strings.Contains(answer, "is upheld") || len(sent.to(kirk, "Your protest against event 1.2 was upheld")) != 1 || len(sent.to(kor, "A protest on turn 1 was upheld")) != 1 ||
		len(sent.to(rita, "Dispute 1 of Kirk: upheld")) != 1 {
		t.Fatalf("%s\nsent:\n%s", answer, sent)
	}
	if found := must(proof.Verify(w.load("wolf"), nil)); len(found) > 0 {
		t.Errorf("%v", found)
	}
}

// TestRefereeAmends makes a referee send orders for a ship: as an amendment, and in command of her.
func TestRefereeAmends(t *testing.T) {
	w, g := refereed(t)
	set := fmt.Sprintf("#orders wolf turn 2 ship Hood key %s\npower\n  move 8\n#end\n", w.key("Rita"))
	answer, sent := w.rules("#amend Hood --why by telephone\n\n" + set)
	if !strings.Contains(answer, "the orders of Hood for turn 2 are replaced") {
		t.Fatalf("%s\n%s", answer, sent)
	}
	if answer, _ := w.rules(strings.Replace(set, "move 8", "move 9", 1)); strings.Contains(answer, "are replaced") {
		t.Fatalf("orders of a ship that she does not command were taken:\n%s", answer)
	}
	answer, sent = w.rules("#become Hood --why he is ill\n")
	if !strings.Contains(answer, "Rita also commands the ships of Kirk (Hood)") || len(sent.to(kor, "The referee also commands for Kirk")) != 1 || len(sent.to(kirk, "The referee also commands for Kirk")) != 1 {
		t.Fatalf("%s\n%s", answer, sent)
	}
	if answer, _ = w.rules(strings.Replace(set, "move 8", "move 10", 1)); !strings.Contains(answer, "are replaced") {
		t.Fatal(answer)
	}
	all := must(w.load("wolf").Orders.For(vault.At(2)))
	if len(all) != 1 || !strings.Contains(string(all[0].Text), "move 10") {
		t.Errorf("%+v", all)
	}
	if answer, _ = w.rules("#become Hood --end\n"); !strings.Contains(answer, "no longer commands") {
		t.Fatal(answer)
	}
	_ = g
}
