package fasa

import (
	"encoding/json"
	"slices"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/ship"
)

// TestProbesFlyInEveryBook: a probe flies 8 hexes a turn, split as 8 movement points are, for three turns from the
// phase of its launch; its ship has one less; and the game is the same after encoding and decoding.
func TestProbesFlyInEveryBook(t *testing.T) {
	for _, r := range darkBooks(t) {
		g := gameOf(t, r, darkScenario(r, darkShip("Hood", "red", "constitution-hood", "1050", "A", ""), darkShip("Riskadh", "green", "d-10-wolf", "9090", "A", "")))
		text := "phase 2\n probe to 1001\n"
		var hexes []string
		for range 5 {
			sheets := []engine.Sheet{{Ship: "hood", Block: hoodsOrders(t, r, text)}, {Ship: "riskadh", Policy: engine.PolicyStanding}}
			after, events, err := engine.Resolve(r, g, sheets, dice.FromSeed(3))
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range play.Probes(after) {
				hexes = append(hexes, p.Hex.Label())
			}
			for _, e := range events {
				if err := engine.Apply(g, e); err != nil {
					t.Fatal(err)
				}
			}
			state, err := json.Marshal(after)
			if err != nil {
				t.Fatal(err)
			}
			if again, _ := json.Marshal(g); string(again) != string(state) {
				t.Errorf("%s: the events give\n%s\nwant\n%s", r.Name, again, state)
			}
			if g, err = engine.DecodeGame(state, r); err != nil {
				t.Fatal(err)
			}
			if again, _ := json.Marshal(g); string(again) != string(state) {
				t.Errorf("%s: read back as\n%s\nwant\n%s", r.Name, again, state)
			}
			text = ""
		}
		want := []string{"1045", "1037", "1029", "1026", "1026"}
		if r.Name == "book-one" { // 2, 3 and 3 in the phases of a turn
			want = []string{"1044", "1036", "1028", "1026", "1026"}
		}
		if !slices.Equal(hexes, want) || ship.Of(mustShip(g, "hood")).Labs().Probes != 0 {
			t.Errorf("%s: turn by turn the probe is at %v, want %v", r.Name, hexes, want)
		}
	}
}
