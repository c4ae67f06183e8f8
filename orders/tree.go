package orders

import (
	"fmt"
	"strings"
)

// Head is the first line of a block, with the position of each part. Kind is "ship", "captain" or one of the
// language's posts, in lower case; Key is in upper case and "" if not given. A missing part is zero, and so is its
// position.
type Head struct {
	Pos     Pos    `json:"pos"`
	Game    string `json:"game"`
	GamePos Pos    `json:"gamepos"`
	Turn    int    `json:"turn"`
	TurnPos Pos    `json:"turnpos"`
	// Phase is the part of the turn that the set is for, if a game takes orders for a part at a time; 0 if not
	// given.
	Phase    int    `json:"phase,omitempty"`
	PhasePos Pos    `json:"phasepos,omitzero"`
	Kind     string `json:"kind"`
	KindPos  Pos    `json:"kindpos"`
	Name     string `json:"name"`
	NamePos  Pos    `json:"namepos"`
	Key      string `json:"key,omitempty"`
	KeyPos   Pos    `json:"keypos,omitzero"`
}

// Line is one line of the source, without its line break; each control character except tab is replaced by U+FFFD.
type Line struct {
	N    int    `json:"n"`
	Text string `json:"text"`
}

// Raw is a block that was found but not yet parsed with a rule set's language. Lines are those between head and
// #end, without quoted ones. Ended is false if #end was missing.
type Raw struct {
	Head  Head   `json:"head"`
	Lines []Line `json:"lines"`
	Start Pos    `json:"start"`
	End   Pos    `json:"end"`
	Ended bool   `json:"ended"`
}

// Block is a parsed order set. Groups are in the order of the language's table, numbered ones by number, the turn
// level (Name "") last; a section without a heading in the text has no group. Faulty says that lines were not
// understood that could belong to any group.
type Block struct {
	Head   Head    `json:"head"`
	Groups []Group `json:"groups"`
	Start  Pos     `json:"start"`
	End    Pos     `json:"end"`
	Faulty bool    `json:"faulty,omitempty"`
}

// Group finds the group of a section; n is 0 for sections without number.
func (b Block) Group(name string, n int) (Group, bool) {
	for _, g := range b.Groups {
		if g.Name == name && g.N == n {
			return g, true
		}
	}
	return Group{}, false
}

// Group is the statements under one heading, in the order written. Faulty says that some of its statements were not
// understood, so that their absence must not be reported as a mistake.
type Group struct {
	Pos        Pos         `json:"pos"`
	Name       string      `json:"name"`
	N          int         `json:"n,omitempty"`
	Statements []Statement `json:"statements"`
	Faulty     bool        `json:"faulty,omitempty"`
}

// All returns the statements with a verb, in the order written.
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

// Statement is one order. Form is the index in the verb's Forms. Words are the canonical words without the
// condition, which Format prints. A Statement built by hand may leave them nil if the form has no literal words; it
// is better made with [Language.Statement]. Text is the message body of a verb with Body; a line of it must not
// begin with > or be #end, #endtext or #orders.
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

// Arg returns the first value of a placeholder.
func (s Statement) Arg(name string) (Arg, bool) { return firstArg(s.Args, name) }

// All returns every value of a placeholder, in the order written.
func (s Statement) All(name string) []Arg { return allArgs(s.Args, name) }

// Op is the kind of a node of a condition.
type Op uint8

// Not binds more tightly than And, And more than Or. Test is a leaf.
const (
	Test Op = iota
	Not
	And
	Or
)

// String returns the word of the operator.
func (o Op) String() string {
	return [...]string{"test", "not", "and", "or"}[o&3]
}

// MarshalText returns the operator's word.
func (o Op) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText parses what MarshalText returned.
func (o *Op) UnmarshalText(text []byte) error {
	for _, op := range []Op{Test, Not, And, Or} {
		if op.String() == string(text) {
			*o = op
			return nil
		}
	}
	return fmt.Errorf("%q is not an operator in conditions", text)
}

// Cond is a condition. And and Or have two or more Kids, none of their own kind; Not has one; Test has none.
// Subject, of a Test, is the subject's form as the language lists it. Compare is one of < <= = >= > or "" for a
// flag, with Num for numbers and per cent (60% is 60) and Word for words. Words are the subject's canonical words.
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

// Arg returns the first value of a placeholder of the subject.
func (c *Cond) Arg(name string) (Arg, bool) { return firstArg(c.Args, name) }

// Eval evaluates the condition, calling test for each leaf it needs, from left to right. A nil condition is true.
func (c *Cond) Eval(test func(*Cond) bool) bool {
	met, _ := c.Decide(func(leaf *Cond) (bool, bool) { return test(leaf), true })
	return met
}

// Decide evaluates a condition if some facts are unknown: one side may settle an and or an or whatever the other
// is. A nil condition is true.
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

// Holds compares value with Num by Compare, for a Test on numbers or per cent.
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

// same reports whether two words are equal, ignoring case.
func same(a, b string) bool { return strings.EqualFold(a, b) }
