package robot

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
)

// robotRound is a robot's orders for a round after the first, in which it looks
// again at where the enemy is.
func (l *Rules) robotRound(v *engine.View, id engine.ShipID, round int) string {
	s, sys, ok := ship.Own(v, id)
	if !ok || s.Hex == nil {
		return ""
	}
	points, foe, near := sys.Alloc.InPhase(round), v.Nearest(s), dark.TaskOf(v, s, sys.Labs().Boxes).Near
	var b strings.Builder
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
		fmt.Fprintf(&b, "phase %d\n", round)
		if len(words) > 0 {
			fmt.Fprintf(&b, "  move %s\n", strings.Join(words, " "))
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
		fmt.Fprintf(&b, "phase %d\n", round)
		if points > 0 {
			fmt.Fprintf(&b, "  pursue %s to %d showing %d\n", to.Name, rng, r.Shown)
		}
		if foe == nil {
			break
		}
		fmt.Fprintf(&b, "  fire all at %s when chance >= %d%%\n", foe.Name, l.Odds.Plain[round-1])
	}
	l.Book.OfferStanding(&b, v, s, sys, standing(v, s, sys))
	return b.String()
}
