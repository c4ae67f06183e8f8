package compose

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rehearsal"
	"starpost/orders"
	"starpost/pbem/design"
	"starpost/pbem/fault"
	"starpost/pbem/orderset"
)

// Limits of the input, in bytes. A view of forty ships has some hundred kilobytes.
const (
	MaxRequest = 8 << 20
	maxText    = orders.MaxBytes
)

// Desk is where one captain composes orders: it keeps the open view. It is for one goroutine at a time.
type Desk struct {
	families []family.Family
	sets     map[string]family.RuleSet
	view     *engine.View // nil before one is opened
	game     *orderset.Game
	to       string           // recipient of the orders; "" if unknown
	scales   map[string]scale // of each slider so far, by seat and name
}

// New returns a desk for games of the rule sets of the given families.
func New(families []family.Family) *Desk {
	d := &Desk{families: families, sets: map[string]family.RuleSet{}}
	for _, f := range families {
		for _, s := range f.Sets {
			d.sets[s.Name] = s
		}
	}
	return d
}

// refuse returns an error for a request, with a hint.
func refuse(hint, format string, args ...any) error { return fault.New(hint, format, args...) }

// refusal is the answer to a request that is refused.
type refusal struct {
	OK    bool   `json:"ok"`
	Error string `json:"error"`
	Hint  string `json:"hint,omitempty"`
}

// request is a request of a page. Do says what to do, and so which of the other fields are read.
type request struct {
	Do   string `json:"do"`
	View string `json:"view"` // for open: the JSON of the view as mailed
	To   string `json:"to"`   // ... and the recipient of the orders, if known
	Text string `json:"text"` // the current orders
	// Ship is the ship whose orders are chosen, and Line or Step the part of them; Name and Value are, for set, one of
	// her numbers.
	Ship  engine.ShipID `json:"ship"`
	Line  int           `json:"line"`
	Step  int           `json:"step"`
	Name  string        `json:"name"`
	Value int           `json:"value"`
	// For choices: Open names the open lists, Target is the ship to aim at.
	Open   []string      `json:"open"`
	Target engine.ShipID `json:"target"`
	// Others is, for rehearse, how ships of others act; the rest act like robots.
	Others []rehearsal.Other `json:"others"`
	Design design.Request    `json:"design"` // for design: the scenario being made
}

// Answer answers a request. The answer is always JSON with a field ok.
func (d *Desk) Answer(data []byte) (answer []byte) {
	defer func() {
		if p := recover(); p != nil {
			answer = encode(refusal{Error: fmt.Sprintf("the composer has failed: %v", p), Hint: "mail the orders as text, and send the report's data to the host, who can find the fault with it"})
		}
	}()
	got, err := d.answer(data)
	if err != nil {
		return encode(refusal{Error: err.Error(), Hint: fault.Hint(err)})
	}
	return encode(got)
}

func (d *Desk) answer(data []byte) (any, error) {
	if len(data) > MaxRequest {
		return nil, refuse("a report's data has a few kilobytes", "the data is too long: %d bytes, and the limit is %d", len(data), MaxRequest)
	}
	var r request
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, refuse("", "the page sent an unknown request: %v", err)
	}
	if len(r.Text) > maxText {
		return nil, refuse("an order set has a few kilobytes", "the text is too long: %d bytes, and the limit is %d", len(r.Text), maxText)
	}
	known := map[string]func(request) (any, error){
		"open": d.open, "check": d.check, "mail": d.mail, "rehearse": d.rehearse, "choices": d.choices, "set": d.setNumber,
		"design": func(r request) (any, error) { return design.Look(d.families, r.Design) },
	}
	do := known[r.Do]
	switch {
	case do == nil:
		return nil, refuse("", "the page asked for %q, which is unknown", r.Do)
	case d.view == nil && r.Do != "open" && r.Do != "design":
		return nil, refuse("open a report first", "no report is open")
	}
	return do(r)
}

// encode encodes an answer. Text for people is not escaped: whatever shows it escapes it.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil { // answers consist of strings and numbers
		panic("compose: an answer is not JSON: " + err.Error())
	}
	return data
}

// names lists the rule sets.
func (d *Desk) names() string {
	return strings.Join(slices.Sorted(maps.Keys(d.sets)), ", ")
}
