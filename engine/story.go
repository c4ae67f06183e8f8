package engine

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"starpost/orders"
)

// Story is a resolved turn laid open for who asks why a thing happened: a
// referee. It shows everything, so nothing of it may go to a captain unchanged.
//
// What an event follows from is worked out from the events themselves and from
// the orders, as they are stored; nothing is added to events for it, so no view
// can give anything of it away. It is not changed and may be used by one goroutine
// at a time.
type Story struct {
	Rules  *Rules
	Before *Game // the game before the turn
	After  *Game
	Events []Event
	Sets   []OrderSet

	view     *View // of all, with all events
	accounts []*Account
}

// OrderSet is a set that a turn was played with.
type OrderSet struct {
	Name    string // "Hood" for a ship, "@Kirk" for what a captain says for all his ships
	Ship    string // id; "" for a captain's
	Captain string
	Round   int // of a turn that is played in rounds: from which on it holds; 0 for all of the turn
	Block   orders.Block
}

// Account is how an event came about.
type Account struct {
	// From are the events that it follows from directly: indexes into
	// Story.Events, in order, all smaller than its own.
	From []int
	// Orders are the lines that asked for it. Of several any may be the one, where
	// the events do not tell which.
	Orders []Ordered
	// Why says what the rules made of it, in sentences: tables, sums, choices.
	Why []string
}

// Ordered is a line of an order set.
type Ordered struct {
	Set  string // as OrderSet.Name
	Line int    // of the text in canonical form
	Text string
}

// NewStory lays a turn open.
func NewStory(r *Rules, before, after *Game, events []Event, sets []OrderSet) (*Story, error) {
	v, err := BuildView(r, after, events, Viewer{All: true})
	if err != nil {
		return nil, err
	}
	return &Story{Rules: r, Before: before, After: after, Events: events, Sets: sets, view: v, accounts: make([]*Account, len(events))}, nil
}

// Words puts the i-th event into sentences, by itself.
func (s *Story) Words(i int) []Line { return s.Rules.Sentences(s.view, i) }

// Sentences puts the i-th event of a view into sentences, by itself. They say no
// more than the view does.
func (r *Rules) Sentences(v *View, i int) []Line {
	e := v.Events[i]
	if r.Words != nil {
		if lines := r.Words(v, i); len(lines) > 0 {
			return lines
		}
	}
	if b, ok := e.Body.(*Roll); ok {
		text := fmt.Sprintf("%s %s: %d", b.Dice, b.Name, b.Value)
		if b.Was > 0 {
			text += fmt.Sprintf(" by a ruling, the die showed %d", b.Was)
		}
		return []Line{{Text: text, Cite: Cite(e.Rule)}}
	}
	if m, ok := e.Body.(*Move); ok {
		return []Line{{Text: fmt.Sprintf("%s %s: %s %s to %s %s", v.Name(m.Ship), m.Word, m.From.Hex.Label(), m.From.Heading, m.To.Hex.Label(), m.To.Heading), Cite: Cite(e.Rule)}}
	}
	if c, ok := e.Body.(*Charted); ok {
		return []Line{{Text: v.charted(c.Feature), Cite: Cite(e.Rule)}}
	}
	if line, ok := v.Tell(e); ok {
		return []Line{line}
	}
	return []Line{{Text: e.Body.Type() + ": " + PlainBody(e.Body), Cite: Cite(e.Rule)}}
}

// charted tells of a feature as it is from now on.
func (v *View) charted(f Feature) string {
	name := f.Kind
	if f.Name != "" {
		name += " " + f.Name
	}
	var hexes, found []string
	for _, h := range f.Hexes {
		hexes = append(hexes, h.Label())
	}
	text := fmt.Sprintf("%s at %s", name, strings.Join(hexes, " "))
	if f.Gone {
		text += " is gone"
	}
	for _, id := range f.Found {
		found = append(found, v.Name(id))
	}
	switch {
	case f.Gone || !f.Hidden:
	case f.Shown:
		text += ", laid openly, known for what it is to " + v.SideName(f.Side)
	default:
		text += ", hidden from the other sides than " + v.SideName(f.Side)
	}
	if len(found) > 0 {
		text += ", known to " + strings.Join(found, ", ")
	}
	figures := []string{text}
	for _, name := range slices.Sorted(maps.Keys(f.Figure)) {
		figures = append(figures, fmt.Sprintf("%s %d", name, f.Figure[name]))
	}
	return strings.Join(figures, "; ")
}

