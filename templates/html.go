//go:build !js

package templates

import (
	htmltemplate "html/template"
	"strings"
	"sync"
	"unicode/utf8"

	"starpost/templates/clean"
)

// listedShip is an entry in the list of ships for narrow screens, where the list inside
// the drawing is too small.
type listedShip struct {
	Colour     htmltemplate.CSS
	Sign, Text string
}

func shipList(m Map) []listedShip {
	signs := m.signs()
	var list []listedShip
	for _, i := range m.listed(mostListed) {
		c := &m.Counters[i]
		text := clean.Clip(c.Name, 24) + " " + hexOf(c, 13) + headingName(c.Heading)
		if r := remark(c); r != "" {
			text += " (" + r + ")"
		}
		list = append(list, listedShip{htmltemplate.CSS(toneOf(c.Side).line), string(new(ink).sign(signs[i]).b), text})
	}
	return list
}

// cell is a cell of an HTML table.
type cell struct {
	Text  string
	Right bool
}

// cells is a table. Each row has as many cells as there are heads.
type cells struct {
	Heads []cell
	Rows  [][]cell
}

// Drawn returns the rows of the table as HTML, heads included.
func (t *cells) Drawn() htmltemplate.HTML {
	var p page
	p.cells(t)
	return htmltemplate.HTML(p.b)
}

// cells writes the rows of a table as HTML, heads included.
func (p *page) cells(t *cells) {
	put := func(before string, c cell, after string) {
		p.b = append(p.b, before...)
		p.b = clean.AppendHTML(p.b, c.Text)
		p.b = append(p.b, after...)
	}
	p.b = append(p.b, `<tr class="head" valign="bottom" style="background:#e6e1d2">`...)
	for _, c := range t.Heads {
		switch {
		case c.Text == "":
			p.b = append(p.b, "<td></td>"...)
		case c.Right:
			put(`<th scope="col" align="right">`, c, "</th>")
		default:
			put(`<th scope="col" align="left">`, c, "</th>")
		}
	}
	p.b = append(p.b, "</tr>\n"...)
	for _, row := range t.Rows {
		p.b = append(p.b, "<tr>"...)
		for _, c := range row {
			if c.Right {
				put(`<td align="right">`, c, "</td>")
			} else {
				put("<td>", c, "</td>")
			}
		}
		p.b = append(p.b, "</tr>\n"...)
	}
}

// cellsOf returns the table of a panel, or nil if it has none.
func cellsOf(p Panel) *cells {
	g := newPanelGrid(p)
	if g.rows() == 0 || len(g.cols) == 0 {
		return nil
	}
	t := &cells{Rows: make([][]cell, g.rows())}
	for _, c := range g.cols {
		t.Heads = append(t.Heads, cell{c.Name, c.Right})
	}
	all := make([]cell, 0, g.rows()*len(g.cols))
	for r := range t.Rows {
		for c := range g.cols {
			all = append(all, cell{g.cell(r, c), g.cols[c].Right})
		}
		t.Rows[r] = all[r*len(g.cols):]
	}
	return t
}

// boxGroup holds adjacent rows of boxes of the same group.
type boxGroup struct {
	Group string
	Rows  []BoxRow
}

func boxGroups(rows []BoxRow) (groups []boxGroup) {
	for i := range rows {
		if i == 0 || rows[i-1].Group != rows[i].Group {
			groups = append(groups, boxGroup{Group: rows[i].Group})
		}
		last := &groups[len(groups)-1]
		last.Rows = append(last.Rows, rows[i])
	}
	return groups
}

// BoxLine is one line of a row's boxes: a full square for each box left, an empty one
// for each box lost.
type BoxLine struct{ Left, Lost string }

// Drawn returns the lines of boxes of a row, or nil if only its numbers are shown.
func (r BoxRow) Drawn() (drawn []BoxLine) {
	if !r.drawn() {
		return nil
	}
	for from := 0; from < r.All; from += boxesAcross {
		n := min(boxesAcross, r.All-from)
		left := min(max(r.Left-from, 0), n)
		drawn = append(drawn, BoxLine{strings.Repeat("\u25a0", left), strings.Repeat("\u25a1", n-left)})
	}
	return drawn
}

// cssID returns the ASCII letters, digits and dashes of key, which may be used in an id.
func cssID(key string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (graphic(byte(r)) || r == '-') {
			return r
		}
		return -1
	}, key)
}

// quoted returns the reader's own order text with "| " before each line, so that an
// answer that quotes it does not submit it again.
func quoted(s string) string {
	var b strings.Builder
	lines(s, func(line string) { b.WriteString("| " + line + "\n") })
	return b.String()
}

// underlined returns the offending line of a diagnostic with the place underlined.
func underlined(d Diagnostic) string {
	if d.Source == "" {
		return ""
	}
	line, at, n := d.excerpt()
	if n > 0 {
		return string(appendCaret([]byte("| "+line+"\n| "), at, n))
	}
	return "| " + line
}

// svg writes the SVG drawing of a map.
func (p *page) svg(m *Map) { p.b = appendSVG(p.b, m, nil) }

const beforeLink, afterLink = `<a href="`, `">`

var linkPage = sync.OnceValue(func() *htmltemplate.Template {
	return htmltemplate.Must(htmltemplate.New("link").Parse(beforeLink + "{{.}}" + afterLink))
})

// link writes an address as a quoted attribute value, escaped as html/template does it.
func (p *page) link(s string) {
	var b strings.Builder
	if err := linkPage().Execute(&b, s); err != nil {
		panic(err) // no text can make it fail
	}
	p.b = clean.AppendMarkup(p.b, b.String()[len(beforeLink):b.Len()-len(afterLink)])
}
