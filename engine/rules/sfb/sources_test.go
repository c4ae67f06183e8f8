package sfb

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/tell"
	"starpost/engine/scenario"
)

// TestTheFirstReportTellsWhereItsNumbersComeFrom: a captain reads the sources of the ship's figures with their
// confidence, and where to find the rest; later reports are short.
func TestTheFirstReportTellsWhereItsNumbersComeFrom(t *testing.T) {
	files, err := Family().ScenarioFiles()
	if err != nil {
		t.Fatal(err)
	}
	r := houseRules(t)
	sc, diags := scenario.Parse(files["house-duel"])
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

// TestTheTableOfWeaponsTellsWhatPaysForAShot: a phaser can fire now only with energy that is available.
func TestTheTableOfWeaponsTellsWhatPaysForAShot(t *testing.T) {
	l := &rulebook.Rules{Book: house()}
	sheet := sheet.Sheet{Banks: []sheet.Bank{{Name: "ph-1", Kind: sheet.Phaser1, Boxes: sheet.Boxes{All: 1, Left: 1}}}}
	for _, c := range []struct {
		round, capacitor, reserve, batteries int
		draws                                bool
		want                                 string
	}{
		{0, 1, 0, 3, false, "now"},
		{0, 0, 0, 3, false, "now, if paid"},
		{1, 1, 0, 0, false, "now"},
		{1, 0, 1, 3, true, "now, reserve"},
		{1, 0, 0, 1, true, "now, battery"},
		{1, 0, 0, 0, true, "no energy"},
		{1, 0, 1, 3, false, "no energy"},
	} {
		sys := &state.System{Sheet: sheet, Weapons: []state.Weapon{{}}, Capacitor: c.capacitor, Reserve: c.reserve, Batteries: c.batteries, Draws: c.draws}
		if got := tell.Ready(l, &engine.View{Due: 1, Rounds: 4, Round: c.round}, sys, 0); got != c.want {
			t.Errorf("%+v: the table says %q", c, got)
		}
	}
}

// TestRulingsOfTheHouseRulesAreListed: each ruling cited by a case, the source or another document is in the table of
// the rules' summary, and the table has no gaps.
func TestRulingsOfTheHouseRulesAreListed(t *testing.T) {
	page, err := os.ReadFile("../../../docs/reference/rules-sfb-house.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "\n## Rulings\n")
	const last = 20
	for n := 1; n <= last; n++ {
		if row := fmt.Sprintf("\n| H%d | ", n); strings.Count(table, row) != 1 {
			t.Errorf("the table of rulings has %d rows H%d", strings.Count(table, row), n)
		}
	}
	sources, err := filepath.Glob("*.go")
	below, err3 := filepath.Glob("*/*.go")
	cases, err2 := filepath.Glob(suite + "sfb-house/*.txt")
	if err != nil || err2 != nil || err3 != nil || len(cases) == 0 || len(below) == 0 {
		t.Fatal(err, err2, err3)
	}
	ruling, found := regexp.MustCompile(`(?:ruling |house |cite .*)\bH([0-9]+)\b`), 0
	for _, path := range append(slices.Concat(sources, below, cases), "../../../docs/reference/rules-blind.md", "../../../docs/play-sfb-house.md", "../../../docs/play-dark.md", "../../../docs/reference/orders-sfb-house.md") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range ruling.FindAllStringSubmatch(string(text), -1) {
			if found++; !strings.Contains(table, "| H"+m[1]+" |") {
				t.Errorf("%s names ruling H%s, which the table does not have", path, m[1])
			}
		}
	}
	if found < 10 {
		t.Errorf("found %d rulings named", found)
	}
}
