package orders

import (
	"fmt"
	"strings"
)

// Head is the line that opens a block, with the place of each part. Kind is
// "ship", "captain" or one of the language's posts, in lower case; Key is in
// upper case and "" if not given. A part that was missing is zero, its place
// too.
type Head struct {
	Pos     Pos    `json:"pos"`
	Game    string `json:"game"`
	GamePos Pos    `json:"gamepos"`
	Turn    int    `json:"turn"`
	TurnPos Pos    `json:"turnpos"`
	// Phase is the part of the turn that the set is for, where a game takes orders
	// for a part at a time; 0 if not given.
	Phase    int    `json:"phase,omitempty"`
	PhasePos Pos    `json:"phasepos,omitzero"`
	Kind     string `json:"kind"`
	KindPos  Pos    `json:"kindpos"`
	Name     string `json:"name"`
	NamePos  Pos    `json:"namepos"`
	Key      string `json:"key,omitempty"`
	KeyPos   Pos    `json:"keypos,omitzero"`
}

// Line is one line of the source, without its end; control characters other
// than tab have become U+FFFD, one for one.
type Line struct {
	N    int    `json:"n"`
	Text string `json:"text"`
}

// Raw is a block that was found but not yet read with a rule set's language.
// Lines are those between head and #end, without quoted ones. Ended is false
// when #end was missing.
type Raw struct {
	Head  Head   `json:"head"`
	Lines []Line `json:"lines"`
	Start Pos    `json:"start"`
	End   Pos    `json:"end"`
	Ended bool   `json:"ended"`
}

// Block is a read order set. Groups stand in the order of the language's table,
// numbered ones by number, the turn level (Name "") last; a section that the
// text does not open has no group. Faulty says that the block lacks lines which
// were not understood and could belong to any group.
type Block struct {
	Head   Head    `json:"head"`
	Groups []Group `json:"groups"`
	Start  Pos     `json:"start"`
	End    Pos     `json:"end"`
	Faulty bool    `json:"faulty,omitempty"`
}

// Group finds the group of that section; n is 0 for sections without number.
func (b Block) Group(name string, n int) (Group, bool) {
	for _, g := range b.Groups {
		if g.Name == name && g.N == n {
			return g, true
		}
	}
	return Group{}, false
}

// Group is the statements under one heading, in the order written. Faulty says
// that it lacks statements that were not understood, so that no mistake should be
// made of what is missing.
type Group struct {
	Pos        Pos         `json:"pos"`
	Name       string      `json:"name"`
	N          int         `json:"n,omitempty"`
	Statements []Statement `json:"statements"`
	Faulty     bool        `json:"faulty,omitempty"`
}

// All gives the statements of that verb, in the order written.
func (g Group) All(verb string) []Statement {
	var found []Statement
	for _, s := range g.Statements {
		if s.Verb == verb {
			found = append(found, s)
		}
	}
	return found
}

// Arg is the value of one placeholder, Name as in the form. Text is canonical;
// Num is set for Number and Signed.
type Arg struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Num  int    `json:"num,omitempty"`
	Pos  Pos    `json:"pos"`
}

// Statement is one order. Form is the index in the verb's Forms. Words are the
// canonical words without the condition, and what Format prints; a Statement
// built by hand may leave them nil where the form has no literal words, or
// better be made with [Language.Statement]. Text is the message body of a verb
// with Body; a line of it must not begin with > or be #end, #endtext or
// #orders.
type Statement struct {
	Pos     Pos      `json:"pos"`
	Verb    string   `json:"verb"`
	Form    int      `json:"form"`
	Args    []Arg    `json:"args,omitempty"`
	Words   []string `json:"words,omitempty"`
	When    *Cond    `json:"when,omitempty"`
	Text    []string `json:"text,omitempty"`
	TextPos Pos      `json:"textpos,omitzero"`
}

// Arg gives the first value of a placeholder.
func (s Statement) Arg(name string) (Arg, bool) { return firstArg(s.Args, name) }

// All gives every value of a placeholder, in the order written.
func (s Statement) All(name string) []Arg { return allArgs(s.Args, name) }

// Op is the kind of a node of a condition.
type Op uint8

// Not binds closer than And, And closer than Or. Test is a leaf.
const (
	Test Op = iota
	Not
	And
	Or
)

// String gives the word of the operator.
func (o Op) String() string {
	return [...]string{"test", "not", "and", "or"}[o&3]
}

// MarshalText writes the operator as its word.
func (o Op) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (o *Op) UnmarshalText(text []byte) error {
	for _, op := range []Op{Test, Not, And, Or} {
		if op.String() == string(text) {
			*o = op
			return nil
		}
	}
	return fmt.Errorf("%q is not an operator in conditions", text)
}

// Cond is a condition. And and Or have two Kids or more, none of their own
// kind; Not has one; Test none. A Test names its Subject by the subject's form
// as the language lists it; Compare is one of < <= = >= > or "" for a flag, with
// Num for numbers and per cent (60% is 60) and Word for words. Words are the
// subject's canonical words.
type Cond struct {
	Pos     Pos      `json:"pos"`
	Op      Op       `json:"op"`
	Kids    []*Cond  `json:"kids,omitempty"`
	Subject string   `json:"subject,omitempty"`
	Args    []Arg    `json:"args,omitempty"`
	Words   []string `json:"words,omitempty"`
	Compare string   `json:"compare,omitempty"`
	Num     int      `json:"num,omitempty"`
	Percent bool     `json:"percent,omitempty"`
	Word    string   `json:"word,omitempty"`
}

// Arg gives the first value of a placeholder of the subject.
func (c *Cond) Arg(name string) (Arg, bool) { return firstArg(c.Args, name) }

// Eval works the condition out, asking test about each leaf it needs, from left
// to right. A nil condition is true.
func (c *Cond) Eval(test func(*Cond) bool) bool {
	met, _ := c.Decide(func(leaf *Cond) (bool, bool) { return test(leaf), true })
	return met
}

// Decide works out a condition of facts of which some are not known: one side
// may settle and or or whatever the other is. A nil condition is met.
func (c *Cond) Decide(fact func(*Cond) (value, known bool)) (value, known bool) {
	if c == nil {
		return true, true
	}
	switch c.Op {
	case Not:
		v, ok := c.Kids[0].Decide(fact)
		return !v, ok
	case And, Or:
		settles := c.Op == Or
		known = true
		for _, k := range c.Kids {
			v, ok := k.Decide(fact)
			if ok && v == settles {
				return settles, true
			}
			known = known && ok
		}
		return !settles, known
	case Test: // below
	}
	return fact(c)
}

// Holds compares value with Num by Compare; for a Test on numbers or per cent.
func (c *Cond) Holds(value int) bool {
	switch c.Compare {
	case "<":
		return value < c.Num
	case "<=":
		return value <= c.Num
	case "=":
		return value == c.Num
	case ">=":
		return value >= c.Num
	case ">":
		return value > c.Num
	}
	return false
}

func firstArg(args []Arg, name string) (Arg, bool) {
	for _, a := range args {
		if a.Name == name {
			return a, true
		}
	}
	return Arg{}, false
}

func allArgs(args []Arg, name string) []Arg {
	var found []Arg
	for i, a := range args {
		if a.Name == name {
			if found == nil {
				found = make([]Arg, 0, len(args)-i)
			}
			found = append(found, a)
		}
	}
	return found
}

// same reports whether two words are alike but for case.
func same(a, b string) bool { return strings.EqualFold(a, b) }
