package fasa

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// foggy is the Advanced Course with fog: it hides what is on its other side.
func foggy(tb testing.TB) *engine.Rules {
	tb.Helper()
	return rulesOf(tb, func(lib *tables.Library) (*engine.Rules, error) {
		book := advancedCourse()
		between := func(l *rulebook.Rules, g *engine.Game, a, b *engine.Ship) bool {
			fog := map[hex.Hex]bool{}
			for _, f := range g.Terrain {
				for _, h := range f.Hexes {
					fog[h] = true
				}
			}
			return !engine.LineOfSight(a.Hex, b.Hex, func(h hex.Hex) bool { return fog[h] })
		}
		book.Concealments = []rulebook.Concealment{func(l *rulebook.Rules, g *engine.Game, of *engine.Ship) rulebook.Hides {
			return func(by *engine.Ship) bool { return between(l, g, by, of) }
		}}
		book.LineOfFireRules = []rulebook.LineOfFireRule{func(l *rulebook.Rules, g *engine.Game, a, b *engine.Ship) string {
			if between(l, g, a, b) {
				return "there is fog between"
			}
			return ""
		}}
		book.Ground = map[string]engine.Ground{"fog": {Opaque: true}}
		return book.rules(lib)
	})
}

// TestFog plays what is seen, lost and found again where something stands between.
func TestFog(t *testing.T) {
	playCases(t, foggyCases)
}

// TestMinesAreFound plays the question for mines.
func TestMinesAreFound(t *testing.T) {
	r := rulesOf(t, func(lib *tables.Library) (*engine.Rules, error) {
		book := advancedCourse()
		book.Ground = map[string]engine.Ground{board.Mine: {Hidden: true, Figure: map[string]engine.Bracket{"dummy": {Most: 1}}}}
		return book.rules(lib)
	})
	enginetest.Run(t, averagePeople(r), os.DirFS("testdata/cases-mined"))
}

// concealing is the Advanced Course with a ship that conceals itself in phase 2.
func concealing(t *testing.T) *engine.Rules {
	t.Helper()
	return rulesOf(t, func(lib *tables.Library) (*engine.Rules, error) {
		book := advancedCourse()
		book.Concealments = []rulebook.Concealment{func(_ *rulebook.Rules, g *engine.Game, of *engine.Ship) rulebook.Hides {
			k, ok := g.Feature("switch")
			return func(by *engine.Ship) bool { return of.ID == "riskadh" && ok && k.Gone && !rulebook.Locked(by, of.ID) }
		}}
		book.Ground = map[string]engine.Ground{"switch": {Hidden: true}}
		book.Each = slices.Insert(slices.Clone(book.Each), 2, rulebook.Stage{Name: "conceal", Step: "cloak", Run: func(l *rulebook.Rules, t *engine.Turn) {
			s, _ := t.Game.Ship("riskadh")
			if t.Phase.No == 2 {
				f, _ := t.Game.Feature("switch")
				gone := *f
				gone.Gone = true
				play.ShakeOff(l, t, s, "it is concealed", cites.LostLocks)
				t.Emit(&engine.Charted{Feature: gone}, engine.See{}, "stcs 7.4")
				play.NoteVisibility(l, t)
			}
		}})
		return book.rules(lib)
	})
}

