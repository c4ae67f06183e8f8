package play

import (
	"fmt"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// steady keeps a ship's course at her speed, within the map.
func steady(l *rulebook.Rules, bounds *hex.Bounds, at engine.Place, sys *state.System) string {
	speed := sys.Speed
	for bounds != nil && speed > 0 && !bounds.Contains(at.Hex.StepN(at.Heading, speed)) {
		speed--
	}
	power, _ := Allotment(l, sys, speed, 0, false, sys.Cloaked)
	return power
}

// Allotment is a way to use a turn's energy: a speed, what is armed kept, what can be
// armed armed, the capacitors filled, the rest on a shield; perhaps under the cloak. Pace is the speed that there is energy for.
func Allotment(l *rulebook.Rules, sys *state.System, speed, side int, arm, cloak bool) (power string, pace int) {
	return Allotting(l, sys, speed, side, arm, cloak, NoOverload)
}

// NoOverload is an allotment that overloads nothing.
const NoOverload = 1 << 30

// Allotting is an allotment that overloads what it arms with all energy but for some to spare.
func Allotting(l *rulebook.Rules, sys *state.System, speed, side int, arm, cloak bool, spare int) (power string, pace int) {
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
	fmt.Fprint(&b, fewer(l, &left))
	if l.Quanta != nil {
		said = Affordable(l, sys, speed, min(left, warp+share), func(energy, hexes int) {
			pace = hexes
			take(energy, max(0, energy-share))
		})
	} else {
		pace = max(0, min(speed, l.Fastest(sys.Speed), warp+share, left))
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
			case !keep && arm && had < chart.Turns && take(chart.ArmingEnergy(had), chart.ArmingEnergy(had)*rulebook.BoolInt(chart.Warp)):
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
	if len(armed) > 0 && spare == NoOverload {
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
		if chart.Over.Most == 0 || more < chart.Over.Least || sys.Rigged[name] > 0 || had+1 < chart.Turns || !take(more, more*rulebook.BoolInt(chart.Warp)) {
			fmt.Fprintf(&b, "  arm %s\n", name)
		} else {
			fmt.Fprintf(&b, "  arm %s overload with %d\n", name, chart.ArmingEnergy(had)+more)
		}
	}
	if left > 0 && side >= 0 && !l.Reserve {
		fmt.Fprintf(&b, "  reinforce %d:%d\n", side+1, left)
	}
	return b.String(), pace
}

// fewer takes what a ship needs from what energy is left, and is the lines by which she
// does without what there is too little for.
func fewer(l *rulebook.Rules, left *int) (lines string) {
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

// Read reads a captain's orders without head and end that the rules themselves wrote or kept.
func Read(l *rulebook.Rules, text string) *orders.Block {
	b, _ := l.Language.Block("ship", text)
	return &b
}

// Affordable is the fastest speed up to a wish that may follow a ship's last one and that
// so much energy pays for, as orders write it, with the pool if that is less than it takes.
func Affordable(l *rulebook.Rules, sys *state.System, wish, most int, take func(energy, hexes int)) string {
	from, cost := l.Quantum(sys.Speed), sys.HexCost()
	best := min(1, max(0, from-1))
	for i, q := range l.Quanta {
		if rulebook.MayFollow(from, i) && q.Hexes <= wish && rulebook.PoolEnergy(q.Hexes, cost) <= most {
			best = max(best, i)
		}
	}
	word, energy := l.Quanta[best].Word, rulebook.PoolEnergy(l.Quanta[best].Hexes, cost)
	if energy > most {
		energy = max(0, most)
		word += fmt.Sprintf(" pool %d", energy)
	}
	take(energy, l.Quanta[best].Hexes)
	return word
}
