package enginetest

import (
	"errors"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/robots"
)

// RobotsTellWhatTheyFind plays two turns of a game in the dark in which robots command Hood, who finds an enemy in the
// first, and her mate Kongo, who does not: she reports him, and Kongo goes there; where no one hears another she says nothing.
func RobotsTellWhatTheyFind(t *testing.T, r *engine.Rules, g *engine.Game) {
	t.Helper()
	enough := errors.New("enough turns")
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
					t.Errorf("%s, %s: %s", r.Name, g.Blind.Talk, b.Reason)
				}
			case *dark.SensorContact:
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
	if g.Blind.Talk == "none" {
		if said > 0 {
			t.Errorf("%s: %d times something is said that no one hears", r.Name, said)
		}
		return
	}
	if told != 1 || away[1] >= away[0] {
		t.Errorf("%s: told %d times of %s, Kongo goes from %d to %d hexes away", r.Name, told, at.Label(), away[0], away[1])
	}
}
