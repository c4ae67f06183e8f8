package daemon_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/pbem/auth"
	"starpost/pbem/daemon/process"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// keyed returns the robot's address with the key of a captain for the due turn.
func (w *world) keyed(g *vault.Game, captain engine.CaptainName) string {
	w.t.Helper()
	if err := g.Refresh(); err != nil {
		w.t.Fatal(err)
	}
	if _, err := g.AdminState(); err != nil { // keys change with the holder of a seat
		w.t.Fatal(err)
	}
	return auth.WithKey(robot, turn.Key(g, g.Turn()+1, captain))
}

// command returns a mail to an address of the robot.
func (w *world) command(from, to, text string) string {
	w.mails++
	return fmt.Sprintf("From: %s\r\nTo: %s\r\nSubject: x\r\nMessage-ID: <%d@example.org>\r\n\r\n%s", from, to, w.mails, strings.ReplaceAll(text, "\n", "\r\n"))
}

// kinds lists the kinds of entries in a game's journal.
func kinds(t *testing.T, g *vault.Game) string {
	t.Helper()
	all, err := g.Journal.Entries()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range all {
		out = append(out, e.Kind)
	}
	return strings.Join(out, " ")
}

// openUp opens a game for anyone to join.
func (w *world) openUp(g *vault.Game) {
	w.t.Helper()
	file := filepath.Join(g.Dir(), "game.toml")
	text, err := os.ReadFile(file)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), "open = false", "open = true", 1)), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// TestMessagesAreRelayed: messages are relayed at once, to their addressees, without addresses.
func TestMessagesAreRelayed(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	mail := w.command(kirk, w.keyed(g, "Kirk"), "#message to Riskadh\nYield!\n#end\n")
	w.box.put(mail)
	w.box.put(mail) // the same bytes again
	w.box.put("Received: by another way\r\n" + mail)
	sent := w.run()
	if len(sent) != 2 || len(sent.to(kor, "Message from Kirk (Hood)")) != 1 || len(sent.to(kirk, "Message sent")) != 1 {
		t.Fatalf("sent:\n%s", sent)
	}
	relayed := sent.to(kor, "")[0]
	if !strings.Contains(relayed.Text, "| Yield!") || strings.Contains(relayed.raw, kirk) || !strings.Contains(relayed.raw, "Auto-Submitted: auto-generated") {
		t.Errorf("%s", relayed.raw)
	}
	if kinds(t, w.load("wolf")) != "message" {
		t.Errorf("journal: %s", kinds(t, w.load("wolf")))
	}
	// The reply goes back the same way.
	w.box.put(w.command(kor, relayed.ReplyTo[0].Addr, "#message to Hood\nNever!\n#end\n\n"+relayed.Text))
	sent = w.run()
	if len(sent.to(kirk, "Message from Kor (Riskadh)")) != 1 || strings.Contains(sent.to(kirk, "")[0].raw, kor) {
		t.Errorf("sent:\n%s", sent)
	}
}

// TestVotesEndTheGame: the game ends as soon as all have voted.
func TestVotesEndTheGame(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "vote draw\n"))
	sent := w.run()
	if len(sent.to(kor, "A captain has voted for a draw")) != 1 || len(sent) != 2 || w.turnOf(g) != 0 {
		t.Fatalf("turn %d, sent:\n%s", w.turnOf(g), sent)
	}
	w.box.put(w.command(kor, w.keyed(g, "Kor"), "vote draw\n"))
	sent = w.run()
	if w.turnOf(g) != 1 || len(sent.to(kor, "draw")) < 1 || len(sent.to(kirk, "[wolf]")) != 2 {
		t.Fatalf("turn %d, sent:\n%s", w.turnOf(g), sent)
	}
	state, err := g.Stages.State(vault.At(1))
	if err != nil || state.Result == nil || !state.Result.Draw {
		t.Fatalf("%+v, %v", state.Result, err)
	}
	if found, err := proof.Verify(w.load("wolf"), nil); err != nil || len(found) > 0 {
		t.Errorf("%v, %v", found, err)
	}
}

