package templates

import (
	"strings"
	"testing"
)

// TestTableWithNarrowGaps has a table that is a little too wide for the page: it
// loses spaces before it loses the ends of words.
func TestTableWithNarrowGaps(t *testing.T) {
	for _, words := range []int{6, 7, 8} {
		row := make([]string, words)
		for i := range row {
			row[i] = "destroyed"
		}
		p := &page{}
		table(p, newPanelGrid(Panel{Rows: [][]string{row}}))
		for line := range strings.Lines(string(p.b)) {
			if n := len(strings.TrimSpace(line)); n > tableLimit {
				t.Errorf("%d words: a line of %d columns", words, n)
			}
		}
		whole := strings.Count(string(p.b), "destroyed") == words
		if fits := tableIndent+words*10-1 <= tableLimit; whole != fits {
			t.Errorf("%d words, whole %t, want %t:\n%s", words, whole, fits, p.b)
		}
	}
}
