package turn_test

import (
	"fmt"
	"strings"
	"testing"

	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// TestBadOrdersOfTheDark: an impossible order gets a diagnostic when it arrives, with code, line and, if there is
// one, a hint; the rest of the set counts. A ship that is not detected gets the same diagnostic as one that does not
// exist.
func TestBadOrdersOfTheDark(t *testing.T) {
	games := map[string]*turn.Position{}
	for _, c := range []struct{ rules, order, code string }{
		{"sfb-house", "phase 1\n  fire all at c77", "E102"},
		{"sfb-house", "phase 1\n  fire all at Far", "E102"},
		{"sfb-house", "phase 1\n  fire all at Mate", "W214"},
		{"sfb-house", "phase 1\n  launch drone-1 at c77", "E102"},
		{"sfb-house", "phase 1\n  tractor Far with 1", "E102"},
		{"sfb-house", "phase 1\n  probe to 3035 study Far", "E102"},
		{"sfb-house", "study c02 with 99", "E258"},
		{"sfb-house", "study Far with 1", "E102"},
		{"sfb-house", "study Mate with 1", "E256"},
		{"sfb-house", "decode green with 1", "W239"},
		{"sfb-house", "send file charts to Mate", "E257"},
		{"sfb-house", "message Far\n#text\nhi\n#endtext", "W504"},
		{"sfb-cadet", "phase 1\n  probe to 3035", "E250"},
		{"sfb-cadet", "phase 1\n  launch drone-1 at c77", "E102"},
		{"stcs-graduate", "phase 1\n  fire all at c77", "E102"},
		{"stcs-graduate", "phase 1\n  fire all at Far", "E102"},
		{"stcs-graduate", "phase 1\n  lock Far", "E102"},
		{"stcs-graduate", "study c02 with 99", "E258"},
		{"stcs-graduate", "send file charts to Mate", "E257"},
	} {
		if games[c.rules] == nil {
			games[c.rules] = load(t, darkBattle(t, c.rules, vault.CadenceTurn, "", 1, false).game)
		}
		p := games[c.rules]
		told := func(order string) (answer, codes, stands string) {
			read := p.CheckAs([]byte("#orders game turn 1 ship Hood\n"+order+"\nstanding\n  missing repeat\n#end\n"), "Hood")
			for _, d := range read.Sets[0].Diagnostics {
				codes += fmt.Sprint(d.Code, "@", d.Pos.Line, " ")
			}
			for _, d := range read.Diagnostics {
				codes += fmt.Sprint(d.Code, "@", d.Pos.Line, " ")
			}
			return fmt.Sprintf("%+v\n%+v", read.Diagnostics, p.Ack(read.Sets[0], "file", report.AckDetails{})), codes, read.Sets[0].Text
		}
		answer, codes, stands := told(c.order)
		if !strings.Contains(codes, c.code) || !strings.Contains(stands, "missing repeat") {
			t.Errorf("%s, %q: want %s and the rest, got %s\n%s", c.rules, c.order, c.code, codes, stands)
		}
		if strings.Contains(c.order, "Far") {
			if gone, _, _ := told(strings.ReplaceAll(c.order, "Far", "Gone")); strings.ReplaceAll(gone, "Gone", "Far") != answer {
				t.Errorf("%s, %q tells that there is such a ship:\n%s\n%s", c.rules, c.order, answer, gone)
			}
		}
	}
}
