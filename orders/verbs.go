package orders

import (
	"fmt"
	"slices"
	"strings"
)

// find finds a verb in the current section or at the turn level.
func (p *parser) find(word string) (int, *Verb) {
	for i := range p.lang.Sections {
		if i != p.section && p.lang.Sections[i].Name != "" {
			continue
		}
		if v := p.lang.Sections[i].verb(word); v != nil {
			return i, v
		}
	}
	return -1, nil
}

func (s *Section) verb(word string) *Verb {
	for i := range s.Verbs {
		if same(s.Verbs[i].Name, word) {
			return &s.Verbs[i]
		}
	}
	return nil
}

// elsewhere lists the headings under which a verb is allowed.
func (p *parser) elsewhere(word string) []string {
	var found []string
	for i := range p.lang.Sections {
		if s := &p.lang.Sections[i]; i != p.section && s.Name != "" && s.verb(word) != nil {
			found = append(found, s.heading())
		}
	}
	return found
}

// here describes the place of a statement.
func (p *parser) here() string {
	if p.section < 0 {
		return "before the first heading"
	}
	s := p.lang.Sections[p.section]
	switch {
	case s.Name == "":
		return "at the turn level"
	case s.Numbered:
		return fmt.Sprintf("under %s %d", s.Name, p.number)
	}
	return "under " + s.Name
}

// unknown reports a line that does not begin with a verb of this place.
func (p *parser) unknown(l *logical) {
	first := l.toks[0]
	if at := p.elsewhere(first.text); len(at) > 0 {
		p.faulty = true // it is missing there
		p.fail(first.pos, CodeWrongSection, strings.ToLower(first.text)+" is not allowed "+p.here(),
			"put it under "+strings.Join(at, " or "))
		return
	}
	word := strings.ToLower(first.text)
	if rules := p.lang.foreign()[word]; rules != "" {
		hint := "this game uses " + p.lang.Rules
		if meant := p.verbsMeant(word); len(meant) > 0 {
			hint += "; " + question(meant)
		}
		p.fail(first.pos, CodeForeignOrder, word+" belongs to the rules "+rules, hint)
		return
	}
	if p.isWhen(first) {
		p.fail(first.pos, CodeUnknownOrder, "a condition does not begin a line: it follows its order", p.conditionHint(l.toks))
		return
	}
	if p.errors > MaxDiagnostics {
		// It will not be shown, so looking for suggestions is a waste of time.
		p.fail(first.pos, CodeUnknownOrder, "", "")
		return
	}
	near, hint := "", p.lang.Hint(first.text, nil)
	if meant := p.verbsMeant(word); len(meant) > 0 {
		near, _, _ = strings.Cut(meant[0], " ")
		hint = question(meant)
	} else if hint == "" {
		near, hint = p.nearest(l)
	}
	if hint != "" {
		if at := p.elsewhere(near); len(at) > 0 && !slices.Contains(p.verbsHere(), near) {
			hint += " It goes under " + strings.Join(at, " or ")
		}
	} else if known := p.verbsHere(); len(known) > 0 {
		hint = "known here: " + strings.Join(known, ", ")
	}
	p.fail(first.pos, CodeUnknownOrder, quote(first.text)+" is not an order or a heading", hint)
	// A misspelt heading still opens its section, so that its orders are not reported as misplaced.
	if i := sectionIndex(p.lang.Sections, near); near != "" && i >= 0 {
		number := 0
		if p.lang.Sections[i].Numbered && len(l.toks) > 1 {
			number = readNumber(l.toks[1].text).num
		}
		p.enter(i, number, first.pos)
	}
}

// sectionName returns the heading above, "" before the first.
func (p *parser) sectionName() string {
	if p.section < 0 {
		return ""
	}
	return p.lang.Sections[p.section].Name
}

// lineOf returns a line made of words.
func lineOf(toks []token) string {
	words := make([]string, len(toks))
	for i, t := range toks {
		words[i] = t.text
	}
	return strings.Join(words, " ")
}

// verbsMeant lists what newcomers mean by a word at the start of a line: orders of this place and headings, or else
// orders of other places.
func (p *parser) verbsMeant(word string) []string {
	here, far := p.verbNames()
	if meant := p.lang.meant(word, oneOf(here)); len(meant) > 0 {
		return meant
	}
	return p.lang.meant(word, oneOf(far))
}