// PlainBody is the fields of an event as they are, for people: for what no rule set
// has words for.
func PlainBody(b Body) string {
	data, err := json.Marshal(b)
	if err != nil {
		return err.Error()
	}
	return strings.NewReplacer(`"`, "", "{", "", "}", "", ",", ", ", ":", " ", `\n`, " / ").Replace(string(data))
}

// Account tells how the i-th event came about.
func (s *Story) Account(i int) Account {
	if s.accounts[i] != nil {
		return *s.accounts[i]
	}
	a, ok := Account{}, false
	if s.Rules.Account != nil {
		a, ok = s.Rules.Account(s, i)
	}
	if !ok {
		a = s.plain(i)
	}
	if b, out := s.Events[i].Body.(*Out); out && len(a.From) == 0 {
		a.From = s.ruledOn(i, b.Ship)
	}
	slices.Sort(a.From)
	a.From = slices.Compact(a.From)
	s.accounts[i] = &a
	return a
}

// plain is the account of an event of the core's own kinds, or of one of which
// the rule set says nothing: the dice just before it.
func (s *Story) plain(i int) Account {
	e := s.Events[i]
	switch b := e.Body.(type) {
	case *Roll:
		return Account{From: s.Latest(i, func(o Event) bool { r, ok := o.Body.(*Ruled); return ok && r.Roll == b.Name })}
	case *Skip:
		a := Account{}
		if o, ok := s.line(i, b.Ship, b.Line); ok {
			a.Orders = append(a.Orders, o)
		}
		return a
	case *Move:
		text, word := b.Reactive, b.Word
		return s.Asked(i, b.Ship, func(g orders.Group, st orders.Statement) bool {
			if g.N != e.Phase || e.Phase == 0 {
				return false
			}
			if text != "" {
				return orders.FormatStatement(st) == text
			}
			return slices.ContainsFunc(st.Args, func(a orders.Arg) bool { return strings.EqualFold(a.Text, word) })
		})
	case *Luck:
		return s.Asked(i, b.Ship, func(_ orders.Group, st orders.Statement) bool { return st.Verb == "luck" })
	case *Talk:
		return s.Asked(i, b.Ship, func(_ orders.Group, st orders.Statement) bool {
			return st.Verb == "message" && slices.Equal(st.Text, b.Text)
		})
	case *Score:
		return Account{From: s.Latest(i, func(o Event) bool { _, ok := o.Body.(*Out); return ok })}
	case *Won:
		a := Account{Why: []string{"looked at when the turn was over, with all points and ships as they were then"}}
		for k, o := range s.Events[:i] {
			switch o.Body.(type) {
			case *Out, *Score:
				a.From = append(a.From, k)
			}
		}
		for _, g := range s.After.Victory.Goals {
			a.Why = append(a.Why, "goal of "+s.view.SideName(g.Side)+": "+g.Describe(s.After))
		}
		for _, sd := range s.After.Sides {
			a.Why = append(a.Why, fmt.Sprintf("%s has %d points", sd.Name, sd.Total()))
		}
		return a
	}
	return Account{From: s.Dice(i)}
}

// ruledOn are the rulings on a ship before the i-th event, in its step.
func (s *Story) ruledOn(i int, ship string) []int {
	return s.All(i, func(o Event) bool {
		r, ok := o.Body.(*Ruled)
		return ok && r.Ship == ship && r.Field != "" && o.Step == s.Events[i].Step && o.Phase == s.Events[i].Phase
	})
}

// Latest is the index of the last event before the i-th that is wanted; nil for
// none.
func (s *Story) Latest(i int, want func(Event) bool) []int {
	for k := i - 1; k >= 0; k-- {
		if want(s.Events[k]) {
			return []int{k}
		}
	}
	return nil
}

// All are the indexes of the events before the i-th that are wanted.
func (s *Story) All(i int, want func(Event) bool) []int {
	var out []int
	for k := range i {
		if want(s.Events[k]) {
			out = append(out, k)
		}
	}
	return out
}

// Dice are the rolls that an event names ("named"), and, if it has a "roll", those
// just before it.
func (s *Story) Dice(i int) []int {
	body := s.Events[i].Body
	var out []int
	named, hasName := Text(body, "named")
	if hasName {
		out = append(out, s.Latest(i, func(o Event) bool { r, ok := o.Body.(*Roll); return ok && r.Name == named })...)
	}
	n, rolled := Number(body, "roll")
	for k := i - 1; k >= 0 && (hasName || rolled && n > 0); k-- {
		if _, ok := s.Events[k].Body.(*Roll); !ok {
			break
		}
		out = append(out, k)
	}
	return out
}

