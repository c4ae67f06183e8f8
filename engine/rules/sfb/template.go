package sfb

import (
	"slices"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/sfb/forecast"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
	"starpost/orders"
)

// template returns the order set offered to a captain: energy for the ship's present state, last turn's phases if
// they can be repeated, and the standing orders in force.
func template(l *rulebook.Rules, v *engine.View, id engine.ShipID) orders.Set {
	s, sys, ok := forecast.Own(v, id)
	if !ok || s.Status != engine.Active {
		return nil
	}
	var power orders.Set
	round, pace := max(1, v.DueRound()), sys.Speed
	if round == 1 {
		if !sys.Allotted {
			pace = l.MaxSpeed / 2
		}
		power, pace = play.Allotment(l, sys, pace, 0, true, sys.Cloaked)
	}
	set := slices.Clone(power)
	set.Append(offeredPhases(l, v, s, sys, power, pace, round))
	standing := sys.Standing
	if l.Reserve && !sys.Allotted && len(standing.Reinforce) == 0 {
		standing.Reinforce = []state.Reinforcing{{UpTo: offeredPoints}}
	}
	set.Append(standing.Set())
	return set
}

// offeredPoints is how many points the offered standing order gives a shield that is hit.
const offeredPoints = 4

// offeredPhases returns the phases that are due: the last orders' phases if they are valid with this energy, or else
// straight movement and fire at the nearest enemy.
func offeredPhases(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *state.System, power orders.Set, pace, round int) orders.Set {
	upto := l.Rounds
	if v.Rounds > 0 {
		upto = round
	}
	var plain orders.Set
	hidden := sys.Cloaked || sys.NoFire || !sys.Controlled()
	if round == 1 {
		hidden = power.Has("power", "cloak") || noFireControl(power) || !sys.Controlled()
	}
	at := engine.Place{Hex: *s.Hex, Heading: *s.Heading}
	foe := v.Nearest(s)
	for n := round; n <= upto; n++ {
		var words []string
		for range l.MovesIn(pace, n) {
			at = steering.Step(at, "F")
			words = append(words, "F")
		}
		if len(words) > 0 {
			plain.Say("phase", n, "move", words)
		}
		if foe != nil && !hidden {
			plain.Say("phase", n, "fire all at", foe.Name, "when range <= 8")
		}
	}
	last := family.Phases(l.Language, sys.Last, round, upto)
	if len(last) == 0 {
		return plain
	}
	block, diags := slices.Concat(power, last).Block(l.Language, "ship")
	if len(diags) > 0 || len(forecast.Check(l, v, s.ID, block).Diagnostics) > 0 {
		return plain
	}
	return last
}