// nearest looks for what a line is meant for. Its first word may be a misspelling of an order of this place or a
// heading, or of a newcomers' word for one; the verb may be missing and the line begin with a weapon; or it may be
// a misspelling of an order of another place. It returns the verb and the hint, both "" if there is none.
func (p *parser) nearest(l *logical) (verb, hint string) {
	here, far := p.verbNames()
	first := l.toks[0].text
	if verb = Suggest(first, here); !oneSlip(first, verb) && !oneSlip(first, Suggest(first, far)) {
		if meant := p.verbsMeant(p.lang.nearlySaid(first, slices.Concat(here, far))); len(meant) > 0 {
			verb, _, _ = strings.Cut(meant[0], " ")
			return verb, question(meant)
		}
	}
	if verb == "" {
		if p.rescue != nil {
			if order, _, ok := p.rescue(p.sectionName(), lineOf(l.toks)); ok {
				verb, _, _ = strings.Cut(order, " ")
				return verb, question([]string{order})
			}
		}
		verb = Suggest(first, far)
	}
	if verb != "" {
		hint = question([]string{verb})
	}
	return verb, hint
}

// verbNames lists what a line may begin with here, including headings, and the orders of all places.
func (p *parser) verbNames() (here, far []string) {
	here = p.verbsHere()
	for _, s := range p.lang.Sections {
		if s.Name != "" {
			here = append(here, s.Name)
		}
		for _, v := range s.Verbs {
			far = append(far, v.Name)
		}
	}
	return here, far
}

func (p *parser) verbsHere() []string {
	var names []string
	for i, s := range p.lang.Sections {
		if i == p.section || s.Name == "" {
			for _, v := range s.Verbs {
				names = append(names, v.Name)
			}
		}
	}
	return names
}

// takesText reports whether a form of the verb extends to the end of the line, and so over any word when.
func (p *parser) takesText(v *Verb) bool {
	return slices.ContainsFunc(v.Forms, func(f Form) bool {
		prog := p.program(f)
		return prog != nil && prog.text
	})
}

// usageOf returns the hint with all forms of a verb and an example.
func usageOf(v *Verb) string {
	forms := make([]string, len(v.Forms))
	for i, f := range v.Forms {
		forms[i] = string(f)
		if v.When {
			forms[i] += " [when CONDITION]"
		}
	}
	usage := "write: " + strings.Join(forms, ", or ")
	switch {
	case v.Body && len(v.Examples) > 0:
		if first, _, _ := strings.Cut(v.Examples[0], "\n"); first != v.Name {
			usage += "; such as: " + first
		}
		usage += "; and the text below it, between #text and #endtext"
	case len(v.Examples) > 0 && v.Examples[0] != v.Name:
		usage += "; such as: " + v.Examples[0]
		conditional := func(e string) bool { return strings.Contains(e, " when ") }
		if i := slices.IndexFunc(v.Examples, conditional); i > 0 && !conditional(v.Examples[0]) {
			usage += ", or: " + v.Examples[i]
		}
	}
	return usage
}

// isWhen reports whether a word is, or is meant as, the word that begins a condition.
func (p *parser) isWhen(t token) bool {
	return t.is("when") || len(p.lang.meant(t.text, func(w string) bool { return w == "when" })) > 0
}

// isSubject reports whether some test begins with a word.
func (p *parser) isSubject(word string) bool {
	return slices.ContainsFunc(p.lang.Subjects, func(s Subject) bool {
		first, _, _ := strings.Cut(string(s.Form), " ")
		return same(first, word)
	})
}

// conditionHint shows an order of this place with a condition, preferably an order that the line has.
func (p *parser) conditionHint(toks []token) string {
	hint := "write the order, then when, then the condition"
	if p.section < 0 {
		return hint
	}
	first := true
	for _, v := range p.lang.Sections[p.section].Verbs {
		i := slices.IndexFunc(v.Examples, func(e string) bool { return strings.Contains(e, " when ") })
		if named := slices.ContainsFunc(toks, func(t token) bool { return t.is(v.Name) }); i >= 0 && (named || first) {
			hint, first = "write: "+v.Examples[i], false
		}
	}
	return hint
}
