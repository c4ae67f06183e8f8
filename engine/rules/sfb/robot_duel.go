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

// How robots of the house rules meet an enemy whom they see: of the speeds and the ways to steer that they may choose they take
// what promises most, by the damage that both sides can expect (package lookahead). An enemy is taken to come on as he came, or to
// flee if he draws away, with all his weapons ready, and what energy he has left on the shield that is struck.
const (
	cruise      = 16  // the fastest speed that they think of
	comesFast   = 14  // hexes from which on an enemy at half of that is taken to go as fast
	surprise    = 150 // what a shot must be worth to come out from under a cloak
	fromBelow   = 10  // hexes at which they lurk under a cloak
	wanting     = 180 // what an energy is worth that weapons want and do not get
	spared      = 80  // per cent of his spare energy that an enemy is taken to have for shields
	plasmaHits  = 4   // what a point of a torpedo counts, in sixths: phasers weaken it
	fleetDrones = 16  // hexes within which drones are launched
	atLast      = 4   // hexes within which all is fired on the last impulse
	helpless    = 6   // power with which a ship is lost to a stronger one
)

// gun is a weapon that may fire in a turn, with so much energy more than it needs.
type gun struct {
	bank  *sheet.Bank
	chart *rulebook.FireChart
	over  int
}

// guns are a ship's weapons that are left.
func guns(l *rulebook.Rules, sheet *sheet.Sheet) (out []gun) {
	for i := range sheet.Banks {
		b := &sheet.Banks[i]
		if c := l.Charts[b.Kind]; b.Left == 0 || len(c.Rows) == 0 && len(c.Warheads) == 0 {
			continue
		}
		if n := len(out); n > 0 && out[n-1].bank.Kind == b.Kind { // banks of a kind stand together
			out = append(out, gun{b, out[n-1].chart, 0})
			continue
		}
		chart := l.Charts[b.Kind]
		out = append(out, gun{b, &chart, 0})
	}
	return out
}

// ready are the guns that can fire, with what overloads them.
func ready(guns []gun, can func(b *sheet.Bank, c *rulebook.FireChart) (over int, ok bool)) []gun {
	out := make([]gun, 0, len(guns))
	for _, g := range guns {
		if over, ok := can(g.bank, g.chart); ok {
			out = append(out, gun{g.bank, g.chart, over})
		}
	}
	return out
}

// hits are those of guns, as [lookahead.Ship] has them. Of an enemy's it is not known whether they are overloaded: it is
// taken as so where that reaches.
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

// enemyIn is the enemy as a robot takes him to be.
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

// ownIn is a robot's ship that flies so, with weapons overloaded or not, perhaps under her cloak; and the energy that her
// weapons want and do not get.
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

// speeds are those that a robot may choose in a round.
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
	fire        string // the condition to fire on; blank: it fires nothing
	spare       int    // energy that it keeps when it overloads what it arms
	gain, worth int    // of its best shot, and of the turn
}

// meet is how a robot of the house rules meets an enemy.
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
	mine, turns := guns(l, &sys.Sheet), make([][]lookahead.Moment, len(all)) // of each way; nil: it is none
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

// alone tells whether a ship has no more than one enemy.
func alone(v *engine.View, s *engine.ShipView) bool {
	n := 0
	for _, o := range v.Ships {
		n += rulebook.BoolInt(o.Side != s.Side && o.Kind == engine.KindShip && o.Status == engine.Active)
	}
	return n == 1
}

// duelFire is the fire of a phase against one enemy.
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
