package templates

import (
	"strings"
	"testing"
)

// A cloaked ship is marked in the legend and drawn pale.
func TestCloakedCounters(t *testing.T) {
	m := Map{Focus: "wren", Counters: []Counter{
		{ID: "wren", Name: "Wren", Short: "W", SideName: "Two", Side: 1, Col: 5, Row: 5, Heading: 3, Own: true, Cloaked: true},
		{ID: "lark", Name: "Lark", Short: "L", SideName: "Two", Side: 1, Col: 7, Row: 5, Heading: 3, Cloaked: true},
		{ID: "kite", Name: "Kite", Short: "K", SideName: "Two", Side: 1, Col: 9, Row: 5, Heading: 3},
	}}
	text := ASCIIMap(m)
	var drawn strings.Builder
	if err := SVG(&drawn, m); err != nil {
		t.Fatal(err)
	}
	for ship, want := range map[string]string{"Wren": "own, cloaked", "Lark": "cloaked", "Kite": ""} {
		for line := range strings.Lines(text) {
			if strings.Contains(line, ship) && !strings.HasSuffix(strings.Join(strings.Fields(line), " "), strings.TrimSpace("Two "+want)) {
				t.Errorf("the legend says %q of %s", line, ship)
			}
		}
	}
	if n := strings.Count(drawn.String(), `fill-opacity=".35"`); n != 2 {
		t.Errorf("%d ships are pale", n)
	}
	for _, want := range []string{"own ship, cloaked", ", cloaked<"} {
		if !strings.Contains(drawn.String(), want) {
			t.Errorf("no %q in the drawing", want)
		}
	}
}
