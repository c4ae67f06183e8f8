package orders

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Validate checks the table itself: names that can be written and found, forms that can be matched, params that
// exist, examples that parse as what they illustrate. It returns all errors it finds, joined.
func (l Language) Validate() error {
	v := validator{lang: &l}
	if l.Rules == "" {
		v.fault("the rule set has no name")
	}
	for _, name := range slices.Sorted(maps.Keys(l.Params)) {
		v.param(name, l.Params[name])
	}
	v.sections()
	v.free()
	v.subjects()
	for _, p := range l.Posts {
		v.word("post "+p, p)
		if known(p) {
			v.fault("post %s is a word of every head", p)
		}
	}
	for _, f := range slices.Sorted(maps.Keys(l.foreign())) {
		v.word("foreign word "+f, f)
		if owner := v.owners[f]; owner != "" {
			v.fault("foreign word %s is a verb of %s too", f, owner)
		}
	}
	v.meant()
	if len(v.faults) > 0 {
		return fmt.Errorf("language of %q: %w", l.Rules, errors.Join(v.faults...))
	}
	return nil
}

// validator collects the errors of one table.
type validator struct {
	lang   *Language
	faults []error
	// owners describes, for each verb, the section that has it.
	owners map[string]string
}

func (v *validator) fault(format string, args ...any) {
	v.faults = append(v.faults, fmt.Errorf(format, args...))
}

// word checks a keyword: lower case, valid name runes, not reserved.
func (v *validator) word(what, w string) {
	if w != strings.ToLower(w) || !nameShape(w) || reserved(w) || len([]rune(w)) > MaxWordRunes {
		v.fault("%s: %q cannot be a keyword", what, w)
	}
}

func (v *validator) param(name string, p Param) {
	if !placeholder(name) {
		v.fault("param %q: a placeholder is written in capital letters", name)
	}
	if p.Class > Text {
		v.fault("param %s: there is no class %d", name, p.Class)
	}
	if p.Class == Choice && len(p.Choices) == 0 {
		v.fault("param %s: the choices are empty", name)
	}
	if p.Class != Choice && p.Class != Signed && len(p.Choices) > 0 {
		v.fault("param %s: only Choice and Signed have choices", name)
	}
	v.choices("param "+name, p.Choices, p)
}

// choices checks that every listed word can be written and is parsed as itself.
func (v *validator) choices(what string, choices []string, p Param) {
	seen := map[string]bool{}
	for _, c := range choices {
		low := strings.ToLower(c)
		toks := lex(nil, segment{runes: []rune(c), line: 1, col: 1}, 0)
		switch {
		case seen[low]:
			v.fault("%s: choice %q is listed twice", what, c)
		case len(toks) != 1 || toks[0].text != c || strings.ContainsAny(c, ";#&") || reserved(c) || toks[0].sign():
			v.fault("%s: choice %q cannot be written as one word", what, c)
		case len([]rune(c)) > MaxWordRunes:
			v.fault("%s: choice %q is too long", what, c)
		case p.read(c).text != c:
			v.fault("%s: choice %q is not read as itself", what, c)
		}
		seen[low] = true
	}
}

func (v *validator) sections() {
	v.owners = map[string]string{}
	names := map[string]bool{}
	for _, s := range v.lang.Sections {
		if names[s.Name] {
			v.fault("section %q is listed twice", s.Name)
		}
		names[s.Name] = true
		if s.Name != "" {
			v.word("section "+s.Name, s.Name)
		}
		if s.Numbered && (s.Name == "" || s.Max < 1 || s.Max > MaxNumber) {
			v.fault("section %q: a numbered section has a name and a Max from 1", s.Name)
		}
	}
	for _, s := range v.lang.Sections {
		verbs := map[string]bool{}
		for i := range s.Verbs {
			verb := &s.Verbs[i]
			what := strings.TrimSpace(s.Name + " " + verb.Name)
			if verbs[verb.Name] {
				v.fault("verb %s is listed twice", what)
			}
			verbs[verb.Name] = true
			if names[verb.Name] {
				v.fault("verb %s has the name of a section", what)
			}
			if owner, taken := v.owners[verb.Name]; taken && (s.Name == "" || owner == turnLevel) {
				v.fault("verb %s is both in a section and at the turn level", verb.Name)
			}
			v.owners[verb.Name] = turnLevel
			if s.Name != "" {
				v.owners[verb.Name] = "section " + s.Name
			}
			v.verb(what, s.Name, verb)
		}
	}
}

