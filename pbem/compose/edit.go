package compose

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"starpost/orders"
)

// page is a text of orders as lines, and one set of it that is edited. Only the lines of changed orders are
// touched: all others stay as written, understood or not.
type page struct {
	lang  *orders.Language
	lines []string
	raw   orders.Raw
	block orders.Block // as parsed, including plain commands
}

// newPage splits a text into lines as the orders parser does.
func newPage(lang *orders.Language, text string, raw orders.Raw) *page {
	block, _ := raw.Parse(lang)
	return &page{lang: lang, lines: textLines(text), raw: raw, block: block}
}

func textLines(text string) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
}

// change is an edit of a page: lines to remove, and lines to insert before a line.
type change struct {
	gone map[int]bool
	come map[int][]string
}

// and combines a change with another one, of other statements.
func (c change) and(o change) change {
	both := change{maps.Clone(c.gone), maps.Clone(c.come)}
	maps.Copy(both.gone, o.gone)
	for n, lines := range o.come {
		both.come[n] = slices.Concat(both.come[n], lines)
	}
	return both
}

// text returns the page after a change, and the number of lines gained.
func (p *page) text(c change) (lines []string, gained int) {
	lines = make([]string, 0, len(p.lines)+4)
	for i, line := range p.lines {
		lines = append(lines, c.come[i+1]...)
		if !c.gone[i+1] {
			lines = append(lines, line)
		}
	}
	lines = append(lines, c.come[len(p.lines)+1]...)
	return lines, len(lines) - len(p.lines)
}

// set returns the changed set alone.
func (p *page) set(c change) string {
	lines, gained := p.text(c)
	return strings.Join(lines[p.raw.Start.Line-1:min(len(lines), p.raw.End.Line+gained)], "\n") + "\n"
}

// whole returns the whole changed text.
func (p *page) whole(c change) string {
	lines, _ := p.text(c)
	return strings.Join(lines, "\n")
}

// goesOn reports whether a line continues the one above.
func (p *page) goesOn(n int) bool {
	return n <= len(p.lines) && strings.HasPrefix(strings.TrimSpace(p.lines[n-1]), "&")
}

// last returns the last line of a statement.
func (p *page) last(st orders.Statement) int {
	n := st.Pos.Line
	for p.goesOn(n + 1) {
		n++
	}
	if len(st.Text) == 0 {
		return n
	}
	for n < p.raw.End.Line && !strings.HasPrefix(strings.ToLower(strings.TrimSpace(p.lines[n-1])), "#endtext") {
		n++
	}
	return n
}

// write changes a group: it removes some statements, and inserts others in place of the first of them, or else after the
// rest. It returns false if a new one is not an order.
func (p *page) write(section string, number int, gone []orders.Statement, come ...string) (change, bool) {
	c := change{map[int]bool{}, map[int][]string{}}
	indent, note, before := "  ", "", 0
	if section == "" {
		indent = ""
	}
	for i, st := range gone {
		for n := st.Pos.Line; n <= p.last(st); n++ {
			c.gone[n] = true
		}
		if i == 0 {
			before = st.Pos.Line
			line := p.lines[st.Pos.Line-1]
			indent = line[:len(line)-len(strings.TrimLeft(line, " \t"))]
			if k := strings.IndexByte(line, ';'); k >= 0 && p.lang.Free == "" && p.last(st) == st.Pos.Line {
				note = " " + line[k:]
			}
		}
	}
	var lines []string
	for _, text := range come {
		st, diags := p.lang.Statement(section, text)
		if len(diags) > 0 {
			return c, false
		}
		for line := range strings.SplitSeq(orders.FormatStatement(st), "\n") {
			lines = append(lines, indent+line)
		}
	}
	switch {
	case len(lines) == 0:
		return c, true
	case len(lines) == 1:
		lines[0] += note
	}
	if before == 0 {
		var heading []string
		before, heading = p.place(section, number)
		lines = append(heading, lines...)
	}
	c.come[before] = lines
	return c, true
}

// place returns the line before which new statements of a group go, and the heading that they need there.
func (p *page) place(section string, number int) (before int, heading []string) {
	if section == "" {
		if p.raw.Ended {
			return p.raw.End.Line, nil
		}
		return p.raw.End.Line + 1, nil
	}
	if g, there := p.block.Group(section, number); there {
		return p.foot(g), nil
	}
	if heading = []string{section}; number > 0 {
		heading[0] += " " + strconv.Itoa(number)
	}
	before = p.raw.Start.Line + 1
	for p.goesOn(before) {
		before++
	}
	for _, o := range p.block.Groups { // groups are in the order of the language
		if o.Name != "" && p.rank(o.Name) <= p.rank(section) && (o.Name != section || o.N < number) {
			before = max(before, p.foot(o))
		}
	}
	for before < p.raw.End.Line && !p.begins(before) { // lines that were not understood stay under their heading
		before++
	}
	return before, heading
}

// begins reports whether a line begins something that does not belong to a heading above it.
func (p *page) begins(n int) bool {
	return slices.ContainsFunc(p.block.Groups, func(g orders.Group) bool {
		if g.Name != "" {
			return g.Pos.Line == n
		}
		return slices.ContainsFunc(g.Statements, func(st orders.Statement) bool { return st.Pos.Line == n })
	})
}

// foot returns the line after the last one of a group with a heading.
func (p *page) foot(g orders.Group) int {
	n := g.Pos.Line + 1
	for _, st := range g.Statements {
		n = max(n, p.last(st)+1)
	}
	return n
}

func (p *page) rank(section string) int {
	return slices.IndexFunc(p.lang.Sections, func(s orders.Section) bool { return s.Name == section })
}
