package conformance

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"starpost/orders"
)

// Format is the version of questions and answers.
const Format = 1

// Question is a case as an engine reads it: one JSON object. What is expected is left out where an engine
// is asked, and there where the suite is printed.
type Question struct {
	Format   int               `json:"format"`
	Case     string            `json:"case"`
	Title    string            `json:"title"`
	Cite     []string          `json:"cite"`
	Rules    string            `json:"rules"`
	Scenario map[string]any    `json:"scenario"`           // with the keys of a scenario file
	Captains map[string]string `json:"captains,omitempty"` // who hold posts, by SHIP.POST
	Classes  map[string]any    `json:"classes,omitempty"`  // of the scenario's ships, as "starpost ships CLASS --json" has them
	Tables   map[string]string `json:"tables,omitempty"`   // files with classes of the suite's own, by name
	Turns    []turnQuestion    `json:"turns"`
	Remarks  []expected        `json:"remarks,omitempty"` // expected on the scenario
}

// turnQuestion is what comes in for a turn, and what is asked about it.
type turnQuestion struct {
	Orders    []OrderSet     `json:"orders,omitempty"`
	Resolve   bool           `json:"resolve"` // else the orders are looked at and no more
	Dice      map[string]int `json:"dice,omitempty"`
	Views     []string       `json:"views,omitempty"`     // ships, or SHIP.POST, whose views are wanted
	Reports   []string       `json:"reports,omitempty"`   // ... whose reports
	Templates []string       `json:"templates,omitempty"` // ... whose order sets for the next turn
	Expect    *Expect        `json:"expect,omitempty"`
}

// OrderSet is what a seat sends: lines of orders, the first of them numbered Line+1; or a policy, where
// nothing came; or, by Robot, what the engine's robot writes.
type OrderSet struct {
	Ship   string   `json:"ship"`
	Line   int      `json:"line"`
	Lines  []string `json:"lines,omitempty"`
	Policy string   `json:"policy,omitempty"`
	Robot  bool     `json:"robot,omitempty"`
}

// Expect is what a case expects of a turn, section by section; those that are about a ship by her name.
type Expect struct {
	Check    map[string][]expected `json:"check,omitempty"`
	Then     []expected            `json:"then,omitempty"`
	State    []expected            `json:"state,omitempty"`
	View     map[string][]expected `json:"view,omitempty"`
	Report   map[string][]expected `json:"report,omitempty"`
	Template map[string][]expected `json:"template,omitempty"`
}

// expected is a line of such a section, read as its section is read: Of is the type of an event, the code of a
// remark, or the ship, side or game whose state is told.
type expected struct {
	Line   int      `json:"line"`
	None   bool     `json:"none,omitempty"`
	Count  *int     `json:"count,omitempty"`
	Of     string   `json:"of,omitempty"`
	Fields []demand `json:"fields,omitempty"`
	Parts  []string `json:"parts,omitempty"` // of text
}

// Answer is what an engine makes of a question: one JSON object. What it cannot tell it leaves out, and what
// a case expects of that is not compared.
type Answer struct {
	Case     string       `json:"case"`
	Declined string       `json:"declined,omitempty"` // why the engine does not play the case; then nothing else counts
	Remarks  []remark     `json:"remarks"`            // on the scenario; null: not told
	Faults   []string     `json:"faults,omitempty"`   // why no game could be set up of it
	Turns    []turnAnswer `json:"turns,omitempty"`    // up to the first that could not be played
}

// turnAnswer is what came of a turn. Ships and sides are found by their fields id and name, events are told apart by
// their field type, and each has the fields that docs/reference/formats.md lists for it.
type turnAnswer struct {
	Remarks   map[string][]remark `json:"remarks,omitempty"` // on each order set, by the question's name for it
	Says      map[string][]string `json:"says,omitempty"`    // what an order set is said to do
	Faults    []string            `json:"faults,omitempty"`  // dice that were wanted and not given, or given and not wanted, and the like
	Events    any                 `json:"events,omitempty"`  // a list
	Game      any                 `json:"game,omitempty"`    // with ships and sides
	Views     map[string]any      `json:"views,omitempty"`   // each with ships and events
	Reports   map[string][]string `json:"reports,omitempty"` // lines
	Templates map[string][]string `json:"templates,omitempty"`
}

