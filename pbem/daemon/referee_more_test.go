package daemon_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/chain"
	"starpost/pbem/referee"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

const carol = "carol@example.org"

// TestRefereePlays: a referee who plays is marked as such in every report, and all are told of each
// of that referee's looks at hidden facts, once for each turn and command.
func TestRefereePlays(t *testing.T) {
	w, g := refereed(t, vault.Referee{Name: "Otto", Address: kor, Plays: "Kor"})
	reports := func(n int, who string) string {
		t.Helper()
		return strings.Join(strings.Fields(string(must(w.load("wolf").Stages.File(vault.At(n), "reports/"+who+".txt")))), " ")
	}
	if r := reports(1, "hood"); !strings.Contains(r, "The referee Otto plays in this game too, as captain Kor.") {
		t.Fatal(r)
	}
	if r := reports(1, "riskadh"); !strings.Contains(r, "You are a referee of this game, as Otto") {
		t.Fatal(r)
	}
	otto := auth.WithKey(robot, w.key("Otto"))
	if answer, _ := w.asks(kor, w.keyed(g, "Kor"), "help\n"); !strings.Contains(answer, "protest") {
		t.Fatalf("a captain's help is that of referees:\n%s", answer)
	}
	if answer, _ := w.asks(kor, otto, "#commands\n"); !strings.Contains(answer, "rollback TURN") {
		t.Fatal(answer)
	}
	answer, sent := w.asks(kor, otto, "#show turn 1\n")
	if !strings.Contains(answer, "Order sets") || len(sent.to(kirk, "The referee has looked at hidden facts")) != 1 || len(sent.to(kor, "The referee has looked at hidden facts")) != 1 {
		t.Fatalf("%s\nsent:\n%s", answer, sent)
	}
	if _, sent = w.asks(kor, otto, "#show turn 1\n"); len(sent.to(kirk, "The referee has looked at hidden facts")) != 0 {
		t.Errorf("told twice:\n%s", sent)
	}
	if _, sent = w.asks(kor, otto, "#preview\n"); len(sent.to(kirk, "The referee has looked at hidden facts")) != 1 {
		t.Errorf("a look of another kind was not told:\n%s", sent)
	}
	if _, sent = w.rules("#show turn 1\n"); len(sent.to(kirk, "The referee has looked at hidden facts")) != 0 {
		t.Errorf("a look of who does not play was told:\n%s", sent)
	}
	// Only captains who cannot know the effect may send luck lines.
	w.box.put(w.order(g, "Kor", "power", "  move 0", "luck grr"))
	if answer := w.run().to(kor, ""); len(answer) != 1 || !strings.Contains(answer[0].Text, "E514") {
		t.Errorf("words of a referee who plays:\n%s", answer)
	}
	set := func(luck string) string {
		return "#orders wolf turn 2 ship Hood\npower\n  move 16\n" + luck + "#end\n"
	}
	if answer, _ := w.rules("#amend Hood --why by telephone\n" + set("luck ahoy\n")); !strings.Contains(strings.Join(strings.Fields(answer), " "), "the set of Hood that counted has no luck line, and a referee cannot add one") {
		t.Error(answer)
	}
	w.box.put(w.order(g, "Kirk", "power", "  move 16", "luck ahoy"))
	w.run()
	for luck, want := range map[string]string{"luck ahoi\n": "leave the line as it is: luck ahoy", "": "leave the line as it is: luck ahoy", "luck ahoy\n": "are replaced"} {
		if answer, _ := w.rules("#amend Hood --why by telephone\n" + set(luck)); !strings.Contains(strings.Join(strings.Fields(answer), " "), want) {
			t.Errorf("%q: %s", luck, answer)
		}
	}
	w.box.put(w.order(g, "Kirk", "power", "  move 16", "final"))
	w.box.put(w.order(g, "Kor", "power", "  move 0", "final"))
	w.run()
	if answer, _ := w.asks(rita, auth.WithKey(robot, w.key("Rita")), "#rerun 2 --amend\n"+set("luck ahoy\n")); !strings.Contains(strings.Join(strings.Fields(answer), " "), "has no luck line") {
		t.Error(answer)
	}
	if r := reports(2, "hood"); !strings.Contains(r, "Otto, who also plays, has used a command that may show facts hidden from that side: show, turn 1.") {
		t.Error(r)
	}
}

