package orders

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// condReader parses what follows when. After a mistake it goes on with the next part joined by and or or.
type condReader struct {
	p     *parser
	l     *logical
	toks  []token
	i     int
	depth int
	deep  bool // nested too deep: already reported, skip the rest
}

// condition parses all of toks; it returns nil if there is any mistake.
func (p *parser) condition(l *logical, toks []token) *Cond {
	before := p.errors
	r := condReader{p: p, l: l, toks: toks}
	c := r.or()
	for r.i < len(r.toks) && !r.deep {
		if t := r.toks[r.i]; t.text == ")" {
			p.fail(t.pos, CodeCondParens, ") without a ( before it", "")
			r.i++
			r.proceed()
		} else {
			r.leftOver(t)
		}
	}
	if p.errors > before {
		return nil
	}
	return c
}

func (r *condReader) peek() token {
	if r.i < len(r.toks) {
		return r.toks[r.i]
	}
	return token{pos: r.l.end}
}

func (r *condReader) or() *Cond  { return r.chain(Or, "or", r.and) }
func (r *condReader) and() *Cond { return r.chain(And, "and", r.not) }

// chain parses operands joined by word. Operands of the same kind are flattened, because parentheses change nothing
// there.
func (r *condReader) chain(op Op, word string, operand func() *Cond) *Cond {
	first := operand()
	if !r.peek().is(word) {
		return first
	}
	c := &Cond{Op: op}
	c.join(first)
	for r.peek().is(word) {
		r.i++
		c.join(operand())
	}
	if len(c.Kids) > 0 {
		c.Pos = c.Kids[0].Pos
	}
	return c
}

func (c *Cond) join(kid *Cond) {
	switch {
	case kid == nil:
	case kid.Op == c.Op:
		c.Kids = append(c.Kids, kid.Kids...)
	default:
		c.Kids = append(c.Kids, kid)
	}
}

func (r *condReader) not() *Cond {
	t := r.peek()
	if !t.is("not") && t.text != "(" {
		return r.test()
	}
	if r.depth == MaxNesting {
		r.p.fail(t.pos, CodeCondDeep, fmt.Sprintf("not and parentheses can be nested at most %d deep", MaxNesting),
			"write the condition more simply, or as two orders")
		r.deep, r.i = true, len(r.toks)
		return nil
	}
	r.depth++
	defer func() { r.depth-- }()
	r.i++
	if t.text != "(" {
		kid := r.not()
		if kid == nil {
			return nil
		}
		return &Cond{Op: Not, Pos: t.pos, Kids: []*Cond{kid}}
	}
	c := r.or()
	for !r.deep && r.i < len(r.toks) && r.toks[r.i].text != ")" {
		r.leftOver(r.toks[r.i])
	}
	switch {
	case r.i < len(r.toks):
		r.i++
	case !r.deep:
		r.p.fail(t.pos, CodeCondParens, "( is not closed", "put a ) where this part of the condition ends")
	}
	return c
}

// leftOver reports a word after a complete condition and goes on with the next part, to report its mistakes too.
func (r *condReader) leftOver(t token) {
	r.p.fail(t.pos, CodeCondLeftOver, quote(t.text)+" is not expected here: a condition continues with and or or, or ends",
		"join conditions with and or or; put everything else before when")
	r.skip()
	r.proceed()
}

// proceed continues after a mistake if a joining word follows.
func (r *condReader) proceed() {
	if t := r.peek(); t.is("and") || t.is("or") {
		r.i++
		r.or()
	}
}

// skip advances to the next and, or, or closing parenthesis.
func (r *condReader) skip() {
	for r.i < len(r.toks) {
		t := r.toks[r.i]
		if t.text == ")" || t.is("and") || t.is("or") {
			return
		}
		r.i++
	}
}

// test parses one subject and its comparison.
func (r *condReader) test() *Cond {
	t := r.peek()
	if t.text == "" || t.text == ")" || t.is("and") || t.is("or") {
		after := "when"
		if r.i > 0 {
			after = r.toks[r.i-1].text
		}
		r.p.fail(t.pos, CodeCondEmpty, "a condition is expected after "+after, r.p.subjectHint())
		return nil
	}
	best, subject := (*matcher)(nil), Subject{}
	far, farSubject := (*matcher)(nil), Subject{}
	for _, s := range r.p.lang.Subjects {
		prog := r.p.program(s.Form)
		if prog == nil {
			continue
		}
		if first := &prog.code[0]; first.op == opLit && !t.is(first.word) {
			continue
		}
		// No subject is longer than a form, so a long line costs no more here.
		ahead := r.toks[r.i:min(r.i+maxFormWords, len(r.toks))]
		m := match(prog, ahead, fitNames, true)
		if m.ok() && (best == nil || m.end > best.end) {
			best, subject = m, s
		}
		if !m.ok() && (far == nil || m.failAt > far.failAt) {
			far, farSubject = m, s
		}
	}
	if best == nil {
		r.unknown(t, far, farSubject)
		r.skip()
		return nil
	}
	c := &Cond{Op: Test, Pos: t.pos, Subject: string(subject.Form)}
	c.Args, c.Words = best.findings(&r.p.memory, func(int) string { return "" })
	for _, a := range c.Args {
		r.p.long(a.Text, a.Pos)
	}
	r.i += best.end
	if !r.compare(c, subject) {
		r.skip()
		return nil
	}
	return c
}

