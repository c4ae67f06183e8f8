package engine

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine/dice"
	"starpost/orders"
)

// stoppedError is the panic value that carries an error out of a phase.
type stoppedError struct{ error }

// Stop ends the turn with an error, from within any phase.
func (t *Turn) Stop(err error) { panic(stoppedError{err}) }

// Dice returns the dice of the current round; nil for a set-up.
func (t *Turn) Dice() dice.Source { return t.dice }

// Events returns the events of the turn so far, for reading.
func (t *Turn) Events() []Event { return t.events }

// Round returns the number of the current round of the turn, from 1.
func (t *Turn) Round() int { return t.round }

// Number returns the number of the turn being resolved.
func (t *Turn) Number() int { return t.no }

// Extension returns the extension's part in the turn; nil in a game in the open.
func (t *Turn) Extension() TurnExtension { return t.extension }

// Referee returns the referee's part in the turn; nil if nothing was ruled.
func (t *Turn) Referee() TurnReferee { return t.referee }

// Emit adds an event and applies it to the working game. It returns the event as a cause for others.
func (t *Turn) Emit(body Body, see See, rule ...string) Ref {
	if t.extension == nil || !see.toAny() {
		return t.Record(body, see, rule)
	}
	return t.extension.Announce(body, see, rule)
}

// Record is Emit without the extension, which calls it: exactly the viewers in see are shown the event.
func (t *Turn) Record(body Body, see See, rule []string) Ref {
	if t.rehearsed {
		if err := Change(t.Game, body); err != nil {
			t.Stop(fmt.Errorf("%w: %w", ErrInvariant, err))
		}
		return Ref{}
	}
	e := Event{
		Seq: len(t.events) + 1, Turn: t.no, Phase: t.Phase.No, Step: t.Phase.Step,
		Rule: rule, See: see, Type: t.Rules.TypeOf(body), Body: body,
	}
	if e.Type == nil {
		t.Stop(fmt.Errorf("%w: rule set %s has no events with a %T", ErrInvariant, t.Rules.Name, body))
	}
	if err := Apply(t.Game, e); err != nil {
		t.Stop(fmt.Errorf("%w: %w", ErrInvariant, err))
	}
	if t.extension != nil {
		t.extension.Recorded(body)
	}
	if len(t.events) == cap(t.events) { // append would grow it by a quarter each time, and copy each event five times
		t.events = slices.Grow(t.events, len(t.events))
	}
	t.events = append(t.events, e)
	if t.causes != nil {
		*t.causes = append(*t.causes, t.follows(&e))
	}
	return t.Last()
}

// Narrow replaces the See of the last event.
func (t *Turn) Narrow(see See) { t.events[len(t.events)-1].See = see }

// Roll throws a named die and records it under its full name, such as "t3.p2.fire.hood.bank-a.hit".
func (t *Turn) Roll(name RollName, die dice.Die, see See, rule ...string) int {
	full := t.RollName(name)
	roll := &Roll{Name: full, Dice: die, Value: t.dice.Roll(full.text, die)}
	if t.referee != nil {
		t.Because(t.referee.Thrown(roll, see))
	}
	event := t.Emit(roll, see, rule...)
	if t.causes != nil {
		t.rolled = append(t.rolled, event)
	}
	return roll.Value
}

// RollName returns the full name of a roll in the current phase.
func (t *Turn) RollName(name RollName) RollName {
	turn := "t" + strconv.Itoa(t.no) + "."
	if t.Phase.No > 0 {
		turn += "p" + strconv.Itoa(t.Phase.No) + "."
	}
	return name.within(turn)
}

// Out takes a ship out of the fight, and returns the event of that. The other sides score its value, or half of it
// (rounded down) if it only left. A ship that leaves over an edge that is its own side's goal scores for its own
// side instead.
func (t *Turn) Out(s *Ship, why Status, how string, edge []string, rule ...string) Ref {
	first := s.Status == Active
	see := t.Witness(s)
	points := t.ToldPoints(s, see)
	out := t.Emit(&Out{Ship: s.ID, Why: why, How: how, Edge: edge}, see, rule...)
	see = points
	if !first || s.Value == 0 {
		return out
	}
	if why == Left && t.Game.Victory.WantsExit(s, edge) {
		t.Because(out).Score(s.Side, s.Value, s.Name+" got away over its edge", see, "scenario")
		return out
	}
	worth, what := s.Value, string(why)
	switch why {
	case Left:
		worth /= 2
	case Surrendered:
		what = "captured"
	case Active, Waiting, Crippled, Destroyed:
	}
	for _, sd := range t.Game.Sides {
		if sd.ID != s.Side && worth > 0 {
			t.Because(out).Score(sd.ID, worth, s.Name+" "+what, see, "scenario")
		}
	}
	return out
}

// ToldPoints limits the viewers of a ship to those who are told what she is worth: only those who know her are.
func (t *Turn) ToldPoints(s *Ship, see See) See {
	if t.extension != nil {
		return t.extension.Known(&Out{Ship: s.ID}, see)
	}
	return see
}

// Witness returns who sees what happens to a ship.
func (t *Turn) Witness(s *Ship) See {
	if t.Rules.Witness == nil {
		return SeeAll()
	}
	return t.Rules.Witness(t.Game, s)
}

