package orders

import (
	"slices"
	"strings"
)

// Rescue gives the order that a line lacks which begins with the name of a part of a ship, as
// "bank a 5 5" does for "arm bank-a 5 5", and the heading that it stands under, "" for the turn
// level. It looks under one heading, or with "" under the first that has one. ok is false where no
// order fits, or more than one, or where the first of two words is more likely meant for another
// order, as in "movment 10".
func (l *Language) Rescue(section, line string) (order, heading string, ok bool) {
	words := strings.Fields(line)
	if len(words) == 0 || len(words) > maxRescued || !strings.ContainsAny(line, "0123456789") && !strings.Contains(line, " at ") {
		return "", "", false
	}
	first, joined := words[0], false
	if len(words) > 1 && letters(first) && (len(words[1]) == 1 && letters(words[1]) || readNumber(words[1]).num > 0) {
		words, joined = append([]string{first + "-" + words[1]}, words[2:]...), true
	}
	if name, of, named := strings.Cut(words[0], "-"); !named || !letters(name) || of == "" {
		return "", "", false
	}
	for i := range l.Sections {
		if s := &l.Sections[i]; section == "" || s.Name == "" || same(s.Name, section) {
			if Suggest(first, verbsOf(s)) != "" {
				return "", "", false // the verb is there, with a slip
			}
			switch fit := l.fitting(s, strings.Join(words, " ")); len(fit) {
			case 0:
			case 1:
				if joined && l.meansOther(first, strings.Fields(fit[0])[0]) {
					return "", "", false
				}
				return fit[0], s.Name, true
			default:
				return "", "", false
			}
		}
	}
	return "", "", false
}

// meansOther tells whether a word is, or is one slip from, what is written or said for another order than
// that, or for a heading.
func (l *Language) meansOther(word, but string) bool {
	var all []string
	for i := range l.Sections {
		all = append(append(all, l.Sections[i].Name), verbsOf(&l.Sections[i])...)
	}
	if near := Suggest(word, all); near != but && oneSlip(word, near) {
		return true
	}
	meant := l.meant(word, oneOf(all))
	if len(meant) == 0 {
		meant = l.meant(l.nearlySaid(word, all), oneOf(all))
	}
	return len(meant) > 0 && !slices.ContainsFunc(meant, oneOf([]string{but}))
}

func verbsOf(s *Section) []string {
	out := make([]string, len(s.Verbs))
	for i := range s.Verbs {
		out[i] = s.Verbs[i].Name
	}
	return out
}

// fitting are the orders of a section that are whole with some words behind the verb.
func (l *Language) fitting(s *Section, words string) (out []string) {
	p := newParser(l)
	for i := range s.Verbs {
		if p.takesText(&s.Verbs[i]) { // any words would do
			continue
		}
		text := s.Verbs[i].Name + " " + words
		if _, diags := newParser(l).alone(s.Name, func(p *parser) { p.lines(numbered(text, 1)) }); !HasErrors(diags) {
			out = append(out, text)
		}
	}
	return out
}

// maxRescued is how many words such a line has at most.
const maxRescued = 12

// letters tells whether a word is made of letters alone.
func letters(word string) bool {
	return word != "" && strings.Trim(strings.ToLower(word), "abcdefghijklmnopqrstuvwxyz") == ""
}
