package verbs

import (
	"slices"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/robot"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
	"starpost/orders"
)

// Template returns last turn's settings as an order set for the turn that is due: the same power
// (scaled to what is left), the same phases if they still fit, and the standing orders in force.
func (l Offers) Template(v *engine.View, id engine.ShipID) (set orders.Set) {
	s, sys, ok := ship.Own(v, id)
	if !ok || s.Hex == nil {
		return nil
	}
	standing := l.OfferStanding(v, s, sys, sys.Standing)
	switch round := v.DueRound(); {
	case s.Status == engine.Crippled: // she owes no orders
		set.Add("standing", 0)
		for _, o := range standing[0].Orders {
			if slices.Contains(hulkVerbs()["standing"], o.Verb()) {
				set.Add("standing", 0, o)
			}
		}
		return set
	case round > 1:
		set = templateRound(l.Rules, v, s, sys, round)
	default:
		if set = FirstTurn(l.Rules, v, s, sys); len(set) == 0 {
			set = sameAgain(l.Rules, v, s, sys)
		}
	}
	set.Append(standing)
	return set
}

// sameAgain returns last turn's power and phases.
func sameAgain(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State) orders.Set {
	power := l.Scaled(sys)
	if rulebook.KeepsStation(sys.Standing) {
		power.Points = 0
	} else {
		power = l.Offered(sys, power)
	}
	set := ship.PowerOrders(sys, power)
	phases := lastPhases(l, v, s, sys, set)
	if len(phases) == 0 {
		phases = DefaultPhases(l, v, s, sys, power)
	}
	return slices.Concat(set, phases)
}

// FirstTurn returns the book's own order set for a ship's first turn; empty if there is none.
func FirstTurn(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State) orders.Set {
	if sys.Alloc.Available > 0 {
		return nil
	}
	return l.Opens(l, v, s, sys)
}

// lastPhases returns the phases of last turn's orders, if they compile without any diagnostic
// with this power.
func lastPhases(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State, power orders.Set) orders.Set {
	wanted := l.Split.Phases()
	if v.Rounds > 0 {
		wanted = 1
	}
	phases := family.Phases(l.Language, sys.Standing.Last, 1, wanted)
	if len(phases) == 0 {
		return nil
	}
	again, diags := slices.Concat(power, phases).Block(l.Language, "ship")
	if len(diags) > 0 {
		return nil
	}
	if p := l.CompileFirst(wanted, s.ID, s.Side, sys, rulebook.RosterOfView(v.Ships), v.Sides, &again, false); len(p.Diags) > 0 || len(SealedFaults(sys, &p, v.Options)) > 0 {
		return nil
	}
	return phases
}

// DefaultPhases returns phases that keep course inside the map and fire at the nearest enemy.
func DefaultPhases(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State, power ship.Settings) (set orders.Set) {
	at := engine.Place{Hex: *s.Hex, Heading: *s.Heading}
	armed := false
	for _, mounts := range power.Armed {
		armed = armed || tactical.Sum(mounts) > 0
	}
	for n, points := range l.Split.Points(power.Points) {
		if n > 0 && v.Rounds > 0 {
			break // the other phases are due later
		}
		at = defaultPhase(l, v, s, sys, &set, at, n, points, armed)
	}
	return set
}

// defaultPhase adds one such phase from a place to a set, and returns where it ends.
func defaultPhase(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State, set *orders.Set, at engine.Place, n, points int, armed bool) engine.Place {
	var words []string
	for range points {
		w := rulebook.Onward(sys)
		if to := board.Step(at, w); v.Bounds != nil && !v.Bounds.Contains(to.Hex) {
			w = "H"
		}
		at = board.Step(at, w)
		words = append(words, w)
	}
	if len(words) > 0 {
		set.Say("phase", n+1, "move", words)
	}
	if foe := v.Nearest(s); foe != nil && armed && !sys.Hidden() { // a cloaked or unarmed ship does not fire
		fire := orders.Say("fire all at", foe.Name)
		if n < len(l.Offers) {
			fire = orders.Say("fire all at", foe.Name, robot.AtOdds(l.Offers[n]))
		}
		set.Add("phase", n+1, fire)
	}
	return at
}

// templateRound returns the phase of the order set offered for a round after the first.
func templateRound(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State, round int) orders.Set {
	if phase := family.Phases(l.Language, sys.Standing.Last, round, round); len(phase) > 0 {
		again, diags := phase.Block(l.Language, "ship")
		if len(diags) == 0 {
			p := CompileRound(l, round, InMidTurn(s.ID, sys), s.ID, s.Side, sys, sys.Standing, rulebook.RosterOfView(v.Ships), v.Sides, &again, false)
			if len(p.Diags) == 0 && len(SealedFaults(sys, &p, v.Options)) == 0 {
				return phase
			}
		}
	}
	var set orders.Set
	defaultPhase(l, v, s, sys, &set, engine.Place{Hex: *s.Hex, Heading: *s.Heading}, round-1, sys.Alloc.InPhase(round), len(InMidTurn(s.ID, sys).Armed) > 0)
	return set
}
