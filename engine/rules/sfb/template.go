package sfb

import (
	"fmt"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
)

// allotment is a way to use a turn's energy: a speed, what is armed kept, what can be
// armed armed, the capacitors filled, the rest on a shield; perhaps under the cloak. Pace is the speed that there is energy for.
func (l *rulebook) allotment(sys *state.System, speed, side int, arm, cloak bool) (power string, pace int) {
	return l.allotting(sys, speed, side, arm, cloak, noOverload)
}

// noOverload is an allotment that overloads nothing.
const noOverload = 1 << 30

// allotting is an allotment that overloads what it arms with all energy but for some to spare.
func (l *rulebook) allotting(sys *state.System, speed, side int, arm, cloak bool, spare int) (power string, pace int) {
	var b strings.Builder
	b.WriteString("power\n")
	warp := sys.Sheet.Count(sheet.Warp).Left
	share := min(l.ImpulseHexes, sys.Sheet.Count(sheet.Impulse).Left)
	left := sys.Sheet.Power()
	var armed, held []string
	take := func(sum, fromWarp int) bool {
		if sum > left || fromWarp > warp {
			return false
		}
		left, warp = left-sum, warp-fromWarp
		return true
	}
	said := ""
	fmt.Fprint(&b, l.fewer(&left))
	if l.Quanta != nil {
		said = l.affordable(sys, speed, min(left, warp+share), func(energy, hexes int) {
			pace = hexes
			take(energy, max(0, energy-share))
		})
	} else {
		pace = max(0, min(speed, l.fastest(sys.Speed), warp+share, left))
		take(pace, max(0, pace-share))
		said = strconv.Itoa(pace)
	}
	cloak = cloak && sys.Sheet.Cloak > 0 && take(sys.Sheet.Cloak, 0)
	for _, keep := range []bool{true, false} {
		for w := range sys.Weapons {
			bank := sys.Bank(w)
			chart := l.Charts[bank.Kind]
			had := sys.Weapons[w].Armed
			switch {
			case bank.Left == 0 || chart.Turns == 0:
			case keep && chart.Keeps && had >= chart.Turns && take(chart.Hold, 0):
				held = append(held, bank.Name)
			case !keep && arm && had < chart.Turns && take(chart.energy(had), chart.energy(had)*b2i(chart.Warp)):
				armed = append(armed, bank.Name)
			}
		}
	}
	fmt.Fprintf(&b, "  speed %s\n", said)
	if cloak {
		b.WriteString("  cloak\n")
	}
	if n := min(left, sys.Phasers()-sys.Capacitor); n > 0 && take(n, 0) {
		fmt.Fprintf(&b, "  phasers %d\n", n)
	}
	if len(held) > 0 {
		fmt.Fprintf(&b, "  hold %s\n", strings.Join(held, " "))
	}
	if len(armed) > 0 && spare == noOverload {
		fmt.Fprintf(&b, "  arm %s\n", strings.Join(armed, " "))
		armed = nil
	}
	if n := min(left, sys.Sheet.Count(sheet.Battery).Left-sys.Batteries); n > 0 && take(n, 0) {
		fmt.Fprintf(&b, "  recharge %d\n", n)
	}
	for _, name := range armed {
		w := sys.Weapon(name)
		chart := l.Charts[sys.Bank(w).Kind]
		had, more := sys.Weapons[w].Armed, min(chart.Over.Most, left-spare)
		if chart.Over.Most == 0 || more < chart.Over.Least || sys.Rigged[name] > 0 || had+1 < chart.Turns || !take(more, more*b2i(chart.Warp)) {
			fmt.Fprintf(&b, "  arm %s\n", name)
		} else {
			fmt.Fprintf(&b, "  arm %s overload with %d\n", name, chart.energy(had)+more)
		}
	}
	if left > 0 && side >= 0 && !l.Reserve {
		fmt.Fprintf(&b, "  reinforce %d:%d\n", side+1, left)
	}
	return b.String(), pace
}

// fewer takes what a ship needs from what energy is left, and is the lines by which she
// does without what there is too little for.
func (l *rulebook) fewer(left *int) (lines string) {
	n := l.Needs
	*left -= min(*left, n.LifeSupport)
	if *left < n.Shields {
		lines += "  shields down\n"
	} else {
		*left -= n.Shields
	}
	if *left < n.FireControl {
		return lines + "  fire-control off\n"
	}
	*left -= n.FireControl
	return lines
}

// steady keeps a ship's course at her speed, within the map.
func (l *rulebook) steady(bounds *hex.Bounds, at engine.Place, sys *state.System) string {
	speed := sys.Speed
	for bounds != nil && speed > 0 && !bounds.Contains(at.Hex.StepN(at.Heading, speed)) {
		speed--
	}
	power, _ := l.allotment(sys, speed, 0, false, sys.Cloaked)
	return power
}

// template is the order set that a captain is offered: last turn's phases if they can be
// given again, energy for what the ship is in now, and the standing orders in force.
func (l *rulebook) template(v *engine.View, id engine.ShipID) string {
	s, sys, ok := own(v, id)
	if !ok || s.Status != engine.Active {
		return ""
	}
	var b strings.Builder
	round, power, pace := max(1, v.DueRound()), "", sys.Speed
	if round == 1 {
		if !sys.Allotted {
			pace = l.MaxSpeed / 2
		}
		power, pace = l.allotment(sys, pace, 0, true, sys.Cloaked)
	}
	b.WriteString(power + l.offeredPhases(v, s, sys, power, pace, round))
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
func (l *rulebook) offeredPhases(v *engine.View, s *engine.ShipView, sys *state.System, power string, pace, round int) string {
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
		for range l.movesIn(pace, n) {
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
	block, diags := l.language.Block("ship", power+last)
	if len(diags) > 0 || len(l.check(v, s.ID, block).Diagnostics) > 0 {
		return plain
	}
	return last
}
