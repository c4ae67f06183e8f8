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

// Captain returns the orders of an active ship, by id, for a turn.
type Captain func(l *Rules, v *engine.View, id engine.ShipID) orders.Set

// Rules is a rule book as its robots use it.
type Rules struct {
	*tables.Library
	ship.Scheme
	Book    Book
	Captain Captain
	Odds    Odds
	Ground  map[string]engine.Ground
	Words   []string           // movement words
	Steps   []string           // movement words that reactive orders use
	Verbs   []string           // those that parts add to the orders of all books
	Hulks   bool               // crippled ships take orders
	Parts   []func(*Commander) // what parts add to the orders of the seasoned captain
}

// Book is what robots ask their rule book.
type Book interface {
	// Usable reports whether the book has rules for a bank's weapon.
	Usable(b *ship.Bank) bool
	// Template returns the order set that it offers a captain for the turn or round that is due.
	Template(v *engine.View, id engine.ShipID) orders.Set
	// OfferStanding returns the standing orders that can be given as things stand.
	OfferStanding(v *engine.View, s *engine.ShipView, sys *ship.State, st ship.Standing) orders.Set
}

// Odds holds the chances in per cent, by phase, at which robots fire.
type Odds struct {
	Plain   []int // of the plain captain
	Choosy  []int // of the seasoned captain
	Cloaked []int // of the seasoned captain at a cloaked ship that was found
}

// AtOdds returns the condition to fire at this chance, in per cent, or a better one.
func AtOdds(percent int) string { return fmt.Sprintf("when chance >= %d%%", percent) }

// Orders returns the orders of the book's robot captain for a ship. The robot knows only its view,
// and never asks for more time. Small craft are not among its targets.
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
