package orders

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Set is an order set made by a program, without its first and last lines. It can be rendered as text ([Set.String], [Set.With])
// and parsed without rendering it first ([Set.Block]). Parts are in the order in which they were first added.
type Set []Part

// Part is a heading of a [Set] and the orders below it, in order. Name "" is the turn level, which has no heading; N is 0
// for headings without a number.
type Part struct {
	Name   string
	N      int
	Orders []Order
}

// With returns the set as the text of a mail, from the line with #orders to the line with #end. Orders longer than [Width] continue on
// the next line.
func (s Set) With(h Head) string {
	head := Order{Words: h.words()}
	var out strings.Builder
	append(Set{{Orders: []Order{head}}}, s...).write(&out, Width)
	out.WriteString("#end\n")
	return out.String()
}

// Order is one order of a [Set]: its words, the verb first, with a condition and the word when among them. Text is its message, if it
// has one. Note is a comment after it; an order without words is only a comment. An order that is Off is commented out: a captain takes
// it by removing the semicolon.
type Order struct {
	Words []string
	Text  []string
	Note  string
	Off   bool
}

// Say makes an order of words: strings with one word or several, slices of words, and numbers.
func Say(words ...any) (o Order) {
	for _, w := range words {
		switch w := w.(type) {
		case string:
			for word := range strings.FieldsSeq(w) {
				if word != "&" { // marks where a stored line was broken
					o.Words = append(o.Words, word)
				}
			}
		case []string:
			o.Words = append(o.Words, w...)
		case int:
			o.Words = append(o.Words, strconv.Itoa(w))
		default:
			o.Words = append(o.Words, fmt.Sprint(w))
		}
	}
	return o
}

// Verb returns the first word of an order; "" for a comment.
func (o Order) Verb() string {
	if len(o.Words) == 0 || o.Off {
		return ""
	}
	return o.Words[0]
}

// String returns the order on one line.
func (o Order) String() string { return strings.Join(o.Words, " ") }

// Add appends orders below a heading. A new heading goes last, even with no orders. Orders of the turn level stay where they are
// added: after a heading they begin a new part.
func (s *Set) Add(name string, n int, add ...Order) {
	i := s.index(name, n)
	if name == "" && i >= 0 {
		if i = len(*s) - 1; (*s)[i].Name != "" {
			i = -1
		}
	}
	if i < 0 {
		i, *s = len(*s), append(*s, Part{Name: name, N: n})
	}
	(*s)[i].Orders = append((*s)[i].Orders, add...)
}

// Say adds an order of words, as [Say] makes it, below a heading.
func (s *Set) Say(name string, n int, words ...any) { s.Add(name, n, Say(words...)) }

// Append adds the parts of another set, merging those with the same heading.
func (s *Set) Append(other Set) {
	for _, p := range other {
		s.Add(p.Name, p.N, p.Orders...)
	}
}

// Under returns the orders below a heading, and whether the set has that heading.
func (s Set) Under(name string, n int) ([]Order, bool) {
	if i := s.index(name, n); i >= 0 {
		return s[i].Orders, true
	}
	return nil, false
}

// Has reports whether an order with a verb is below any heading of that name, whatever its number.
func (s Set) Has(name, verb string) bool {
	for i := range s {
		for k := range s[i].Orders {
			if s[i].Name == name && s[i].Orders[k].Verb() == verb {
				return true
			}
		}
	}
	return false
}

// lines returns how many lines an unbroken order takes.
func (o *Order) lines() int {
	if len(o.Text) == 0 {
		return 1
	}
	return 1 + len(o.Text) + len("..") // the lines #text and #endtext
}

// First returns a copy of the set with an order put first below a heading, and whether the set has that heading. An order of the turn
// level goes last in the set.
func (s Set) First(name string, n int, o Order) (Set, bool) {
	out := slices.Clone(s)
	if name == "" {
		if n := len(out) - 1; n >= 0 {
			out[n].Orders = slices.Clip(out[n].Orders)
		}
		out.Add("", 0, o)
		return out, true
	}
	i := s.index(name, n)
	if i < 0 {
		return nil, false
	}
	out[i].Orders = append([]Order{o}, out[i].Orders...)
	return out, true
}

func (s Set) index(name string, n int) int {
	for i := range s {
		if s[i].Name == name && s[i].N == n {
			return i
		}
	}
	return -1
}

// Set returns the groups of a block as a set, the turn level last.
func (b Block) Set() Set {
	s, n := make(Set, 0, len(b.Groups)), 0
	for i := range b.Groups {
		n += len(b.Groups[i].Statements)
	}
	all := make([]Order, n)
	for _, last := range []bool{false, true} {
		for i := range b.Groups {
			g := &b.Groups[i]
			if last != (g.Name == "") {
				continue
			}
			n := len(g.Statements)
			p := Part{Name: g.Name, N: g.N, Orders: all[:n:n]}
			all = all[n:]
			for k := range g.Statements {
				p.Orders[k] = Order{Words: g.Statements[k].allWords(), Text: g.Statements[k].Text}
			}
			s = append(s, p)
		}
	}
	return s
}

