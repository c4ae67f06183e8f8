package orders

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// alone parses exactly one statement, by calling read.
func (p *parser) alone(section string, read func(*parser)) (Statement, []Diagnostic) {
	p.enter(sectionIndex(p.lang.Sections, section), 0, Pos{1, 1})
	read(p)
	p.closeBody()
	var found []Statement
	for _, g := range p.groups {
		found = append(found, g.Statements...)
	}
	if len(p.diags) == 0 && (len(found) != 1 || p.items != 1) {
		p.fail(Pos{1, 1}, CodeIncomplete, "exactly one order is expected", "")
	}
	if len(found) != 1 || HasErrors(p.diags) {
		return Statement{}, bound(p.diags)
	}
	return found[0], bound(p.diags)
}

// numbered returns the lines of a text, numbered from n.
func numbered(text string, n int) (lines []Line) {
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, Line{N: n + len(lines), Text: line})
	}
	return lines
}

// kind checks the word before the name in the head: ship, captain or a post.
func (p *parser) kind(h Head) {
	known := append([]string{"ship", "captain"}, p.lang.Posts...)
	if h.Kind == "" || slices.ContainsFunc(known, func(kind string) bool { return same(kind, h.Kind) }) {
		return
	}
	hint := didYouMean(h.Kind, known)
	if hint == "" {
		hint = "expected " + strings.Join(known, ", ")
	}
	p.fail(h.KindPos, CodeHeadKind, quote(h.Kind)+" cannot give orders under these rules", hint)
}

// lines parses the lines of the block.
func (p *parser) lines(lines []Line) {
	size := 0
	for _, l := range lines {
		size += len(l.Text)
	}
	all := make([]rune, 0, size)
	for i := 0; i < len(lines) && !p.full; i++ {
		src := lines[i].Text
		first := len(all)
		for _, r := range src {
			all = append(all, r)
		}
		rs := all[first:len(all):len(all)]
		word, start, end := mark(rs)
		n := lines[i].N
		switch {
		case start == len(rs) || rs[start] == ';':
		case word == "#text":
			p.flush()
			i = p.text(lines, i, segment{runes: rs[end:], line: n, col: end + 1}, Pos{n, start + 1})
		case word == "#endtext":
			p.flush()
			p.fail(Pos{n, start + 1}, CodeTextOwner, "#endtext without a #text before it", "")
		case word != "":
			p.flush()
			p.unknownMark(word, Pos{n, start + 1})
		default:
			typed := ""
			if len(src) == len(rs) {
				typed = src
			}
			whole := segmentFrom(rs, typed, n, start)
			if at := inlineText(whole.runes, p.freeLine(whole.runes)); at >= 0 {
				rest := start + at + len("#text")
				whole.runes = whole.runes[:at]
				p.line(whole)
				p.flush()
				i = p.text(lines, i, segment{runes: rs[rest:], line: n, col: rest + 1}, Pos{n, start + at + 1})
				continue
			}
			p.line(whole)
		}
	}
	p.flush()
}

// line starts a statement or heading, or continues the open one.
func (p *parser) line(s segment) {
	if s.runes[0] != '&' {
		p.flush()
		p.open = &p.logical
		p.open.reset()
		p.open.free = p.freeLine(s.runes)
		p.add(s)
		return
	}
	if p.open == nil {
		p.fail(Pos{s.line, s.col}, CodeContinuation, "& continues an order, but there is none above",
			"begin with the order itself")
		return
	}
	s.runes, s.col = s.runes[1:], s.col+1
	if s.src != "" {
		s.src = s.src[1:]
	}
	p.add(s)
}

// inlineText returns the index of #text as a separate word after other words of a line, -1 if there is none or it
// is in a comment; free lines have no comments.
func inlineText(rs []rune, free bool) int {
	const word = "#text"
	for i := 1; i < len(rs); i++ {
		if rs[i] == ';' && !free {
			return -1
		}
		after := i + len(word)
		if rs[i] == '#' && blank(rs[i-1]) && after <= len(rs) && same(string(rs[i:after]), word) &&
			(after == len(rs) || blank(rs[after])) {
			return i
		}
	}
	return -1
}

