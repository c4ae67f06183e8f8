package report_test

import (
	"regexp"
	"strings"
	"testing"

	"starpost/engine/hex"
	"starpost/templates"
)

// TestHexesHaveOneSpelling checks that a hex is written the same way in the numbers
// beside a map, its legend, reports and orders, also beyond the printed map.
func TestHexesHaveOneSpelling(t *testing.T) {
	for _, at := range [][2]int{{3, 0}, {0, 5}, {-2, 7}, {-12, -3}, {104, 7}, {98, 101}, {14, 9}, {1, 1}} {
		label := hex.At(at[0], at[1]).Label()
		if got := templates.HexName(at[0], at[1]); got != label {
			t.Errorf("maps say %s, reports %s", got, label)
		}
		back, err := hex.ParseLabel(label)
		if err != nil || back != hex.At(at[0], at[1]) {
			t.Errorf("orders do not read %s: %v", label, err)
		}
		col, row, dotted := strings.Cut(label, ".")
		if !dotted {
			col, row = label[:2], label[2:]
		}
		m := templates.Map{Counters: []templates.Counter{{Name: "Hood", Short: "H", Col: at[0], Row: at[1], Own: true}}}
		page := templates.ASCIIMap(m)
		head, _, _ := strings.Cut(page, "\n")
		if !strings.Contains(" "+head+" ", " "+col+" ") {
			t.Errorf("%s: the columns are %s", label, head)
		}
		if !regexp.MustCompile(`(?m)^ *` + regexp.QuoteMeta(row) + ` [/\\\\]`).MatchString(page) {
			t.Errorf("%s: no such row:\n%s", label, page)
		}
		if !strings.Contains(page, " "+label+" ") {
			t.Errorf("%s: the legend has it otherwise:\n%s", label, page)
		}
		var forms templates.Forms
		if err := forms.RenderAll(templates.Report{Map: m}); err != nil {
			t.Fatal(err)
		}
		for _, n := range []string{col, row} {
			if !strings.Contains(string(forms.SVG), ">"+n+"</text>") {
				t.Errorf("%s: no %s beside the drawing", label, n)
			}
		}
	}
}
