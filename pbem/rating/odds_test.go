package rating

import (
	"strings"
	"testing"
)

// TestKnownOddsAddUp checks that the odds of the two sides of a scenario add up to 1.
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

// TestMeasuredScoresComeFirst checks that a score measured on the host replaces the built-in one for both sides, and is
// the only one for the host's own scenario; the list has each scenario once.
func TestMeasuredScoresComeFirst(t *testing.T) {
	s := Measured(t.TempDir())
	for _, score := range []float64{10, 40} { // the later one counts
		if err := s.Keep(Measurement{Scenario: "big-bad-wolf", Rules: "stcs-basic", Side: "federation", Other: "klingon", Score: score, Battles: 99}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Keep(Measurement{Scenario: "mine", Rules: "stcs-basic", Side: "a", Other: "b", Score: 55, Battles: 7}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		scenario, side string
		want           float64
	}{{"big-bad-wolf", "federation", 0.4}, {"big-bad-wolf", "klingon", 0.6}, {"mine", "b", 0.45}, {"convoy", "convoy", 0.52}} {
		if got, known, err := s.Odds(c.scenario, "stcs-basic", c.side); err != nil || !known || got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("%s of %s scores %.2f, %t, %v; want %.2f", c.side, c.scenario, got, known, err, c.want)
		}
	}
	if _, known, err := s.Odds("none", "stcs-basic", "a"); known || err != nil {
		t.Errorf("a score of nothing: %t, %v", known, err)
	}
	all, err := s.All()
	seen := map[string]int{}
	for _, m := range all {
		seen[m.Scenario+" "+m.Rules]++
	}
	if err != nil || seen["mine stcs-basic"] != 1 || seen["big-bad-wolf stcs-basic"] != 1 || seen["convoy stcs-basic"] != 1 {
		t.Errorf("listed: %v, %v", seen, err)
	}
}
