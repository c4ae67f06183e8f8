package compose

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"starpost/orders"
)

// page is a text of orders as lines, and one set of it that is changed. Only lines that say what is changed are
// touched: all others stay as they were written, understood or not.
type page struct {
	lang  *orders.Language
	lines []string
	raw   orders.Raw
	block orders.Block // as it was read, plain commands and all
}

// newPage cuts a text into lines as the reader of orders does.
func newPage(lang *orders.Language, text string, raw orders.Raw) *page {
	block, _ := raw.Parse(lang)
	return &page{lang: lang, lines: textLines(text), raw: raw, block: block}
}

func textLines(text string) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
}

// change is what of a page is written otherwise: lines that go, and those that come before a line.
type change struct {
	gone map[int]bool
	come map[int][]string
}

// and is a change with another one, of other statements.
func (c change) and(o change) change {
	both := change{maps.Clone(c.gone), maps.Clone(c.come)}
	maps.Copy(both.gone, o.gone)
	for n, lines := range o.come {
		both.come[n] = slices.Concat(both.come[n], lines)
	}
	return both
}

// text is the page after a change, and how many lines it has gained.
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

// set is the changed set alone.
func (p *page) set(c change) string {
	lines, gained := p.text(c)
	return strings.Join(lines[p.raw.Start.Line-1:min(len(lines), p.raw.End.Line+gained)], "\n") + "\n"
}

// whole is the changed text.
func (p *page) whole(c change) string {
	lines, _ := p.text(c)
	return strings.Join(lines, "\n")
}

// goesOn tells whether a line is part of the one above it.
func (p *page) goesOn(n int) bool {
	return n <= len(p.lines) && strings.HasPrefix(strings.TrimSpace(p.lines[n-1]), "&")
}

// last is the last line of a statement.
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

// write changes a group: some of its statements go, and others come in the place of the first of them, or else below the
// rest. False where what comes is no order.
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

// place is the line before which statements of a group come in, and the heading that they need there.
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
	for _, o := range p.block.Groups { // they stand in the order of the language
		if o.Name != "" && p.rank(o.Name) <= p.rank(section) && (o.Name != section || o.N < number) {
			before = max(before, p.foot(o))
		}
	}
	for before < p.raw.End.Line && !p.begins(before) { // what was not understood stays under its heading
		before++
	}
	return before, heading
}

// begins tells whether a line begins what stands under no heading above it.
func (p *page) begins(n int) bool {
	return slices.ContainsFunc(p.block.Groups, func(g orders.Group) bool {
		if g.Name != "" {
			return g.Pos.Line == n
		}
		return slices.ContainsFunc(g.Statements, func(st orders.Statement) bool { return st.Pos.Line == n })
	})
}

// foot is the line below the last of a group that has a heading.
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
