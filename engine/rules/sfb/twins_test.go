package sfb

import (
	"flag"
	"fmt"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
)

var everyName = flag.Int("every", 9, "which words are tried as names of an unseen ship: every n-th")

// TestNamesOfTheUnseenTellNothing: Hood and Riskadh fight while a third ship is far away, and are told the same
// whatever she is called, be it a weapon, a class, a step, a heading or part of the name of a die.
func TestNamesOfTheUnseenTellNothing(t *testing.T) {
	for _, r := range []*engine.Rules{houseRules(t), cadetRules(t)} {
		own, foe := "federation-ca", "klingon-d7"
		if r.Name != houseName {
			own, foe = "cadet-federation", "cadet-klingon"
		}
		battle := func(unseen string) *engine.Game {
			text := fmt.Sprintf("format = 1\nname = \"dark\"\ntitle = \"Dark\"\nrules = %q\n[bounds]\ncolumns = 99\nrows = 99\n[blind]\n", r.Name)
			for _, side := range []string{"red", "green", "blue"} {
				text += fmt.Sprintf("[[side]]\nid = %q\n", side)
			}
			text += darkShip("Hood", "red", own, "1020", "A", "") + darkShip("Riskadh", "green", foe, "1015", "D", "") + darkShip(unseen, "blue", foe, "1097", "A", "")
			sc, _ := scenario.Parse([]byte(text))
			if sc == nil {
				return nil
			}
			g, _ := sc.NewGame(r, "game", nil)
			return g
		}
		names, err := enginetest.NamesTellNothing(r, battle, dice.FromSeed(7), 2, *everyName, []string{"F", "Phaser", "CA"}, "hood", "riskadh")
		if err != nil {
			t.Error(err)
		}
		if names < 100 / *everyName {
			t.Errorf("%s: %d words were names", r.Name, names)
		}
	}
}
