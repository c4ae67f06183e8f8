package robot

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
	"starpost/orders"
)

// runFor returns a robot's orders for a ship that is to leave the map by an edge: half of the
// power to movement, the rest to the shields, those towards the nearest enemy first.
func (l *Rules) runFor(v *engine.View, s *engine.ShipView, sys *ship.State, foe *engine.ShipView, edge string) orders.Set {
	power := ship.Settings{Points: l.MovementPoints(sys, max(sys.Power/2, min(sys.Power, sys.Design.Move.Cost(l.Split.Phases())))), Shields: make([]int, 6)}
	at := engine.Place{Hex: *s.Hex, Heading: *s.Heading}
	first := l.Astern()
	if foe != nil {
		if n, _ := l.Facing(at, *foe.Hex); n > 0 {
			first = n
		}
	}
	ship.Raise(sys, &power, l.Ring.Nearest(first), sys.Power)
	set := ship.PowerOrders(sys, power)
	for n, points := range l.Split.Points(power.Points) {
		var words []string
		for range points {
			if !v.Bounds.Contains(at.Hex) {
				words = append(words, "H") // she has left by then
				continue
			}
			w := l.towards(at, edge, *v.Bounds)
			at = board.Step(at, w)
			words = append(words, w)
		}
		if len(words) > 0 {
			set.Say("phase", n+1, "move", words)
		}
	}
	return slices.Concat(set, l.Book.OfferStanding(v, s, sys, sys.Standing))
}

// towards returns the next movement word on the way to an edge: ahead if the bow points there,
// otherwise a turn to that side, while moving where the map allows.
func (l *Rules) towards(at engine.Place, edge string, bounds hex.Bounds) string {
	wanted := map[string][]hex.Heading{"north": {hex.A}, "south": {hex.D}, "east": {hex.B, hex.C}, "west": {hex.E, hex.F}}[edge]
	// Near a corner only one of two headings leads to the edge itself.
	wanted = slices.DeleteFunc(wanted, func(h hex.Heading) bool { return len(wanted) > 1 && !leadsTo(at.Hex, h, edge, bounds) })
	if slices.Contains(wanted, at.Heading) {
		return l.straight()
	}
	turn := 3
	for _, h := range wanted {
		off := (int(h)-int(at.Heading)+9)%6 - 3 // -3..2, clockwise positive
		if tactical.Abs(off) < tactical.Abs(turn) {
			turn = off
		}
	}
	moving, still := "FR", "R"
	if turn < 0 {
		moving, still = "FL", "L"
	}
	if bounds.Contains(board.Step(at, moving).Hex) && tactical.Abs(turn) < 2 {
		return moving
	}
	return still
}

// straight returns the word that leads farthest ahead for one point.
func (l *Rules) straight() string {
	if slices.Contains(l.Steps, "FF") {
		return "FF"
	}
	return "F"
}

// leadsTo reports whether the way straight ahead leads to that edge and not to one beside it.
func leadsTo(at hex.Hex, h hex.Heading, edge string, bounds hex.Bounds) bool {
	for bounds.Contains(at) {
		at = at.Step(h)
	}
	return slices.Contains(bounds.Beyond(at), edge)
}

// hopeless is the most superstructure of an active ship at which a robot gives up saving it.
const hopeless = 3

// lastResort self-destructs a hopeless ship, in one of the phases left, if that harms only the
// enemy: a crippled ship with one enemy within one hex, an active ship with two. The orders have
// the condition that these enemies are still near by then, and no friend is.
func (l *Rules) lastResort(v *engine.View, s *engine.ShipView, sys *ship.State, round int) (last []orders.Order) {
	wanted := 1
	if s.Status == engine.Active {
		_, runs := v.WayOut(s.ID)
		if wanted = 2; runs || sys.Superstructure > min(hopeless, sys.Design.Superstructure/2) {
			return nil
		}
	}
	if !l.Hulks || sys.Power == 0 {
		return nil
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
				return nil
			}
			friends = append(friends, fmt.Sprintf("range to %s > 1", o.Name))
		}
	}
	if len(foes) < wanted {
		return nil
	}
	when := strings.Join(slices.Concat(foes[:wanted], friends), " and ")
	for n := round; n <= l.Split.Phases(); n++ {
		last = append(last, orders.Say("self-destruct", n, "when", when))
	}
	return last
}
