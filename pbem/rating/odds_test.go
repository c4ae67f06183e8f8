package rating

import (
	"strings"
	"testing"
)

// TestKnownOddsAddUp: what one side of a scenario scores the other does not.
func TestKnownOddsAddUp(t *testing.T) {
	all, err := knownOdds()
	if err != nil {
		t.Fatal(err)
	}
	sums, sides := map[string]float64{}, map[string]int{}
	for key, share := range all {
		battle := key[:strings.LastIndexByte(key, ' ')]
		sums[battle] += share
		sides[battle]++
	}
	for battle, sum := range sums {
		if sides[battle] != 2 || sum < 0.985 || sum > 1.015 {
			t.Errorf("the %d sides of %s score %.2f together", sides[battle], battle, sum)
		}
	}
	if len(sums) < 20 {
		t.Errorf("the odds of only %d scenarios are known", len(sums))
	}
}
