package sfb

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/lookahead"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
)

// How robots of the house rules fight an enemy they can see: they try their possible speeds and ways to steer, and
// choose the most promising by the damage that both sides can expect (package lookahead). They assume that the enemy
// keeps coming, or flees if the range is opening, with all weapons ready and spare energy on the shield that is hit.
const (
	cruise      = 16  // the highest speed considered
	comesFast   = 14  // hexes from which an enemy at half of cruise is assumed to go at cruise
	surprise    = 150 // the minimum value of a shot to decloak for
	fromBelow   = 10  // the range kept under a cloak, in hexes
	wanting     = 180 // the cost of each energy that weapons lack
	spared      = 80  // percentage of an enemy's spare energy assumed to be on shields
	plasmaHits  = 4   // the value of a point of a torpedo, in sixths: phasers weaken torpedoes
	fleetDrones = 16  // hexes within which drones are launched
	atLast      = 4   // hexes within which everything fires on the last impulse
	helpless    = 6   // power at which a ship flees from a stronger one
)

// gun is a weapon that may fire in a turn, with its overload energy.
type gun struct {
	bank  *sheet.Bank
	chart *rulebook.FireChart
	over  int
}

// guns returns a ship's remaining weapons.
func guns(l *rulebook.Rules, sheet *sheet.Sheet) (out []gun) {
	for i := range sheet.Banks {
		b := &sheet.Banks[i]
		if c := l.Charts[b.Kind]; b.Left == 0 || len(c.Rows) == 0 && len(c.Warheads) == 0 {
			continue
		}
		if n := len(out); n > 0 && out[n-1].bank.Kind == b.Kind { // banks of a kind are adjacent
			out = append(out, gun{b, out[n-1].chart, 0})
			continue
		}
		chart := l.Charts[b.Kind]
		out = append(out, gun{b, &chart, 0})
	}
	return out
}

// ready returns the guns that can fire, with their overload.
func ready(guns []gun, can func(b *sheet.Bank, c *rulebook.FireChart) (over int, ok bool)) []gun {
	out := make([]gun, 0, len(guns))
	for _, g := range guns {
		if over, ok := can(g.bank, g.chart); ok {
			out = append(out, gun{g.bank, g.chart, over})
		}
	}
	return out
}

// hits returns the expected hits of guns, for [lookahead.Ship]. It is not known whether an enemy's weapons are
// overloaded; with guess, they are assumed to be within the range of overloads.
func hits(guns []gun, scanner int, guess bool) func(rng int, at hex.Point) int {
	return func(rng int, at hex.Point) (sum int) {
		counts := rng + scanner
		for _, g := range guns {
			if rng > 0 && !g.bank.Arcs.Bear(at) || g.bank.Reach > 0 && counts > g.bank.Reach {
				continue
			}
			if w := g.chart.Warheads; len(w) > 0 {
				sum += plasmaHits * w[0].Points * rulebook.BoolInt(rng > 1 && counts <= w[0].Upto)
				continue
			}
			over := g.over
			if guess && rng > overReach {
				over = 0
			}
			if r, ok := play.AtOver(g.chart, over, counts); ok {
				sum += r.Sixths(0)
			}
		}
		return sum
	}
}

// enemyIn returns the enemy as a robot assumes it to be.
func enemyIn(l *rulebook.Rules, foe *engine.ShipView, known *state.Open, speed int, blinded bool) *lookahead.Ship {
	out := &lookahead.Ship{Motion: lookahead.Motion{At: foe.Stands(), Speed: speed, Straight: known.Straight, Mode: known.Sheet.Straight(speed)}}
	need := 0
	armed := ready(guns(l, &known.Sheet), func(b *sheet.Bank, c *rulebook.FireChart) (int, bool) {
		need += 1 + rulebook.BoolInt(!b.Kind.Phaser())
		return min(c.Over.Most, 2) * rulebook.BoolInt(!b.Kind.Phaser()), !blinded
	})
	scanner, _ := known.Sheet.Rating(sheet.Scanner)
	out.Hits = hits(armed, scanner, true)
	spare := max(0, known.Sheet.Power()-l.Needs.All()-rulebook.PoolEnergy(known.Speed, known.Sheet.HexCost())-need) * spared / 100
	for i, s := range known.Sheet.Shields {
		out.Shields[i] = s.Left + spare
	}
	return out
}

// ownIn returns a robot's ship with the given motion, overloads and cloak, the energy that her weapons lack, and
// whether any weapon is overloaded.
func ownIn(l *rulebook.Rules, sys *state.System, guns []gun, flies lookahead.Motion, turn, round int, over, hide bool) (out *lookahead.Ship, wants int, overloads bool) {
	out = &lookahead.Ship{Motion: flies}
	left := sys.Sheet.Power() - l.Needs.All() - rulebook.PoolEnergy(flies.Speed, sys.HexCost()) - max(0, sys.Phasers()-sys.Capacitor) - sys.Sheet.Cloak*rulebook.BoolInt(hide)
	if round > 1 {
		left = sys.Reserve
	}
	armed := ready(guns, func(b *sheet.Bank, c *rulebook.FireChart) (int, bool) {
		w := &sys.Weapons[slices.IndexFunc(sys.Weapons, func(w state.Weapon) bool { return sys.Sheet.Banks[w.Bank].Name == b.Name })]
		energy := c.ArmingEnergy(w.Armed)
		switch {
		case b.Kind.Phaser() || round > 1:
			return w.Over, w.Armed >= c.Turns && w.Fired.Turn != turn
		case c.Keeps && w.Armed >= c.Turns:
			left -= c.Hold
			return w.Over, true
		case left < energy:
			wants += energy
			return 0, false
		}
		left -= energy
		more := min(c.Over.Most, left-houseSpare)
		switch {
		case w.Armed+1 < c.Turns:
			return 0, false
		case !over || c.Over.Most == 0 || more < c.Over.Least:
			return 0, true
		}
		left, overloads = left-more, true
		return more, true
	})
	scanner, _ := sys.Sheet.Rating(sheet.Scanner)
	out.Hits = hits(armed, scanner, false)
	for i, sh := range sys.Sheet.Shields {
		out.Shields[i] = sh.Left + max(0, left)
	}
	return out, wants, overloads
}

