package daemon_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/engine/ruling"
	"starpost/engine/testkit/enginetest"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// duel creates The Big Bad Wolf as a game that takes orders for a phase at a time.
func (w *world) duel(id string, mail vault.MailSettings) *vault.Game {
	w.t.Helper()
	return w.duelAt(id, vault.CadencePhase, mail)
}

func (w *world) duelAt(id, cadence string, mail vault.MailSettings) *vault.Game {
	w.t.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		w.t.Fatal(err)
	}
	seed := uint64(1)
	_, err = turn.Create(filepath.Join(w.dir, "games", id), catalogue(), turn.Setup{
		Scenario: all["big-bad-wolf"], ID: id, Mail: mail, Cadence: cadence,
		Captains: []vault.Captain{
			{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}},
			{Name: "Kor", Address: kor, Ships: []string{"Riskadh"}},
		},
		Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: w.clock.Now()},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return w.load(id)
}

// phase returns an order mail for a phase of the due turn.
func (w *world) phase(g *vault.Game, captain engine.CaptainName, phase int, lines ...string) string {
	return strings.Replace(w.order(g, captain, lines...), " ship ", fmt.Sprintf(" phase %d ship ", phase), 1)
}

// newest returns the newest stage of a game.
func (w *world) newest(g *vault.Game) string {
	w.t.Helper()
	if err := g.Refresh(); err != nil {
		w.t.Fatal(err)
	}
	return g.Newest().String()
}

// verified verifies a game by replaying it.
func (w *world) verified(g *vault.Game) {
	w.t.Helper()
	found, err := proof.Verify(w.load(g.ID()), nil)
	if err != nil || len(found) > 0 {
		w.t.Fatalf("%v %v", found, err)
	}
}

