package orders

import "strings"

// Rescue gives the order that a line lacks which begins with the name of a part of a ship, as
// "bank a 5 5" does for "arm bank-a 5 5", and the heading that it stands under, "" for the turn
// level. It looks under one heading, or with "" under the first that has one. ok is false where no
// order fits, or more than one.
func (l *Language) Rescue(section, line string) (order, heading string, ok bool) {
	words := strings.Fields(line)
	if len(words) == 0 || len(words) > maxRescued || !strings.ContainsAny(line, "0123456789") && !strings.Contains(line, " at ") {
		return "", "", false
	}
	if len(words) > 1 && letters(words[0]) && (len(words[1]) == 1 && letters(words[1]) || readNumber(words[1]).num > 0) {
		words = append([]string{words[0] + "-" + words[1]}, words[2:]...)
	}
	if name, of, named := strings.Cut(words[0], "-"); !named || !letters(name) || of == "" {
		return "", "", false
	}
	for i := range l.Sections {
		if s := &l.Sections[i]; section == "" || s.Name == "" || same(s.Name, section) {
			if Suggest(strings.Fields(line)[0], verbsOf(s)) != "" {
				return "", "", false // the verb is there, with a slip
			}
			switch fit := l.fitting(s, strings.Join(words, " ")); len(fit) {
			case 0:
			case 1:
				return fit[0], s.Name, true
			default:
				return "", "", false
			}
		}
	}
	return "", "", false
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
		if _, diags := newParser(l).alone(s.Name, text); !HasErrors(diags) {
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
