package sfb

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/sfb/forecast"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
)

// template is the order set that a captain is offered: last turn's phases if they can be
// given again, energy for what the ship is in now, and the standing orders in force.
func template(l *rulebook.Rules, v *engine.View, id engine.ShipID) string {
	s, sys, ok := forecast.Own(v, id)
	if !ok || s.Status != engine.Active {
		return ""
	}
	var b strings.Builder
	round, power, pace := max(1, v.DueRound()), "", sys.Speed
	if round == 1 {
		if !sys.Allotted {
			pace = l.MaxSpeed / 2
		}
		power, pace = play.Allotment(l, sys, pace, 0, true, sys.Cloaked)
	}
	b.WriteString(power + offeredPhases(l, v, s, sys, power, pace, round))
	standing := sys.Standing
	if l.Reserve && !sys.Allotted && len(standing.Reinforce) == 0 {
		standing.Reinforce = []state.Reinforcing{{UpTo: offeredPoints}}
	}
	b.WriteString(standing.Text())
	return b.String()
}

// offeredPoints are those that a captain is offered for a shield that is struck.
const offeredPoints = 4

// offeredPhases are the phases that are due: those of the last orders if they bring no
// remark with this energy, or else course kept and fire at the nearest enemy.
func offeredPhases(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *state.System, power string, pace, round int) string {
	upto := l.Rounds
	if v.Rounds > 0 {
		upto = round
	}
	plain := ""
	hidden := sys.Cloaked || sys.NoFire || !sys.Controlled()
	if round == 1 {
		hidden = strings.Contains(power, "\n  cloak\n") || noFireControl(power) || !sys.Controlled()
	}
	at := engine.Place{Hex: *s.Hex, Heading: *s.Heading}
	foe := v.Nearest(s)
	for n := round; n <= upto; n++ {
		var words []string
		for range l.MovesIn(pace, n) {
			at = steering.Step(at, "F")
			words = append(words, "F")
		}
		plain += fmt.Sprintf("phase %d\n", n)
		if len(words) > 0 {
			plain += "  move " + strings.Join(words, " ") + "\n"
		}
		if foe != nil && !hidden {
			plain += "  fire all at " + foe.Name + " when range <= 8\n"
		}
		if len(words) == 0 && (foe == nil || hidden) {
			plain = strings.TrimSuffix(plain, fmt.Sprintf("phase %d\n", n))
		}
	}
	last := family.Phases(sys.Last, round, upto)
	if last == "" {
		return plain
	}
	block, diags := l.Language.Block("ship", power+last)
	if len(diags) > 0 || len(forecast.Check(l, v, s.ID, block).Diagnostics) > 0 {
		return plain
	}
	return last
}
