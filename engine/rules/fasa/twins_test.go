package fasa

import (
	"flag"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/enginetest"
)

var everyName = flag.Int("every", 9, "which words are tried as names of an unseen ship: every n-th")

// TestNamesOfTheUnseenTellNothing: Hood and Riskadh fight while a third ship is far away, and are told the same
// whatever she is called, be it a weapon, a class, a step, a heading or part of the name of a die.
func TestNamesOfTheUnseenTellNothing(t *testing.T) {
	for _, r := range darkBooks(t) {
		battle := func(unseen string) *engine.Game {
			text := darkScenario(r, darkShip("Hood", "red", "constitution-hood", "1020", "A", ""), darkShip("Riskadh", "green", "d-10-wolf", "1012", "D", ""),
				darkShip(unseen, "blue", "d-10-wolf", "1090", "A", ""))
			sc, _ := engine.ParseScenario([]byte(strings.Replace(text, "[blind]\n", "[bounds]\ncolumns = 99\nrows = 99\n[blind]\n", 1)))
			if sc == nil {
				return nil
			}
			g, _ := sc.NewGame(r, "game", nil)
			return g
		}
		names, err := enginetest.NamesTellNothing(r, battle, dice.FromSeed(7), 2, *everyName, []string{"F", "Phaser", "Basic"}, "hood", "riskadh")
		if err != nil {
			t.Error(err)
		}
		if names < 400 / *everyName {
			t.Errorf("%s: %d words were names", r.Name, names)
		}
	}
}
