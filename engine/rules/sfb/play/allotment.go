package play

import (
	"fmt"
	"strconv"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// steady returns power orders that keep a ship's speed, as far as the map allows.
func steady(l *rulebook.Rules, bounds *hex.Bounds, at engine.Place, sys *state.System) orders.Set {
	speed := sys.Speed
	for bounds != nil && speed > 0 && !bounds.Contains(at.Hex.StepN(at.Heading, speed)) {
		speed--
	}
	power, _ := Allotment(l, sys, speed, 0, false, sys.Cloaked)
	return power
}

// Allotment returns a way to use a turn's energy: pay for the speed, keep armed weapons armed, arm others if arm is
// set, fill the capacitors, and put the rest on a shield; under the cloak if cloak is set. Pace is the affordable
// speed.
func Allotment(l *rulebook.Rules, sys *state.System, speed, side int, arm, cloak bool) (power orders.Set, pace int) {
	return Allotting(l, sys, speed, side, arm, cloak, NoOverload)
}

// NoOverload makes an allotment overload nothing.
const NoOverload = 1 << 30

// Allotting is an Allotment that overloads the weapons it arms with all energy except spare.
func Allotting(l *rulebook.Rules, sys *state.System, speed, side int, arm, cloak bool, spare int) (power orders.Set, pace int) {
	say := func(words ...any) { power.Say("power", 0, words...) }
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
	power.Add("power", 0, fewer(l, &left)...)
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
	say("speed", said)
	if cloak {
		say("cloak")
	}
	if n := min(left, sys.Phasers()-sys.Capacitor); n > 0 && take(n, 0) {
		say(rulebook.VerbPhasers, n)
	}
	if len(held) > 0 {
		say("hold", held)
	}
	if len(armed) > 0 && spare == NoOverload {
		say("arm", armed)
		armed = nil
	}
	if n := min(left, sys.Sheet.Count(sheet.Battery).Left-sys.Batteries); n > 0 && take(n, 0) {
		say("recharge", n)
	}
	for _, name := range armed {
		w := sys.Weapon(name)
		chart := l.Charts[sys.Bank(w).Kind]
		had, more := sys.Weapons[w].Armed, min(chart.Over.Most, left-spare)
		if chart.Over.Most == 0 || more < chart.Over.Least || sys.Rigged[name] > 0 || had+1 < chart.Turns || !take(more, more*rulebook.BoolInt(chart.Warp)) {
			say("arm", name)
		} else {
			say("arm", name, "overload with", chart.ArmingEnergy(had)+more)
		}
	}
	if left > 0 && side >= 0 && !l.Reserve {
		say("reinforce", fmt.Sprintf("%d:%d", side+1, left))
	}
	return power, pace
}

// fewer subtracts a ship's needs from the energy left, and returns the orders that switch off what she cannot afford.
func fewer(l *rulebook.Rules, left *int) (without []orders.Order) {
	n := l.Needs
	*left -= min(*left, n.LifeSupport)
	if *left < n.Shields {
		without = append(without, orders.Say("shields down"))
	} else {
		*left -= n.Shields
	}
	if *left < n.FireControl {
		return append(without, NoFireControl())
	}
	*left -= n.FireControl
	return without
}

// NoFireControl returns the order to switch off fire control.
func NoFireControl() orders.Order { return orders.Say("fire-control off") }

// Read parses a captain's stored orders, which have no first and last line.
func Read(l *rulebook.Rules, text string) *orders.Block {
	b, _ := l.Language.Block("ship", text)
	return &b
}

// Plain turns an order set made by the rules into a block.
func Plain(l *rulebook.Rules, s orders.Set) *orders.Block {
	b, _ := s.Block(l.Language, "ship")
	return &b
}

// Affordable returns the fastest speed, up to a wish, that may follow a ship's last one and that the energy pays for,
// in the words of an order, with a smaller pool if the energy is short.
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
