package orders

import (
	"fmt"
	"slices"
)

// body says what a following #text would belong to.
type body uint8

const (
	bodyNone   body = iota // nothing that takes a text
	bodyWanted             // the last statement needs one
	bodySpoilt             // an order that was not understood: ignore the text silently
)

// parser has the state of parsing one block.
type parser struct {
	lang     *Language
	programs map[Form]*program
	// rescue returns the order that a line without a verb is meant for; nil if no guess is wanted.
	rescue func(section, line string) (order, heading string, ok bool)
	diags  []Diagnostic
	errors int

	section int // index of the current section, -1 before the first
	number  int
	groups  []*Group
	owners  []int // section index of each group

	items, words         int
	textLines, textRunes int
	full                 bool // over a limit: the rest is not parsed
	faulty               bool // a line was lost that could belong to any group

	open *logical   // the statement that a line with & would continue
	body body       // see its type
	last *Statement // the statement that needs a body

	// Reused memory.
	logical logical
	matcher matcher
	memory  memory
}

func newParser(lang *Language) *parser {
	if lang == nil {
		lang = &Language{}
	}
	return &parser{lang: lang, programs: lang.programs, section: -1}
}

func (p *parser) fail(at Pos, code, message, hint string) {
	p.errors++
	p.diags = append(p.diags, Diagnostic{Pos: at, Severity: Error, Code: code, Message: message, Hint: hint})
}

func (p *parser) warn(at Pos, code, message, hint string) {
	p.diags = append(p.diags, Diagnostic{Pos: at, Severity: Warning, Code: code, Message: message, Hint: hint})
}

// program compiles a form once. It returns nil for an invalid form, which Validate reports.
func (p *parser) program(f Form) *program {
	prog, seen := p.programs[f]
	if seen || p.lang.programs != nil {
		return prog
	}
	prog, err := compile(f, p.lang.Params)
	if err != nil {
		prog = nil
	}
	if p.programs == nil {
		p.programs = map[Form]*program{}
	}
	p.programs[f] = prog
	return prog
}

// seen finds a group that was opened before.
func (p *parser) seen(section, number int) (*Group, bool) {
	for i, g := range p.groups {
		if p.owners[i] == section && g.N == number {
			return g, true
		}
	}
	return nil, false
}

// add adds a line to the open statement. It limits free lines here, because in them a semicolon does not begin a
// comment, which may be of any length.
func (p *parser) add(s segment) {
	if p.open.free && len(s.runes) > MaxLineRunes {
		d := lineTooLong(s.line, len(s.runes))
		p.fail(d.Pos, d.Code, d.Message, d.Hint)
		s.runes = s.runes[:MaxLineRunes]
	}
	p.open.add(s)
}

// heading returns the section's heading for hints: "power", "phase 1 to 3".
func (s Section) heading() string {
	if s.Numbered {
		return fmt.Sprintf("%s 1 to %d", s.Name, s.Max)
	}
	return s.Name
}

// enter makes a section the current one.
func (p *parser) enter(section, number int, at Pos) {
	p.section, p.number = section, number
	if section >= 0 {
		p.group(section, number, at)
	}
}

// group returns the group with that section and number, making it if needed.
func (p *parser) group(section, number int, at Pos) *Group {
	if g, seen := p.seen(section, number); seen {
		return g
	}
	g := &Group{Pos: at, Name: p.lang.Sections[section].Name, N: number}
	p.groups = append(p.groups, g)
	p.owners = append(p.owners, section)
	return g
}

// sectionIndex finds a section by name, ignoring case; -1 if there is none.
func sectionIndex(sections []Section, name string) int {
	return slices.IndexFunc(sections, func(s Section) bool { return same(s.Name, name) })
}
