package turn_test

import (
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/manual"
	"starpost/orders"
	"starpost/pbem/record/directory"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// These tests use the real rule set, so that packages are tested together as they are used, not
// with a toy.

// catalogue makes its rule sets once for all tests; nothing changes them.
var catalogue = sync.OnceValue(func() vault.Catalogue { return vault.CatalogueOf(fasa.Family(), manual.Family()) })

func noon(days int) time.Time { return time.Date(2026, 11, 21+days, 12, 0, 0, 0, time.UTC) }

// newWolf creates the game of the basic course's own scenario.
func newWolf(tb testing.TB, seed uint64) *vault.Game {
	tb.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		tb.Fatal(err)
	}
	dir := filepath.Join(tb.TempDir(), "wolf")
	_, err = turn.Create(dir, catalogue(), turn.Setup{
		Scenario: all["big-bad-wolf"], ID: "wolf", Mail: vault.DefaultMail(),
		Captains: []vault.Captain{{Address: "kirk@example.org", Ships: []string{"Hood"}}, {Address: "kor@example.org", Ships: []string{"Riskadh"}}},
		Secret:   dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: noon(0)},
	})
	if err != nil {
		tb.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), catalogue())
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

func TestBattleOfRobots(t *testing.T) {
	g := newWolf(t, 7)
	for n := 1; ; n++ {
		out, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyRobot, Now: noon(n)})
		if err != nil {
			t.Fatalf("turn %d: %v", n, err)
		}
		if len(out.Mails) != 2 || out.Turn != n {
			t.Fatalf("turn %d: %d mails, turn %d", n, len(out.Mails), out.Turn)
		}
		if out.State.Result != nil {
			break
		}
		if n > 40 {
			t.Fatal("the battle has no end")
		}
	}
	found, err := proof.Verify(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Error(f)
	}
	t.Logf("%d turns", g.Turn())
}

// TestTemplateSentBack plays with nothing but the templates of the reports.
func TestTemplateSentBack(t *testing.T) {
	g := newWolf(t, 11)
	for n := 1; n <= 6; n++ {
		p, err := turn.Load(g)
		if err != nil {
			t.Fatal(err)
		}
		if p.Due() == 0 {
			break
		}
		for _, c := range p.State().Captains() {
			text, err := p.Template(c.Name, true)
			if err != nil {
				t.Fatal(err)
			}
			read := p.CheckAs([]byte(text), c.Name)
			for _, d := range read.Diagnostics {
				t.Errorf("turn %d, %s: %s\n%s", n, c.Name, d, text)
			}
			for _, s := range read.Sets {
				if s.Key != p.Key(c.Name) {
					t.Errorf("key %q", s.Key)
				}
				if err := g.Orders.Put(vault.At(s.Turn), s.Name, []byte(s.Text), time.Time{}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := turn.Resolve(g, turn.Options{Now: noon(n)}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOrdersNeedNoEvents: orders depend on the state, not on past events, so events need not be
// read to play a turn.
func TestOrdersNeedNoEvents(t *testing.T) {
	g := newWolf(t, 5)
	for n := 1; n <= 6; n++ {
		if _, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyRobot, Now: noon(n)}); err != nil {
			t.Fatal(err)
		}
		p := load(t, g)
		for _, id := range p.State().InFight() {
			told, err := p.View(engine.Seat{Ship: id})
			if err != nil || len(told.Events) == 0 {
				t.Fatalf("%+v, %v", told, err)
			}
			stands, err := engine.BuildView(g.Rules(), p.State(), nil, told.Viewer)
			if err != nil {
				t.Fatal(err)
			}
			for name, f := range map[string]func(*engine.View, engine.ShipID) orders.Set{"template": g.Rules().Template, "robot": g.Rules().Robot} {
				if a, b := f(told, id).String(), f(stands, id).String(); a != b {
					t.Errorf("turn %d, %s: with events\n%s\nwithout\n%s", n, name, a, b)
				}
			}
			text, err := p.Robot(id)
			if err != nil {
				t.Fatal(err)
			}
			set := p.Check([]byte(text)).Sets[0]
			if a, b := g.Rules().Check(told, id, set.Block), set.Checked; !reflect.DeepEqual(a, b) {
				t.Errorf("turn %d: checked with events\n%+v\nwithout\n%+v", n, a, b)
			}
		}
	}
}

// TestLookingChangesNothing: the state is read once and shared by all order checks, so checking,
// answering and counting must not change it.
func TestLookingChangesNothing(t *testing.T) {
	g := newWolf(t, 3)
	for played := range 3 {
		state, err := g.Stages.State(vault.At(g.Turn()))
		if err != nil {
			t.Fatal(err)
		}
		before, err := engine.EncodeGame(state)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range state.Captains() {
			p := load(t, g)
			text, err := p.Template(c.Name, true)
			if err != nil {
				t.Fatal(err)
			}
			for _, src := range []string{text, strings.ReplaceAll(text, "power", "pover"), strings.ReplaceAll(text, "phase 2", "phase 2\n  move F F F F F R\n  fire all at all")} {
				for _, set := range p.Check([]byte(src)).Sets {
					p.Ack(set, src, report.AckDetails{Now: noon(1)})
				}
			}
			if _, err := p.Ready(); err != nil {
				t.Fatal(err)
			}
		}
		again, err := g.Stages.State(vault.At(g.Turn()))
		if err != nil || again != state {
			t.Fatalf("the game was read again (%v)", err)
		}
		after, err := engine.EncodeGame(state)
		if err != nil || string(after) != string(before) {
			t.Errorf("after turn %d looking at orders changed the game (%v)", played, err)
		}
		if _, err := turn.Resolve(g, turn.Options{Now: noon(played + 1), Missing: vault.PolicyRobot}); err != nil {
			t.Fatal(err)
		}
	}
}