const turnLevel = "the turn level"

func (v *validator) verb(what, section string, verb *Verb) {
	v.word("verb "+what, verb.Name)
	if len(verb.Forms) == 0 {
		v.fault("verb %s has no form", what)
	}
	good := true
	p := newParser(v.lang)
	for _, f := range verb.Forms {
		if _, err := compile(f, v.lang.Params); err != nil {
			v.fault("verb %s, form %q: %w", what, f, err)
			good = false
			continue
		}
		if formWords(string(f))[0] != verb.Name {
			v.fault("verb %s, form %q does not begin with the verb", what, f)
			good = false
		}
	}
	if text := p.takesText(verb); text && (verb.When || verb.Body) {
		v.fault("verb %s: text to the end of the line leaves no place for a condition or a body", what)
		good = false
	}
	if !good {
		return
	}
	for _, e := range verb.Examples {
		s, ds := v.lang.Statement(section, e)
		for _, d := range ds {
			v.fault("verb %s, example %q: %s (%s)", what, e, d, d.Hint)
		}
		if len(ds) == 0 && s.Verb != verb.Name {
			v.fault("verb %s, example %q is an order %s", what, e, s.Verb)
		}
	}
}

func (v *validator) subjects() {
	seen := map[Form]bool{}
	for _, s := range v.lang.Subjects {
		if seen[s.Form] {
			v.fault("subject %q is listed twice", s.Form)
		}
		seen[s.Form] = true
		prog, err := compile(s.Form, v.lang.Params)
		if err != nil {
			v.fault("subject %q: %w", s.Form, err)
			continue
		}
		if prog.code[0].op != opLit {
			v.fault("subject %q does not begin with a word of its own", s.Form)
		}
		for _, in := range prog.code {
			if in.op == opParam && in.param.Class == Text {
				v.fault("subject %q: %s would take the rest of the condition", s.Form, in.word)
			}
		}
		if s.Kind > FlagSubject {
			v.fault("subject %q: there is no kind %d", s.Form, s.Kind)
		}
		if s.Kind != WordSubject && len(s.Choices) > 0 {
			v.fault("subject %q: only a WordSubject has choices", s.Form)
		}
		v.choices("subject "+string(s.Form), s.Choices, Param{Class: Choice, Choices: s.Choices})
	}
}

// meant checks the words of newcomers.
func (v *validator) meant() {
	for _, word := range slices.Sorted(maps.Keys(v.lang.Meant)) {
		if word != strings.ToLower(word) || !nameShape(word) || len(v.lang.Meant[word]) == 0 {
			v.fault("%q cannot be a beginner's word, or means nothing", word)
		}
	}
}

// free checks the verb of free lines.
func (v *validator) free() {
	name := v.lang.Free
	if name == "" {
		return
	}
	if len(v.lang.Sections) != 1 || v.lang.Sections[0].Name != "" {
		v.fault("free lines: only a language without sections can have them")
		return
	}
	verb := v.lang.Sections[0].verb(name)
	if verb == nil {
		v.fault("free lines: there is no verb %s", name)
		return
	}
	words := formWords(string(append(verb.Forms, "")[0]))
	if len(verb.Forms) != 1 || len(words) != 2 || v.lang.Params[words[1]].Class != Text || verb.Once || verb.Body || verb.When {
		v.fault("free lines: the verb %s has one form, its name and a text, and may be used any number of times", name)
	}
}
