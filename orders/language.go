package orders

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Verb is one order. Every form begins with Name. When allows a condition after the word when. Once allows one use
// in a group (for the turn level: in a block). Body requires a text between #text and #endtext on the lines below.
// Dark says that it has no effect in a game in the open. Doc is one or two sentences. Examples are complete
// statements, which Validate checks.
type Verb struct {
	Name     string
	Forms    []Form
	When     bool
	Once     bool
	Strict   bool // in a language with free lines: a line that has none of the forms is free
	Body     bool
	Dark     bool
	Post     string // in a language with posts: who gives it, [AnyPost] for everyone; "": as its section says
	Ends     string // a consequence that must not be ordered by mistake, such as "she leaves the battle"; mostly ""
	Doc      string
	Examples []string
}

// AnyPost is for orders that every post may give.
const AnyPost = "*"

// PostOf returns the post that gives the orders of a verb in a section, "" for the captain, or [AnyPost].
func (l *Language) PostOf(section, verb string) string {
	i := slices.IndexFunc(l.Sections, func(s Section) bool { return s.Name == section })
	if i < 0 {
		return ""
	}
	s := &l.Sections[i]
	if k := slices.IndexFunc(s.Verbs, func(v Verb) bool { return v.Name == verb }); k >= 0 && s.Verbs[k].Post != "" {
		return s.Verbs[k].Post
	}
	return s.Post
}

// Section is a heading and the verbs allowed under it. If Numbered, the heading has a number from 1 to Max. Name ""
// is the turn level: its verbs are allowed anywhere.
type Section struct {
	Name     string
	Numbered bool
	Max      int
	Post     string // who gives its orders, unless a verb says otherwise; "" for the captain
	Doc      string
	Verbs    []Verb
}

// SubjectKind says how a condition's subject is compared.
type SubjectKind uint8

const (
	// NumberSubject is compared with a number: range <= 10.
	NumberSubject SubjectKind = iota
	// PercentSubject is compared with 0% to 100%: chance >= 60%.
	PercentSubject
	// WordSubject is compared by = with a word: alert = red.
	WordSubject
	// FlagSubject is not compared with anything: targeted.
	FlagSubject
)

// Subject is something a condition may test. Choices, for a WordSubject, are the words it may be compared with; if
// there are none, any name is allowed.
type Subject struct {
	Form    Form
	Kind    SubjectKind
	Choices []string
	Dark    bool // it means nothing in a game in the open
	Doc     string
}

// Language is the complete table of one rule set. It is a value; nothing in this package changes it. Posts are the
// words, in addition to ship and captain, that may come before a name in the head. Two fields give better answers
// than "unknown", in lower case: Foreign returns verbs and other words of other rule sets with the rule set that
// has them, when first needed, and Meant maps words of newcomers to what they mean in these or other rules, the
// likeliest first ("chase" to "pursue", "left" to "L" and "move L"). Lead is a word that may precede an order with
// a number and a colon: "impulse 3: brake" is "brake on 3"; blank for none. Free, for rules that a person reads,
// names the verb of lines that do not begin with a verb; see free.go.
type Language struct {
	Rules    string
	Free     string
	Lead     string
	Sections []Section
	Params   map[string]Param
	Subjects []Subject
	Posts    []string
	Foreign  func() map[string]string // nil for none
	Meant    map[string][]string

	programs map[Form]*program // see Compiled
}

// Hint suggests what an unknown word may mean: a word of other rules, one of among that newcomers express by it, or
// one of among that it is a misspelling of; "" if none of these.
func (l *Language) Hint(word string, among []string) string {
	meant := l.meant(word, oneOf(among))
	switch rules := l.foreign()[strings.ToLower(word)]; {
	case rules != "" && len(meant) > 0:
		return "it is " + l.belongs(word) + "; " + question(meant)
	case rules != "":
		return "it is " + l.belongs(word)
	case len(meant) > 0:
		return question(meant)
	}
	near := Suggest(word, among)
	if said := l.nearlySaid(word, among); said != "" && !oneSlip(word, near) {
		return question(l.meant(said, oneOf(among)))
	}
	if near != "" {
		return question([]string{near})
	}
	if other := l.meant(word, func(w string) bool { return l.foreign()[strings.ToLower(w)] != "" && !l.says(w) }); len(other) > 0 {
		first, _, _ := strings.Cut(other[0], " ")
		return "that would be " + l.belongs(first)
	}
	return ""
}

// foreign returns the words of other rule sets.
func (l *Language) foreign() map[string]string {
	if l.Foreign == nil {
		return nil
	}
	return l.Foreign()
}

// belongs says which rules a word of other rules belongs to.
func (l *Language) belongs(word string) string {
	return fmt.Sprintf("%s, a word of the rules %s; this game uses %s", word, l.foreign()[strings.ToLower(word)], l.Rules)
}

// meant lists what newcomers mean by a word, where that begins with a word that kind accepts and continues with
// words of this language.
func (l *Language) meant(word string, kind func(first string) bool) []string {
	var out []string
	for _, m := range l.Meant[strings.ToLower(word)] {
		if first, rest, _ := strings.Cut(m, " "); kind(first) && (rest == "" || readNumber(rest).num > 0 || l.says(rest) || l.chooses(rest)) {
			out = append(out, m)
		}
	}
	return out
}

// shortest is the minimum length of a newcomers' word for which misspellings are considered: shorter ones have too
// many words one slip away.
const shortest = 5

// nearlySaid returns the newcomers' word that a word is one slip from, if it means one of among; "" if there is
// none.
func (l *Language) nearlySaid(word string, among []string) string {
	for _, said := range slices.Sorted(maps.Keys(l.Meant)) {
		if len(said) >= shortest && oneSlip(word, said) && len(l.meant(said, oneOf(among))) > 0 {
			return said
		}
	}
	return ""
}

// question returns a hint that asks whether one of words was meant.
func question(words []string) string { return "did you mean " + strings.Join(words, " or ") + "?" }

// oneOf returns a function that reports whether a word is one of among.
func oneOf(among []string) func(string) bool {
	return func(w string) bool { return slices.ContainsFunc(among, func(a string) bool { return same(a, w) }) }
}

// says reports whether a word is an order, a heading, or a word of their forms or of conditions.
func (l *Language) says(word string) bool {
	in := func(f Form) bool { return slices.Contains(formWords(string(f)), strings.ToLower(word)) } // placeholders are in capitals
	return slices.Contains([]string{"when", "not", "and", "or"}, strings.ToLower(word)) ||
		slices.ContainsFunc(l.Sections, func(s Section) bool {
			return same(s.Name, word) || slices.ContainsFunc(s.Verbs, func(v Verb) bool { return same(v.Name, word) || slices.ContainsFunc(v.Forms, in) })
		}) || slices.ContainsFunc(l.Subjects, func(s Subject) bool { return in(s.Form) })
}

// chooses reports whether a word is one of the choices of any placeholder.
func (l *Language) chooses(word string) bool {
	for _, p := range l.Params {
		if slices.ContainsFunc(p.Choices, func(c string) bool { return same(c, word) }) {
			return true
		}
	}
	return false
}
