package robot

import (
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// robotRound returns a robot's orders for a round after the first, which depend
// on where the enemy now is.
func (l *Rules) robotRound(v *engine.View, id engine.ShipID, round int) (set orders.Set) {
	s, sys, ok := ship.Own(v, id)
	if !ok || s.Hex == nil {
		return nil
	}
	points, foe, near := sys.Alloc.InPhase(round), v.Nearest(s), dark.TaskOf(v, s, sys.Labs().Boxes).Near
	edge, wanted := v.WayOut(id)
	switch {
	case wanted && v.Bounds != nil:
		at := engine.Place{Hex: *s.Hex, Heading: *s.Heading}
		var words []string
		for range points {
			w := "H"
			if v.Bounds.Contains(at.Hex) {
				w = l.towards(at, edge, *v.Bounds)
				at = board.Step(at, w)
			}
			words = append(words, w)
		}
		set.Add("phase", round)
		if len(words) > 0 {
			set.Say("phase", round, "move", words)
		}
	case foe == nil && near == nil:
		return l.Book.Template(v, id)
	default:
		r := &pilot{Rules: l, View: v, Ship: s, State: sys, Foe: foe}
		if foe != nil {
			r.rng = board.Distance(s, foe)
		}
		r.face()
		to, rng := near, dark.TaskRange
		if near == nil {
			to, rng = foe, r.want()
		}
		set.Add("phase", round)
		if points > 0 {
			set.Say("phase", round, "pursue", to.Name, "to", rng, "showing", r.Shown)
		}
		if foe == nil {
			break
		}
		set.Say("phase", round, "fire all at", foe.Name, AtOdds(l.Odds.Plain[round-1]))
	}
	return slices.Concat(set, l.Book.OfferStanding(v, s, sys, standing(v, s, sys)))
}
