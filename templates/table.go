package templates

import (
	"strings"

	"starpost/templates/clean"
)

// grid is what table draws: cells by row and column, and column heads.
type grid interface {
	rows() int
	head() []Column
	cell(row, col int) string
}

// panelGrid is a Panel as a grid. Cells beyond the last head get heads without a name.
type panelGrid struct {
	panel Panel
	cols  []Column
}

func newPanelGrid(panel Panel) panelGrid {
	cols := panel.Columns
	most := len(cols)
	for _, row := range panel.Rows {
		most = max(most, len(row))
	}
	if most > len(cols) {
		cols = append(make([]Column, 0, most), cols...)[:most]
	}
	return panelGrid{panel, cols}
}

func (g panelGrid) rows() int      { return len(g.panel.Rows) }
func (g panelGrid) head() []Column { return g.cols }
func (g panelGrid) cell(row, col int) string {
	if cells := g.panel.Rows[row]; col < len(cells) {
		return cells[col]
	}
	return ""
}

const (
	tableIndent = 2
	tableGap    = 2
	leastCell   = 6 // a column is not squeezed below this
	tableLimit  = textWidth
)

// table draws g with aligned columns. If it is wider than the page, its widest columns
// are narrowed and their cells broken over several lines, between words if that is
// enough. If narrowing is not enough, every row becomes a list of "head: cell".
func table[G grid](p *page, g G) {
	cols := g.head()
	if len(cols) == 0 || g.rows() == 0 {
		return
	}
	var few [16]int
	widths := few[:0]
	total := tableIndent - tableGap
	headed := false
	for c := range cols {
		w := p.columns(cols[c].Name)
		headed = headed || w > 0
		for r := range g.rows() {
			w = max(w, p.columns(g.cell(r, c)))
		}
		widths = append(widths, w)
		if w > 0 {
			total += w + tableGap
		}
	}
	sep := tableGap
	if shown := (total - tableIndent + tableGap - sum(widths)) / tableGap; total > tableLimit && total-shown < tableLimit {
		// Narrow gaps rather than broken words.
		sep, total = tableGap-1, total-shown+1
	}
	if !betweenWords(p, g, widths, &sep, total) && !squeeze(widths, total) {
		records(p, g)
		return
	}
	if headed {
		tableRow(p, cols, widths, sep, func(c int) string { return cols[c].Name })
	}
	for r := range g.rows() {
		tableRow(p, cols, widths, sep, func(c int) string { return g.cell(r, c) })
	}
}

// betweenWords narrows the widest columns until the table fits the page, none below its
// longest word, with narrower gaps if needed. If words would have to be broken it
// changes nothing and returns false.
func betweenWords[G grid](p *page, g G, widths []int, sep *int, total int) bool {
	if total <= tableLimit {
		return true
	}
	cols := g.head()
	var few [16]int
	least := few[:0]
	slack, shown := 0, 0
	for c, w := range widths {
		n := p.longestWord(cols[c].Name)
		for r := range g.rows() {
			if s := g.cell(r, c); len(s) > n { // no text takes more columns than bytes
				n = max(n, p.longestWord(s))
			}
		}
		least = append(least, n)
		slack += w - n
		if w > 0 {
			shown++
		}
	}
	switch {
	case total-slack <= tableLimit:
	case total-slack-(shown-1) <= tableLimit:
		*sep, total = tableGap-1, total-(shown-1)
	default:
		return false
	}
	for ; total > tableLimit; total-- {
		widest := -1
		for c, w := range widths {
			if w > least[c] && (widest < 0 || w > widths[widest]) {
				widest = c
			}
		}
		widths[widest]--
	}
	return true
}

// longestWord returns the width of the longest word of a cell.
func (p *page) longestWord(s string) int {
	longest := 0
	for word := range strings.FieldsSeq(s) {
		longest = max(longest, p.columns(word))
	}
	return longest
}