// TestResignedShipIsPlayedAtOnce: turns do not wait for a seat without a captain.
func TestResignedShipIsPlayedAtOnce(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.box.put(w.order(g, "Kor", "power", "  shields 2:5", "final"))
	w.run()
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#resign\n"))
	sent := w.run()
	if len(sent.to(kirk, "You resigned")) != 1 || len(sent.to(kor, "Kirk has resigned")) != 1 || len(sent.to(refAddress, "Kirk has resigned")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
	// The turn waits for no one else.
	if w.turnOf(g) != 1 || len(sent.to(kor, "report for Riskadh")) != 1 || len(sent.to(kirk, "report")) != 0 {
		t.Errorf("turn %d, sent:\n%s", w.turnOf(g), sent)
	}
	if m, err := g.Stages.Manifest(vault.At(1)); err != nil || m.Missing[engine.Seat{Ship: "hood"}] != vault.PolicyRobot {
		t.Errorf("%v, %v", m.Missing, err)
	}
}

// TestReportsAreBounded: a sender who requests report after report gets no more than the answers
// allowed in an hour.
func TestReportsAreBounded(t *testing.T) {
	w := newWorld(t)
	w.cfg.AnswersPerHour = 6
	w.game("wolf", schedule())
	w.run()
	for range 10 {
		w.box.put(w.command(kirk, robot, "#report\n"))
	}
	if sent := w.run(); len(sent) != 6 {
		t.Errorf("%d mails:\n%s", len(sent), sent)
	}
}

// TestQuestionsAreBounded: a captain cannot make the robot write to any number of people.
func TestQuestionsAreBounded(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	for i := range 9 {
		w.box.put(w.command(kirk, w.keyed(g, "Kirk"), fmt.Sprintf("#address a%d@example.net\n", i)))
	}
	asked := 0
	for _, m := range w.run() {
		if strings.Contains(m.Subject, "Please confirm") {
			asked++
		}
	}
	if asked != 5 {
		t.Errorf("%d questions", asked)
	}
	w.clock.Advance(25 * time.Hour)
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#address b@example.net\n"))
	if sent := w.run(); len(sent.to("b@example.net", "Please confirm")) != 1 {
		t.Errorf("the day after:\n%s", sent)
	}
}

// TestCommandsKilledAtEachStep makes a captain resign, a stranger take the seat, and the stranger
// change to another address. It kills the daemon before each step that acts on a mail. Every mail
// goes out once, and the journal has every fact once.
func TestCommandsKilledAtEachStep(t *testing.T) {
	const home = "khan@example.net"
	// Each mail is written after the ones before it were handled.
	stages := []struct {
		name    string
		mail    func(w *world, g *vault.Game, before sentMails) string
		journal string
		sent    []string
	}{
		{"resign", func(w *world, g *vault.Game, _ sentMails) string {
			return w.command(kirk, w.keyed(g, "Kirk"), "#resign\n#status\n")
		}, "resign", []string{kirk + " [wolf] 2 commands done", kor + " [wolf] Kirk has resigned", refAddress + " [wolf] Kirk has resigned"}},
		{"join", func(w *world, _ *vault.Game, _ sentMails) string {
			return w.command(anybody, robot, "join wolf as Hood\n")
		}, "resign", []string{anybody + " [wolf] Please confirm"}},
		{"confirm", func(w *world, _ *vault.Game, before sentMails) string {
			return w.command(anybody, before.to(anybody, "Please confirm")[0].ReplyTo[0].Addr, "confirm\n")
		}, "resign join", []string{
			anybody + " [wolf] Welcome aboard", anybody + " [wolf] The Big Bad Wolf begins", kor + " [wolf] Kirk has a new captain", refAddress + " [wolf] Kirk has a new captain",
		}},
		{"address", func(w *world, g *vault.Game, _ sentMails) string {
			return w.command(anybody, w.keyed(g, "Kirk"), "#address "+home+"\n#vote draw\n#message to Kor\nHello\n#end\n")
		}, "resign join vote-draw message", []string{
			home + " [lobby] Please confirm", kor + " [wolf] A captain has voted", kor + " [wolf] Message from Kirk", anybody + " [wolf] 3 commands done",
		}},
		{"confirm the address", func(w *world, _ *vault.Game, before sentMails) string {
			return w.command(home, before.to(home, "Please confirm")[0].ReplyTo[0].Addr, "confirm\n")
		}, "resign join vote-draw message address", []string{
			home + " [wolf] Your new address", home + " [wolf] The Big Bad Wolf begins", anybody + " [wolf] Your address has changed",
		}},
	}
	// play plays a stage from the state before it, killing the daemon at a step. It returns the
	// number of steps, the state after the stage, and what was sent.
	play := func(t *testing.T, from *world, before sentMails, n, kill int) (steps int, w *world, sent sentMails) {
		t.Helper()
		w = from.again(t)
		stage := stages[n]
		w.box.put(stage.mail(w, w.load("wolf"), before))
		at := ""
		w.before = func(step string) error {
			// The other steps are the same for every mail.
			if !strings.Contains(step, "journal") && !slices.Contains([]string{"store", "queue", "acted", "answered"}, step) {
				return nil
			}
			if steps++; kill >= 0 && steps > kill {
				at = step
				return errKill
			}
			return nil
		}
		_, err := w.once()
		sent = w.delivered()
		w.before = nil
		if kill >= 0 {
			if !errors.Is(err, errKill) {
				t.Fatalf("killed before %q: %v", at, err)
			}
			_, err = w.once()
			sent = append(sent, w.delivered()...)
		}
		if err != nil {
			t.Fatal(err)
		}
		w.checkStage(fmt.Sprintf("%s, killed before %q", stage.name, at), sent, stage.sent)
		if got := kinds(t, w.load("wolf")); got != stage.journal {
			t.Errorf("%s, killed before %q: the journal has %s, not %s", stage.name, at, got, stage.journal)
		}
		return steps, w, sent
	}
	next, told := watchedWorld(t), sentMails(nil)
	next.openUp(next.game("wolf", schedule()))
	next.run()
	for n := range stages {
		from, before := next, told
		steps, after, sent := play(t, from, before, n, -1)
		if steps < 3 {
			t.Fatalf("%s takes only %d steps", stages[n].name, steps)
		}
		for kill := range steps {
			t.Run(fmt.Sprintf("%s %d", stages[n].name, kill), func(t *testing.T) {
				t.Parallel()
				play(t, from, before, n, kill)
			})
		}
		next, told = after, sent
	}
}

// checkStage requires exactly these mails; repetitions must have the same ID.
func (w *world) checkStage(what string, sent sentMails, want []string) {
	w.t.Helper()
	byID := map[string]string{}
	left := slices.Clone(want)
	for _, m := range sent {
		if old, ok := byID[m.MessageID]; ok {
			if old != m.raw {
				w.t.Errorf("%s: two mails with the id %s", what, m.MessageID)
			}
			continue
		}
		byID[m.MessageID] = m.raw
		i := slices.IndexFunc(left, func(s string) bool { return strings.HasPrefix(m.to+" "+m.Subject, s) })
		if i < 0 {
			w.t.Errorf("%s: besides %s %s", what, m.to, m.Subject)
			continue
		}
		left = slices.Delete(left, i, i+1)
	}
	if len(left) > 0 {
		w.t.Errorf("%s: not sent: %q of\n%s", what, left, strings.Join(slices.Sorted(maps.Keys(byID)), "\n"))
	}
}

// TestCommandsTellOfThemselves: the log has the outcome of each command, without keys.
func TestCommandsTellOfThemselves(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	var told []string
	w.watch = func(e process.Event) {
		if e.Kind == process.Handled {
			told = append(told, e.Detail)
		}
	}
	key := w.keyed(g, "Kirk")
	w.box.put(w.command(kirk, key, "#final\n#status wolf\n#away 2026-03-10 2026-03-11 key "+strings.ToLower(turn.Key(g, 1, "Kirk"))+"\n"))
	w.run()
	if len(told) != 1 || told[0] != "refused #final (E534), status wolf, away 2026-03-10 2026-03-11" {
		t.Errorf("%q", told)
	}
}
