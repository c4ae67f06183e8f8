package robot

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/orders"
)

// Captain makes the orders of an active ship for a turn, by her id.
type Captain func(l *Rules, v *engine.View, id engine.ShipID) orders.Set

// Rules is a rule book as its robots go by it.
type Rules struct {
	*tables.Library
	ship.Scheme
	Book    Book
	Captain Captain
	Odds    Odds
	Ground  map[string]engine.Ground
	Words   []string           // movement words
	Steps   []string           // those that reactive orders use
	Verbs   []string           // that parts add to the orders of all books
	Hulks   bool               // crippled ships take orders
	Parts   []func(*Commander) // what parts add to the orders of the seasoned captain
}

// Book is what robots ask of their rule book.
type Book interface {
	// Usable tells whether it has rules for a bank's weapon.
	Usable(b *ship.Bank) bool
	// Template is the order set that it offers a captain for the turn or round that is due.
	Template(v *engine.View, id engine.ShipID) orders.Set
	// OfferStanding is the standing orders that can be given as things stand.
	OfferStanding(v *engine.View, s *engine.ShipView, sys *ship.State, st ship.Standing) orders.Set
}

// Odds is how sure of a hit robots want to be in each phase, in per cent.
type Odds struct {
	Plain   []int // the plain captain
	Choosy  []int // one who has others to fire at
	Cloaked []int // of them at a cloaked ship that was found
}

// AtOdds is the condition to fire at such a chance, in per cent, or a better one.
func AtOdds(percent int) string { return fmt.Sprintf("when chance >= %d%%", percent) }

// Orders lets the robot captain of the book write orders for a ship. It knows what its view
// holds, no more, and never asks for more time. Small craft are none of its targets.
func (l *Rules) Orders(v *engine.View, id engine.ShipID) (set orders.Set) {
	whole := *v
	whole.Ships = slices.DeleteFunc(slices.Clone(v.Ships), func(s *engine.ShipView) bool { return s.Kind.Small() })
	v = &whole
	s, sys, ok := ship.Own(v, id)
	if !ok || s.Hex == nil {
		return nil
	}
	round := v.DueRound()
	_, runs := v.WayOut(id)
	switch {
	case s.Status != engine.Active: // nothing is owed
	case sys.Has(ship.NameDecoy) && !(runs && v.Bounds != nil):
		set = l.beside(v, s, sys, round)
	case round > 1:
		set = l.robotRound(v, id, round)
	default:
		set = l.Captain(l, v, id)
	}
	last := l.lastResort(v, s, sys, max(1, round))
	if len(set)+len(last) == 0 {
		return nil
	}
	set.Add("", 0, last...)
	set.Add("", 0, dark.ReportOrder(v, s)...)
	set.Say("", 0, "final")
	return set
}
