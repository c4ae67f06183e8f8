package templates

import (
	"strings"
	"testing"
)

// boxed is a panel with boxes of every kind: whole, some lost, all lost, more than fit a
// line, more than are drawn, and with names and notes that are too long.
var boxed = Panel{
	Key: "own-sheet", Title: "Her sheet", Notes: []string{"24 of 37 boxes are left."},
	Boxes: []BoxRow{
		{Group: "Shields", Name: "1 ahead", All: 16, Left: 16},
		{Group: "Shields", Name: "2", All: 12, Left: 10},
		{Group: "Shields", Name: "3", All: 0, Left: 0},
		{Group: "Hull", Name: "fore", All: 2, Left: 0},
		{Group: "Hull", Name: "a name that is much too long to stand there", All: 3, Left: 2, Note: "and a note that has no room on any line of a mail"},
		{Group: "Engines", Name: "warp-left", All: 45, Left: 22},
		{Group: "Engines", Name: "cargo", All: 500, Left: 499},
		{Group: "Weapons", Name: "ph-1 <b>", All: 1, Left: 1, Note: "ph-1 FX"},
	},
}

func TestBoxesInText(t *testing.T) {
	const want = `== Her sheet ================================================================
  24 of 37 boxes are left.

  Shields
    1 ahead           [][][][][][][][][][][][][][][][]          16
    2                 [][][][][][][][][][] x x                  10 of 12
    3                                                           0
  Hull
    fore               x x                                      none of 2
    a name that is..  [][] x                                    2 of 3
  Engines
    warp-left         [][][][][][][][][][][][][][][][][][][][]  22 of 45
                      [][] x x x x x x x x x x x x x x x x x x
                       x x x x x
    cargo                                                       499 of 500
  Weapons
    ph-1 <b>          []                                        1, ph-1 FX
`
	got := PanelsText([]Panel{boxed})
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for line := range strings.Lines(got) {
		if n := len(strings.TrimRight(line, "\n")); n > pageWidth {
			t.Errorf("a line of %d columns: %s", n, line)
		}
	}
}

// TestBoxesInHTML: each box is there once, full or empty, and names are escaped.
func TestBoxesInHTML(t *testing.T) {
	var b strings.Builder
	if err := HTML(&b, Report{Title: "x", Panels: []Panel{boxed}}); err != nil {
		t.Fatal(err)
	}
	full, empty := strings.Count(b.String(), "&#9632;"), strings.Count(b.String(), "&#9633;")
	if full != 16+10+2+22+1 || empty != 2+2+1+23 {
		t.Errorf("%d full and %d empty boxes", full, empty)
	}
	if strings.Contains(b.String(), "<b>\"") || !strings.Contains(b.String(), "ph-1 &lt;b&gt;") {
		t.Error("a name is not escaped")
	}
	if strings.Count(b.String(), "<span") != strings.Count(b.String(), "</span>") {
		t.Error("spans are not closed")
	}
}

// TestBoxesInSVG: the file has each box below the map. The drawing within HTML has none,
// because the page draws them itself.
func TestBoxesInSVG(t *testing.T) {
	r := Report{Title: "x", Panels: []Panel{boxed, {Title: "none"}, boxed}, Map: Map{Counters: []Counter{{ID: "a", Name: "A", Col: 3, Row: 4}}}}
	f := RenderAll(t, r)
	file := string(f.SVG)
	if boxes, lost := strings.Count(file, "h11v11h-11z"), strings.Count(file, "l11 11m0-11l-11 11"); boxes != 2*(51+28) || lost != 2*28 {
		t.Errorf("%d boxes, %d of them crossed", boxes, lost)
	}
	if strings.Contains(file, "<b>") || strings.Count(file, "<g") != strings.Count(file, "</g>") {
		t.Error("the file is not well formed")
	}
	r.Panels = nil
	plain := RenderAll(t, r)
	page := string(f.HTML)
	from, to := strings.Index(page, "<svg"), strings.Index(page, "</svg>")
	if within := string(plain.SVG); !strings.Contains(within, page[from:to]) || strings.Contains(page, "h11v11") {
		t.Error("the drawing of the page is not that of the map alone")
	}
}