// TestRefereeSeats gives seats to others: at once, after a question, and to no one.
func TestRefereeSeats(t *testing.T) {
	w, g := refereed(t)
	old := w.keyed(g, "Kirk")
	answer, sent := w.rules("#eject Kirk --why no orders for weeks\n")
	if !strings.Contains(answer, "the seat of Kirk (Hood) is now vacant") || len(sent.to(kirk, "has lost the command")) != 1 || len(sent.to(kor, "has lost the command")) != 1 {
		t.Fatalf("%s\nsent:\n%s", answer, sent)
	}
	answer, sent = w.rules("#invite carol@example.org --seat Hood\n")
	questions := sent.to(carol, "Invitation to The Big Bad Wolf")
	if !strings.Contains(answer, "a mail with a question goes to carol") || len(questions) != 1 {
		t.Fatalf("%s\nsent:\n%s", answer, sent)
	}
	_, token, _ := strings.Cut(strings.Join(strings.Fields(questions[0].Text), " "), "with this line: confirm ")
	token = strings.Fields(token)[0]
	w.box.put(w.command(carol, robot, "confirm "+strings.TrimSuffix(token, ".")+"\n"))
	if sent = w.run(); len(sent.to(carol, "Welcome aboard")) != 1 {
		t.Fatalf("token %q, sent:\n%s\n%s", token, sent, questions[0].Text)
	}
	answer, sent = w.rules("#replace Kirk ann@example.org --why Carol has no time\n")
	if !strings.Contains(answer, "now belongs to ann@example.org") || len(sent.to("ann@example.org", "[wolf]")) != 1 || len(sent.to(carol, "has a new captain")) != 1 || len(sent.to(kor, "has a new captain")) != 1 {
		t.Fatalf("%s\nsent:\n%s", answer, sent)
	}
	for _, l := range sent.to(kor, "has a new captain") {
		if strings.Contains(l.Text, "ann@") {
			t.Errorf("an address was told:\n%s", l.Text)
		}
	}
	if now := w.keyed(g, "Kirk"); now == old {
		t.Error("the key of the seat is that of who had it before")
	}
	answer, sent = w.rules("#invite Otto=otto@example.org\n")
	if !strings.Contains(answer, "Otto is now a referee of the game") || len(sent.to("otto@example.org", "turn 2 is due")) != 1 || len(sent.to(kor, "The game has another referee")) != 1 {
		t.Fatalf("%s\nsent:\n%s", answer, sent)
	}
	if answer, _ = w.asks("otto@example.org", auth.WithKey(robot, w.key("Otto")), "#show\n"); !strings.Contains(answer, "Order sets") {
		t.Error(answer)
	}
	if answer, _ = w.asks("otto@example.org", auth.WithKey(robot, w.key("Rita")), "#show\n"); !strings.Contains(answer, "is not your referee") {
		t.Error(answer)
	}
}

// TestAWordInOneEar: a referee's private message is mailed only to its captain, once, and is not in
// the public record.
func TestAWordInOneEar(t *testing.T) {
	w, _ := refereed(t)
	answer, sent := w.rules("#tell Hood Your engineer hears a hum.\n")
	told := sent.to(kirk, "A word from the referee")
	if !strings.Contains(answer, "only Kirk is told") || len(told) != 1 || len(sent.to(kor, "")) != 0 {
		t.Fatalf("%s\nsent:\n%s", answer, sent)
	}
	if !strings.Contains(told[0].Text, "Rita tells you alone:") || !strings.Contains(told[0].Text, "Your engineer hears a hum.") {
		t.Errorf("%s", told[0].Text)
	}
	if sent := w.run(); len(sent) != 0 {
		t.Errorf("sent again:\n%s", sent)
	}
	record, err := chain.Read(w.load("wolf"))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := record.Journal()
	if err != nil {
		t.Fatal(err)
	}
	if public := string(bytes.Join(lines, nil)); strings.Contains(public, "hum") || !strings.Contains(public, `"kind":"tell"`) {
		t.Errorf("the record: %s", public)
	}
}

// TestRefereeBusy: a mail that comes while another process has locked the game waits, and is
// handled afterwards.
func TestRefereeBusy(t *testing.T) {
	w, _ := refereed(t)
	other := w.load("wolf")
	if err := other.Lock(); err != nil {
		t.Fatal(err)
	}
	_, err := referee.Pause(w.load("wolf"), referee.Act{By: "Otto", Why: "x", Now: w.clock.Now()})
	if !errors.Is(err, vault.ErrLocked) || !strings.Contains(err.Error(), "the game is in use by") || !strings.Contains(err.Error(), "since") {
		t.Errorf("the second is told: %v", err)
	}
	w.box.put(w.command(rita, auth.WithKey(robot, w.key("Rita")), "#pause --why I am ill\n"))
	if _, err := w.once(); err != nil {
		t.Fatal(err)
	}
	if sent := w.delivered(); len(sent) != 0 || kinds(t, w.load("wolf")) != "" {
		t.Fatalf("it was done while the game was in use:\n%s", sent)
	}
	if err := other.Unlock(); err != nil {
		t.Fatal(err)
	}
	if sent := w.run(); len(sent.to(rita, "pause")) != 1 || kinds(t, w.load("wolf")) != "pause" {
		t.Errorf("it was lost; sent:\n%s", sent)
	}
}

