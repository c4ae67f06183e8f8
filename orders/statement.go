package orders

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// order parses one statement into its group.
func (p *parser) order(l *logical) {
	first := l.toks[0]
	if p.anyTooLong(l.toks) {
		return
	}
	if l.free {
		p.free(l)
		return
	}
	if p.lang.Lead != "" && first.is(p.lang.Lead) && !p.led(l) {
		return
	}
	first = l.toks[0]
	section, verb := p.find(first.text)
	if verb == nil {
		p.unknown(l)
		return
	}
	if verb.Body {
		p.body = bodySpoilt // until the statement proves valid
	}
	s, ok := p.statement(section, verb, l)
	if !ok {
		return
	}
	number := p.number
	if p.lang.Sections[section].Name == "" {
		number = 0
	}
	g := p.group(section, number, s.Pos)
	if verb.Once {
		if i := slices.IndexFunc(g.Statements, func(o Statement) bool { return o.Verb == verb.Name }); i >= 0 {
			p.fail(s.Pos, CodeOnce, verb.Name+" is already given "+above(s.Pos, g.Statements[i].Pos), "keep one of the two")
			return
		}
	}
	if g.Statements == nil {
		g.Statements = make([]Statement, 0, 4)
	}
	g.Statements = append(g.Statements, s)
	if verb.Body {
		p.body, p.last = bodyWanted, &g.Statements[len(g.Statements)-1]
	}
}

// above says where an earlier line is, seen from a later one. Only the distance is said, as an answer counts the lines of
// a set from its first and a mail from its own.
func above(here, there Pos) string {
	if n := here.Line - there.Line; n > 1 {
		return fmt.Sprintf("%d lines above", n)
	}
	return "on the line above"
}

// led moves a lead in front of an order behind it, with the word on: "impulse 3: brake" becomes "brake on 3", or
// with at if the order has that instead. It returns false, with a diagnostic, if that is not possible.
func (p *parser) led(l *logical) bool {
	toks, lead := l.toks, strings.ToLower(l.toks[0].text)
	if len(toks) < 2 || !readNumber(toks[1].text).ok() {
		p.fail(toks[0].pos, CodeIncomplete, lead+" needs a number after it", "write: "+lead+" 3: and then the order")
		return false
	}
	rest := toks[2:]
	if len(rest) > 0 && rest[0].is(":") {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		p.fail(toks[0].pos, CodeIncomplete, fmt.Sprintf("there is no order after %s %s", lead, toks[1].text), "write the order on the same line")
		return false
	}
	section, verb := p.find(rest[0].text)
	if verb != nil && p.lang.Sections[section].Name != "" && !slices.ContainsFunc(verb.Forms, func(f Form) bool { return leadIn(f) != "" }) {
		p.fail(toks[0].pos, CodeLeftOver, fmt.Sprintf("%s is not for one %s", verb.Name, lead), fmt.Sprintf("leave out %s %s, or put a condition after the order", lead, toks[1].text))
		return false
	}
	end := slices.IndexFunc(rest, func(t token) bool { return t.is("when") })
	if end < 0 {
		end = len(rest)
	}
	on := toks[0]
	on.text = "on"
	if verb != nil {
		for _, f := range verb.Forms {
			on.text = cmp.Or(leadIn(f), on.text)
		}
	}
	l.toks = slices.Concat(rest[:end], []token{on, toks[1]}, rest[end:])
	return true
}

// leadIn returns the word in a form that the number of a lead follows; blank if there is none.
func leadIn(f Form) string {
	for _, word := range []string{"on", "at"} {
		if strings.Contains(string(f), "["+word+" ") {
			return word
		}
	}
	return ""
}

func (p *parser) anyTooLong(toks []token) bool {
	found := false
	for _, t := range toks {
		found = p.long(t.text, t.pos) || found
	}
	return found
}

