package fasa

import (
	"fmt"
	"slices"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
)

// TestRobotsRunForTheEdge has a robot without weapons run from every kind of
// place to every edge; it leaves by that one.
func TestRobotsRunForTheEdge(t *testing.T) {
	r := basicRules(t)
	for _, edge := range []string{"north", "south", "east", "west"} {
		for _, at := range []string{"0101", "1201", "0112", "1212", "0606", "0701"} {
			for _, heading := range []string{"A", "B", "C", "D", "E", "F"} {
				g := gameOf(t, r, fmt.Sprintf(`
format = 1
name = "run"
title = "Run"
rules = "stcs-basic"
side = [{id = "a"}, {id = "b"}]
bounds = {columns = 12, rows = 12}
ship = [
  {name = "Ark", side = "a", class = "merchantman", hex = "%s", heading = "%s"},
  {name = "Other", side = "b", class = "merchantman-armed", hex = "0607", heading = "A"},
]
victory = [{side = "a", when = "exit", edge = "%s"}]
`, at, heading, edge))
				var events []engine.Event
				for g.Result == nil && g.Turn < 8 {
					var err error
					if g, events, err = engine.Resolve(r, g, robotSheets(t, r, g, events), dice.FromSeed(5)); err != nil {
						t.Fatal(err)
					}
				}
				ark, _ := g.Ship("ark")
				if ark.Status == engine.Left && !slices.Contains(ark.Exit, edge) || ark.Status == engine.Active {
					t.Errorf("from %s %s to the %s edge: %s over %v", at, heading, edge, ark.Status, ark.Exit)
				}
			}
		}
	}
}