// remark is a mistake in orders or a scenario, or a warning. Of another engine's only the code counts
// where it has no message, and codes that begin with E count as errors.
type remark struct {
	Line    int    `json:"line,omitempty"` // as the question numbers the lines of orders
	Code    string `json:"code"`
	Message string `json:"message,omitempty"`
	Hint    string `json:"hint,omitempty"`
}

func remarksOf(diags []orders.Diagnostic) []remark {
	out := []remark{}
	for _, d := range diags {
		out = append(out, remark{d.Pos.Line, d.Code, d.Message, d.Hint})
	}
	return out
}

// Question makes the question of a case, for a rule set.
func (c *Case) Question(rules string) (Question, []Failure) {
	sc, captains, bad := c.scenario(rules)
	q := Question{
		Format: Format, Case: strings.TrimSuffix(c.Name, ".txt"), Title: c.Title, Cite: c.Cite, Rules: rules,
		Scenario: sc, Captains: captains, Turns: []turnQuestion{},
	}
	for i := range c.Turns {
		t, failures := c.Turns[i].question()
		q.Turns, bad = append(q.Turns, t), append(bad, failures...)
	}
	return q, bad
}

func (t *Turn) question() (turnQuestion, []Failure) {
	q := turnQuestion{Resolve: t.resolve}
	var bad []Failure
	for _, l := range t.Dice {
		name, number, _ := strings.Cut(l.Text, " ")
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil {
			bad = append(bad, Failure{l.No, "write the name of a roll and its value"})
		}
		if _, twice := q.Dice[name]; twice {
			bad = append(bad, Failure{l.No, "a second value for " + name})
		}
		if q.Dice == nil {
			q.Dice = map[string]int{}
		}
		q.Dice[name] = n
	}
	for _, c := range t.Ships {
		set := OrderSet{Ship: c.Ship, Line: c.No, Policy: c.Policy, Robot: c.Robot}
		for _, l := range c.Lines {
			for c.No+1+len(set.Lines) < l.No {
				set.Lines = append(set.Lines, "") // a comment of the case
			}
			set.Lines = append(set.Lines, l.Text)
		}
		q.Orders = append(q.Orders, set)
	}
	q.Views, q.Reports, q.Templates = shipsOf(t.Views), shipsOf(t.Reports), shipsOf(t.Template)
	return q, bad
}

func shipsOf(sections []Section) []string {
	var out []string
	for _, s := range sections {
		out = append(out, s.Ship)
	}
	return out
}

// Whole is the question of a case with what is expected, for tools that compare on their own. Its errors,
// all of them joined, have the form file:line: message.
func (c *Case) Whole(rules string) (Question, error) {
	q, bad := c.Question(rules)
	r := expectReader{}
	q.Remarks = r.all(c.Check, remarkOf)
	for i, t := range c.Turns {
		x := &Expect{
			Check: r.by(t.Checks, remarkOf), Then: r.all(t.Then, eventOf), State: r.all(t.State, stateOf),
			View: r.by(t.Views, seenOf), Report: r.by(t.Reports, textOf), Template: r.by(t.Template, textOf),
		}
		q.Turns[i].Expect = x
	}
	var errs []error
	for _, f := range append(bad, r.bad...) {
		errs = append(errs, fmt.Errorf("%s:%d: %s", c.Name, f.Line, f.Message))
	}
	return q, errors.Join(errs...)
}

type expectReader struct{ bad []Failure }

func (r *expectReader) all(lines []Line, read func(Line) (expected, error)) []expected {
	var out []expected
	for _, l := range lines {
		x, err := read(l)
		if err != nil {
			r.bad = append(r.bad, Failure{l.No, err.Error()})
		}
		x.Line = l.No
		out = append(out, x)
	}
	return out
}

func (r *expectReader) by(sections []Section, read func(Line) (expected, error)) map[string][]expected {
	out := map[string][]expected{}
	for _, s := range sections {
		out[s.Ship] = append(out[s.Ship], r.all(s.Lines, read)...)
	}
	return out
}
