package fasa

import (
	"testing"

	"starpost/engine/testkit/enginetest"
)

func TestRobotsTellWhatTheyFind(t *testing.T) {
	for _, r := range darkBooks(t) {
		for _, talk := range []string{"side", "none"} {
			g := gameOf(t, r, darkScenario(r, darkShip("Hood", "red", "constitution-hood", "110.25", "A", ""), darkShip("Kongo", "red", "constitution-hood", "60.25", "A", ""), darkShip("Mid", "green", "d-10-wolf", "110.10", "D", "")))
			g.Blind.Talk = talk
			enginetest.RobotsTellWhatTheyFind(t, r, g)
		}
	}
}
