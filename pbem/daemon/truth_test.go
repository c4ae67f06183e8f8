package daemon_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/ruling"
	"starpost/pbem/record"
	"starpost/pbem/record/directory"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// TestTruthOfATurn: the referee sees which mails the sets came in, how their senders were proven,
// and what became of the reports, but no address and no key.
func TestTruthOfATurn(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.box.put(w.order(g, "Kirk", "power", "  move 4"))
	w.box.put(w.order(g, "Kirk", "power", "  move 16", "  shields 2:5"))
	w.box.put(w.mail(kirk, "#orders wolf turn 1 ship Hood key 0000-0000\npower\n  move 8\n#end\n"))
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#final\n"))
	w.box.put(w.mail(anybody, "Hello!"))
	w.box.put(w.order(g, "Kor", "power", "  shields 2:5", "final"))
	w.run()
	if w.turnOf(g) != 1 {
		t.Fatal("the turn was not played")
	}
	bag := referee.Postbag{Host: w.cfg}
	truth, err := referee.Show(t.Context(), w.load("wolf"), 1, 0, bag)
	if err != nil {
		t.Fatal(err)
	}
	if len(truth.Mails) != 5 {
		t.Errorf("%d mails: %+v", len(truth.Mails), truth.Mails)
	}
	for _, s := range truth.Sets {
		if s.Mail == nil || s.Proof != "turn key" || s.Policy != "" || s.Mail.Outcome != "done" {
			t.Errorf("%+v", s)
			continue
		}
		if hood := s.Name == "Hood"; s.Changed != hood || hood != strings.Contains(s.Text, "move 16") {
			t.Errorf("%s, changed %v:\n%s", s.Name, s.Changed, s.Text)
		}
	}
	outcomes, commands := map[string]int{}, ""
	for _, m := range truth.Mails {
		outcomes[m.Outcome]++
		commands += strings.Join(m.Commands, ",")
		for _, in := range m.Sets {
			if (in.Proof == "turn key") != (m.Outcome == "done") {
				t.Errorf("%s: %+v", m.Outcome, in)
			}
		}
	}
	if outcomes["done"] != 4 || outcomes["refused"] != 1 || commands != "#final" {
		t.Errorf("%v, commands %q", outcomes, commands)
	}
	if len(truth.Sent) < 2 || truth.Sent[0].State != "sent" || truth.Sent[0].At.IsZero() || truth.Sent[0].Kind != "report" {
		t.Errorf("%+v", truth.Sent)
	}
	kinds := map[string]int{}
	for _, s := range truth.Sent {
		kinds[s.Captain+" "+s.Kind+" "+s.State]++
	}
	if kinds["Kirk ack sent"] != 4 || kinds["Kor ack sent"] != 1 {
		t.Errorf("%v", kinds)
	}
	chain, err := referee.Follow(t.Context(), w.load("wolf"), 1, 0, power(t, g, "hood"), bag)
	if err != nil {
		t.Fatal(err)
	}
	if len(chain.Orders) != 2 || chain.Orders[0].Mail == nil || chain.Orders[0].Proof != "turn key" || chain.Orders[0].Text != "move 16" {
		t.Errorf("%+v", chain.Orders)
	}
	for _, v := range []any{truth, chain} {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{kirk, kor, anybody, turn.Key(g, 1, "Kirk"), turn.Key(g, 1, "Kor")} {
			if strings.Contains(string(data), secret) {
				t.Errorf("%s is told", secret)
			}
		}
	}
	seen := &referee.Watcher{Bag: bag, Catalogue: catalogue(), Games: func(context.Context) ([]record.Tree, error) { return []record.Tree{directory.At(g.Dir())}, nil }}
	glance, err := seen.Look(t.Context(), w.clock.Now())
	if err != nil || len(glance.Mails) == 0 || glance.Waiting != 0 {
		t.Fatalf("%+v, %v", glance, err)
	}
	var text strings.Builder
	if err := glance.Print(&text, 0, began.Location()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "to Kirk: report, sent") || strings.Contains(text.String(), "@") {
		t.Errorf("%s", text.String())
	}
}

// power returns the number of the event that gives a ship's power.
func power(t *testing.T, g *vault.Game, ship string) int {
	t.Helper()
	events, err := g.Stages.Events(vault.At(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if who, _ := engine.TextField(e.Body, "ship"); e.Type.Name == "power" && who == ship {
			return e.Seq
		}
	}
	t.Fatal("no power")
	return 0
}

// TestTruthOfARevision: the rulings are shown, and the first resolution can still be viewed.
func TestTruthOfARevision(t *testing.T) {
	w, g := disputed(t, false)
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#protest 1.2 my superstructure was counted wrongly\n"))
	w.run()
	change := turn.Change{By: "Ann", Why: "counted wrongly", Now: w.clock.Now(), Rulings: []ruling.Ruling{
		{By: "Ann", At: "2026-03-04T12:00:00Z", Why: "counted wrongly", What: "set Hood superstructure 11"},
		{By: "Ann", At: "2026-03-04T12:00:00Z", Why: "the die fell off the table", What: "roll t1.advantage.hood 10"},
	}}
	if _, err := turn.Correct(w.load("wolf"), 1, change, turn.Later{}, nil, turn.Options{Now: w.clock.Now()}); err != nil {
		t.Fatal(err)
	}
	g = w.load("wolf")
	now, err := referee.Show(t.Context(), g, 1, 0, referee.Postbag{})
	if err != nil {
		t.Fatal(err)
	}
	if now.Revision != 2 || !now.Current || len(now.Others) != 2 || len(now.Rulings) != 2 || len(now.Sets) != 2 {
		t.Errorf("%+v", now)
	}
	ruled := 0
	for _, d := range now.Dice {
		if d.Name == "t1.advantage.hood" && d.Value == 10 && d.Ruled == "Ann: the die fell off the table" {
			ruled++
		}
	}
	for _, e := range now.Events {
		if e.Type == "ruling" {
			ruled++
		}
	}
	if ruled != 3 {
		t.Errorf("%d rulings show: %+v", ruled, now.Dice)
	}
	first, err := referee.Show(t.Context(), g, 1, 1, referee.Postbag{})
	if err != nil || first.Revision != 1 || first.Current || len(first.Rulings) != 0 || len(first.Events) >= len(now.Events) {
		t.Errorf("%+v, %v", first, err)
	}
	if c, err := referee.Dispute(g, 1); err != nil || c.Revision != 1 || c.Seq == 0 || len(c.What) == 0 {
		t.Errorf("%+v, %v", c, err)
	}
	w.settle(1, referee.Decision{Step: journal.DisputeUphold, Text: "You are right.", Turn: 1, Revision: 2})
	if sent := w.run(); len(sent.to(kirk, "Your protest against event 1.2 was upheld")) != 1 || len(sent.to(kor, "A protest on turn 1 was upheld")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
}