// TestConcealed lets a ship that was seen and locked on conceal itself and leave:
// the lock is gone, it is shown where it was last seen, and no one learns that it has
// left.
func TestConcealed(t *testing.T) {
	r := concealing(t)
	g := wolfOf(t, r)
	g.Terrain = []engine.Feature{{ID: "switch", Kind: "switch", Hexes: []hex.Hex{hex.At(1, 1)}, Hidden: true}}
	secret := dice.FromSeed(7)
	play := func(hood, riskadh string) []engine.Event {
		t.Helper()
		after, events, err := enginetest.Resolve(r, g, []engine.Sheet{order(t, r, g, "Hood", hood), order(t, r, g, "Riskadh", riskadh)}, secret)
		if err != nil {
			t.Fatal(err)
		}
		after.Result = nil // at the end all is told
		g = after
		return slices.DeleteFunc(events, func(e engine.Event) bool { return e.Type.Name == "victory" })
	}
	events := play("standing\n sensors nearest\n", "power\n move 12\nphase 1\n move F\nphase 2\n move F\nphase 3\n move F\n")
	v := viewOf(t, r, g, events, "hood")
	s, ok := v.Ship("riskadh")
	if !ok || s.Sight != engine.Lost || s.Since == nil || *s.Since != (engine.Moment{Turn: 1, Phase: 2}) || s.System != nil {
		t.Fatalf("Hood's view of the concealed ship: %+v", s)
	}
	if truth, _ := g.Ship("riskadh"); *s.Hex == truth.Hex {
		t.Errorf("Hood knows that the Riskadh is at %s now", truth.Hex)
	}
	if !strings.HasPrefix(s.Class, "D-10") {
		t.Errorf("the class that a lock told is forgotten: %q", s.Class)
	}
	if lock := ship.Of(shipIn(t, g, "hood")).Sensors().Locks; len(lock) != 0 {
		t.Errorf("there still is a lock: %v", lock)
	}
	text := report(r, v)
	for _, want := range []string{"Hood's lock on Riskadh is gone: it is concealed", "Hood loses sight of Riskadh, last seen at", "not seen since 1.2"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
	before := *s.Hex
	stays := g.Clone()
	const next = "phase 1\n lock Riskadh\n pursue Riskadh\n fire all at Riskadh when seen\nphase 2\n question 3\n"
	var told []string
	for _, at := range []hex.Hex{hex.At(3, 3), hex.At(11, 9)} { // wherever it is, a look at orders tells the same
		shipIn(t, g, "riskadh").Hex = at
		c := r.Check(viewOf(t, r, g, nil, "hood"), "hood", *order(t, r, g, "Hood", next).Block)
		told = append(told, fmt.Sprint(c))
	}
	if told[0] != told[1] {
		t.Errorf("the look at Hood's orders tells where the Riskadh is:\n%s\n%s", told[0], told[1])
	}
	g = stays.Clone()
	events = play("phase 1\n lock Riskadh\n fire all at Riskadh\nphase 2\n question 3\n", "warp +1\n")
	left := seenBy(t, r, g, events, "hood")
	if truth := shipIn(t, g, "riskadh"); truth.Status != engine.Left || slices.Contains(ship.Of(shipIn(t, g, "hood")).Sensors().Gone, "riskadh") {
		t.Errorf("the Riskadh did not slip away: %s %v", truth.Status, ship.Of(shipIn(t, g, "hood")).Sensors().Gone)
	}
	if s, ok = viewOf(t, r, g, events, "hood").Ship("riskadh"); !ok || s.Sight != engine.Lost || *s.Hex != before || s.Status != engine.Active {
		t.Errorf("Hood's view of the ship that left unseen: %+v", s)
	}
	g = stays
	events = play("phase 1\n lock Riskadh\n fire all at Riskadh\nphase 2\n question 3\n", "power\n move 8\nphase 1\n move F\nphase 3\n move F\n")
	if stayed := seenBy(t, r, g, events, "hood"); !bytes.Equal(left, stayed) {
		t.Errorf("Hood can tell whether the Riskadh left:\n%s", enginetest.Difference(left, stayed))
	}
}

func shipIn(t *testing.T, g *engine.Game, id engine.ShipID) *engine.Ship {
	t.Helper()
	s, ok := g.Ship(id)
	if !ok {
		t.Fatalf("no ship %s", id)
	}
	return s
}

func seenBy(t *testing.T, r *engine.Rules, g *engine.Game, events []engine.Event, id engine.ShipID) []byte {
	t.Helper()
	out, err := enginetest.Seen(r, g, events, engine.Captain{Name: "Hood", Ships: []engine.ShipID{id}})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// order is a ship's orders for the turn that is due.
func order(t *testing.T, r *engine.Rules, g *engine.Game, name, text string) engine.Sheet {
	t.Helper()
	blocks, diags := orders.Parse([]byte("#orders game turn 1 ship "+name+"\n"+text+"#end\n"), r.Language)
	if len(blocks) != 1 || orders.HasErrors(diags) {
		t.Fatal(diags)
	}
	s, _, ok := engine.FindShip(g.Ships, name)
	if !ok {
		t.Fatalf("no ship %s", name)
	}
	return engine.Sheet{Ship: s.ID, Block: &blocks[0]}
}

// report is a view in words.
func report(r *engine.Rules, v *engine.View) string {
	var b strings.Builder
	p := r.Present(v)
	for _, c := range p.Phases {
		for _, line := range c.Lines {
			b.WriteString(line.Text + "\n")
		}
	}
	for _, panel := range p.Panels {
		b.WriteString(panel.Title + "\n" + strings.Join(panel.Notes, "\n") + "\n")
		for _, row := range panel.Rows {
			b.WriteString(strings.Join(row, " ") + "\n")
		}
	}
	return b.String()
}