// squeeze narrows the widest columns until the table fits the page. It returns false if it cannot.
func squeeze(widths []int, total int) bool {
	for total > tableLimit {
		first, second, count := 0, 0, 0 // widest, next width, how many are widest
		for _, w := range widths {
			switch {
			case w > first:
				first, second, count = w, first, 1
			case w == first:
				count++
			case w > second:
				second = w
			}
		}
		floor := max(second, leastCell)
		if first <= leastCell {
			return false
		}
		over := total - tableLimit
		step := min(first-floor, (over+count-1)/count)
		if step <= 0 {
			step = 1
		}
		for i, w := range widths {
			if w == first && total > tableLimit {
				cut := min(step, total-tableLimit)
				widths[i] = w - cut
				total -= cut
			}
		}
	}
	return true
}

// tableRow writes one row, over several lines if cells do not fit.
func tableRow(p *page, cols []Column, widths []int, sep int, cell func(int) string) {
	var few [16]string
	rest := few[:0]
	more := false
	start := len(p.b)
	gap := tableIndent // spaces owed before the next thing written
	for c := range cols {
		if widths[c] == 0 {
			rest = append(rest, "")
			continue
		}
		s := cell(c)
		n := p.columns(s)
		var left string
		if n > widths[c] {
			s, left = breakCell(p, s, widths[c])
			n = p.columns(s)
			more = true
		}
		rest = append(rest, left)
		gap = tableCell(p, s, n, widths[c], gap, cols[c].Right, start, sep)
	}
	p.endRow(start)
	for more {
		more = false
		start, gap = len(p.b), tableIndent
		for c := range cols {
			if widths[c] == 0 {
				continue
			}
			s := rest[c]
			n := p.columns(s)
			rest[c] = ""
			if n > widths[c] {
				s, rest[c] = breakCell(p, s, widths[c])
				n = p.columns(s)
			}
			more = more || rest[c] != ""
			gap = tableCell(p, s, n, widths[c], gap, cols[c].Right, start, sep)
		}
		p.endRow(start)
	}
}

// endRow ends a row; a row without text leaves no line.
func (p *page) endRow(start int) {
	for len(p.b) > start && p.b[len(p.b)-1] == ' ' {
		p.b = p.b[:len(p.b)-1]
	}
	if len(p.b) > start {
		p.newline()
	}
}

// tableCell writes a cell of n columns after the spaces owed and returns the spaces
// owed after it, so that no line ends in spaces. start is where the line began, sep the
// gap between two columns.
func tableCell(p *page, s string, n, width, gap int, right bool, start, sep int) int {
	if n == 0 {
		return gap + width + sep
	}
	if right {
		gap += width - n
	}
	p.spaces(gap)
	if p.guardFrom(start, s) {
		n++
	}
	p.put(s)
	if right {
		return sep
	}
	return width - n + sep
}

// breakCell splits a cell after the last space that fits, or anywhere if there is none.
func breakCell(p *page, s string, width int) (front, rest string) {
	if !clean.Plain(s, p.mode) {
		p.scratch = clean.Append(p.scratch[:0], s, p.mode)
		s = string(p.scratch)
	}
	cut, _ := fitting(s, width)
	if cut >= len(s) {
		return s, ""
	}
	if s[cut] != ' ' {
		for i := cut; i > 0; i-- {
			if s[i-1] == ' ' {
				cut = i
				break
			}
		}
	}
	if cut == 0 { // not even one rune fits: squeeze never narrows so far
		return s[:0], ""
	}
	front, rest = s[:cut], s[cut:]
	for len(front) > 0 && front[len(front)-1] == ' ' {
		front = front[:len(front)-1]
	}
	for len(rest) > 0 && rest[0] == ' ' {
		rest = rest[1:]
	}
	return front, rest
}

// records draws a table that is too wide, with one paragraph per cell.
func records[G grid](p *page, g G) {
	for r := range g.rows() {
		lead := "  - "
		for c, col := range g.head() {
			s := g.cell(r, c)
			if p.columns(s) == 0 {
				continue
			}
			if col.Name != "" {
				s = col.Name + ": " + s
			}
			p.para(lead, 6, s)
			lead = "    "
		}
	}
}

func sum(widths []int) (n int) {
	for _, w := range widths {
		n += w
	}
	return n
}
