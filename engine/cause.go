package engine

import (
	"slices"
	"strings"

	"starpost/orders"
)

// Ref is what an event follows from: an earlier event of its turn, or orders. The zero Ref
// stands for nothing, and is no cause.
type Ref struct {
	Event  int        // its number in the turn; 0 with orders
	Orders *ordersRef // nil with an event
}

// ordersRef is what a captain wrote for a ship: the statement of a line, or, without one, the
// statements of a section that have a verb.
type ordersRef struct {
	Ship    ShipID
	Post    string // whose set it is; "" for the captain's, anyPost for all of the ship
	Line    int    // of the set that is in force
	Text    string // of the statement in canonical form, which tells sets of several rounds apart; "" for any
	Section string // "" for what stands in none
	Verb    string // "" for all of the section
}

// anyPost in an ordersRef stands for the sets of all posts of a ship.
const anyPost = "*"

// Causes are what each event of a turn follows from, in the order of the events.
type Causes [][]Ref

// Tracing gives rules by which the causes of a turn's events are recorded: they lie beside
// the events, once a turn is resolved. They are no part of a stored event, so that no view
// can give anything of them away: who wants them has the turn resolved again.
func (r *Rules) Tracing(causes *Causes) *Rules {
	with := *r
	with.causes = causes
	return &with
}

// Traced tells whether the causes of events are recorded.
func (t *Turn) Traced() bool { return t.causes != nil }

// Because has the next event follow from causes, beside the dice that were thrown for it.
// It gives the turn, so that the event can come behind it:
//
//	t.Because(declared).Emit(&shot, see, rules...)
func (t *Turn) Because(causes ...Ref) *Turn {
	if t.causes == nil {
		return t
	}
	for _, c := range causes {
		if c != (Ref{}) {
			t.because = append(t.because, c)
		}
	}
	return t
}

// Following has all events follow from a cause of which nothing else is said by Because, until
// the function that it gives is called: what is done by an order.
func (t *Turn) Following(cause Ref) (done func()) {
	if t.causes == nil {
		return func() {}
	}
	before := t.following
	t.following = cause
	return func() { t.following = before }
}

// betweenDice is a [Body] that comes between the dice of an event and what follows from them: a ruling.
type betweenDice interface{ BetweenDice() }

// follows is what an event follows from: what was said of it, and, unless it is a roll
// itself, the rolls since the last event that is none. An order that is passed over is the
// cause of that.
func (t *Turn) follows(body Body) []Ref {
	if skip, ok := body.(*Skip); ok && skip.Line > 0 {
		t.Because(t.orders(ordersRef{Ship: skip.Ship, Post: skip.Post, Line: skip.Line, Text: skip.Order}))
	}
	var rolled []Ref
	switch body.(type) {
	case *Roll, betweenDice:
	default:
		if len(t.because) == 0 {
			t.Because(t.following)
		}
		rolled, t.rolled = t.rolled, nil
	}
	because := t.because
	t.because = nil
	return append(rolled, because...)
}

// Unclaimed leaves the dice that no event has used yet to none: nothing tells what they were
// thrown for.
func (t *Turn) Unclaimed() { t.rolled = t.rolled[:0] }

// Last is the event that came last; the zero Ref if there was none.
func (t *Turn) Last() Ref { return Ref{Event: len(t.events)} }

// Ordered is the statement of a line of a ship's set as a cause; line 0 is none. A ship whose
// captain sent no set is moved by her standing orders: then it is that none came.
func (t *Turn) Ordered(ship ShipID, line int, text string) Ref {
	if t.causes == nil || line == 0 && t.sent(ship) {
		return Ref{}
	}
	post, ok := t.writtenBy(ship, line, text)
	if !ok {
		return Ref{}
	}
	return t.orders(ordersRef{Ship: ship, Post: post, Line: line, Text: text})
}

// writtenBy is the post in whose set a statement stands; of a ship whose orders come in one set
// the captain's. It reports false for what no one wrote, such as what is done for a post from which no
// orders came.
func (t *Turn) writtenBy(ship ShipID, line int, text string) (post string, ok bool) {
	if s, known := t.Game.Ship(ship); !known || len(s.Crew) == 0 || line == 0 {
		return "", true
	}
	verb, _, _ := strings.Cut(text, " ")
	for _, sheet := range t.given {
		if sheet.Ship != ship {
			continue
		}
		blocks := []*orders.Block{sheet.Block}
		for _, r := range sheet.Later {
			blocks = append(blocks, r.Block)
		}
		for _, b := range blocks {
			if b == nil {
				continue
			}
			for _, g := range b.Groups {
				for _, st := range g.Statements {
					switch {
					case st.Pos.Line != line:
					case text == "" || orders.FormatStatement(st) == text:
						return sheet.Post, true
					case st.Verb == verb: // told otherwise than it is written
						post, ok = sheet.Post, true
					}
				}
			}
		}
	}
	return post, ok
}

// OrderedIn are the statements of a section of a ship's set that have a verb, or all of them,
// as a cause.
func (t *Turn) OrderedIn(ship ShipID, section, verb string) Ref {
	return t.orders(ordersRef{Ship: ship, Post: anyPost, Section: section, Verb: verb})
}

func (t *Turn) orders(o ordersRef) Ref {
	switch {
	case t.causes == nil:
		return Ref{}
	case !t.sent(o.Ship):
		return t.silent[o.Ship]
	}
	kept := o // on the heap only here
	return Ref{Orders: &kept}
}

// sent tells whether orders of a ship's captain came for this round of the turn or an earlier one.
func (t *Turn) sent(ship ShipID) bool {
	sheet := t.Sheets[Seat{Ship: ship}]
	if sheet.Block != nil {
		return true
	}
	earlier := sheet.Later[:min(len(sheet.Later), t.round-1)]
	return slices.ContainsFunc(earlier, func(r Reply) bool { return r.Block != nil })
}

// matches tells whether a statement of a group is one that a reference means.
func (o *ordersRef) matches(g orders.Group, st orders.Statement) bool {
	if o.Line > 0 {
		return st.Pos.Line == o.Line && (o.Text == "" || orders.FormatStatement(st) == o.Text)
	}
	return g.Name == o.Section && (o.Verb == "" || st.Verb == o.Verb)
}
