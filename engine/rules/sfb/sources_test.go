package sfb

import (
	"slices"
	"strings"
	"testing"

	"starpost/engine"
)

// TestTheFirstReportTellsWhereItsNumbersComeFrom: a captain reads of each source of his own sheet how
// sure it is, and where the rest is told; later reports are short again.
func TestTheFirstReportTellsWhereItsNumbersComeFrom(t *testing.T) {
	files, err := Family().ScenarioFiles()
	if err != nil {
		t.Fatal(err)
	}
	r := houseRules(t)
	sc, diags := engine.ParseScenario(files["house-duel"])
	if sc == nil {
		t.Fatal(diags)
	}
	g, diags := sc.NewGame(r, "g", nil)
	if g == nil {
		t.Fatal(diags)
	}
	for turn := range 2 {
		g.Turn = turn
		s, _ := g.Ship("hood")
		v, err := engine.BuildView(r, g, nil, g.Viewer(s))
		if err != nil {
			t.Fatal(err)
		}
		var notes []string
		for _, p := range r.Present(v).Panels {
			if p.Key == "ship-hood" || p.Key == "advice" {
				notes = append(notes, p.Notes...)
			}
		}
		for _, words := range []string{"entered by hand by its author (confidence medium)", "rules sfb-house"} {
			if got := slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, words) }); got != (turn == 0) {
				t.Errorf("turn %d: %q is told: %v; notes:\n%s", turn, words, got, strings.Join(notes, "\n"))
			}
		}
	}
}
