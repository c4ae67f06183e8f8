package fasa

import (
	"errors"
	"fmt"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/scenario"
	"starpost/orders"
)

func basicRules(tb testing.TB) *engine.Rules {
	tb.Helper()
	lib, err := tables.Builtin()
	if err != nil {
		tb.Fatal(err)
	}
	r, err := Basic(lib)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func scenarioGame(tb testing.TB, r *engine.Rules, name string) *engine.Game {
	tb.Helper()
	all, err := Scenarios()
	if err != nil {
		tb.Fatal(err)
	}
	sc, diags := scenario.Parse(all[name])
	if sc == nil {
		tb.Fatal(diags)
	}
	sc.Rules = r.Name
	g, diags := sc.NewGame(r, "game", nil)
	if g == nil {
		tb.Fatal(diags)
	}
	return g
}

// robotSheets returns robots' orders for every ship that is due.
func robotSheets(tb testing.TB, r *engine.Rules, g *engine.Game, events []engine.Event) []engine.Sheet {
	tb.Helper()
	sheets, err := robotsOrder(r, g, events)
	if err != nil {
		tb.Fatal(err)
	}
	return sheets
}

// errRobot means that a robot's orders have mistakes.
var errRobot = errors.New("the robot's orders have mistakes")

// robotsOrder returns robots' orders for every ship that is due.
func robotsOrder(r *engine.Rules, g *engine.Game, events []engine.Event) ([]engine.Sheet, error) {
	var sheets []engine.Sheet
	for _, id := range g.InFight() {
		s, _ := g.Ship(id)
		v, err := engine.BuildView(r, g, events, g.Viewer(s))
		if err != nil {
			return nil, fmt.Errorf("view of %s: %w", id, err)
		}
		text := fmt.Sprintf("#orders %s turn %d ship %s\n%s#end\n", g.ID, g.Turn+1, s.Name, r.Robot(v, id).String())
		blocks, diags := orders.Parse([]byte(text), r.Language)
		if len(blocks) == 1 {
			diags = append(diags, r.Check(v, id, blocks[0]).Diagnostics...)
		}
		if len(blocks) != 1 || orders.HasErrors(diags) {
			return nil, fmt.Errorf("%w: turn %d:\n%s\n%v", errRobot, g.Turn+1, text, diags)
		}
		sheets = append(sheets, engine.Sheet{Ship: id, Block: &blocks[0]})
	}
	return sheets, nil
}

// TestRobotsEndTheWolf has robots play The Big Bad Wolf: with every seed it ends in time.
func TestRobotsEndTheWolf(t *testing.T) {
	r := basicRules(t)
	for seed := range uint64(60) {
		g := scenarioGame(t, r, "big-bad-wolf")
		var events []engine.Event
		for g.Result == nil && g.Turn < 40 {
			var err error
			g, events, err = engine.Resolve(r, g, robotSheets(t, r, g, events), dice.FromSeed(seed))
			if err != nil {
				t.Fatal(err)
			}
		}
		if g.Result == nil {
			t.Errorf("seed %d: no end after %d turns", seed, g.Turn)
		}
	}
}
