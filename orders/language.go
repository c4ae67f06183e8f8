package orders

// Class says what a placeholder accepts.
type Class uint8

const (
	// Number is a count from 0 to 999999.
	Number Class = iota
	// Name is a word of letters, digits and - ' . _ with at least one letter or
	// digit: a ship, weapon or captain. It is kept as typed.
	Name
	// HexLabel is a hex: CCRR (four digits) or col.row with optional minus signs.
	HexLabel
	// Choice is one of the listed words, in any case.
	Choice
	// Signed is a number with its sign, +1 or -1; Choices may restrict it.
	Signed
	// Text is the rest of the statement, runs of white space made one space.
	Text
)

// String names the class as a captain would.
func (c Class) String() string {
	switch c {
	case Number:
		return "a number"
	case Name:
		return "a name"
	case HexLabel:
		return "a hex"
	case Choice:
		return "one of the listed words"
	case Signed:
		return "a number with its sign"
	case Text:
		return "text to the end of the line"
	}
	return "an unknown class"
}

// Param is what a placeholder of a form stands for. Choices are the canonical
// spellings of a Choice (matched in any case) or, with their signs, the only
// values of a Signed. Doc is a short noun phrase ("a ship in sight").
type Param struct {
	Class   Class
	Choices []string
	Doc     string
}

// Form is one shape of a statement or of a condition's subject:
//
//	pursue SHIP [to RANGE] [showing SHIELD]
//	shields SHIELD:POINTS...
//	fire WEAPON... at SHIP
//
// Lower-case words stand for themselves, upper-case words are placeholders
// found in Language.Params, brackets enclose what may be left out, "..."
// repeats the item before it one or more times, A:B is a pair of placeholders.
type Form string

// Verb is one order. Every form begins with Name. When allows a condition
// after the word when; Once allows one use in a group (for the turn level: in a
// block); Body demands a text between #text and #endtext on the lines below.
// Doc is one or two sentences; Examples are whole statements, which Validate
// tries.
type Verb struct {
	Name     string
	Forms    []Form
	When     bool
	Once     bool
	Strict   bool // in a language with free lines: a line with none of the forms is free
	Body     bool
	Doc      string
	Examples []string
}

// Section is a heading and the verbs allowed under it. A Numbered one is
// followed by its number, 1 to Max. Name "" is the turn level: its verbs are
// understood anywhere.
type Section struct {
	Name     string
	Numbered bool
	Max      int
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

// Compiled gives the language with its forms compiled, which reading a block
// otherwise does each time. It must not be changed any more; any number of
// goroutines may read with it.
func (l Language) Compiled() *Language {
	l.programs = nil
	p := newParser(&l)
	for _, s := range l.Sections {
		for _, v := range s.Verbs {
			for _, f := range v.Forms {
				p.program(f)
			}
		}
	}
	for _, s := range l.Subjects {
		p.program(s.Form)
	}
	l.programs = p.programs
	return &l
}