// TestRefereeOnce: a mail that comes again, unchanged or by another route, does nothing. After a
// kill at any step a mail does not act twice, and everyone is notified.
func TestRefereeOnce(t *testing.T) {
	t.Run("twice", func(t *testing.T) {
		w, _ := refereed(t)
		raw := w.command(rita, auth.WithKey(robot, w.key("Rita")), "#rerun 1 --with set Hood superstructure 12 --commit --why x\n")
		for _, copied := range []string{raw, raw, "Received: by another way\r\n" + raw} {
			w.box.put(copied)
			w.run()
		}
		if got := kinds(t, w.load("wolf")); got != "revise" {
			t.Errorf("the journal has %s", got)
		}
	})
	base, _ := refereed(t)
	for command, want := range map[string]struct {
		kinds string
		sent  []string
	}{
		"#rerun 1 --with set Hood superstructure 12 --commit --why x\n": {"revise", []string{rita + " [wolf] rerun 1", kirk + " [wolf] CORRECTED"}},
		"#pause --why x\n":                 {"pause", []string{rita + " [wolf] pause", kirk + " [wolf] Turn 2: the game is paused", kor + " [wolf] Turn 2: the game is paused"}},
		"#process 2 --force\n":             {"process", []string{rita + " [wolf] process 2", kirk + " [wolf] Turn 2: report", kor + " [wolf] Turn 2: report", rita + " [wolf] Turn 2 is out"}},
		"#eject Kor --why x\n":             {"resign", []string{rita + " [wolf] eject Kor", kirk + " [wolf] Kor has lost", kor + " [wolf] Kor has lost"}},
		"#rollback 0 --why x\n":            {"rollback", []string{rita + " [wolf] rollback 0", kirk + " [wolf] Turn 1: it is due again", kor + " [wolf] Turn 1: it is due again", rita + " [wolf] Turn 1 is due again"}},
		"#replace Kor carol@example.org\n": {"replace", []string{rita + " [wolf] replace Kor carol", kirk + " [wolf] Kor has a new", kor + " [wolf] Kor has a new", carol + " [wolf] Turn 1"}},
	} {
		t.Run(strings.Fields(command)[0], func(t *testing.T) {
			play := func(kill int) (steps int) {
				w := base.again(t)
				w.box.put(w.command(rita, auth.WithKey(robot, w.key("Rita")), command))
				w.before = func(step string) error {
					if !strings.Contains(step, "journal") && !slices.Contains([]string{"store", "queue", "acted", "answered", "queue turn"}, step) {
						return nil
					}
					if steps++; steps == kill+1 {
						return errKill
					}
					return nil
				}
				_, err := w.once()
				sent := w.delivered()
				w.before = nil
				if errors.Is(err, errKill) {
					_, err = w.once()
					sent = append(sent, w.delivered()...)
				}
				if err != nil {
					t.Fatal(err)
				}
				if len(sent.to(rita, "not done")) > 0 {
					t.Errorf("killed at %d: it was refused:\n%s", kill, sent.to(rita, "not done")[0].Text)
				}
				if got := kinds(t, w.load("wolf")); got != want.kinds {
					t.Errorf("killed at %d: the journal has %s", kill, got)
				}
				w.checkStage(fmt.Sprintf("killed at %d", kill), sent, want.sent)
				if found := must(proof.Verify(w.load("wolf"), nil)); len(found) > 0 {
					t.Errorf("killed at %d: %v", kill, found)
				}
				return steps
			}
			steps := play(-1)
			if steps < 4 {
				t.Fatalf("only %d steps", steps)
			}
			for kill := range steps {
				play(kill)
			}
		})
	}
}

// TestRefereeLate: a late command does nothing.
func TestRefereeLate(t *testing.T) {
	w, g := refereed(t)
	late := w.command(rita, auth.WithKey(robot, w.key("Rita")), "#extend 2d --why x\n")
	w.box.put(w.order(g, "Kirk", "power", "  move 16", "final"))
	w.box.put(w.order(g, "Kor", "power", "  move 0", "final"))
	w.run()
	w.clock.Advance(time.Minute)
	w.box.put(late)
	if sent := w.run(); kinds(t, w.load("wolf")) != "" || len(sent.to(rita, "not done")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
}