// unknown reports words that are not a subject, or a subject with a good start.
func (r *condReader) unknown(t token, far *matcher, subject Subject) {
	if far == nil || far.failAt == 0 {
		var heads []string
		for _, s := range r.p.lang.Subjects {
			if w := formWords(string(s.Form)); len(w) > 0 {
				heads = append(heads, w[0])
			}
		}
		hint := r.p.lang.Hint(t.text, heads)
		if hint == "" {
			hint = r.p.subjectHint()
		}
		r.p.fail(t.pos, CodeCondSubject, quote(t.text)+" is not something a condition can test", hint)
		return
	}
	at, word := r.l.end, "the end of the line"
	if i := r.i + far.failAt; i < len(r.toks) {
		at, word = r.toks[i].pos, quote(r.toks[i].text)
	}
	r.p.fail(at, CodeCondSubject, word+" does not fit here", "write: "+subject.test())
}

// subjectHint lists what conditions may test.
func (p *parser) subjectHint() string {
	if len(p.lang.Subjects) == 0 {
		return "these rules have no conditions"
	}
	var forms []string
	for _, s := range p.lang.Subjects {
		forms = append(forms, s.test())
	}
	return "conditions test: " + strings.Join(forms, ", ")
}

// compare parses the comparison that a subject requires.
func (r *condReader) compare(c *Cond, s Subject) bool {
	name := strings.Join(c.Words, " ")
	t := r.peek()
	sign := t.sign() && t.text != "(" && t.text != ")" && t.text != ":"
	if s.Kind == FlagSubject {
		if sign {
			r.p.fail(t.pos, CodeCondFlag, name+" takes no comparison", "write "+name+" or not "+name)
			return false
		}
		return true
	}
	switch {
	case !sign:
		r.p.fail(t.pos, CodeCondCompare, "after "+name+" a comparison is expected: < <= = >= >", "write "+name+" "+s.example())
		return false
	case t.text == "!=" || t.text == "<>":
		r.p.fail(t.pos, CodeCondCompare, "there is no "+t.text, "write not "+name+" = ...")
		return false
	case s.Kind == WordSubject && t.text != "=":
		r.p.fail(t.pos, CodeCondCompare, name+" can be compared only with =", "write "+name+" "+s.example())
		return false
	}
	c.Compare = t.text
	r.i++
	return r.value(c, s, name)
}

// test returns the subject with an example comparison, if it takes one.
func (s Subject) test() string {
	if s.Kind == FlagSubject {
		return string(s.Form)
	}
	return string(s.Form) + " " + s.example()
}

// example returns a valid comparison for the subject.
func (s Subject) example() string {
	switch s.Kind {
	case PercentSubject:
		return ">= 60%"
	case WordSubject:
		if len(s.Choices) > 0 {
			return "= " + s.Choices[0]
		}
		return "= NAME"
	default:
		return "<= 5"
	}
}

// value parses the right side of a comparison.
func (r *condReader) value(c *Cond, s Subject, name string) bool {
	t := r.peek()
	if t.text == "" || t.sign() || reserved(t.text) {
		r.p.fail(t.pos, CodeCondValue, "after "+c.Compare+" a value is expected", "write "+name+" "+s.example())
		return false
	}
	r.i++
	if s.Kind == WordSubject {
		return r.word(c, s, t)
	}
	count, percent := strings.CutSuffix(t.text, "%")
	if !percent && r.peek().text == "%" {
		percent = true
		r.i++
	}
	v := readNumber(count)
	switch {
	case !v.ok():
		r.p.fail(t.pos, CodeCondValue, quote(t.text)+" "+v.complaint, "write "+name+" "+s.example())
	case s.Kind == NumberSubject && percent:
		r.p.fail(t.pos, CodeCondValue, name+" is not a percentage", "write "+name+" "+c.Compare+" "+v.text)
	case s.Kind == PercentSubject && v.num > 100:
		r.p.fail(t.pos, CodeCondPercent, v.text+"% is more than 100%", "")
	default:
		c.Num, c.Percent = v.num, s.Kind == PercentSubject
		return true
	}
	return false
}

func (r *condReader) word(c *Cond, s Subject, t token) bool {
	p := Param{Class: Name}
	if len(s.Choices) > 0 {
		p = Param{Class: Choice, Choices: s.Choices}
	}
	v := p.read(t.text)
	if !v.ok() {
		r.p.fail(t.pos, CodeCondValue, quote(t.text)+" "+v.complaint, r.p.lang.Hint(t.text, s.Choices))
		return false
	}
	c.Word = v.text
	return !r.p.long(t.text, t.pos)
}

// long reports a word that is too long.
func (p *parser) long(word string, at Pos) bool {
	if len(word) <= MaxWordRunes || utf8.RuneCountInString(word) <= MaxWordRunes {
		return false
	}
	p.fail(at, CodeWordTooLong, fmt.Sprintf("%s is longer than %d characters", quote(word), MaxWordRunes), "")
	return true
}
