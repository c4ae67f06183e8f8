package templates

import (
	"strconv"

	"starpost/templates/clean"
)

// A ship's sheet is drawn box by box, as players mark it on paper: boxes left stand
// out, and lost boxes stay visible. They differ in form, never in colour alone.

// Limits of a drawing; rows of more than mostDrawn boxes show only their numbers.
const (
	mostDrawn   = 100
	boxesAcross = 20 // boxes in a line; longer rows continue below
	boxNames    = 16 // columns of a name in text
)

// Count returns how many boxes are left, in words.
func (r BoxRow) Count() string {
	switch {
	case r.Left == r.All:
		return strconv.Itoa(r.All)
	case r.Left <= 0:
		return "none of " + strconv.Itoa(r.All)
	}
	return strconv.Itoa(r.Left) + " of " + strconv.Itoa(r.All)
}

// drawn reports whether the boxes of the row are drawn one by one.
func (r BoxRow) drawn() bool {
	return r.All > 0 && r.All <= mostDrawn && r.Left <= r.All && r.Left >= 0
}

// boxes draws rows of boxes as text: "[]" for a box that is left, " x" for a lost one.
func (p *page) boxes(rows []BoxRow) {
	across, names := 1, 0
	for i := range rows {
		if rows[i].drawn() {
			across = max(across, min(rows[i].All, boxesAcross))
		}
		names = max(names, min(p.columns(rows[i].Name), boxNames))
	}
	for i := range rows {
		r := &rows[i]
		if r.Group != "" && (i == 0 || rows[i-1].Group != r.Group) {
			p.para("  ", 2, r.Group)
		}
		start := len(p.b)
		p.spaces(4)
		name := clean.Clip(r.Name, boxNames)
		p.guardFrom(start, name)
		p.put(name)
		p.spaces(names - p.columns(name) + 2)
		if !r.drawn() {
			p.spaces(2 * across)
			p.countOf(r, start)
			continue
		}
		for n := range r.All {
			if n > 0 && n%boxesAcross == 0 {
				if n == boxesAcross {
					p.countOf(r, start)
				} else {
					p.newline()
				}
				p.spaces(4 + names + 2)
			}
			if n < r.Left {
				p.b = append(p.b, "[]"...)
			} else {
				p.b = append(p.b, " x"...)
			}
		}
		if r.All <= boxesAcross {
			p.spaces(2 * (across - r.All))
			p.countOf(r, start)
		} else {
			p.newline()
		}
	}
}

// countOf ends a row that began at start with its numbers and, if there is room, its
// note.
func (p *page) countOf(r *BoxRow, start int) {
	p.spaces(2)
	p.put(r.Count())
	if room := textWidth - clean.Columns(string(p.b[start:])) - 2; r.Note != "" && room >= p.columns(r.Note) {
		p.b = append(p.b, ", "...)
		p.put(r.Note)
	}
	p.newline()
}
