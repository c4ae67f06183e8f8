package robot

import (
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// Captain writes the orders of an active ship for a turn, by her id.
type Captain func(l *Rules, v *engine.View, id engine.ShipID) string

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
	Template(v *engine.View, id engine.ShipID) string
	// OfferStanding writes the standing orders that can be given as things stand.
	OfferStanding(b *strings.Builder, v *engine.View, s *engine.ShipView, sys *ship.State, st ship.Standing)
}

// Odds is how sure of a hit robots want to be in each phase, in per cent.
type Odds struct {
	Plain   []int // the plain captain
	Choosy  []int // one who has others to fire at
	Cloaked []int // of them at a cloaked ship that was found
}

// Orders lets the robot captain of the book write orders for a ship. It knows what its view
// holds, no more, and never asks for more time. Small craft are none of its targets.
func (l *Rules) Orders(v *engine.View, id engine.ShipID) string {
	whole := *v
	whole.Ships = slices.DeleteFunc(slices.Clone(v.Ships), func(s *engine.ShipView) bool { return s.Kind.Small() })
	v = &whole
	s, sys, ok := ship.Own(v, id)
	if !ok || s.Hex == nil {
		return ""
	}
	text, round := "", v.DueRound()
	_, runs := v.WayOut(id)
	switch {
	case s.Status != engine.Active: // nothing is owed
	case sys.Has(ship.NameDecoy) && !(runs && v.Bounds != nil):
		text = l.beside(v, s, sys, round)
	case round > 1:
		text = l.robotRound(v, id, round)
	default:
		text = l.Captain(l, v, id)
	}
	if text += l.lastResort(v, s, sys, max(1, round)); text == "" {
		return ""
	}
	return text + dark.ReportOrder(v, s) + "final\n"
}
