package conformance

import "starpost/orders"

// Answer is what an engine makes of a question: one JSON object. What it cannot tell it leaves out, and what
// a case expects of that is not compared.
type Answer struct {
	Case     string       `json:"case"`
	Declined string       `json:"declined,omitempty"` // why the engine does not play the case; then nothing else counts
	Remarks  []Remark     `json:"remarks,omitempty"`  // on the scenario
	Faults   []string     `json:"faults,omitempty"`   // why no game could be set up of it
	Turns    []TurnAnswer `json:"turns,omitempty"`    // up to the first that could not be played
}

// TurnAnswer is what came of a turn. Ships and sides are found by their fields id and name, events are told apart by
// their field type, and each has the fields that docs/formats.md lists for it.
type TurnAnswer struct {
	Remarks   map[string][]Remark `json:"remarks,omitempty"` // on each order set, by the question's name for it
	Says      map[string][]string `json:"says,omitempty"`    // what an order set is said to do
	Faults    []string            `json:"faults,omitempty"`  // dice that were wanted and not given, or given and not wanted, and the like
	Events    any                 `json:"events,omitempty"`  // a list
	Game      any                 `json:"game,omitempty"`    // with ships and sides
	Views     map[string]any      `json:"views,omitempty"`   // each with ships and events
	Reports   map[string][]string `json:"reports,omitempty"` // lines
	Templates map[string][]string `json:"templates,omitempty"`
}

// Remark is a mistake in orders or a scenario, or a warning. Of another engine's only the code counts
// where it has no message, and codes that begin with E count as errors.
type Remark struct {
	Line    int    `json:"line,omitempty"` // as the question numbers the lines of orders
	Code    string `json:"code"`
	Message string `json:"message,omitempty"`
	Hint    string `json:"hint,omitempty"`
}

func remarksOf(diags []orders.Diagnostic) []Remark {
	out := []Remark{}
	for _, d := range diags {
		out = append(out, Remark{d.Pos.Line, d.Code, d.Message, d.Hint})
	}
	return out
}
