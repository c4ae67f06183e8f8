package templates

import (
	htmltemplate "html/template"
	"strings"
	"testing"

	"starpost/templates/clean"
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

// TestTableBreaksBetweenWords has a table that is much too wide: cells are broken
// between words and single words stay whole, with narrow gaps if needed.
func TestTableBreaksBetweenWords(t *testing.T) {
	for name, row := range map[string][]string{
		"wide gaps":   {"Remembrance", "Federation", "active, cloaked and much more of that", "210-240", "a heading of eight", "1413"},
		"narrow gaps": {"Remembrance", "Federation", "active, cloaked", "210-240", "3/4", "1413", "000", "adversary", "destroyed"},
	} {
		p := &page{}
		table(p, newPanelGrid(Panel{Rows: [][]string{row}}))
		text := string(p.b)
		for _, cell := range row {
			for word := range strings.FieldsSeq(cell) {
				if !strings.Contains(text, word) {
					t.Errorf("%s: %q is broken:\n%s", name, word, text)
				}
			}
		}
		for line := range strings.Lines(text) {
			if n := len(strings.TrimRight(line, "\n")); n > tableLimit {
				t.Errorf("%s: a line of %d columns", name, n)
			}
		}
		if strings.Count(text, "\n") != 2 && name == "narrow gaps" {
			t.Errorf("%s: not two lines:\n%s", name, text)
		}
	}
}

// Table rows drawn without a template are escaped as by the library.
func TestCellsAreEscapedAsByTheLibrary(t *testing.T) {
	page := htmltemplate.Must(htmltemplate.New("").Parse("<td>{{.}}</td>"))
	for c := range rune(0x3000) {
		text := "a" + string(c) + "b"
		var want strings.Builder
		if err := page.Execute(&want, text); err != nil {
			t.Fatal(err)
		}
		ascii := string(clean.AppendMarkup(nil, want.String()))
		if got := string((&cells{Rows: [][]cell{{{Text: text}}}}).Drawn()); !strings.Contains(got, "<tr>"+ascii+"</tr>") {
			t.Errorf("%q: got %q, want %q", text, got, ascii)
		}
	}
}
