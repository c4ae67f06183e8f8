package family

import (
	"cmp"
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/orders"
)

// Refuse returns why an order set cannot be checked: its ship takes no orders, or the set has none; nil if it can
// be. S is nil for a ship that is not on the map. Fit reports whether she can be given orders in her present state,
// and idle is an order to do nothing. Unfit and empty are the family's codes for a ship that takes no orders and
// for a set without any.
func Refuse(s *engine.ShipView, fit bool, b *orders.Block, unfit, empty, idle string) []orders.Diagnostic {
	d := orders.Diagnostic{Pos: b.Start, Code: unfit}
	switch {
	case s == nil || s.Hex == nil:
		d.Message, d.Hint = "this ship takes no orders now", "it is not on the map"
	case s.Status == engine.Waiting:
		d.Message = fmt.Sprintf("%s takes no orders before turn %d, when it arrives", s.Name, s.Arrives)
	case !fit:
		d.Message = fmt.Sprintf("%s is out of the fight (%s) and takes no orders", s.Name, s.Status)
	case !slices.ContainsFunc(b.Groups, func(g orders.Group) bool { return len(g.Statements) > 0 }):
		d = orders.Diagnostic{Pos: b.End, Code: empty, Message: "there are no orders in this set", Hint: "to do nothing on purpose, write: power, and below it: " + idle}
	default:
		return nil
	}
	return []orders.Diagnostic{d}
}

// Covers reports whether a set has orders for the phase of a later round.
func Covers(b orders.Block, round int) bool {
	g, ok := b.Group("phase", round)
	return ok && len(g.Statements) > 0
}

// Put adds a group to a block, replacing the one with its name and number.
func Put(l *orders.Language, b *orders.Block, g orders.Group) {
	place := func(g orders.Group) int {
		i := slices.IndexFunc(l.Sections, func(s orders.Section) bool { return s.Name == g.Name })
		if g.Name == "" || i < 0 {
			return len(l.Sections)
		}
		return i
	}
	b.Groups = slices.DeleteFunc(b.Groups, func(o orders.Group) bool { return o.Name == g.Name && o.N == g.N })
	b.Groups = append(b.Groups, g)
	slices.SortStableFunc(b.Groups, func(a, b orders.Group) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.N, b.N))
	})
}

// Phases returns some phases of an order set that was stored as text without its head.
func Phases(l *orders.Language, text string, from, upto int) orders.Set {
	if text == "" {
		return nil
	}
	b, _ := l.Block("ship", text)
	b.Groups = slices.DeleteFunc(b.Groups, func(g orders.Group) bool { return g.Name != "phase" || g.N < from || g.N > upto })
	return b.Set()
}
