package orders

import (
	"slices"
	"strings"
)

// Rescue returns the order for a line without a verb that begins with the name of a part of a ship, such as "arm
// bank-a 5 5" for "bank a 5 5", and its heading, "" for the turn level. It searches one heading or, if section is
// "", the first that has such an order. Ok is false if no order fits, or more than one, or if the first of two
// words is more likely meant for another order, as in "movment 10".
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
				return "", "", false // the verb is there, misspelt
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

// meansOther reports whether a word is, or is one slip from, a name or a newcomers' word for a heading or for
// another order than but.
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

// fitting returns the orders of a section that are complete with these words after the verb.
func (l *Language) fitting(s *Section, words string) (out []string) {
	p := newParser(l)
	for i := range s.Verbs {
		if p.takesText(&s.Verbs[i]) { // it would take any words
			continue
		}
		text := s.Verbs[i].Name + " " + words
		if _, diags := newParser(l).alone(s.Name, func(p *parser) { p.lines(numbered(text, 1)) }); !HasErrors(diags) {
			out = append(out, text)
		}
	}
	return out
}

// maxRescued is the maximum number of words in such a line.
const maxRescued = 12

// letters reports whether a word is made of letters only.
func letters(word string) bool {
	return word != "" && strings.Trim(strings.ToLower(word), "abcdefghijklmnopqrstuvwxyz") == ""
}
