package engine

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Unnumbered is what a captain calls a ship that was found in the phase that is played and
// has no number yet.
const Unnumbered = "a new contact"

// Retold is an event that came about as it was written before, as a captain is told it who
// does not know all ships in it. In his view its body stands by itself.
type Retold struct {
	What string `json:"what"` // its type
	As   Body   `json:"as"`   // nil only in a file that leaves it out: nothing is told

	rules *Rules // whose bodies it may be, to read it by
}

// Type implements Body.
func (*Retold) Type() string { return "retold" }

// UnmarshalJSON implements json.Unmarshaler.
func (b *Retold) UnmarshalJSON(data []byte) error {
	var in struct {
		What string          `json:"what"`
		As   json.RawMessage `json:"as"`
	}
	if err := json.Unmarshal(data, &in); err != nil || in.What == "" {
		return err
	}
	body, ok := b.rules.newBody(in.What)
	if _, again := body.(*Retold); !ok || again {
		return fmt.Errorf("retold: unknown type %q", in.What)
	}
	b.What, b.As = in.What, body
	return json.Unmarshal(in.As, body)
}

// Later is what [DarkRules.Tell] gives of what several ships do in an order that a captain may not
// know, such as that of their speeds: he is told it at [Turn.TellWaiting], in the order of
// Key, which follows from what he knows, and what has one key as it came about.
type Later struct {
	Body
	Key string
}

func (o *telling) waits() bool {
	_, later := o.body.(*Later)
	return later
}

// TellWaiting tells the captains of a game in the dark what has waited for others like it. It
// is called at the end of each phase, and by a rule set before that where more follows from it.
func (t *Turn) TellWaiting() {
	if t.dark == nil {
		return
	}
	waiting := t.dark.waiting
	t.dark.waiting = nil
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
		one.body = &Retold{What: one.body.Type(), As: one.body}
	}
	t.Because(one.cause).emit(one.body, SeeOnly(t.dark.captains[one.captain].Ships...), one.rule)
}

// Retell is a body with all ships in it called as the captain calls them.
func (o *Observer) Retell(body Body) Body {
	called, _ := reflect.TypeAssert[Body](renamed(reflect.ValueOf(body), func(id ShipID) ShipID {
		if _, ship := o.game.Ship(id); !ship && !o.game.isEcho(id) {
			return id
		}
		if name := o.Alias(id); name != "" {
			return name
		}
		return Unnumbered
	}))
	return called
}

// InPlace is a [Body] that one is shown, in a game in the dark, in place of another that tells
// more. Once the battle is over captains see that other one alone.
type InPlace interface{ InPlace() }

// outSeen is a contact that falls out of the fight.
type outSeen struct {
	Ship ShipID `json:"ship" see:"crew"` // its number
	Why  Status `json:"why" see:"crew"`
}

// Type implements Body.
func (*outSeen) Type() string { return "out-seen" }

// InPlace implements InPlace.
func (*outSeen) InPlace() {}

func inPlace(b Body) bool { _, ok := b.(InPlace); return ok }

// listed tells of an event about the list of contacts of one captain.
func listed(b Body) bool {
	switch b.(type) {
	case *SensorContact, *Overheard, *ChartEntry:
		return true
	}
	return false
}
