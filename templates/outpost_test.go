package templates

import (
	"bytes"
	"strings"
	"testing"
)

// An outpost is drawn as a station, its arcs turn with its heading, and the legend
// calls it an outpost; a ship of the same side is drawn as a ship.
func TestOutpostsAreNoShips(t *testing.T) {
	m := Map{Counters: []Counter{
		{ID: "keep", Name: "Keep", Short: "K", Col: 5, Row: 5, Heading: 2, Fixed: true, Own: true},
		{ID: "ward", Name: "Ward", Short: "W", Col: 8, Row: 5, Heading: 1, Fixed: true, Side: 1},
	}}
	var out bytes.Buffer
	if err := SVG(&out, m); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`href="#st"`, "Keep, 0505 heading C, outpost, your own", "Ward, 0805 heading B, outpost<"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the drawing has no %q", want)
		}
	}
	if ship := toneOf(0).shape; strings.Contains(out.String(), `href="#`+ship+`"`) {
		t.Errorf("an outpost is drawn as a ship (%s)", ship)
	}
	text := ASCIIMap(m)
	for _, want := range []string{"KC", "own outpost", "outpost"} {
		if !strings.Contains(text, want) {
			t.Errorf("the map in text has no %q:\n%s", want, text)
		}
	}
}
