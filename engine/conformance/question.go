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

// Question is a case in the form for engines: one JSON object. It has no expectations when an engine is asked, but
// has them when the suite is printed.
type Question struct {
	Format   int               `json:"format"`
	Case     string            `json:"case"`
	Title    string            `json:"title"`
	Cite     []string          `json:"cite"`
	Rules    string            `json:"rules"`
	Scenario map[string]any    `json:"scenario"`           // with the keys of a scenario file
	Captains map[string]string `json:"captains,omitempty"` // holders of posts, by SHIP.POST
	Classes  map[string]any    `json:"classes,omitempty"`  // of the scenario's ships, in the form of "starpost ships CLASS --json"
	Tables   map[string]string `json:"tables,omitempty"`   // files with the suite's own classes, by name
	Turns    []turnQuestion    `json:"turns"`
	Remarks  []expected        `json:"remarks,omitempty"` // expected on the scenario
}

// turnQuestion is what captains send for a turn, and what is asked about it.
type turnQuestion struct {
	Orders    []OrderSet     `json:"orders,omitempty"`
	Resolve   bool           `json:"resolve"` // otherwise the orders are only checked
	Dice      map[string]int `json:"dice,omitempty"`
	Views     []string       `json:"views,omitempty"`     // ships, or SHIP.POST, to return the views of
	Reports   []string       `json:"reports,omitempty"`   // ... the reports of
	Templates []string       `json:"templates,omitempty"` // ... the order sets for the next turn of
	Expect    *Expect        `json:"expect,omitempty"`
}

// OrderSet is what a seat sends: lines of orders, the first with the number Line+1; or a policy if nothing came;
// or, with Robot, orders written by the engine's robot.
type OrderSet struct {
	Ship   string   `json:"ship"`
	Line   int      `json:"line"`
	Lines  []string `json:"lines,omitempty"`
	Policy string   `json:"policy,omitempty"`
	Robot  bool     `json:"robot,omitempty"`
}

// Expect is what a case expects of a turn, by section; sections about a ship are keyed by her name.
type Expect struct {
	Check    map[string][]expected `json:"check,omitempty"`
	Then     []expected            `json:"then,omitempty"`
	State    []expected            `json:"state,omitempty"`
	View     map[string][]expected `json:"view,omitempty"`
	Report   map[string][]expected `json:"report,omitempty"`
	Template map[string][]expected `json:"template,omitempty"`
}

// expected is a line of such a section, parsed as the section requires. Of is the type of an event, the code of a
// remark, or the ship, side or game with this state.
type expected struct {
	Line   int      `json:"line"`
	None   bool     `json:"none,omitempty"`
	Count  *int     `json:"count,omitempty"`
	Of     string   `json:"of,omitempty"`
	Fields []demand `json:"fields,omitempty"`
	Parts  []string `json:"parts,omitempty"` // of text
}

// Answer is an engine's answer to a question: one JSON object. An engine leaves out what it cannot answer, and
// expectations about that are not compared.
type Answer struct {
	Case     string       `json:"case"`
	Declined string       `json:"declined,omitempty"` // why the engine does not play the case; if set, nothing else counts
	Remarks  []remark     `json:"remarks"`            // on the scenario; null: unknown
	Faults   []string     `json:"faults,omitempty"`   // why no game could be set up
	Turns    []turnAnswer `json:"turns,omitempty"`    // up to the first that could not be played
}

// turnAnswer is the result of a turn. Ships and sides are found by their fields id and name, events are
// distinguished by their field type, and each has the fields that docs/reference/formats.md lists for it.
type turnAnswer struct {
	Remarks   map[string][]remark `json:"remarks,omitempty"` // on each order set, by the question's name for it
	Says      map[string][]string `json:"says,omitempty"`    // what an order set is said to do
	Faults    []string            `json:"faults,omitempty"`  // such as dice that were needed but not given, or given but not used
	Events    any                 `json:"events,omitempty"`  // a list
	Game      any                 `json:"game,omitempty"`    // with ships and sides
	Views     map[string]any      `json:"views,omitempty"`   // each with ships and events
	Reports   map[string][]string `json:"reports,omitempty"` // lines
	Templates map[string][]string `json:"templates,omitempty"`
}

// remark is a mistake in orders or a scenario, or a warning. If another engine's remark has no message only its
// code counts. Codes that begin with E are errors.
type remark struct {
	Line    int    `json:"line,omitempty"` // numbered like the question's lines of orders
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

// Question returns the question of a case for a rule set.
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

// Whole returns the question of a case with its expectations, for tools that compare answers themselves. Its errors
// are joined, and have the form file:line: message.
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