// statement matches a line with the forms of its verb and parses its condition.
func (p *parser) statement(section int, v *Verb, l *logical) (Statement, bool) {
	before := p.errors
	toks, when := l.toks, -1
	if v.When || !p.takesText(v) {
		when = slices.IndexFunc(toks, func(t token) bool { return t.is("when") })
	}
	s := Statement{Pos: toks[0].pos, Verb: v.Name}
	end := l.end
	if when >= 0 {
		at := toks[when].pos
		if v.When {
			s.When = p.condition(l, toks[when+1:])
		} else {
			p.fail(at, CodeCondNotAllowed, v.Name+" takes no condition", "leave out when and what follows it")
		}
		toks, end = toks[:when], at
	}
	for _, how := range []fit{fitStrict, fitNames} {
		for i, f := range v.Forms {
			prog := p.program(f)
			if prog == nil {
				continue
			}
			m := &p.matcher
			if m.match(prog, toks, how, false); m.ok() {
				s.Form = i
				s.Args, s.Words = m.findings(&p.memory, l.rest)
				p.longText(s)
				return s, p.errors == before
			}
		}
	}
	told := len(p.diags)
	p.explain(section, v, toks, end)
	p.perhapsFree(told)
	return s, false
}

// longText checks the length of the words in texts, which differ from the lexer's tokens.
func (p *parser) longText(s Statement) {
	for _, a := range s.Args {
		if len(a.Text) <= MaxWordRunes {
			continue
		}
		for w := range strings.FieldsSeq(a.Text) {
			p.long(w, a.Pos)
		}
	}
}

// explain reports why no form of a verb matches.
func (p *parser) explain(section int, v *Verb, toks []token, end Pos) {
	if p.fitsElsewhere(section, toks) {
		return
	}
	usage := usageOf(v)
	if p.eachBad(v, toks, usage) || p.strayCondition(v, toks, usage) {
		return
	}
	failAt, wants := p.farthest(v, toks)
	at, got := end, ""
	if failAt < len(toks) {
		at, got = toks[failAt].pos, toks[failAt].text
	}
	var expected, literals []string
	for _, in := range wants {
		switch {
		case in.op == opDone:
		case in.op == opLit && in.glue && failAt > 0 && readNumber(got).ok():
			left := toks[failAt-1].text
			p.fail(at, CodeBadWord, fmt.Sprintf("%s: a colon is missing between %s and %s", v.Name, left, got),
				fmt.Sprintf("with a colon: %s:%s; %s", left, got, usage))
			return
		case in.op == opLit:
			expected, literals = append(expected, quote(in.word)), append(literals, in.word)
		default:
			expected = append(expected, in.param.expects())
		}
	}
	// A misspelt small word may have matched as a name further left.
	for i := 1; i < len(toks) && i <= failAt; i++ {
		if slices.ContainsFunc(literals, toks[i].is) {
			continue
		}
		if hint := p.lang.Hint(toks[i].text, literals); strings.HasPrefix(hint, "did you mean ") {
			p.fail(toks[i].pos, CodeBadWord, fmt.Sprintf("%s: %s is not understood", v.Name, quote(toks[i].text)), hint+" "+usage)
			return
		}
	}
	slices.Sort(expected)
	what := strings.Join(slices.Compact(expected), ", or ")
	switch {
	case v.When && p.isSubject(got):
		p.fail(at, CodeLeftOver, fmt.Sprintf("%s: %s begins a condition, but there is no when before it", v.Name, quote(got)), "did you mean when "+got+"? "+usage)
	case what == "":
		p.fail(at, CodeLeftOver, fmt.Sprintf("%s: %s is one word too many", v.Name, quote(got)), usage)
	case got == "":
		p.fail(at, CodeIncomplete, fmt.Sprintf("%s is incomplete: expected %s", v.Name, what), usage)
	default:
		p.fail(at, CodeBadWord, fmt.Sprintf("%s: %s does not fit here: expected %s", v.Name, quote(got), what), usage)
	}
}

