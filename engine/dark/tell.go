package dark

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"starpost/engine"
)

// telling is what a captain is told instead of an event; captain is an index of Turn.captains.
type telling struct {
	captain int
	body    engine.Body
	rule    []string
	cause   engine.Ref
	retold  bool // the event happened as the captain is told
}

// inTheDark limits the viewers of an event to captains who know all ships in it. Told is what the others are told
// instead.
func (t *Turn) inTheDark(body engine.Body, see engine.See) (known engine.See, told []telling) {
	if _, over := body.(*engine.Won); over {
		return see, nil
	}
	if talk, ok := body.(*engine.Talk); ok { // a side knows its own ships
		return t.amongSide(talk.Ship, see), nil
	}
	ships := mentioned(t.Game, body)
	if len(ships) == 0 {
		return see, nil
	}
	known = engine.See{Also: see.Also}
	posts := slices.ContainsFunc(see.Whole, func(seat engine.Seat) bool { return seat.Post != "" })
	for i := range t.captains {
		c := &t.captains[i]
		fully, partly := see.Fully(c.Ships), see.IsAmong(c.Ships)
		var seats []engine.Seat
		if posts {
			seats = seatsOn(&see, c.Ships)
		}
		if !fully && !partly && len(seats) == 0 {
			continue
		}
		o := &t.observers[i]
		if slices.ContainsFunc(ships, func(id engine.ShipID) bool { return !o.whole(id) }) {
			b, rule := Of(t.Rules).Dark.Tell(body, o)
			if out, isOut := body.(*engine.Out); isOut && o.Name(out.Ship) != "" {
				b = &OutSeen{Ship: o.Name(out.Ship), Why: out.Why}
			}
			if b != nil {
				as := b
				if later, waits := b.(*Later); waits {
					as = later.Body
				}
				told = append(told, telling{captain: i, body: b, rule: rule, retold: reflect.TypeOf(as) == reflect.TypeOf(body)})
			}
			continue
		}
		known.Whole = append(known.Whole, seats...)
		switch {
		case fully:
			if known.Whole == nil {
				known.Whole = make([]engine.Seat, 0, len(t.captains))
			}
			known.Whole = append(known.Whole, engine.CaptainSeats(c.Ships...)...)
		case partly:
			if known.Among == nil {
				known.Among = make([]engine.ShipID, 0, len(t.captains))
			}
			known.Among, known.Rest = append(known.Among, c.Ships...), true
		}
	}
	if !known.Rest {
		known.Also = nil
	}
	slices.SortFunc(known.Whole, engine.CompareSeats)
	slices.Sort(known.Among)
	return known, told
}

// amongSide limits those who hear what a ship's captain says to the captain's own side.
func (t *Turn) amongSide(id engine.ShipID, see engine.See) engine.See {
	from, _ := t.Game.Ship(id)
	var own engine.See
	for _, s := range t.Game.Ships {
		if s.Side != from.Side || s.Small() {
			continue
		}
		if see.Fully([]engine.ShipID{s.ID}) {
			own.Whole = append(own.Whole, engine.Seat{Ship: s.ID})
		}
		own.Whole = append(own.Whole, seatsOn(&see, []engine.ShipID{s.ID})...)
	}
	return own
}

// seatsOn returns the seats on some ships that see an event as posts.
func seatsOn(s *engine.See, ships []engine.ShipID) (seats []engine.Seat) {
	for _, seat := range s.Whole {
		if seat.Post != "" && slices.Contains(ships, seat.Ship) {
			seats = append(seats, seat)
		}
	}
	return seats
}

// mentioned returns the ships and echoes that an event is about, by the ids in it; see [ShipRefs].
func mentioned(g *engine.Game, body engine.Body) (out []engine.ShipID) {
	for _, id := range engine.ShipRefs(reflect.ValueOf(body), nil) {
		if slices.Contains(out, id) {
			continue
		}
		if _, ok := g.Ship(id); ok || isEcho(g, id) {
			out = append(out, id)
		}
	}
	return out
}

// Unnumbered is what a captain calls a ship that was found in the current phase and has no number yet.
const Unnumbered = "a new contact"

// Later is what [Rules.Tell] returns for what several ships do in an order that a captain may not know, such as
// that of their speeds. The captain is told at [Turn.TellWaiting], in the order of Key, which depends only on what
// they know; equal keys stay in the order of events.
type Later struct {
	Body engine.Body
	Key  string
}

func (o *telling) waits() bool {
	_, later := o.body.(*Later)
	return later
}

// TellWaiting tells captains in a game in the dark what has waited for others like it. It is called at the end of
// each phase, and earlier by a rule set if more follows from it.
func (t *Turn) TellWaiting() {
	waiting := t.waiting
	t.waiting = nil
	key := func(o telling) string {
		later, _ := o.body.(*Later)
		return later.Key
	}
	slices.SortStableFunc(waiting, func(a, b telling) int {
		return cmp.Or(cmp.Compare(a.captain, b.captain), strings.Compare(key(a), key(b)))
	})
	for _, one := range waiting {
		t.tell(one)
	}
}

// tell tells a captain about an event in other words.
func (t *Turn) tell(one telling) {
	if later, waited := one.body.(*Later); waited {
		one.body = later.Body
	}
	if one.retold { // the event itself is recorded already
		one.body = engine.Retell(t.Rules.TypeOf(one.body), one.body)
	}
	t.Because(one.cause).Record(one.body, engine.SeeOnly(t.captains[one.captain].Ships...), one.rule)
}

// OutSeen is a contact that is out of the fight.
type OutSeen struct {
	Ship engine.ShipID `json:"ship" see:"crew"` // the contact's number
	Why  engine.Status `json:"why" see:"crew"`
}

// Sentence implements [engine.Telling].
func (b *OutSeen) Sentence(v *engine.View) string {
	if b.Why == engine.Left {
		return v.Name(b.Ship) + " has left the battle"
	}
	return v.Name(b.Ship) + " is " + string(b.Why)
}
