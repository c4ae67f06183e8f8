package dark

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"starpost/engine"
)

// Unnumbered is what a captain calls a ship that was found in the phase that is played and
// has no number yet.
const Unnumbered = "a new contact"

// Later is what [DarkRules.Tell] gives of what several ships do in an order that a captain may not
// know, such as that of their speeds: he is told it at [Turn.TellWaiting], in the order of
// Key, which follows from what he knows, and what has one key as it came about.
type Later struct {
	engine.Body
	Key string
}

func (o *telling) waits() bool {
	_, later := o.body.(*Later)
	return later
}

// TellWaiting tells the captains of a game in the dark what has waited for others like it. It
// is called at the end of each phase, and by a rule set before that where more follows from it.
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

// tell tells a captain an event in other words.
func (t *Turn) tell(one telling) {
	if later, waited := one.body.(*Later); waited {
		one.body = later.Body
	}
	if one.retold { // it has come about already
		one.body = &engine.Retold{What: one.body.Type(), As: one.body}
	}
	t.Because(one.cause).Record(one.body, engine.SeeOnly(t.captains[one.captain].Ships...), one.rule)
}

// Retell is a body with all ships in it called as the captain calls them.
func (o *Observer) Retell(body engine.Body) engine.Body {
	called, _ := reflect.TypeAssert[engine.Body](engine.Renamed(reflect.ValueOf(body), func(id engine.ShipID) engine.ShipID {
		if _, ship := o.game.Ship(id); !ship && !isEcho(o.game, id) {
			return id
		}
		if name := o.Alias(id); name != "" {
			return name
		}
		return Unnumbered
	}))
	return called
}

// outSeen is a contact that falls out of the fight.
type outSeen struct {
	Ship engine.ShipID `json:"ship" see:"crew"` // its number
	Why  engine.Status `json:"why" see:"crew"`
}

// Type implements Body.
func (*outSeen) Type() string { return "out-seen" }

// InPlace implements InPlace.
func (*outSeen) InPlace() {}

// Words implement [Telling].
func (b *outSeen) Words(v *engine.View) string {
	if b.Why == engine.Left {
		return v.Name(b.Ship) + " has left the battle"
	}
	return v.Name(b.Ship) + " is " + string(b.Why)
}