// strayCondition reports a condition that begins with another word than when.
func (p *parser) strayCondition(v *Verb, toks []token, usage string) bool {
	i := slices.IndexFunc(toks, p.isWhen)
	if i <= 0 || !v.When {
		return false
	}
	hint := question(p.lang.Meant[strings.ToLower(toks[i].text)]) + " " + usage
	p.fail(toks[i].pos, CodeBadWord, fmt.Sprintf("%s: %s is not understood", v.Name, quote(toks[i].text)), hint)
	return true
}

// fitsElsewhere reports a statement that would be valid under another heading.
func (p *parser) fitsElsewhere(section int, toks []token) bool {
	for i := range p.lang.Sections {
		s := &p.lang.Sections[i]
		v := s.verb(toks[0].text)
		if i == section || v == nil {
			continue
		}
		for _, f := range v.Forms {
			if prog := p.program(f); prog != nil && match(prog, toks, fitStrict, false).ok() {
				p.faulty = true // it is missing there
				p.fail(toks[0].pos, CodeWrongSection, fmt.Sprintf("this form of %s is not allowed %s", v.Name, p.here()),
					"put it under "+s.heading())
				return true
			}
		}
	}
	return false
}

// badWord is a word of a statement that is not valid in its place.
type badWord struct {
	tok    int
	in     *instr
	v      value
	behind bool // it follows a name
}

// eachBad reports every invalid value of a statement that has the right shape; if it has several forms, it uses the
// one with the fewest invalid values.
func (p *parser) eachBad(v *Verb, toks []token, usage string) bool {
	var best []badWord
	for _, f := range v.Forms {
		prog := p.program(f)
		if prog == nil {
			continue
		}
		m := match(prog, toks, fitAny, false)
		if !m.ok() {
			continue
		}
		var found []badWord
		name := false
		for _, s := range m.found {
			in := &prog.code[s.pc]
			behind := name
			name = in.op == opParam && in.param.Class == Name
			if in.op != opParam || in.param.Class == Text {
				continue
			}
			if got := in.param.read(toks[s.tok].text); !got.ok() {
				found = append(found, badWord{s.tok, in, got, behind})
			}
		}
		if best == nil || len(found) < len(best) {
			best = found
		}
	}
	for i, b := range best {
		t := toks[b.tok]
		complaint := fmt.Sprintf("%s; expected %s", b.v.complaint, b.in.param.expects())
		if b.v.code == CodeBadChoice { // list the choices only once
			if complaint = "does not fit; expected " + b.in.param.expects(); i > 0 && best[i-1].in == b.in {
				complaint = "does not fit either"
			}
		}
		p.fail(t.pos, b.v.code, fmt.Sprintf("%s: %s %s", v.Name, quote(t.text), complaint), p.badWordHint(toks, b, usage))
	}
	return len(best) > 0
}

// badWordHint returns the hint for an invalid value.
func (p *parser) badWordHint(toks []token, b badWord, usage string) string {
	t := toks[b.tok]
	if b.behind && b.in.param.Class == Number && len(t.text) == 1 { // bank a
		return fmt.Sprintf("did you mean %s-%s? A name is one word", toks[b.tok-1].text, t.text)
	}
	if hint := p.lang.Hint(t.text, b.in.param.Choices); hint != "" {
		return hint
	}
	return usage
}

// farthest returns the farthest word that the forms reached, and the instructions that were tried on it.
func (p *parser) farthest(v *Verb, toks []token) (int, []instr) {
	at := -1
	var wants []instr
	for _, f := range v.Forms {
		prog := p.program(f)
		if prog == nil {
			continue
		}
		m := match(prog, toks, fitStrict, false)
		if m.failAt < at {
			continue
		}
		if m.failAt > at {
			at, wants = m.failAt, nil
		}
		for _, pc := range m.wants {
			wants = append(wants, prog.code[pc])
		}
	}
	return max(at, 0), wants
}
