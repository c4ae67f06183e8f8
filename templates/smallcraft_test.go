package templates

import (
	"bytes"
	"strings"
	"testing"
)

// Small craft are drawn smaller than ships, the lists of both maps show their notes, and
// numbers on paths and shots have the unit that the rules count.
func TestSmallCraftAndWhatNumbersCount(t *testing.T) {
	m := Map{
		Step: "impulse",
		Counters: []Counter{
			{ID: "war", Name: "War", Short: "W", Col: 5, Row: 5, Trail: []Step{{0, 5, 6, 0}, {7, 5, 5, 0}}},
			{ID: "d1", Name: "d1", Short: "d1", Col: 8, Row: 5, Side: 1, Small: true, Note: "seeks War & co"},
		},
		Shots: []Shot{{FromCol: 8, FromRow: 5, ToCol: 5, ToRow: 5, Phase: 7, Hit: true, Label: "d1"}},
	}
	var out bytes.Buffer
	if err := SVG(&out, m); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"scale(0.6)", "seeks War &amp; co", "way in impulse 1", "fire of impulse 1", ">i7</text>", "d1 (impulse 7)"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the drawing has no %q", want)
		}
	}
	if strings.Contains(out.String(), "phase") {
		t.Error("the drawing tells of phases")
	}
	if text := ASCIIMap(m); !strings.Contains(text, "seeks War & co") {
		t.Errorf("the map in text does not say what d1 seeks:\n%s", text)
	}
}