// Reply returns what came from a seat for the current round. Ok is false in the first round, and if no order was
// given and none is needed.
func (t *Turn) Reply(seat Seat) (reply Reply, ok bool) {
	later := t.Sheets[seat].Later
	if t.round < 2 || t.round-2 >= len(later) {
		return Reply{}, false
	}
	reply = later[t.round-2]
	return reply, reply.Block != nil || reply.Policy != ""
}

// Replied reports whether anything may come from a seat in later rounds of the turn.
func (t *Turn) Replied(seat Seat) bool { return len(t.Sheets[seat].Later) > 0 }

// Tracing returns rules that record the causes of a turn's events in causes when a turn is resolved. Causes are not
// part of stored events, so that no view can give them away: to get them, resolve the turn again.
func (r *Rules) Tracing(causes *Causes) *Rules {
	with := *r
	with.causes = causes
	return &with
}

// Traced reports whether the causes of events are recorded.
func (t *Turn) Traced() bool { return t.causes != nil }

// Because makes the next event follow from causes, in addition to the dice thrown for it. It returns the turn, so
// that the event can be chained to it:
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

// Following makes all events without a call of Because follow from a cause, until the returned function is called:
// for what an order does.
func (t *Turn) Following(cause Ref) (done func()) {
	if t.causes == nil {
		return func() {}
	}
	before := t.following
	t.following = cause
	return func() { t.following = before }
}

// follows returns what an event follows from: the causes given for it and, unless it is a roll itself, the rolls
// since the last event that was not a roll. An event about an order that was skipped follows from that order.
func (t *Turn) follows(e *Event) []Ref {
	if skip, ok := e.Body.(*Skip); ok && skip.Line > 0 {
		t.Because(t.orders(ordersRef{Ship: skip.Ship, Post: skip.Post, Line: skip.Line, Text: skip.Order}))
	}
	var rolled []Ref
	if _, roll := e.Body.(*Roll); !roll && !e.Type.Has(BetweenDice) {
		if len(t.because) == 0 {
			t.Because(t.following)
		}
		rolled, t.rolled = t.rolled, nil
	}
	because := t.because
	t.because = nil
	return append(rolled, because...)
}

// Unclaimed drops the dice that no event has used yet: nothing says what they were for.
func (t *Turn) Unclaimed() { t.rolled = t.rolled[:0] }

// Last returns the last event; the zero Ref if there is none.
func (t *Turn) Last() Ref { return Ref{Event: len(t.events)} }

// Ordered returns the statement on a line of a ship's set as a cause; line 0 is none. A ship without a set from her
// captain follows her standing orders: then the cause is the event that no orders came.
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

// writtenBy returns the post whose set has a statement; for a ship with only one set that is the captain's. It
// reports false for orders that have no author, such as those for a post that sent none.
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
					case st.Verb == verb: // the event words it differently
						post, ok = sheet.Post, true
					}
				}
			}
		}
	}
	return post, ok
}

// OrderedIn returns as a cause all statements of a section of a ship's set, or those with a verb.
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
	kept := o // moved to the heap only here
	return Ref{Orders: &kept}
}

// sent reports whether orders of a ship's captain came for this round of the turn or an earlier one.
func (t *Turn) sent(ship ShipID) bool {
	sheet := t.Sheets[Seat{Ship: ship}]
	if sheet.Block != nil {
		return true
	}
	earlier := sheet.Later[:min(len(sheet.Later), t.round-1)]
	return slices.ContainsFunc(earlier, func(r Reply) bool { return r.Block != nil })
}

// ErrInvariant reports that the engine broke one of its own promises: the turn must not be committed, and the
// referee is notified.
var ErrInvariant = errors.New("the engine broke one of its own rules")

// Score gives points to a side. Viewers who see the reason are told the points; all others are not: no one may
// learn who else does not see it.
func (t *Turn) Score(side string, points int, why string, see See, rule string) {
	b := &Score{Side: side, Points: points, Why: why}
	if !see.Open() {
		b.Quiet = true
		for _, c := range t.Game.Captains() {
			if see.To(c.Ships) && t.knowsSide(c, side) {
				b.Known = append(b.Known, c.Ships...)
			}
		}
		slices.Sort(b.Known)
		see = SeeAmong(b.Known...)
	}
	t.Emit(b, see, rule)
}

// knowsSide reports whether a captain knows that a side is in the battle: in a game in the dark only their own side
// and those that they have met.
func (t *Turn) knowsSide(c Captain, side string) bool {
	if t.Game.Blind == nil {
		return true
	}
	log := t.Game.Blind.Log(c.Name)
	return log != nil && slices.Contains(log.Met, side) || slices.ContainsFunc(c.Ships, func(id ShipID) bool {
		s, ok := t.Game.Ship(id)
		return ok && s.Side == side
	})
}

// extend returns the extension's part in a turn; nil in a game in the open.
func (r *Rules) extend(t *Turn) TurnExtension {
	if r.Extension == nil || t.Game.Blind == nil {
		return nil
	}
	return r.Extension.Begin(t)
}

// referee returns the referee's part in a turn; nil if nothing was ruled.
func (r *Rules) referee(t *Turn) TurnReferee {
	if r.Referee == nil {
		return nil
	}
	return r.Referee.Begin(t)
}
