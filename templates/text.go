package templates

import (
	"strconv"
	"strings"
)

// named returns "name, title", or only one of them if the other is empty.
func named(name, title string) string {
	switch {
	case name == "":
		return title
	case title == "":
		return name
	}
	return name + ", " + title
}

// titled returns "title (game)", or only one of them if the other is empty.
func titled(title, game string) string {
	switch {
	case title == "":
		return game
	case game == "":
		return title
	}
	return title + " (" + game + ")"
}

// NumberWidth returns the width of the largest line number, or 0 if no line has one.
func (r Report) NumberWidth() int {
	most := 0
	for _, phases := range [2][]Phase{r.Phases, r.Elsewhere} {
		for i := range phases {
			for j := range phases[i].Lines {
				most = max(most, phases[i].Lines[j].N)
			}
		}
	}
	if most == 0 {
		return 0
	}
	return digits(most)
}

// phase writes what happened in a phase. Each line starts with a mark if it concerns the
// reader, and with its number, width columns wide.
func (p *page) phase(ph *Phase, width int) {
	p.para("", 2, ph.Title)
	for i := range ph.Lines {
		l := &ph.Lines[i]
		depth := indent(l.Depth)
		if width > 0 {
			depth += width + 1
		}
		lead := blanks(depth)
		if l.N > 0 || l.Own {
			lead = l.lead(width, depth)
		}
		p.cited(lead, depth+4, l.Text, l.Cite)
	}
}

// lead returns the start of a line, such as "*  17 ", depth columns wide.
func (l *Line) lead(width, depth int) string {
	b := make([]byte, 0, 32)
	if l.Own {
		b = append(b, '*')
	} else {
		b = append(b, ' ')
	}
	if l.N > 0 {
		for n := digits(l.N); n <= width; n++ {
			b = append(b, ' ')
		}
		b = appendInt(b, l.N)
	}
	for len(b) < depth {
		b = append(b, ' ')
	}
	return string(b)
}

// indent returns the column where a line of the given depth starts.
func indent(depth int) int { return 2 + 2*min(max(depth, 0), 8) }

func blanks(n int) string { return blankLine[:n] }

// PanelsText returns panels as plain text, in lines of at most 78 columns.
func PanelsText(panels []Panel) string {
	p := &page{}
	for i := range panels {
		p.panel(&panels[i])
	}
	return strings.TrimPrefix(string(p.b), "\n")
}

func (p *page) panel(panel *Panel) {
	if panel.Title != "" {
		p.rule(panel.Title)
	} else {
		p.newline()
	}
	for _, s := range panel.Notes {
		p.para("  ", 4, s)
	}
	if len(panel.Rows) > 0 {
		if len(panel.Notes) > 0 {
			p.newline()
		}
		table(p, newPanelGrid(*panel))
	}
	if len(panel.Boxes) > 0 {
		if len(panel.Notes)+len(panel.Rows) > 0 {
			p.newline()
		}
		p.boxes(panel.Boxes)
	}
}

// turnWords returns the name of a turn or of one of its phases.
func turnWords(turn, phase int) string {
	words := "turn " + strconv.Itoa(turn)
	if phase > 0 {
		words += ", phase " + strconv.Itoa(phase)
	}
	return words
}
