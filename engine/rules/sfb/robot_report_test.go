package sfb

import (
	"testing"

	"starpost/engine"
	"starpost/engine/testkit/enginetest"
)

func TestRobotsTellWhatTheyFind(t *testing.T) {
	for _, r := range []*engine.Rules{houseRules(t), cadetRules(t)} {
		for _, talk := range []string{"side", "none"} {
			own, foe := "federation-ca", "klingon-d7"
			if r.Name != houseName {
				own, foe = "cadet-federation", "cadet-klingon"
			}
			g := darkGame(t, r, darkShip("Hood", "red", own, "110.25", "A", ""), darkShip("Kongo", "red", own, "60.25", "A", ""), darkShip("Mid", "green", foe, "110.10", "D", ""))
			g.Blind.Talk = talk
			enginetest.RobotsTellWhatTheyFind(t, r, g)
		}
	}
}
