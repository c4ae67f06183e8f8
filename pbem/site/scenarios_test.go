package site

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"starpost/engine/family"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/sfb"
	"starpost/pbem/rating"
	"starpost/pbem/vault"
	"starpost/templates/pages"
)

// TestPagesOfScenarios checks that each scenario has a page, with measurements and results; a blind one does not show
// where others begin. Nothing is drawn again while nothing changed.
func TestPagesOfScenarios(t *testing.T) {
	dir, state := filepath.Join(t.TempDir(), "www"), t.TempDir()
	families := []family.Family{fasa.Family(), sfb.Family()}
	known := readCache("", "test")
	written := func(played ...rating.Game) (n int) {
		t.Helper()
		f, err := openFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		w := writer{o: Options{Families: families, Catalogue: vault.CatalogueOf(families...), Scores: rating.Measured(state)}, folder: f, known: known, site: pages.Site{Name: "Site", Address: "robot@example.org", Practice: true}}
		if err := w.scenarios(played); err != nil {
			t.Fatal(err)
		}
		if _, err := f.finish(); err != nil {
			t.Fatal(err)
		}
		if err := f.close(); err != nil {
			t.Fatal(err)
		}
		return f.written
	}
	page := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	all := written()
	for _, f := range families {
		names, err := f.ScenarioNames()
		if err != nil || len(names) == 0 {
			t.Fatalf("%q, %v", names, err)
		}
		for _, name := range names {
			if text := page("scenarios/" + name + ".html"); !strings.Contains(page("scenarios.html"), `href="scenarios/`+name+`.html"`) || !strings.Contains(text, "practice "+name) {
				t.Errorf("%s is not in the list, or tells no way to play it", name)
			}
		}
		all -= len(names)
	}
	if all != 1 {
		t.Errorf("%d files too many, want the list alone", all)
	}
	wolf, eagle := page("scenarios/big-bad-wolf.html"), page("scenarios/night-eagle.html")
	for what, in := range map[string]bool{"1133, heading A": true, `data-hex`: false, "<svg": true, "69 to 78": true, "last_turn": false, "[[ship]]": true} {
		if strings.Contains(wolf, what) != in {
			t.Errorf("the page of an open scenario: %q stands there: %t", what, !in)
		}
	}
	if strings.Contains(eagle, "0836") || strings.Contains(eagle, "[[ship]]") || !strings.Contains(eagle, "in the dark") {
		t.Errorf("the page of a scenario in the dark:\n%s", eagle)
	}
	if n := written(); n != 0 {
		t.Errorf("%d files were written again though nothing changed", n)
	}

	game := rating.Game{Scenario: "big-bad-wolf", Rules: "Basic Course", Sides: [2]rating.Side{{Name: "Federation"}, {Name: "Klingon"}}}
	lost, drawn := game, game
	lost.Won, drawn.Won = 1, -1
	if n := written(game, lost, game, drawn); n != 1 {
		t.Errorf("%d files were written after games of one scenario, want 1", n)
	}
	if text := page("scenarios/big-bad-wolf.html"); !strings.Contains(text, "Games between people, Basic Course: Federation won 2, Klingon 1, drawn 1.") {
		t.Errorf("it does not tell how games ended:\n%s", text)
	}
	if err := rating.Measured(state).Keep(rating.Measurement{Scenario: "big-bad-wolf", Rules: "stcs-basic", Side: "federation", Other: "klingon", Score: 50, Battles: 10_000}); err != nil {
		t.Fatal(err)
	}
	if n := written(game, lost, game, drawn); n != 2 {
		t.Errorf("%d files were written after a measurement, want the page and the list", n)
	}
	if text := page("scenarios/big-bad-wolf.html"); !strings.Contains(text, "49 to 51") {
		t.Errorf("it does not tell what was measured:\n%s", text)
	}
}
