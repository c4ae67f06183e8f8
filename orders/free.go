package orders

import (
	"slices"
	"strings"
	"unicode"
)

// Free lines are orders that a person reads: whatever begins with no verb of the
// language stands, whole and as typed, as the text of the verb that
// Language.Free names. So does a line that goes on behind a verb which stands alone
// above its text: "say" is an order, "say hello" is not. The verb may also be written, before a line that would
// else be taken for another order; Format writes it only where it has to.

// freeLine reports whether a line is free text.
func (p *parser) freeLine(rs []rune) bool {
	if p.lang.Free == "" {
		return false
	}
	if rs[0] == '&' {
		return p.open != nil && p.open.free
	}
	word := firstName(rs)
	if same(p.lang.Free, word) {
		return true
	}
	return !p.claimed(string(rs))
}

// claimed reports whether a line is one of another verb's, by what it begins with.
func (p *parser) claimed(line string) bool {
	word := firstName([]rune(line))
	_, verb := p.find(word)
	if verb != nil && verb.Strict && !slices.ContainsFunc(verb.Forms, func(f Form) bool { return f.reads(line) }) {
		return false
	}
	alone := verb != nil && verb.Body && !slices.ContainsFunc(verb.Forms, func(f Form) bool { return len(formWords(string(f))) > 1 })
	return verb != nil && !(alone && strings.Trim(line[len(word):], ", \t") != "")
}

// reads tells whether a line has the words of a form, as far as those are given, and as many in all.
func (f Form) reads(line string) bool {
	want, got := formWords(string(f)), strings.Fields(strings.ReplaceAll(line, ",", " "))
	if len(want) != len(got) {
		return false
	}
	for i, w := range want {
		if w == strings.ToLower(w) && !same(w, got[i]) {
			return false
		}
	}
	return true
}

// firstName is the word of letters, digits, - and ' that a line begins with, ""
// if it begins otherwise.
func firstName(rs []rune) string {
	end := slices.IndexFunc(rs, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '\'' })
	if end < 0 {
		end = len(rs)
	}
	return string(rs[:end])
}

// free takes a free line.
func (p *parser) free(l *logical) {
	first := l.toks[0]
	section, verb := p.find(p.lang.Free)
	// Runes without width would hide with what a line begins.
	text, at := strings.Map(visible, l.rest(0)), first.pos
	if verb == nil {
		p.unknown(l) // a table that Validate refuses
		return
	}
	if same(p.lang.Free, firstName([]rune(text))) {
		// Commas in front count as white space, here as everywhere.
		if text = strings.TrimLeft(text[len(p.lang.Free):], ", "); text == "" {
			p.fail(l.end, CodeIncomplete, verb.Name+" is incomplete", usageOf(verb))
			return
		}
		if len(l.toks) > 1 {
			at = l.toks[1].pos
		}
	}
	words := strings.Fields(text)
	long := false
	for _, w := range words {
		long = p.long(w, at) || long
	}
	if long {
		return
	}
	text = strings.Join(words, " ")
	if p.needsVerb(text) {
		words = append([]string{verb.Name}, words...)
	}
	s := Statement{Pos: first.pos, Verb: verb.Name, Args: []Arg{{Name: placeholders(verb.Forms)[0], Text: text, Pos: at}}, Words: words}
	g := p.group(section, 0, s.Pos)
	g.Statements = append(g.Statements, s)
}

func visible(r rune) rune {
	if unseen(r) {
		return -1
	}
	return r
}

// needsVerb reports whether a free line would be read otherwise without its verb.
func (p *parser) needsVerb(text string) bool {
	if strings.ContainsRune("#&;>", []rune(text)[0]) {
		return true
	}
	return p.claimed(text)
}

// perhapsFree adds to the remarks on a line, made since told of them were there,
// that it may be meant for a reader of the orders.
func (p *parser) perhapsFree(told int) {
	if p.lang.Free == "" {
		return
	}
	for i := told; i < len(p.diags); i++ {
		d := &p.diags[i]
		if d.Hint != "" {
			d.Hint += "; "
		}
		d.Hint += "or put " + p.lang.Free + " before the line, if it is an order in your own words"
	}
}
