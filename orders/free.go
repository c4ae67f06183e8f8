package orders

import (
	"slices"
	"strings"
	"unicode"
)

// Free lines are orders for a person to read. A line that does not begin with a verb of the language is the text,
// whole and as typed, of the verb that Language.Free names. So is a line with words after a verb that must be alone
// above its text: "say" is an order, "say hello" is not. The verb may also be written, before a line that would
// otherwise be taken for another order; Format writes it only if it has to.

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

// claimed reports whether a line belongs to another verb, by its beginning.
func (p *parser) claimed(line string) bool {
	word := firstName([]rune(line))
	_, verb := p.find(word)
	if verb != nil && verb.Strict && !slices.ContainsFunc(verb.Forms, func(f Form) bool { return f.reads(line) }) {
		return false
	}
	alone := verb != nil && verb.Body && !slices.ContainsFunc(verb.Forms, func(f Form) bool { return len(formWords(string(f))) > 1 })
	return verb != nil && !(alone && strings.Trim(line[len(word):], ", \t") != "")
}

// reads reports whether a line has the literal words of a form in their places, and as many words in all.
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

// firstName returns the word of letters, digits, - and ' at the start of a line, "" if there is none.
func firstName(rs []rune) string {
	end := slices.IndexFunc(rs, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '\'' })
	if end < 0 {
		end = len(rs)
	}
	return string(rs[:end])
}

// free parses a free line.
func (p *parser) free(l *logical) {
	first := l.toks[0]
	section, verb := p.find(p.lang.Free)
	// Zero-width runes could hide what a line begins with.
	text, at := strings.Map(visible, l.rest(0)), first.pos
	if verb == nil {
		p.unknown(l) // in a table that Validate refuses
		return
	}
	if same(p.lang.Free, firstName([]rune(text))) {
		// Commas in front count as white space, as everywhere.
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

// needsVerb reports whether a free line would be parsed differently without its verb.
func (p *parser) needsVerb(text string) bool {
	if strings.ContainsRune("#&;>", []rune(text)[0]) {
		return true
	}
	return p.claimed(text)
}

// perhapsFree adds to the diagnostics of a line, those from index told on, that the line may be an order in free
// words.
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
