package orders_test

import (
	"strings"
	"testing"

	"starpost/orders"
)

// A block without #end ends where a quoted mail begins; the missing #end is its only mistake.
func TestUnendedBlockEndsAtTheQuotation(t *testing.T) {
	const set = "#orders wolf turn 1 ship Hood\npower\n  move 8"
	quotation := "> First Command\n>\n> #orders wolf turn 1 ship Hood\n> #end"
	for below, want := range map[string]string{
		"": "power/  move 8",
		"\n\nOn Fri, Nov 27, 2026 at 06:09:07PM +0000, Starpost wrote:\n" + quotation + "\n\n":     "power/  move 8",
		"\n\nOn Fri, Nov 27, 2026 at 06:09:07PM,\nStarpost <s@example.org> wrote:\n\n" + quotation: "power/  move 8",
		"\n" + quotation:                 "power/  move 8",
		"\n" + quotation + "\n  arm a 3": "power/  move 8/  arm a 3",
	} {
		raws, diags := orders.ScanText(set + below)
		if len(raws) != 1 || raws[0].Ended {
			t.Fatalf("%q: %+v", below, raws)
		}
		var lines []string
		for _, l := range raws[0].Lines {
			if strings.TrimSpace(l.Text) != "" {
				lines = append(lines, l.Text)
			}
		}
		if got := strings.Join(lines, "/"); got != want {
			t.Errorf("%q: the block holds %q, want %q", below, got, want)
		}
		inside := strings.HasSuffix(want, "arm a 3") // a quotation in the middle is reported
		if got := len(diags) == 2 && diags[1].Code == orders.CodeQuotedLines; diags[0].Code != orders.CodeNoEnd || got != inside || len(diags) > 1 && !inside {
			t.Errorf("%q: %v", below, diags)
		}
	}
}
