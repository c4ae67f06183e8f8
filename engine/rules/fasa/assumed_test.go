package fasa

import (
	"slices"
	"strings"
	"testing"

	"starpost/engine"
)

// TestReportMarksWhatIsAssumed: a captain's own report marks each figure that no print gives as
// assumed, and no other figure.
func TestReportMarksWhatIsAssumed(t *testing.T) {
	const mark = " (assumed: not in any print)"
	for _, test := range []struct {
		rules, scenario string
		ship            engine.ShipID
		want            []string
	}{
		{"stcs-basic", "big-bad-wolf", "hood", nil},
		{"stcs-basic", "convoy", "thuban", []string{"firing arcs"}},
		{"stcs-advanced", "raiders", "kestrel", []string{"firing arcs", "warp 6, safe to 6, at most 8", "stress charts G/L"}},
		{"stcs-graduate", "outpost-raid", "eyrie", []string{"split of the power over the engines", "firing arcs"}},
		{"stcs-graduate", "outpost-raid", "intrepid", []string{"damage chart C"}},
	} {
		r := courseRules(t, test.rules)
		g := scenarioGame(t, r, test.scenario)
		v := viewOf(t, r, g, nil, test.ship)
		var got []string
		for line := range strings.Lines(report(r, v)) {
			if figure, ok := strings.CutSuffix(strings.TrimSpace(line), mark); ok {
				got = append(got, figure)
			}
		}
		if !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(test.want))) {
			t.Errorf("%s by %s, %s: marked %q, expected %q", test.scenario, test.rules, test.ship, got, test.want)
		}
	}
}
