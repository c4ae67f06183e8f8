package engine_test

import (
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// charted returns the Basic Course with kinds of terrain that do nothing.
func charted(t *testing.T) *engine.Rules {
	t.Helper()
	r := *basic(t)
	r.Terrain = map[string]engine.Ground{
		"planet": {Closed: true, Opaque: true},
		"field":  {Hidden: true, Figure: map[string]engine.Bracket{"mines": {Least: 1, Most: 9, Usual: 3}}},
	}
	return &r
}

const features = `
[[terrain]]
kind = "planet"
name = "Vega"
hexes = ["0505", "0506"]
[[terrain]]
kind = "field"
side = "red"
at = "0808"
from = 1
to = 2
[terrain.figure]
mines = 4
`

func TestTerrainOfScenarios(t *testing.T) {
	r := charted(t)
	g, diags := read(t, r, duel+features)
	if g == nil {
		t.Fatal(diags)
	}
	f, ok := g.Feature("field-0807")
	if !ok || len(f.Hexes) != 18 || f.Figure["mines"] != 4 || !f.Hidden {
		t.Errorf("the field is %+v", f)
	}
	if at := g.TerrainAt(hex.At(5, 6)); len(at) != 1 || at[0].Name != "Vega" {
		t.Errorf("at 0506 there is %v", at)
	}
	for _, test := range []struct{ name, text, want string }{
		{"an unknown kind", "[[terrain]]\nkind = \"plant\"\nhexes = [\"0101\"]\n", `did you mean "planet"?`},
		{"no kind", "[[terrain]]\nhexes = [\"0101\"]\n", "has no kind"},
		{"no place", "[[terrain]]\nkind = \"planet\"\n", "needs either hexes"},
		{"two places", "[[terrain]]\nkind = \"planet\"\nhexes = [\"0101\"]\nat = \"0202\"\n", "needs either hexes"},
		{"a bad hex", "[[terrain]]\nkind = \"planet\"\nhexes = [\"x\"]\n", "feature 1"},
		{"too wide", "[[terrain]]\nkind = \"planet\"\nat = \"0202\"\nto = 31\n", "between 0 and 30"},
		{"no side", "[[terrain]]\nkind = \"field\"\nat = \"0808\"\n", "add side"},
		{"an unknown side", "[[terrain]]\nkind = \"field\"\nat = \"0808\"\nside = \"green\"\n", `side "green"`},
		{"an unknown figure", "[[terrain]]\nkind = \"field\"\nat = \"0808\"\nside = \"red\"\n[terrain.figure]\nmine = 1\n", `did you mean "mines"?`},
		{"a figure out of bounds", "[[terrain]]\nkind = \"field\"\nat = \"0808\"\nside = \"red\"\n[terrain.figure]\nmines = 10\n", "between 1 and 9"},
		{"an unknown key", "[[terrain]]\nkind = \"planet\"\nhexes = [\"0101\"]\nfigur = 1\n", `did you mean "figure"?`},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, diags := read(t, r, duel+test.text)
			text := ""
			for _, d := range diags {
				text += d.Message + " " + d.Hint + "\n"
			}
			if g != nil || !strings.Contains(text, test.want) {
				t.Errorf("got %q, expected %q", text, test.want)
			}
		})
	}
}

// TestHiddenTerrain: a hidden feature is known to its side and to anyone who finds it.
func TestHiddenTerrain(t *testing.T) {
	r := charted(t)
	g, _ := read(t, r, duel+features)
	kinds := func(g *engine.Game, ship engine.ShipID) string {
		v, err := engine.BuildView(r, g, nil, engine.Viewer{Ships: []engine.ShipID{ship}, Focus: ship})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, f := range v.Terrain {
			out = append(out, f.Kind)
			if f.Found != nil {
				t.Errorf("%s is told who found the %s", ship, f.Kind)
			}
		}
		return strings.Join(out, " ")
	}
	red, blue := sideOf(g, "red"), sideOf(g, "blue")
	if got := kinds(g, red); got != "field planet" {
		t.Errorf("red knows of %q", got)
	}
	if got := kinds(g, blue); got != "planet" {
		t.Errorf("blue knows of %q", got)
	}
	f, _ := g.Feature("field-0807")
	found := *f
	found.Found = []engine.ShipID{blue}
	r.Phases = []engine.Phase{{Name: "find", Step: "movement", Run: func(t *engine.Turn) {
		t.Emit(&engine.Charted{Feature: found}, engine.SeeOnly(blue), "D35")
	}}}
	var sheets []engine.Sheet
	for _, id := range g.InFight() {
		sheets = append(sheets, engine.Sheet{Ship: id, Block: &orders.Block{}})
	}
	after, _, err := enginetest.Resolve(r, g, sheets, dice.FromSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	if got := kinds(after, blue); got != "field planet" {
		t.Errorf("blue knows of %q", got)
	}
}

func sideOf(g *engine.Game, side string) engine.ShipID {
	for _, s := range g.Ships {
		if s.Side == side {
			return s.ID
		}
	}
	return ""
}

func TestClear(t *testing.T) {
	at := func(labels ...string) func(hex.Hex) bool {
		var hexes []hex.Hex
		for _, l := range labels {
			h, err := hex.ParseLabel(l)
			if err != nil {
				t.Fatal(err)
			}
			hexes = append(hexes, h)
		}
		return func(h hex.Hex) bool { return slices.Contains(hexes, h) }
	}
	a, b := hex.At(5, 5), hex.At(5, 9)
	if engine.LineOfSight(a, b, at("0507")) || !engine.LineOfSight(a, b, at("0607", "0505", "0509")) {
		t.Error("a straight line is blocked by what lies on it, ends not counted")
	}
	// From 0505 to 0704 the line runs along the side between 0604 and 0605.
	pair := slices.Collect(hex.Between(a, a.Step(hex.B).Step(hex.C)))[0]
	one, two := pair[0], pair[1]
	end := a.Step(hex.B).Step(hex.C)
	if !engine.LineOfSight(a, end, at(one.Label())) || engine.LineOfSight(a, end, at(one.Label(), two.Label())) {
		t.Error("a line along a side is blocked only by both")
	}
}
