package templates

import (
	"strconv"
	"strings"
)

// named is "name, title" of whatever there is.
func named(name, title string) string {
	switch {
	case name == "":
		return title
	case title == "":
		return name
	}
	return name + ", " + title
}

// titled is "title (game)" of whatever there is.
func titled(title, game string) string {
	switch {
	case title == "":
		return game
	case game == "":
		return title
	}
	return title + " (" + game + ")"
}

// NumberWidth is the room for the numbers of lines; 0 where none has one.
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

// phase writes what happened in a phase. Before a line stand the mark of those that concern
// the reader and its number, which is width wide.
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

// lead is what stands before a line: "*  17 ", depth columns wide.
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

// indent is the column where a line of some depth starts.
func indent(depth int) int { return 2 + 2*min(max(depth, 0), 8) }

func blanks(n int) string { return blankLine[:n] }

// PanelsText is panels alone as plain text, in lines of at most 78 columns.
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

// turnWords names a turn or a phase of it.
func turnWords(turn, phase int) string {
	words := "turn " + strconv.Itoa(turn)
	if phase > 0 {
		words += ", phase " + strconv.Itoa(phase)
	}
	return words
}
