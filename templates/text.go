package templates

import (
	"strconv"
	"strings"
)

// appendReport appends a report as plain text: what is owed, the map, what happened,
// the panels, rulings, messages, and the order template at the end as it was
// handed over. Apart from the template no line is longer than 78 columns.
func appendReport(b []byte, r *Report, ascii []byte) []byte {
	p := &page{b: b}
	p.ends(titled(r.Title, r.Game), "Report of "+turnWords(r.Turn, r.Phase))
	p.ends(named(r.Ship, r.ShipTitle), r.Captain)
	p.para("", 2, r.Rules)
	if r.Headline != "" {
		p.newline()
		p.para("", 0, r.Headline)
	}
	p.notices(r.Notices)
	if r.Over != "" {
		p.rule("The game is over")
		p.para("  ", 2, r.Over)
	}
	p.owed(&r.Owed)
	p.drawMap(ascii)
	width := r.NumberWidth()
	p.phases(r.toldTitle(), r.Reading, r.Phases, width)
	p.phases("What happened elsewhere", "", r.Elsewhere, width)
	for i := range r.Panels {
		p.panel(&r.Panels[i])
	}
	p.notes("Rulings", r.Rulings)
	p.notes("Messages", r.Messages)
	if r.Commit != "" || r.Secret != "" || r.Record != "" {
		p.rule("Dice")
		if r.Commit != "" {
			p.para("  Hash of the game's secret: ", 4, r.Commit)
		}
		if r.Secret != "" {
			p.para("  The secret itself: ", 4, r.Secret)
		}
		if r.Record != "" {
			p.para("  Hash of the record so far: ", 4, r.Record)
		}
	}
	if r.Orders != "" {
		p.rule("Orders, ready to be changed and sent back")
		p.newline()
		p.verbatim(r.Orders)
	}
	return p.b
}

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

func (p *page) notices(list []string) {
	for i, s := range list {
		if i == 0 {
			p.newline()
		}
		p.para("  ! ", 4, s)
	}
}

func (p *page) owed(o *OrdersDue) {
	if o.Turn == 0 && len(o.What) == 0 && o.Deadline == "" {
		return
	}
	if o.Turn > 0 {
		p.rule("Orders due for " + turnWords(o.Turn, o.Phase))
	} else {
		p.rule("Orders due")
	}
	p.due(o.Deadline, o.Left)
	for _, s := range o.What {
		p.para("  - ", 4, s)
	}
	p.missing(o.Missing)
	for _, s := range o.HowTo {
		p.para("  ", 2, s)
	}
}

func (p *page) due(deadline, left string) {
	switch {
	case deadline == "" && left == "":
	case left == "":
		p.para("  By ", 5, deadline)
	case deadline == "":
		p.para("  Time left: ", 5, left)
	default:
		p.para("  By ", 5, deadline+" (left: "+left+")")
	}
}

func (p *page) missing(names []string) {
	if len(names) > 0 {
		p.para("  Orders missing from: ", 4, join(names))
	}
}

func (p *page) drawMap(ascii []byte) {
	if len(ascii) == 0 {
		return
	}
	p.rule("Map")
	p.newline()
	p.b = append(p.b, ascii...)
}

// toldTitle heads what happened first.
func (r *Report) toldTitle() string {
	if len(r.Elsewhere) > 0 {
		return "What concerned you"
	}
	return "What happened"
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

// phases writes what happened. Before a line stand the mark of those that concern
// the reader and its number, which is width wide.
func (p *page) phases(title, reading string, phases []Phase, width int) {
	if len(phases) == 0 {
		return
	}
	p.rule(title)
	if reading != "" {
		p.para("  ", 2, reading)
		p.newline()
	}
	for i := range phases {
		ph := &phases[i]
		if ph.Title == "" && len(ph.Lines) == 0 {
			continue
		}
		if i > 0 {
			p.newline()
		}
		p.para("", 2, ph.Title)
		for j := range ph.Lines {
			l := &ph.Lines[j]
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

// notes writes rulings and messages behind bars, so that nothing in them can
// pass for an order block of the reader.
func (p *page) notes(title string, notes []Note) {
	if len(notes) == 0 {
		return
	}
	p.rule(title)
	for i := range notes {
		n := &notes[i]
		if n.From == "" && n.Title == "" && len(n.Text) == 0 {
			continue
		}
		if i > 0 {
			p.newline()
		}
		switch {
		case n.From == "":
			p.para("  ", 4, n.Title)
		case n.Title == "":
			p.para("  From ", 4, n.From)
		default:
			p.para("  ", 4, n.Title+" (from "+n.From+")")
		}
		for j, s := range n.Text {
			if j > 0 {
				p.b = append(p.b, "  |\n"...)
			}
			p.foreign(s)
		}
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
