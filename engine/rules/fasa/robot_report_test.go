package fasa

import (
	"errors"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/robots"
)

// TestRobotsTellWhatTheyFind: a robot reports what it has found when a mate is out of sight, and he goes there;
// where no one hears another it says nothing.
func TestRobotsTellWhatTheyFind(t *testing.T) {
	enough := errors.New("enough turns")
	for _, r := range darkBooks(t) {
		for _, talk := range []string{"side", "none"} {
			g := gameOf(t, r, darkScenario(r, darkShip("Hood", "red", "constitution-hood", "110.25", "A", ""), darkShip("Kongo", "red", "constitution-hood", "60.25", "A", ""), darkShip("Mid", "green", "d-10-wolf", "110.10", "D", "")))
			g.Blind.Talk = talk
			said, told := 0, 0
			var at hex.Hex
			var away []int // Kongo, as the first turn and the second end
			_, err := robots.Fight(r, g, dice.FromSeed(1), func(turn robots.Turn) error {
				for _, e := range turn.Events {
					switch b := e.Body.(type) {
					case *engine.Talk:
						said++
					case *engine.Skip:
						if strings.Contains(b.Order, "report") {
							t.Errorf("%s, %s: %s", r.Name, talk, b.Reason)
						}
					case *engine.SensorContact:
						if b.Told == "hood" && turn.After.Turn == 1 {
							at, told = b.At, told+1
						}
					}
				}
				kongo, _ := turn.After.Ship("kongo")
				if away = append(away, hex.Distance(kongo.Hex, at)); len(away) == 2 {
					return enough
				}
				return nil
			})
			if !errors.Is(err, enough) {
				t.Fatal(err)
			}
			if talk == "none" {
				if said > 0 {
					t.Errorf("%s: %d times something is said that no one hears", r.Name, said)
				}
				continue
			}
			if told != 1 || away[1] >= away[0] {
				t.Errorf("%s: told %d times of %s, Kongo goes from %d to %d hexes away", r.Name, told, at.Label(), away[0], away[1])
			}
		}
	}
}
