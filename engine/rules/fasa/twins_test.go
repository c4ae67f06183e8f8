package fasa

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
)

var everyName = flag.Int("every", 9*enginetest.Share, "which words are tried as names of an unseen ship: every n-th")

// TestNamesOfTheUnseenTellNothing: Hood and Riskadh fight while a third ship is far away, and are told the same
// whatever its name is, even a weapon, a class, a step, a heading or part of the name of a die.
func TestNamesOfTheUnseenTellNothing(t *testing.T) {
	for _, r := range darkBooks(t) {
		battle := func(unseen string) *engine.Game {
			text := darkScenario(r, darkShip("Hood", "red", "constitution-hood", "1020", "A", ""), darkShip("Riskadh", "green", "d-10-wolf", "1012", "D", ""),
				darkShip(unseen, "blue", "d-10-wolf", "1090", "A", ""))
			sc, _ := scenario.Parse([]byte(strings.Replace(text, "[blind]\n", "[bounds]\ncolumns = 99\nrows = 99\n[blind]\n", 1)))
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

// TestNumbersTellNobodysSpeed: two ships come into Hood's reach in one phase. Nothing shows which of them has more
// movement points, a better captain or the first name in order, not even the numbers they get.
func TestNumbersTellNobodysSpeed(t *testing.T) {
	for _, r := range darkBooks(t) {
		want := map[string]string{}
		for _, twin := range []struct {
			names  [2]string
			points [2]int
			skill  [2]int
		}{
			{[2]string{"Far", "Off"}, [2]int{12, 9}, [2]int{60, 60}},
			{[2]string{"Far", "Off"}, [2]int{9, 12}, [2]int{60, 60}},
			{[2]string{"Off", "Far"}, [2]int{12, 9}, [2]int{60, 60}},
			{[2]string{"Far", "Off"}, [2]int{9, 9}, [2]int{90, 30}},
			{[2]string{"Far", "Off"}, [2]int{9, 9}, [2]int{30, 90}},
		} {
			for places, from := range map[string][2]string{"apart": {"5019", "5081"}, "beside each other": {"5019", "5120"}} {
				var ships []string
				plans := []map[engine.ShipID]string{{"hood": "power\n move 0\n"}}
				for i, name := range twin.names {
					heading := "D"
					if from[i] == "5081" {
						heading = "A"
					}
					skill := ""
					if _, rated := r.Options[rulebook.OptionRatings]; rated && r.Posts() == nil {
						skill = fmt.Sprintf("state = { skill = %d }\n", twin.skill[i])
					}
					ships = append(ships, darkShip(name, "green", "d-10-wolf", from[i], heading, skill))
					plans[0][engine.ShipID(strings.ToLower(name))] = fmt.Sprintf("power\n move %d\nphase 1\n move F\n", twin.points[i])
				}
				text := darkScenario(r, append(ships, darkShip("Hood", "red", "constitution-hood", "5050", "A", ""))...)
				text = strings.Replace(text, "[blind]\n", "[bounds]\ncolumns = 99\nrows = 99\n[blind]\n", 1)
				got := ""
				playDark(t, r, text, plans, func(_ int, g *engine.Game, events []engine.Event) {
					got += enginetest.WithoutHashes(string(toldTo(t, r, g, events, "hood")))
				})
				if !strings.Contains(got, "c02") {
					t.Fatalf("%s, %s: Hood has no second contact", r.Name, places)
				}
				if want[places] == "" {
					want[places] = got
				}
				if got != want[places] {
					t.Errorf("%s, %s: %+v shows: %s", r.Name, places, twin, enginetest.Difference([]byte(want[places]), []byte(got)))
				}
			}
		}
	}
}

// TestTwinsInTheDark: Hood and Riskadh fight, and are told the same when two other ships swap ids, movement points or
// crews. They never find these, or both come into reach in one phase, perhaps in one hex.
func TestTwinsInTheDark(t *testing.T) {
	for _, r := range darkBooks(t) {
		f := enginetest.DarkFleet{
			Rules: r, Classes: [2]string{"constitution-hood", "d-10-wolf"},
			Orders: [2]string{"power\n move 9\nphase 1\n move F\n", "power\n move 12\nphase 1\n move F\n"}, Hexes: [2]int{1, 1}, Still: "power\n move 0\n",
		}
		switch _, rated := r.Options[rulebook.OptionRatings]; {
		case !rated:
			f.Unskilled = "captains and crews have no ratings in this course"
		case r.Posts() != nil:
			f.Crews = []string{"tactics = 60, helm = 60, sensors = 60", "tactics = 90, helm = 80, sensors = 95", "tactics = 30, helm = 40, sensors = 20"}
		default:
			f.Crews = []string{"skill = 60, efficiency = 60", "skill = 90, efficiency = 85", "skill = 30, efficiency = 40"}
		}
		f.Test(t)
	}
}
