package sfb

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/lookahead"
	"starpost/engine/rules/sfb/steering"
)

// How robots of the house rules meet an enemy whom they see: of the speeds and the ways to steer that they may choose they take
// what promises most, by the damage that both sides can expect (package lookahead). An enemy is taken to come on as he came, or to
// flee if he draws away, with all his weapons ready, and what energy he has left on the shield that is struck.
const (
	cruise      = 16  // the fastest speed that they think of
	comesFast   = 14  // hexes from which on an enemy at half of that is taken to go as fast
	passing     = 4   // hexes from one who is passed on a side
	surprise    = 150 // what a shot must be worth to come out from under a cloak
	fromBelow   = 10  // hexes at which they lurk under a cloak
	wanting     = 180 // what an energy is worth that weapons want and do not get
	spared      = 80  // per cent of his spare energy that an enemy is taken to have for shields
	plasmaHits  = 4   // what a point of a torpedo counts, in sixths: phasers weaken it
	fleetDrones = 16  // hexes within which drones are launched
	atLast      = 4   // hexes within which all is fired on the last impulse
	helpless    = 6   // power with which a ship is lost to a stronger one
)

// gun is a weapon that can fire in a turn, with so much energy more than it needs.
type gun struct {
	bank  *Bank
	chart *fireChart
	over  int
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
				sum += plasmaHits * w[0].Points * b2i(rng > 1 && counts <= w[0].Upto)
				continue
			}
			over := g.over
			if guess && rng > overReach {
				over = 0
			}
			if r, ok := g.chart.atOver(over, counts); ok {
				sum += r.sixths(0)
			}
		}
		return sum
	}
}

// guns are a ship's weapons that ready tells can fire, with what overloads them.
func guns(l *rulebook, sheet *Sheet, ready func(b *Bank, c *fireChart) (over int, ok bool)) (out []gun, scanner int) {
	for i := range sheet.Banks {
		b := &sheet.Banks[i]
		c := l.Charts[b.Kind]
		if b.Left == 0 || len(c.Rows) == 0 && len(c.Warheads) == 0 {
			continue
		}
		if over, ok := ready(b, &c); ok {
			out = append(out, gun{b, &c, over})
		}
	}
	scanner, _ = sheet.Rating(Scanner)
	return out, scanner
}

// enemyIn is the enemy as a robot takes him to be.
func enemyIn(l *rulebook, foe *engine.ShipView, known *Open, speed int, blinded bool) *lookahead.Ship {
	out := &lookahead.Ship{At: foe.Stands(), Speed: speed, Straight: known.Straight, Mode: known.Sheet.Straight(speed)}
	need := 0
	guns, scanner := guns(l, &known.Sheet, func(b *Bank, c *fireChart) (int, bool) {
		need += 1 + b2i(!b.Kind.Phaser())
		return min(c.Over.Most, 2) * b2i(!b.Kind.Phaser()), !blinded
	})
	out.Hits = hits(guns, scanner, true)
	spare := max(0, known.Sheet.Power()-l.Needs.all()-poolEnergy(known.Speed, known.Sheet.moveCost())-need) * spared / 100
	for i, s := range known.Sheet.Shields {
		out.Shields[i] = s.Left + spare
	}
	return out
}