// String returns the set as a captain writes it, each order on one line.
func (s Set) String() string { return s.text(MaxLineRunes) }

// text returns the set with lines narrower than width.
func (s Set) text(width int) string {
	var out strings.Builder
	s.write(&out, width)
	return out.String()
}

func (s Set) write(out *strings.Builder, width int) {
	size := 64
	for i := range s {
		size += 16 + 32*len(s[i].Orders)
	}
	out.Grow(size)
	for i := range s {
		p := &s[i]
		if p.Name != "" {
			out.WriteString(p.Name)
			if p.N > 0 {
				out.WriteByte(' ')
				out.WriteString(strconv.Itoa(p.N))
			}
			out.WriteByte('\n')
		}
		for k := range p.Orders {
			p.Orders[k].write(out, p.indent(), width)
		}
	}
}

// indent returns the indentation of orders below a heading.
func (p *Part) indent() string {
	if p.Name == "" {
		return ""
	}
	return "  "
}

// Width returns how many columns an order takes on one line below a heading, including its comment; "" is the turn
// level.
func (o Order) Width(heading string) int {
	var out strings.Builder
	o.write(&out, (&Part{Name: heading}).indent(), Width)
	return utf8.RuneCountInString(out.String()) - 1
}

// noteColumn is the column where comments after orders begin.
const noteColumn = 24

// write writes the order with lines narrower than width.
func (o *Order) write(out *strings.Builder, indent string, width int) {
	switch {
	case len(o.Words) == 0:
		out.WriteString(indent + "; " + o.Note + "\n")
	case o.Off:
		out.WriteString(indent + "; " + o.String() + "  ; " + o.Note + "\n")
	case o.Note != "":
		line := indent + o.String()
		out.WriteString(line + strings.Repeat(" ", max(0, noteColumn-utf8.RuneCountInString(line))) + "; " + o.Note + "\n")
	default:
		wrap(out, indent, o.Words, width)
	}
	writeText(out, o.Text)
}

// Block parses the set as [Language.Block] parses its text, with the same positions.
func (s Set) Block(l *Language, kind string) (Block, []Diagnostic) {
	p := l.reader()
	p.kind(Head{Kind: kind})
	line := 2
	for i := range s {
		part := &s[i]
		if part.Name != "" {
			heading := Say(part.Name)
			if part.N > 0 {
				heading = Say(part.Name, part.N)
			}
			p.take(&heading, "", line)
			line++
		}
		for k := range part.Orders {
			o := &part.Orders[k]
			p.take(o, part.indent(), line)
			line += o.lines()
		}
	}
	return p.block(&Raw{Head: Head{Kind: kind}})
}

// Statement parses the order as [Language.Statement] does under a section.
func (o Order) Statement(l *Language, section string) (Statement, []Diagnostic) {
	return l.reader().alone(section, func(p *parser) { p.take(&o, "", 1) })
}

// take parses an order at a line. Plain words become tokens as they are; otherwise the order is rendered and scanned.
func (p *parser) take(o *Order, indent string, line int) {
	if o.Verb() == "" {
		return
	}
	l := &p.logical
	l.reset()
	col := len(indent) + 1
	for i, w := range o.Words {
		if i > 0 {
			col++
		}
		if p.lang.Free != "" || len(o.Text) > 0 || !l.cut(w, Pos{line, col}) {
			var text strings.Builder
			o.write(&text, indent, MaxLineRunes)
			p.lines(numbered(strings.TrimSuffix(text.String(), "\n"), line))
			return
		}
		col += len(w)
	}
	l.end = Pos{line, col}
	p.open = l
	p.flush()
}

// cut adds the tokens of a word made of letters, digits, -+.%_ and colons, or of a comparison; for others it returns false.
func (l *logical) cut(w string, at Pos) bool {
	switch w {
	case "<", "<=", "=", ">=", ">":
		l.toks = append(l.toks, token{text: w, pos: at})
		return true
	}
	from := 0
	for i, c := range []byte(w) {
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-+.%_", c) >= 0:
		case c == ':' && i > from:
			l.toks = append(l.toks, token{text: w[from:i], pos: Pos{at.Line, at.Col + from}}, token{text: ":", pos: Pos{at.Line, at.Col + i}})
			from = i + 1
		default:
			return false
		}
	}
	if from < len(w) {
		l.toks = append(l.toks, token{text: w[from:], pos: Pos{at.Line, at.Col + from}})
	}
	return true
}