// speeds returns the speeds that a robot may choose in a round.
func speeds(l *rulebook.Rules, sys *state.System, round int) (out []int) {
	if round > 1 {
		return []int{sys.Speed}
	}
	from := l.Quantum(sys.Speed)
	for q, quantum := range l.Quanta {
		if quantum.Hexes <= cruise && (q == from || rulebook.MayFollow(from, q)) {
			out = append(out, quantum.Hexes)
		}
	}
	return out
}

// choice is what a robot of the house rules chose.
type choice struct {
	speed       int
	move        []string
	fire        string // the condition to fire; "" holds fire
	spare       int    // energy kept back when overloading weapons
	gain, worth int    // of its best shot, and of the turn
}

// meet chooses how a robot of the house rules fights an enemy.
func meet(l *rulebook.Rules, v *engine.View, s, foe *engine.ShipView, sys *state.System, round int, hide bool) choice {
	known, _ := state.OpenOf(foe)
	if mine := sys.Sheet.Power(); mine <= helpless && mine < known.Sheet.Power() {
		return choice{speed: cruise, move: []string{"flee nearest", "disengage"}, spare: play.NoOverload}
	}
	in := steering.SpaceOf(v.Bounds, l.Ground, slices.Values(v.Terrain))
	rng, speed := hex.Distance(*s.Hex, *foe.Hex), known.Speed
	if round == 1 && rng > comesFast && 2*speed == cruise {
		speed = cruise
	}
	all := lookahead.Ways(in, foe.Stands())
	his := "pursue nearest to 1"
	if len(foe.Trail) > 0 && hex.Distance(foe.Trail[0].At.Hex, *s.Hex) < rng {
		his = "flee nearest"
	}
	does := all[slices.IndexFunc(all, func(w *lookahead.Way) bool { return w.Order == his })]
	enemy := enemyIn(l, foe, &known, speed, hide)
	space := &lookahead.Space{First: (round-1)*l.PhaseLength() + 1, Last: l.Impulses, Moves: l.Moves, Off: in.Off}
	best, top := choice{speed: sys.Speed, move: []string{"face nearest"}, spare: play.NoOverload}, -1<<60
	mine, turns := guns(l, &sys.Sheet), make([][]lookahead.Moment, len(all)) // by way; nil: not possible
	for _, speed := range speeds(l, sys, round) {
		flies := lookahead.Motion{At: s.Stands(), Speed: speed, Straight: sys.Straight, Mode: sys.StraightAt(speed)}
		for i, w := range all {
			turns[i] = nil
			if speed > 1 || w.Face != nil && (speed == 0 || i == 0) {
				turns[i] = space.Foresee(flies, enemy.Motion, w, does)
			}
		}
		for _, over := range []bool{false, true}[:1+rulebook.BoolInt(!hide)] {
			me, wants, overloads := ownIn(l, sys, mine, flies, v.Due, round, over, hide)
			if over && !overloads {
				continue
			}
			for i, w := range all {
				if turns[i] == nil {
					continue
				}
				o := lookahead.Weigh(me, enemy, turns[i], fromBelow*rulebook.BoolInt(hide))
				if o.Worth -= wanting * wants; o.Worth <= top {
					continue
				}
				top = o.Worth
				best = choice{speed: speed, move: []string{w.Order}, spare: play.NoOverload, gain: o.Gain, worth: o.Worth, fire: fmt.Sprintf("range <= %d", max(1, o.Range))}
				if over {
					best.spare = houseSpare
				}
				if known.Speed <= 1 {
					best.fire += fmt.Sprintf(" and facing = %d", o.Side+1)
				}
			}
		}
	}
	return best
}

// alone reports whether a ship has exactly one enemy.
func alone(v *engine.View, s *engine.ShipView) bool {
	n := 0
	for _, o := range v.Ships {
		n += rulebook.BoolInt(o.Side != s.Side && o.Kind == engine.KindShip && o.Status == engine.Active)
	}
	return n == 1
}

// duelFire adds the fire of a phase against one enemy.
func duelFire(l *rulebook.Rules, o *houseOrders, how choice, last bool) {
	for _, rack := range loaded(l, o.sys) {
		reach := fleetDrones
		if w := l.Charts[o.sys.Bank(o.sys.Weapon(rack)).Kind].Warheads; len(w) > 0 {
			reach = w[0].Upto
		}
		o.say("launch", rack, "at", rulebook.NearestEnemy, "when range <=", reach, "and range >= 2")
	}
	if how.fire == "" {
		return
	}
	o.fire(state.HeavyWeapons, "at", rulebook.NearestEnemy, "when", how.fire)
	o.fire(state.PhaserGroup, "at", rulebook.NearestEnemy, "when", how.fire)
	if last {
		o.fire(state.AllWeapons, "at", rulebook.NearestEnemy, "on", l.Impulses, "when range <=", atLast)
		o.fire(state.PhaserGroup, "at", rulebook.NearestEnemy, "on", l.Impulses, "when range <=", houseLate)
		o.fire(string(sheet.Disruptor), "at", rulebook.NearestEnemy, "on", l.Impulses, "when range <=", houseLate)
	}
}
