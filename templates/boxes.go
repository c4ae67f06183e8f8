package templates

import "strconv"

// A ship's sheet is drawn box by box, as players mark it on paper: what is left stands
// out, what is lost stays to be seen. Form tells them apart, never colour alone.

// Limits of a drawing; rows of more boxes than mostDrawn show their numbers alone.
const (
	mostDrawn   = 100
	boxesAcross = 20 // then a row goes on below
	boxNames    = 16 // columns of a name in text
)

// count is how many boxes are left, in words.
func (r *BoxRow) count() string {
	switch {
	case r.Left == r.All:
		return strconv.Itoa(r.All)
	case r.Left <= 0:
		return "none of " + strconv.Itoa(r.All)
	}
	return strconv.Itoa(r.Left) + " of " + strconv.Itoa(r.All)
}

// drawn tells whether the boxes of the row are drawn one by one.
func (r *BoxRow) drawn() bool {
	return r.All > 0 && r.All <= mostDrawn && r.Left <= r.All && r.Left >= 0
}

// boxes draws rows of boxes as text: "[]" for a box that is left, " x" for one that is
// lost.
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
		name := clip(r.Name, boxNames)
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

// countOf ends a row that begins at start with its numbers and, where there is room,
// its note.
func (p *page) countOf(r *BoxRow, start int) {
	p.spaces(2)
	p.put(r.count())
	if room := textWidth - columns(string(p.b[start:])) - 2; r.Note != "" && room >= p.columns(r.Note) {
		p.b = append(p.b, ", "...)
		p.put(r.Note)
	}
	p.newline()
}

// boxes draws rows of boxes as HTML: a full square for a box that is left, an empty one
// for one that is lost.
func (p *sheet) boxes(rows []BoxRow) {
	p.s(`<table class="t" cellpadding="3" cellspacing="0" border="0"><tbody valign="top">`).line()
	for i := range rows {
		r := &rows[i]
		if r.Group != "" && (i == 0 || rows[i-1].Group != r.Group) {
			p.s(`<tr style="background:#e6e1d2"><th colspan="3" align="left">`).t(r.Group).s("</th></tr>\n")
		}
		p.s(`<tr><td style="white-space:nowrap">`).t(r.Name).s(`</td><td style="font:16px/1.15 'DejaVu Sans Mono',Menlo,Consolas,monospace;letter-spacing:1px">`)
		if r.drawn() {
			p.squares(r)
		}
		p.s(`</td><td>`)
		switch {
		case r.Left == r.All:
			p.t(r.count())
		case r.Left <= 0:
			p.s(`<b style="white-space:nowrap;color:#a3200f">`).t(r.count()).s(`</b>`)
		default:
			p.s(`<b style="white-space:nowrap">`).t(r.count()).s(`</b>`)
		}
		if r.Note != "" {
			p.s(`, `).t(r.Note)
		}
		p.s("</td></tr>\n")
	}
	p.s(`</tbody></table>`).line()
}

func (p *sheet) squares(r *BoxRow) {
	for n := range r.All {
		switch {
		case n == 0 && r.Left == 0, n > 0 && n == r.Left:
			if n > 0 {
				p.s(`</span>`)
			}
			if n > 0 && n%boxesAcross == 0 {
				p.s("<br>")
			}
			p.s(`<span style="color:#a3200f">`)
		case n == 0:
			p.s(`<span style="color:#1d4f7c">`)
		case n%boxesAcross == 0:
			p.s("<br>\n")
		}
		if n < r.Left {
			p.s("&#9632;")
		} else {
			p.s("&#9633;")
		}
	}
	p.s(`</span>`)
}