func (p *parser) unknownMark(word string, at Pos) {
	hint := cmp.Or(didYouMean(word, []string{"#end", "#text", "#endtext"}), "a comment begins with ;")
	p.fail(at, CodeUnknownMark, quote(word)+" is not known", hint)
}

// flush parses the open statement or heading, which is now complete.
func (p *parser) flush() {
	l := p.open
	p.open = nil
	if l == nil || len(l.toks) == 0 || p.full {
		return
	}
	p.closeBody()
	p.items++
	p.words += len(l.toks)
	if p.items > MaxItems || p.words > MaxWords {
		p.fail(l.toks[0].pos, CodeTooManyOrders,
			fmt.Sprintf("a block can have at most %d orders and %d words; the rest is ignored", MaxItems, MaxWords), "")
		p.full = true
		return
	}
	before := p.errors
	if !p.heading(l) {
		p.order(l)
	}
	if p.errors == before {
		return
	}
	if p.body == bodyNone {
		p.body = bodySpoilt
	}
	if g, open := p.seen(p.section, p.number); open {
		g.Faulty = true
	} else {
		p.faulty = true
	}
}

// sorted returns the groups in the order of the table, the turn level last.
func (p *parser) sorted() []Group {
	order := make([]int, len(p.groups))
	for i := range order {
		order[i] = i
	}
	rank := func(i int) int {
		if p.groups[i].Name == "" {
			return len(p.lang.Sections)
		}
		return p.owners[i]
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(p.groups[a].N, p.groups[b].N))
	})
	var sorted []Group
	for _, i := range order {
		sorted = append(sorted, *p.groups[i])
	}
	return sorted
}

// heading parses a section heading, if the line is one.
func (p *parser) heading(l *logical) bool {
	toks := l.toks
	first := toks[0].text
	section := -1
	for i, s := range p.lang.Sections {
		if s.Name == "" {
			continue
		}
		if same(s.Name, first) {
			section = i
			break
		}
		// phase2, as some people write
		cut := len(first) - len(s.Name)
		if s.Numbered && cut > 0 && same(s.Name, first[:len(s.Name)]) && digits(first[len(s.Name):]) {
			section = i
			number := toks[0]
			number.text = first[len(s.Name):]
			toks = append([]token{toks[0], number}, toks[1:]...)
			break
		}
	}
	if section < 0 {
		return false
	}
	p.openSection(section, toks, l.end)
	return true
}

// openSection opens the section with the heading toks; its first token is the name.
func (p *parser) openSection(section int, toks []token, end Pos) {
	s, at := p.lang.Sections[section], toks[0].pos
	rest := toks[1:]
	number := 0
	if s.Numbered {
		v := value{code: CodeSectionNumber}
		where := end
		if len(rest) > 0 {
			v, where = readNumber(rest[0].text), rest[0].pos
		}
		switch {
		case !v.ok() || v.num < 1 || v.num > s.Max:
			p.fail(where, CodeSectionNumber, fmt.Sprintf("after %s a number from 1 to %d is expected", s.Name, s.Max),
				fmt.Sprintf("write %s 1", s.Name))
			if v.ok() {
				number = v.num
			}
		default:
			number = v.num
		}
		rest = rest[min(1, len(rest)):]
	}
	if len(rest) > 0 && rest[0].text == ":" {
		rest = rest[1:]
	}
	if len(rest) > 0 {
		p.fail(rest[0].pos, CodeSectionWords, quote(rest[0].text)+" does not belong in the heading",
			"put orders on the lines below the heading")
	}
	if g, seen := p.seen(section, number); seen {
		p.fail(at, CodeSectionTwice, "this section was already opened "+above(at, g.Pos),
			"put all its orders under one heading")
	}
	p.enter(section, number, at)
}
