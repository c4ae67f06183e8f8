package robot

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
)

// hopeless is the superstructure of an active ship, or less, at which a robot gives up
// saving it.
const hopeless = 3

// lastResort blows up a hopeless ship, in the phases that are left, if that hurts the enemy
// alone: a crippled ship with one enemy within one hex, an active one with two. The orders
// are on the condition that these enemies are still near by then, and no friend is.
func (l *Rules) lastResort(v *engine.View, s *engine.ShipView, sys *ship.State, round int) string {
	wanted := 1
	if s.Status == engine.Active {
		_, runs := v.WayOut(s.ID)
		if wanted = 2; runs || sys.Superstructure > min(hopeless, sys.Design.Superstructure/2) {
			return ""
		}
	}
	if !l.Hulks || sys.Power == 0 {
		return ""
	}
	var foes, friends []string
	for _, o := range v.Ships {
		if o.ID == s.ID || o.Hex == nil || o.Sight != engine.Seen {
			continue
		}
		near := board.Distance(s, o) <= 1
		switch {
		case o.Side != s.Side && o.Status == engine.Active && near:
			foes = append(foes, fmt.Sprintf("range to %s <= 1", o.Name))
		case o.Side == s.Side && (o.Status == engine.Active || o.Status == engine.Crippled):
			if near {
				return ""
			}
			friends = append(friends, fmt.Sprintf("range to %s > 1", o.Name))
		}
	}
	if len(foes) < wanted {
		return ""
	}
	when := strings.Join(slices.Concat(foes[:wanted], friends), " and ")
	var b strings.Builder
	for n := round; n <= l.Split.Phases(); n++ {
		fmt.Fprintf(&b, "self-destruct %d when %s\n", n, when)
	}
	return b.String()
}