// A turn is played by mail in three rounds, with the daemon restarted for each.
func TestRoundsByMail(t *testing.T) {
	enginetest.Sequential(t)
	w := newWorld(t)
	g := w.duel("wolf", schedule())
	first := w.run()
	if len(first.to(kirk, "orders for turn 1, phase 1")) != 1 {
		t.Fatalf("%v", first)
	}
	// Round 1: both order sets are final, and it runs at once.
	w.box.put(w.phase(g, "Kirk", 1, "power", "  move 12", "phase 1", "  move F", "final"))
	w.box.put(w.phase(g, "Kor", 1, "power", "  move 12", "phase 1", "  move F", "final"))
	sent := w.run()
	for who, ship := range map[string]string{kirk: "Hood", kor: "Riskadh"} {
		for _, subject := range []string{"[wolf] Turn 1, phase 1: orders for " + ship + " accepted", "[wolf] Turn 1, phase 1: report for " + ship} {
			if len(sent.to(who, subject)) != 1 {
				t.Errorf("not one mail %q:\n%v", subject, sent)
			}
		}
	}
	if at := w.newest(g); at != "turn 1, phase 1" {
		t.Fatalf("at %s", at)
	}
	report := sent.to(kirk, "phase 1: report")[0]
	if !slices.Contains(report.References, first.to(kirk, "begins")[0].MessageID) {
		t.Errorf("the report refers to %v", report.References)
	}

	// Round 2: a set for a past phase is refused, one for the third phase is kept, and a reply with
	// the report's template is accepted.
	w.box.put(w.phase(g, "Kor", 1, "phase 1", "  move F"))
	w.box.put(w.phase(g, "Kor", 3, "phase 3", "  move H"))
	_, template, _ := strings.Cut(report.Text, "#orders")
	template, _, _ = strings.Cut(template, "#end")
	w.box.put(w.mail(kirk, "#orders"+template+"final\n#end\n"))
	sent = w.run()
	refused := sent.to(kor, "Turn 1, phase 1: orders for Riskadh not accepted")
	if len(refused) != 1 || !strings.Contains(strings.Join(strings.Fields(refused[0].Text), " "), "phase 2 is due") {
		t.Fatalf("%v", sent)
	}
	if len(sent.to(kor, "Turn 1, phase 3: orders for Riskadh accepted")) != 1 || len(sent.to(kirk, "Turn 1, phase 2: orders for Hood accepted")) != 1 {
		t.Fatalf("%v", sent)
	}
	if len(sent.to(kirk, "report")) != 0 {
		t.Fatalf("%v", sent)
	}
	// The timing is that of the round: a reminder, grace, and standing orders.
	timing, err := g.Timing()
	if err != nil || timing.Round != 2 || !timing.Deadline.Equal(w.clock.Now().Add(72*time.Hour)) {
		t.Fatalf("%+v %v", timing, err)
	}
	w.clock.Advance(49 * time.Hour)
	if sent = w.run(); len(sent) != 1 || len(sent.to(kor, "[wolf] Turn 1, phase 2: orders are missing for Riskadh")) != 1 {
		t.Fatalf("%v", sent)
	}
	w.clock.Advance(24 * time.Hour)
	if sent = w.run(); len(sent.to(kor, "[wolf] Turn 1, phase 2: the deadline has passed")) != 1 {
		t.Fatalf("%v", sent)
	}
	w.clock.Advance(12 * time.Hour)
	if sent = w.run(); len(sent.to(kor, "Turn 1, phase 2: report for Riskadh")) != 1 || w.newest(g) != "turn 1, phase 2" {
		t.Fatalf("at %s: %v", w.newest(g), sent)
	}
	w.verified(g)

	// Round 3: Kor's orders sent ahead are in force; the report is that of the turn.
	w.box.put(w.phase(g, "Kirk", 3, "phase 3", "  move F", "final"))
	sent = w.run()
	if len(sent.to(kirk, "report")) != 0 || len(sent.to(kirk, "orders for Hood accepted")) != 1 {
		t.Fatalf("%v", sent)
	}
	w.clock.Advance(time.Hour)
	sent = w.run()
	if len(sent.to(kirk, "[wolf] Turn 1: report for Hood")) != 1 || len(sent) != 2 || w.newest(g) != "turn 1" {
		t.Fatalf("at %s: %v", w.newest(g), sent)
	}
	whole := sent.to(kirk, "report")[0]
	if whole.InReplyTo == "" || !slices.Contains(whole.References, report.MessageID) {
		t.Errorf("the report of the turn answers %q and refers to %v", whole.InReplyTo, whole.References)
	}
	if !strings.Contains(whole.Text, "phase 1 ship Hood") || !strings.Contains(whole.Text, "How the battle is won") {
		t.Errorf("%s", whole.Text)
	}
	w.verified(g)

	// The report of a round can be sent again.
	key := turn.Key(g, 2, "Kirk")
	w.box.put(w.phase(g, "Kirk", 1, "power", "  move 12", "phase 1", "  move F", "phase 2", "  move H", "phase 3", "  move H", "final"))
	w.box.put(w.phase(g, "Kor", 1, "power", "  move 12", "phase 1", "  move F", "final"))
	if sent = w.run(); w.newest(g) != "turn 2, phase 1" {
		t.Fatalf("at %s: %v", w.newest(g), sent)
	}
	w.box.put(w.mail(kirk, "#report wolf key "+key+"\n#status wolf\n"))
	sent = w.run()
	if len(sent.to(kirk, "Turn 2, phase 1: report for Hood")) != 1 {
		t.Fatalf("%v", sent)
	}
	// Kirk's orders cover the next round, but Kirk still gets its time.
	w.box.put(w.phase(g, "Kor", 2, "phase 2", "  move F", "final"))
	if w.run(); w.newest(g) != "turn 2, phase 1" {
		t.Fatalf("at %s", w.newest(g))
	}
	w.clock.Advance(72 * time.Hour)
	if sent = w.run(); w.newest(g) != "turn 2, phase 2" || len(sent.to(kirk, "missing")) != 0 {
		t.Fatalf("at %s: %v", w.newest(g), sent)
	}
	w.verified(g)
}

