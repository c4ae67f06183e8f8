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

var everyName = flag.Int("every", 9*enginetest.Share, "which words are tried as names of an unseen ship: every n-th")

// TestNamesOfTheUnseenTellNothing: Hood and Riskadh fight while a third ship is far away. Their reports are the same
// whatever her name is: even a weapon, a class, a step, a heading or part of a die's name.
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

// TestTwinsInTheDark: Hood and Riskadh fight, and get the same reports when two other ships have swapped ids or speeds:
// ships that they never find, or that come within range in the same round, even in one hex.
func TestTwinsInTheDark(t *testing.T) {
	const unskilled, still = "crews are no better or worse by these rules", "power\n speed 0\n"
	for _, f := range []enginetest.DarkFleet{
		{Rules: houseRules(t), Classes: [2]string{"federation-ca", "klingon-d7"}, State: "speed = 8, capacitors = 2", Orders: [2]string{"power\n speed 2\n", "power\n speed 2.5\n"}, Hexes: [2]int{8, 16}, Still: still, Unskilled: unskilled},
		{Rules: cadetRules(t), Classes: [2]string{"cadet-federation", "cadet-klingon"}, State: "speed = 8, capacitors = 2", Orders: [2]string{"power\n speed 8\n", "power\n speed 12\n"}, Hexes: [2]int{8, 12}, Still: still, Unskilled: unskilled},
	} {
		f.Test(t)
	}
}
