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

// stoppedError carries out of a phase what a turn ends with.
type stoppedError struct{ error }

// Stop ends the turn with an error, out of any phase.
func (t *Turn) Stop(err error) { panic(stoppedError{err}) }

// Dice are those of the round that is played; nil for a set-up.
func (t *Turn) Dice() dice.Source { return t.dice }

// Events are those of the turn so far, for reading.
func (t *Turn) Events() []Event { return t.events }

// Round is which round of the turn is played, from 1.
func (t *Turn) Round() int { return t.round }

// Number is the turn being resolved.
func (t *Turn) Number() int { return t.no }

// Extension is what the rule set has beside its phases in the turn; nil in a game in the open.
func (t *Turn) Extension() TurnExtension { return t.extension }

// Referee is what was ruled of the turn; nil for nothing.
func (t *Turn) Referee() TurnReferee { return t.referee }

// Emit adds an event and applies it to the working game. It gives the event as a cause of
// others.
func (t *Turn) Emit(body Body, see See, rule ...string) Ref {
	if t.extension == nil || !see.toAny() {
		return t.Record(body, see, rule)
	}
	return t.extension.Announce(body, see, rule)
}

// Record is Emit for what an extension has looked at: those see the event who are said to.
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
	if len(t.events) == cap(t.events) { // append would grow them by a quarter, and copy each five times
		t.events = slices.Grow(t.events, len(t.events))
	}
	t.events = append(t.events, e)
	if t.causes != nil {
		*t.causes = append(*t.causes, t.follows(&e))
	}
	return t.Last()
}

// Narrow has only those see the event that came about last who are said to.
func (t *Turn) Narrow(see See) { t.events[len(t.events)-1].See = see }

// Roll throws a named die and records it under its whole name, such as
// "t3.p2.fire.hood.bank-a.hit".
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

// RollName is the whole name of a roll of the phase that runs.
func (t *Turn) RollName(name RollName) RollName {
	turn := "t" + strconv.Itoa(t.no) + "."
	if t.Phase.No > 0 {
		turn += "p" + strconv.Itoa(t.Phase.No) + "."
	}
	return name.within(turn)
}

// Out takes a ship out of the fight, which is the event that it gives, and scores it for the other sides: its
// value, or half of it (rounded down) if it only left. A ship that leaves over
// an edge which is its own side's goal scores for its own side instead.
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

// ToldPoints are those of whom see a ship who are told what she is worth: who does not know her
// is not.
func (t *Turn) ToldPoints(s *Ship, see See) See {
	if t.extension != nil {
		return t.extension.Known(&Out{Ship: s.ID}, see)
	}
	return see
}

// Witness says who sees what becomes of a ship.
func (t *Turn) Witness(s *Ship) See {
	if t.Rules.Witness == nil {
		return SeeAll()
	}
	return t.Rules.Witness(t.Game, s)
}

// Reply is what came from a seat for the round that is played; ok is false in the
// first round, and where no order was given and none is needed.
func (t *Turn) Reply(seat Seat) (reply Reply, ok bool) {
	later := t.Sheets[seat].Later
	if t.round < 2 || t.round-2 >= len(later) {
		return Reply{}, false
	}
	reply = later[t.round-2]
	return reply, reply.Block != nil || reply.Policy != ""
}

// Replied tells whether anything may come from a seat in later rounds of the turn.
func (t *Turn) Replied(seat Seat) bool { return len(t.Sheets[seat].Later) > 0 }

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

// follows is what an event follows from: what was said of it, and, unless it is a roll
// itself, the rolls since the last event that is none. An order that is passed over is the
// cause of that.
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

// ErrInvariant marks a broken promise of the engine itself: the turn must not
// be committed and the referee is notified.
var ErrInvariant = errors.New("the engine broke one of its own rules")

// Score gives points to a side. Those who see why are told the points alike,
// the viewers who do not see it: none may learn who else does not.
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

// knowsSide tells whether a captain knows that a side is in the battle: in a game in the
// dark only his own, and those that he has met.
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

// extend gives a turn what its rule set has beside its phases; nil in a game in the open.
func (r *Rules) extend(t *Turn) TurnExtension {
	if r.Extension == nil || t.Game.Blind == nil {
		return nil
	}
	return r.Extension.Begin(t)
}

// referee gives a turn what was ruled of it; nil for nothing.
func (r *Rules) referee(t *Turn) TurnReferee {
	if r.Referee == nil {
		return nil
	}
	return r.Referee.Begin(t)
}
