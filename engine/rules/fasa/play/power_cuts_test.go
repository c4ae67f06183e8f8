package play

import (
	"testing"

	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
)

// TestLitLaboratoriesLosePowerFirst: laboratories lose power before any system.
func TestLitLaboratoriesLosePowerFirst(t *testing.T) {
	for over, want := range map[int][2]int{2: {1, 0}, 5: {0, 2}} {
		c := &powerShedder{PowerLoss: rulebook.PowerLoss{Alloc: ship.Alloc{Labs: 3}}, over: over}
		c.labs()
		if got := [2]int{c.Alloc.Labs, c.over}; got != want || len(c.Detail) != 1 {
			t.Errorf("%d too much: %d lit and %d still too much, want %v; told %v", over, c.Alloc.Labs, c.over, want, c.Detail)
		}
	}
}
