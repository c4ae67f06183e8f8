package fasa

import (
	"bytes"
	"fmt"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// TestShownCountersHideWhichAreLive lays the same counters twice, with mines and dummies swapped: the
// other side sees all of them, and is told the same both times.
func TestShownCountersHideWhichAreLive(t *testing.T) {
	r := averagePeople(rulesOf(t, advanced))
	sc, diags := scenario.Parse([]byte(`format = 1
name = "counters"
title = "Counters"
rules = "stcs-advanced"
[[side]]
id = "one"
[[side]]
id = "two"
[[ship]]
name = "Hood"
side = "one"
class = "constitution-hood"
hex = "0514"
heading = "A"
[[ship]]
name = "Wolf"
side = "two"
class = "d-10-wolf"
hex = "0507"
heading = "D"
[[terrain]]
kind = "minefield"
side = "two"
hexes = ["0509", "0510", "0408", "0608", "0609"]
figure = { mines = 2, dummies = 2 }
counters = "shown"
`))
	if sc == nil {
		t.Fatal(diags)
	}
	var first []byte
	for _, lay := range []string{"lay mines 0509 0408\nlay dummies 0510 0608\n", "lay dummies 0509 0408\nlay mines 0510 0608\n"} {
		g, diags := sc.NewGame(r, "game", nil)
		if g == nil {
			t.Fatal(diags)
		}
		wolf, diags := orders.Parse([]byte("#orders game turn 1 ship Wolf\n"+lay+"#end\n"), r.Language)
		if orders.HasErrors(diags) {
			t.Fatal(diags)
		}
		after, events, err := enginetest.Resolve(r, g, []engine.Sheet{{Ship: "hood", Policy: engine.PolicyStanding}, {Ship: "wolf", Block: &wolf[0]}}, dice.FromSeed(3))
		if err != nil {
			t.Fatal(err)
		}
		v := viewOf(t, r, after, events, "hood")
		var seen []string
		for _, f := range v.Terrain {
			seen = append(seen, fmt.Sprint(f.Kind, " ", f.Hexes[0].Label(), " ", f.Shown, " ", len(f.Figure), " ", len(f.Found)))
		}
		want := "[mine 0408 true 0 0 mine 0509 true 0 0 mine 0510 true 0 0 mine 0608 true 0 0]"
		if fmt.Sprint(seen) != want {
			t.Errorf("Hood sees %v, want %s", seen, want)
		}
		out, err := enginetest.Seen(r, after, events, engine.Captain{Name: "Hood", Ships: []engine.ShipID{"hood"}})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = out
		}
		if !bytes.Equal(out, first) {
			t.Errorf("Hood can tell mines from dummies:\n%s", enginetest.Difference(first, out))
		}
	}
}
