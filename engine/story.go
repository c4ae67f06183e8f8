package engine

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"starpost/orders"
)

// NewStory returns the story of a turn. Without causes it covers only the events.
func NewStory(r *Rules, before, after *Game, events []Event, causes Causes, sets []OrderSet) (*Story, error) {
	v, err := BuildView(r, after, events, Viewer{All: true})
	if err != nil {
		return nil, err
	}
	return &Story{Rules: r, Before: before, After: after, Events: events, because: causes, Sets: sets, view: v, accounts: make([]*Account, len(events))}, nil
}

// Words describes the i-th event in sentences, by itself.
func (s *Story) Words(i int) []Line { return s.Rules.Sentences(s.view, i) }

// Sentences describes the i-th event of a view, by itself. It says no more than the view does.
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
	return []Line{{Text: e.Type.Name + ": " + plainBody(e.Body), Cite: Cite(e.Rule)}}
}

// charted describes a feature as it is from now on.
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
		text += ", laid openly; its nature is known to " + v.SideName(f.Side)
	default:
		text += ", hidden from all sides but " + v.SideName(f.Side)
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

// plainBody returns the fields of an event in plain form, for people, if no rule set has words for it.
func plainBody(b Body) string {
	data, err := json.Marshal(b)
	if err != nil {
		return err.Error()
	}
	return strings.NewReplacer(`"`, "", "{", "", "}", "", ",", ", ", ":", " ", `\n`, " / ").Replace(string(data))
}

// Account explains how the i-th event came about.
func (s *Story) Account(i int) Account {
	if s.accounts[i] != nil {
		return *s.accounts[i]
	}
	a := Account{From: s.From(i)}
	for _, c := range s.recorded(i) {
		if c.Orders == nil {
			continue
		}
		for _, o := range s.ordered(i, c.Orders) {
			if !slices.Contains(a.Orders, o) { // mounts of a bank may share an order
				a.Orders = append(a.Orders, o)
			}
		}
	}
	if _, won := s.Events[i].Body.(*Won); won {
		a.Why = s.standings()
	} else if s.Rules.Why != nil {
		a.Why = s.Rules.Why(s, i)
	}
	if slices.ContainsFunc(a.From, func(k int) bool { _, none := s.Events[k].Body.(*Absent); return none }) {
		a.Why = append(a.Why, "no order set came; this follows from the ship's standing orders")
	}
	s.accounts[i] = &a
	return a
}

// recorded returns what the i-th event follows from, as far as it is known.
func (s *Story) recorded(i int) []Ref {
	if i >= len(s.because) {
		return nil
	}
	return s.because[i]
}

// From returns the events that the i-th follows from directly: indexes into Events, in order.
func (s *Story) From(i int) []int {
	var out []int
	for _, c := range s.recorded(i) {
		if c.Event > 0 && c.Event <= i {
			out = append(out, c.Event-1) // events are numbered from 1
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// standings describes goals and points at the time when the game was won.
func (s *Story) standings() []string {
	out := []string{"judged by all points and ships as they stood then"}
	for _, g := range s.After.Victory.Goals {
		out = append(out, "goal of "+s.view.SideName(g.Side)+": "+g.Describe(s.After))
	}
	for _, sd := range s.After.Sides {
		out = append(out, fmt.Sprintf("%s has %d points", sd.Name, sd.Total()))
	}
	return out
}

// ordered returns the lines that a reference means in the sets that were in force when the i-th event happened:
// those of the ship, the latest first, and what its captain ordered for all their ships.
func (s *Story) ordered(i int, o *ordersRef) []Ordered {
	if out := s.orderedAs(i, o); len(out) > 0 || o.Text == "" {
		return out
	}
	return s.orderedAs(i, &ordersRef{Ship: o.Ship, Post: o.Post, Line: o.Line}) // the event words it differently
}

func (s *Story) orderedAs(i int, o *ordersRef) []Ordered {
	var out []Ordered
	sets := s.inForce(i, o.Ship)
	for k, set := range sets {
		if len(out) > 0 && (set.Ship != sets[k-1].Ship || set.Round != sets[k-1].Round) {
			break // each of several posts may have given a part
		}
		if set.Ship != "" && o.Post != anyPost && set.Post != o.Post {
			continue
		}
		for _, g := range set.Block.Groups {
			for _, st := range g.Statements {
				if o.matches(g, st) {
					out = append(out, Ordered{Set: set.Name, Line: st.Pos.Line, Text: firstLine(orders.FormatStatement(st))})
				}
			}
		}
	}
	return out
}

// inForce returns the order sets that a ship is played with when the i-th event happens, the latest first: its own,
// and after each one what its captain ordered for all their ships.
func (s *Story) inForce(i int, ship ShipID) []OrderSet {
	captain, round := CaptainName(""), 1
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
		if set.Round <= round && (set.Ship == ship || set.Ship == "" && set.Captain == captain) {
			out = append(out, set)
		}
	}
	slices.SortStableFunc(out, func(a, b OrderSet) int {
		return cmp.Or(cmp.Compare(b.Round, a.Round), cmp.Compare(b.Ship, a.Ship))
	})
	return out
}

func firstLine(text string) string {
	line, _, more := strings.Cut(text, "\n")
	if more {
		line += " ..."
	}
	return line
}

// Name returns the name of a ship.
func (s *Story) Name(id ShipID) string { return s.view.Name(id) }

// Causes returns all events that the i-th follows from, directly or not, in order.
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

// Effects returns all events that follow from the i-th, directly or not, in order.
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

// Needs returns the number that a roll was made against and the event that used it, if that event says so.
func (s *Story) Needs(i int) (need, user int, ok bool) {
	for k := i + 1; k < len(s.Events); k++ {
		if slices.Contains(s.Account(k).From, i) {
			need, ok = NumberField(s.Events[k].Body, "need")
			return need, k, ok
		}
	}
	return 0, -1, false
}

// NumberField returns a field of an event by its JSON name, if it is a number.
func NumberField(b Body, name string) (int, bool) {
	v, ok := field(b, name)
	if !ok || !v.CanInt() {
		return 0, false
	}
	return int(v.Int()), true
}

// TextField returns a field of an event by its JSON name, if it is a string.
func TextField(b Body, name string) (string, bool) {
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
