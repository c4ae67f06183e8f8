package orders

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Verb is one order. Every form begins with Name. When allows a condition
// after the word when; Once allows one use in a group (for the turn level: in a
// block); Body demands a text between #text and #endtext on the lines below; Dark says that it does
// nothing in a game in which all is seen.
// Doc is one or two sentences; Examples are whole statements, which Validate
// tries.
type Verb struct {
	Name     string
	Forms    []Form
	When     bool
	Once     bool
	Strict   bool // in a language with free lines: a line with none of the forms is free
	Body     bool
	Dark     bool
	Post     string // in a language with posts: whose order it is, [AnyPost] for all; "": as its section says
	Ends     string // what comes of it that nobody orders by a slip, such as "she leaves the battle"; mostly ""
	Doc      string
	Examples []string
}

// AnyPost is for orders that anyone at a post may give.
const AnyPost = "*"

// PostOf is the post that a verb of a section belongs to, "" for the captain's, or [AnyPost].
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

// Section is a heading and the verbs allowed under it. A Numbered one is
// followed by its number, 1 to Max. Name "" is the turn level: its verbs are
// understood anywhere.
type Section struct {
	Name     string
	Numbered bool
	Max      int
	Post     string // whose orders its verbs are, unless they say otherwise; "" for the captain's
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
	// FlagSubject stands alone: targeted.
	FlagSubject
)

// Subject is something a condition may test. Choices, for a WordSubject, are
// the words it may be compared with; none means any name.
type Subject struct {
	Form    Form
	Kind    SubjectKind
	Choices []string
	Dark    bool // it says nothing of a game in which all is seen
	Doc     string
}

// Language is the whole table of one rule set. It is a value; nothing in this
// package changes it. Posts are the words in addition to ship and captain that may
// stand before a name in the head. Foreign maps verbs and other words of other rule
// sets to the rule set that has them, when they are first asked for, Meant words that newcomers write to what they
// mean by them in these or other rules ("chase" to "pursue", "left" to "L" and
// "move L"), the likeliest first: both are for better answers than "unknown", and in
// lower case. Lead is a word that may stand before an order with a number and a colon:
// "impulse 3: brake" is "brake on 3"; blank for none. Free, for rules that a person reads, names the verb that a line stands
// under which begins with no verb; see free.go.
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

// Hint says what a word that is not understood may be meant for: a word of other
// rules, one of among that newcomers call so, or one of among that it is a slip
// for; "" if it is none of them.
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

// foreign are the words of other rule sets.
func (l *Language) foreign() map[string]string {
	if l.Foreign == nil {
		return nil
	}
	return l.Foreign()
}

// belongs tells whose a word of other rules is.
func (l *Language) belongs(word string) string {
	return fmt.Sprintf("%s, a word of the rules %s; this game uses %s", word, l.foreign()[strings.ToLower(word)], l.Rules)
}

// meant lists what newcomers mean by a word, if it begins with a word of the right kind and goes on in words of this
// language.
func (l *Language) meant(word string, kind func(first string) bool) []string {
	var out []string
	for _, m := range l.Meant[strings.ToLower(word)] {
		if first, rest, _ := strings.Cut(m, " "); kind(first) && (rest == "" || readNumber(rest).num > 0 || l.says(rest) || l.chooses(rest)) {
			out = append(out, m)
		}
	}
	return out
}

// shortest is how many letters a word of newcomers has at least of which a slip is looked for: of fewer,
// too many words are one slip away.
const shortest = 5

// nearlySaid is the word of newcomers that a word is one slip from, if it means one of among; "" for none.
func (l *Language) nearlySaid(word string, among []string) string {
	for _, said := range slices.Sorted(maps.Keys(l.Meant)) {
		if len(said) >= shortest && oneSlip(word, said) && len(l.meant(said, oneOf(among))) > 0 {
			return said
		}
	}
	return ""
}

// question is the hint that asks whether one of words was meant.
func question(words []string) string { return "did you mean " + strings.Join(words, " or ") + "?" }

// oneOf tells of a word whether it is one of among.
func oneOf(among []string) func(string) bool {
	return func(w string) bool { return slices.ContainsFunc(among, func(a string) bool { return same(a, w) }) }
}

// says tells whether a word is an order, a heading, a word of their forms or one of conditions.
func (l *Language) says(word string) bool {
	in := func(f Form) bool { return slices.Contains(formWords(string(f)), strings.ToLower(word)) } // placeholders are in capitals
	return slices.Contains([]string{"when", "not", "and", "or"}, strings.ToLower(word)) ||
		slices.ContainsFunc(l.Sections, func(s Section) bool {
			return same(s.Name, word) || slices.ContainsFunc(s.Verbs, func(v Verb) bool { return same(v.Name, word) || slices.ContainsFunc(v.Forms, in) })
		}) || slices.ContainsFunc(l.Subjects, func(s Subject) bool { return in(s.Form) })
}

// chooses tells whether a word is one of those that an order gives the choice of.
func (l *Language) chooses(word string) bool {
	for _, p := range l.Params {
		if slices.ContainsFunc(p.Choices, func(c string) bool { return same(c, word) }) {
			return true
		}
	}
	return false
}