// A pause, another deadline and a lost store concern the round.
func TestRoundsAndTheStore(t *testing.T) {
	w := newWorld(t)
	g := w.duel("wolf", schedule())
	for _, name := range []engine.CaptainName{"Kirk", "Kor"} {
		w.box.put(w.phase(g, name, 1, "power", "  move 12", "phase 1", "  move F", "final"))
	}
	w.run()
	// Two rounds are played from the command line while the daemon is not running.
	for range 2 {
		if err := g.Refresh(); err != nil {
			t.Fatal(err)
		}
		if _, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyStanding, Now: w.clock.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	sent := w.run()
	for _, want := range []string{"Turn 1, phase 2: report", "Turn 1: report"} {
		if len(sent.to(kirk, want)) != 1 || len(sent.to(kor, want)) != 1 {
			t.Errorf("%q: %v", want, sent)
		}
	}
	if again := w.run(); len(again) != 0 {
		t.Errorf("sent again: %v", again)
	}
}

// TestRoundsKilledAtEachStep stops the daemon before each of its steps while two rounds are played.
func TestRoundsKilledAtEachStep(t *testing.T) {
	base, steps := watchedWorld(t), 0
	g := base.duel("wolf", schedule())
	for _, name := range []engine.CaptainName{"Kirk", "Kor"} {
		base.box.put(base.phase(g, name, 1, "power", "  move 12", "phase 1", "  move F", "final"))
		base.box.put(base.phase(g, name, 2, "phase 2", "  move F", "final"))
	}
	ref := base.again(t)
	ref.before = func(string) error { steps++; return nil }
	ref.run()
	if at := ref.newest(ref.load("wolf")); at != "turn 1, phase 2" || steps < 40 {
		t.Fatalf("at %s after %d steps", at, steps)
	}
	for kill := range steps {
		t.Run(fmt.Sprint(kill), func(t *testing.T) {
			t.Parallel()
			w := base.again(t)
			at := w.killBefore(kill)
			sent := append(w.delivered(), w.run()...)
			g := w.load("wolf")
			if stage := w.newest(g); stage != "turn 1, phase 2" {
				t.Errorf("killed before %q: at %s", at, stage)
			}
			once := map[string]string{}
			for _, m := range sent {
				if old, ok := once[m.MessageID]; ok && old != m.raw {
					t.Errorf("killed before %q: two mails with the id %s", at, m.MessageID)
				}
				once[m.MessageID] = m.raw
			}
			for _, want := range []string{"Turn 1, phase 1: report for Hood", "Turn 1, phase 2: report for Hood"} {
				if len(sent.to(kirk, want)) < 1 {
					t.Errorf("killed before %q: no %q in\n%v", at, want, sent)
				}
			}
			if len(once) != 2+4+4 {
				t.Errorf("killed before %q: %d different mails:\n%v", at, len(once), sent)
			}
			w.verified(g)
		})
	}
}

// TestRoundsPlayedAgain changes the turn before one in progress. Its first round is played again,
// and its reports are separate mails.
func TestRoundsPlayedAgain(t *testing.T) {
	w := newWorld(t)
	g := w.duel("wolf", schedule())
	w.run()
	play := func(missing string) {
		t.Helper()
		if err := g.Refresh(); err != nil {
			t.Fatal(err)
		}
		if _, err := turn.Resolve(g, turn.Options{Missing: missing, Now: w.clock.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 {
		play(vault.PolicyRobot)
	}
	first := w.run().to(kirk, "Turn 2, phase 1: report for Hood")
	if len(first) != 1 {
		t.Fatal("no report of the round")
	}
	change := turn.Change{
		By: "Rita", Why: "a mistake of mine", Now: w.clock.Now(),
		Rulings: []ruling.Ruling{{By: "Rita", At: w.clock.Now().Format(time.RFC3339), Why: "a mistake of mine", What: "set Hood superstructure 7"}},
	}
	if _, err := turn.Correct(g, 1, change, turn.Later{Aside: true}, nil, turn.Options{}); err != nil {
		t.Fatal(err)
	}
	if at := w.newest(g); at != "turn 1" {
		t.Fatalf("at %s", at)
	}
	w.run()
	play(vault.PolicyRobot)
	again := w.run().to(kirk, "Turn 2, phase 1: report for Hood")
	if len(again) != 1 || again[0].MessageID == first[0].MessageID {
		t.Fatalf("%v", again)
	}
	w.verified(g)
}

// After the store was lost in the middle of a turn, no round is sent again. A game unknown to the
// store starts with its newest report.
func TestRoundsAndALostStore(t *testing.T) {
	w := newWorld(t)
	g := w.duel("wolf", schedule())
	for range 5 {
		if err := g.Refresh(); err != nil {
			t.Fatal(err)
		}
		if _, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyRobot, Now: w.clock.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	sent := w.run()
	if len(sent) != 2 || len(sent.to(kirk, "Turn 2, phase 2: report")) != 1 {
		t.Fatalf("%v", sent)
	}
	if err := os.Remove(filepath.Join(w.cfg.State, "ledger.db")); err != nil {
		t.Fatal(err)
	}
	if sent = w.run(); len(sent) != 0 {
		t.Fatalf("sent again: %v", sent)
	}
}

// TestBreaksByMail: four phases in which nothing happens take one exchange of mails, and the next
// exchange begins with the orders that the stop asks for.
func TestBreaksByMail(t *testing.T) {
	enginetest.Sequential(t)
	w := newWorld(t)
	g := w.duelAt("wolf", vault.CadenceBreak, schedule())
	first := w.run()
	if begins := first.to(kirk, "orders for turn 1, phase 1"); len(begins) != 1 || !strings.Contains(strings.Join(strings.Fields(begins[0].Text), " "), "game uses what you sent ahead and your standing orders") {
		t.Fatalf("%v\n%s", first, begins[0].Text)
	}
	set := func(foe, breaks string) []string {
		return []string{"power", "  move 8", "phase 1", "  pursue " + foe + " to 3", "phase 2", "  pursue " + foe + " to 3", "phase 3", "  pursue " + foe + " to 3", "standing", "  missing repeat", breaks, "final"}
	}
	w.box.put(w.order(g, "Kirk", set("Riskadh", "break on hit")...))
	w.box.put(w.order(g, "Kor", set("Hood", "break when range to nearest <= 20")...))
	sent := w.run()
	if at := w.newest(g); at != "turn 2, phase 1" {
		t.Fatalf("at %s: %v", at, sent)
	}
	for who, want := range map[string]string{kirk: "Play has stopped after 4 phases.", kor: "Play has stopped after 4 phases: Hood is in an arc of weapons of Riskadh, within their reach; Hood is within 20."} {
		reports := sent.to(who, "report for")
		if len(reports) != 1 || !strings.Contains(reports[0].Subject, "Turn 2, phase 1") || !strings.Contains(strings.Join(strings.Fields(reports[0].Text), " "), want) {
			t.Errorf("%s got %v", who, reports)
		}
		if len(reports) == 1 && !slices.Contains(reports[0].References, first.to(who, "begins")[0].MessageID) {
			t.Errorf("the report refers to %v", reports[0].References)
		}
	}
	timing, err := g.Timing()
	if err != nil || timing.Turn != 2 || timing.Round != 2 || !timing.Deadline.Equal(w.clock.Now().Add(72*time.Hour)) {
		t.Fatalf("%+v %v", timing, err)
	}
	if sent = w.run(); len(sent) != 0 {
		t.Errorf("a second look mails %v", sent)
	}
	w.box.put(w.phase(g, "Kirk", 2, "phase 2", "  pursue Riskadh to 3", "final"))
	w.box.put(w.phase(g, "Kor", 2, "phase 2", "  pursue Hood to 3", "break on hit", "final"))
	if sent = w.run(); len(sent.to(kor, "report for")) != 1 || w.newest(g) == "turn 2, phase 1" {
		t.Fatalf("at %s: %v", w.newest(g), sent)
	}
	w.verified(g)
}