// ownIn is a robot's ship at a speed, with weapons overloaded or not, perhaps under her cloak; and the energy that her
// weapons want and do not get.
func ownIn(l *rulebook, s *engine.ShipView, sys *System, turn, round, speed int, over, hide bool) (out *lookahead.Ship, wants int, overloads bool) {
	out = &lookahead.Ship{At: s.Stands(), Speed: speed, Straight: sys.Straight, Mode: sys.straight(speed)}
	left := sys.Sheet.Power() - l.Needs.all() - poolEnergy(speed, sys.hexCost()) - max(0, sys.phasers()-sys.Capacitor) - sys.Sheet.Cloak*b2i(hide)
	if round > 1 {
		left = sys.Reserve
	}
	guns, scanner := guns(l, &sys.Sheet, func(b *Bank, c *fireChart) (int, bool) {
		w := sys.Weapons[sys.weapon(b.Name)]
		energy := c.energy(w.Armed)
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
	out.Hits = hits(guns, scanner, false)
	for i, sh := range sys.Sheet.Shields {
		out.Shields[i] = sh.Left + max(0, left)
	}
	return out, wants, overloads
}

// speeds are those that a robot may choose in a round.
func speeds(l *rulebook, sys *System, round int) (out []int) {
	if round > 1 {
		return []int{sys.Speed}
	}
	from := l.quantum(sys.Speed)
	for q, quantum := range l.Quanta {
		if quantum.Hexes <= cruise && (q == from || mayFollow(from, q)) {
			out = append(out, quantum.Hexes)
		}
	}
	return out
}

// ways are the ways to steer that a robot thinks of, against an enemy at a place.
func ways(in *steering.Space, there engine.Place) (out []*lookahead.Way) {
	add := func(order string, m moveOrder) {
		w := &lookahead.Way{Order: order, Next: func(at, other engine.Place, may bool) (engine.Place, bool) {
			if m.verb == "course" {
				other.Hex = m.at
			}
			word := steering.Steer(m.wish(), at, other, may, in)
			return steering.Step(at, word), word != "F"
		}}
		if m.verb == "face" {
			w.Face = func(at, other engine.Place) hex.Heading { return steering.Toward(at, other.Hex, m.side) }
		}
		out = append(out, w)
	}
	add("face nearest", moveOrder{verb: "face"})
	for _, side := range []int{1, 5, 2, 4} {
		add(fmt.Sprintf("face nearest with %d", side+1), moveOrder{verb: "face", side: side})
	}
	for _, to := range []int{1, 3} {
		add(fmt.Sprintf("pursue nearest to %d", to), moveOrder{verb: "pursue", rng: to})
	}
	add("flee nearest", moveOrder{verb: "flee"})
	for _, side := range []int{1, 2, 4, 5} {
		if at := there.Hex.StepN(there.Heading.Turn(side), passing); !in.Off(at) {
			add("course "+at.Label(), moveOrder{verb: "course", at: at})
		}
	}
	return out
}

// choice is what a robot of the house rules chose.
type choice struct {
	speed       int
	move        string
	fire        string // the condition to fire on; blank: it fires nothing
	spare       int    // energy that it keeps when it overloads what it arms
	gain, worth int    // of its best shot, and of the turn
}

// meet is how a robot of the house rules meets an enemy.
func meet(l *rulebook, v *engine.View, s, foe *engine.ShipView, sys *System, round int, hide bool) choice {
	known, _ := openOf(foe)
	if mine := sys.Sheet.Power(); mine <= helpless && mine < known.Sheet.Power() {
		return choice{speed: cruise, move: "flee nearest\n  disengage", spare: noOverload}
	}
	in := l.spaceOf(v.Bounds, slices.Values(v.Terrain))
	rng, speed := hex.Distance(*s.Hex, *foe.Hex), known.Speed
	if round == 1 && rng > comesFast && 2*speed == cruise {
		speed = cruise
	}
	all := ways(in, foe.Stands())
	his := "pursue nearest to 1"
	if len(foe.Trail) > 0 && hex.Distance(foe.Trail[0].At.Hex, *s.Hex) < rng {
		his = "flee nearest"
	}
	does := all[slices.IndexFunc(all, func(w *lookahead.Way) bool { return w.Order == his })]
	enemy := enemyIn(l, foe, &known, speed, hide)
	space := &lookahead.Space{First: (round-1)*l.phaseLength() + 1, Last: l.Impulses, Moves: l.moves, Off: in.Off}
	best, top := choice{speed: sys.Speed, move: "face nearest", spare: noOverload}, -1<<60
	for _, speed := range speeds(l, sys, round) {
		for _, over := range []bool{false, true} {
			me, wants, overloads := ownIn(l, s, sys, v.Due, round, speed, over, hide)
			if over && (hide || !overloads) {
				continue
			}
			for i, w := range all {
				turn, ok := space.Foresee(*me, *enemy, w, does)
				if !ok || speed <= 1 && (w.Face == nil || speed == 1 && i > 0) {
					continue
				}
				o := lookahead.Weigh(me, enemy, turn, fromBelow*b2i(hide))
				if o.Worth -= wanting * wants; o.Worth <= top {
					continue
				}
				top = o.Worth
				best = choice{speed: speed, move: w.Order, spare: noOverload, gain: o.Gain, worth: o.Worth, fire: fmt.Sprintf("range <= %d", max(1, o.Range))}
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
		n += b2i(o.Side != s.Side && o.Kind == engine.KindShip && o.Status == engine.Active)
	}
	return n == 1
}

// duelFire is the fire of a phase against one enemy.
func duelFire(l *rulebook, o *houseOrders, how choice, last bool) {
	for _, rack := range l.loaded(o.sys) {
		reach := fleetDrones
		if w := l.Charts[o.sys.bank(o.sys.weapon(rack)).Kind].Warheads; len(w) > 0 {
			reach = w[0].Upto
		}
		o.say("launch %s at %s when range <= %d and range >= 2", rack, nearestEnemy, reach)
	}
	if how.fire == "" {
		return
	}
	o.fire(heavyWeapons, " at %s when %s", nearestEnemy, how.fire)
	o.fire(phaserGroup, " at %s when %s", nearestEnemy, how.fire)
	if last {
		o.fire(allWeapons, " at %s on %d when range <= %d", nearestEnemy, l.Impulses, atLast)
		o.fire(phaserGroup, " at %s on %d when range <= %d", nearestEnemy, l.Impulses, houseLate)
		o.fire(string(Disruptor), " at %s on %d when range <= %d", nearestEnemy, l.Impulses, houseLate)
	}
}
