package scenario_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/scenario"
)

// drawing returns the duel with places to draw for both ships.
func drawing(hood, kang string) string {
	return strings.NewReplacer(`hex = "1020"`, kang, `hex = "1010"`, hood).Replace(duel)
}

// TestPlacesAreDrawnByTheSecret: each place of a list is drawn about equally often, always the same one for a
// secret and a game, and ships of one draw get places with the same number.
func TestPlacesAreDrawnByTheSecret(t *testing.T) {
	r := basic(t)
	lists := [2][]string{{"0203", "0406", "0609"}, {"1203", "1406", "1609"}}
	list := func(places []string, more string) string {
		return fmt.Sprintf("hex = [\"%s\"]%s", strings.Join(places, `", "`), more)
	}
	for _, more := range []string{"", "\ndraw = \"West\""} {
		sc, diags := scenario.Parse([]byte(drawing(list(lists[0], more), list(lists[1], more))))
		if sc == nil {
			t.Fatal(diags)
		}
		at := func(seed uint64, game string) (places [2]int) {
			g, diags := sc.Drawn(dice.FromSeed(seed), game).NewGame(r, game, nil)
			if g == nil {
				t.Fatal(diags)
			}
			for i, id := range []engine.ShipID{"hood", "kang"} {
				s, _ := g.Ship(id)
				places[i] = slices.IndexFunc(lists[i], func(label string) bool { h, err := hex.ParseLabel(label); return err == nil && h == s.Hex })
				if places[i] < 0 {
					t.Fatalf("%s starts at %s", id, s.Hex.Label())
				}
			}
			return places
		}
		count, together := [2][3]int{}, 0
		for seed := range uint64(600) {
			got := at(seed, "duel")
			if got != at(seed, "duel") {
				t.Errorf("seed %d: drawn twice, %v", seed, got)
			}
			for i, n := range got {
				count[i][n]++
			}
			if got[0] == got[1] {
				together++
			}
		}
		for i := range count {
			if slices.Min(count[i][:]) < 150 {
				t.Errorf("draw%q: drawn so often: %v", more, count)
			}
		}
		if more == "" && (together < 120 || together > 280) || more != "" && together != 600 {
			t.Errorf("draw%q: %d of 600 times both had places of one number", more, together)
		}
	}
}

// TestDrawnHeadingsGoWithTheirPlaces: the headings of a list belong to the places with the same numbers.
func TestDrawnHeadingsGoWithTheirPlaces(t *testing.T) {
	text := strings.Replace(drawing(`hex = ["0612", "0618"]`, `hex = "1020"`), `heading = "A"`, `heading = ["B", "E"]`, 1)
	sc, diags := scenario.Parse([]byte(text))
	if sc == nil {
		t.Fatal(diags)
	}
	seen := map[string]bool{}
	for seed := range uint64(30) {
		g, diags := sc.Drawn(dice.FromSeed(seed), "duel").NewGame(basic(t), "duel", nil)
		if g == nil {
			t.Fatal(diags)
		}
		s, _ := g.Ship("hood")
		seen[s.Hex.Label()+s.Heading.String()] = true
	}
	if len(seen) != 2 || !seen["0612B"] || !seen["0618E"] {
		t.Errorf("Hood starts at %v", seen)
	}
}