// Asked is the account of an event that a ship's orders asked for: the statements
// that match, in the ship's own set and in what its captain says for all of them.
// Without a set it follows from what was done about that.
func (s *Story) Asked(i int, ship string, match func(orders.Group, orders.Statement) bool) Account {
	a := Account{From: s.Dice(i)}
	own := false
	for _, set := range s.inForce(i, ship) {
		own = own || set.Ship == ship
		for _, g := range set.Block.Groups {
			for _, st := range g.Statements {
				if match(g, st) {
					a.Orders = append(a.Orders, Ordered{Set: set.Name, Line: st.Pos.Line, Text: firstLine(orders.FormatStatement(st))})
				}
			}
		}
	}
	if !own {
		a.From = append(a.From, s.Latest(i, func(o Event) bool { b, ok := o.Body.(*Absent); return ok && b.Ship == ship })...)
		a.Why = append(a.Why, "no order set came: it follows from the ship's standing orders")
	}
	return a
}

// inForce are the sets that a ship is played by when the i-th event happens: its
// own, and what its captain says for all his ships.
func (s *Story) inForce(i int, ship string) []OrderSet {
	captain, round := "", 1
	if sh, ok := s.After.Ship(ship); ok {
		captain = sh.Captain
	}
	for _, p := range s.Rules.Phases {
		if e := s.Events[i]; p.No == e.Phase && p.Step == e.Step {
			round = max(p.Round, 1)
			break
		}
	}
	var out []OrderSet
	for _, set := range s.Sets {
		if set.Ship != ship && (set.Ship != "" || set.Captain != captain) || set.Round > round {
			continue
		}
		// The set of a later round goes in the place of the one before it.
		out = slices.DeleteFunc(out, func(o OrderSet) bool { return o.Ship == set.Ship && o.Round < set.Round })
		if !slices.ContainsFunc(out, func(o OrderSet) bool { return o.Ship == set.Ship && o.Round > set.Round }) {
			out = append(out, set)
		}
	}
	return out
}

// line is a line of a ship's set, if a statement begins there.
func (s *Story) line(i int, ship string, line int) (Ordered, bool) {
	for _, set := range s.inForce(i, ship) {
		if set.Ship != ship || line == 0 {
			continue
		}
		for _, g := range set.Block.Groups {
			for _, st := range g.Statements {
				if st.Pos.Line == line {
					return Ordered{Set: set.Name, Line: line, Text: firstLine(orders.FormatStatement(st))}, true
				}
			}
		}
	}
	return Ordered{}, false
}

func firstLine(text string) string {
	line, _, more := strings.Cut(text, "\n")
	if more {
		line += " ..."
	}
	return line
}

// Name is the name of a ship.
func (s *Story) Name(id string) string { return s.view.Name(id) }

// Causes are all events that the i-th follows from, directly or not, in order.
func (s *Story) Causes(i int) []int {
	wanted := map[int]bool{i: true}
	var out []int
	for k := i; k >= 0; k-- {
		if !wanted[k] {
			continue
		}
		if k != i {
			out = append(out, k)
		}
		for _, f := range s.Account(k).From {
			wanted[f] = true
		}
	}
	slices.Reverse(out)
	return out
}

// Effects are all events that follow from the i-th, directly or not, in order.
func (s *Story) Effects(i int) []int {
	due := map[int]bool{i: true}
	var out []int
	for k := i + 1; k < len(s.Events); k++ {
		if slices.ContainsFunc(s.Account(k).From, func(f int) bool { return due[f] }) {
			due[k] = true
			out = append(out, k)
		}
	}
	return out
}

// Needs tells what number a roll was thrown against and by which event, if an
// event says so.
func (s *Story) Needs(i int) (need, user int, ok bool) {
	for k := i + 1; k < len(s.Events); k++ {
		if slices.Contains(s.Account(k).From, i) {
			need, ok = Number(s.Events[k].Body, "need")
			return need, k, ok
		}
	}
	return 0, -1, false
}

// Number is a field of an event by its name in JSON, if it is a number.
func Number(b Body, name string) (int, bool) {
	v, ok := field(b, name)
	if !ok || !v.CanInt() {
		return 0, false
	}
	return int(v.Int()), true
}

// Text is a field of an event by its name in JSON, if it is a text.
func Text(b Body, name string) (string, bool) {
	v, ok := field(b, name)
	if !ok || v.Kind() != reflect.String {
		return "", false
	}
	return v.String(), true
}

func field(b Body, name string) (reflect.Value, bool) {
	v := reflect.ValueOf(b)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return reflect.Value{}, false
	}
	v = v.Elem()
	for i := range v.NumField() {
		if tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); tag == name {
			return v.Field(i), true
		}
	}
	return reflect.Value{}, false
}
