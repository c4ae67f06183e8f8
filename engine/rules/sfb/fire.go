package sfb

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// shot is fire that is declared.
type shot struct {
	ship, target *engine.Ship
	weapon       int
	row          row
	rng, more    int
	scanner      int // what the ship's scanner adds to the range
	counts       int // the range as which it counts
	side         int // of the target, 0 to 5
	aimed        aimed
	order        *fireOrder
}

// droneHits is what an impulse's fire does to a drone.
type droneHits struct {
	points int
	by     []engine.Ref
}

// combat is the second part of an impulse: launches, fire, volleys, and ships that leave.
// All that fires in an impulse does so before any of its damage counts.
func (l *rulebook) combat(t *engine.Turn) {
	l.launches(t)
	l.partPhase(t, func(p *Part) func(*rulebook, *engine.Turn) { return p.act })
	var shots []shot
	for _, s := range state.Fighting(t.Game) {
		shots = append(shots, l.declare(t, s)...)
	}
	if l.Reserve {
		l.reinforceStruck(t, shots)
	}
	hurt := map[engine.ShipID]droneHits{}
	for i := range shots {
		l.shoot(t, &shots[i], hurt)
	}
	l.partPhase(t, func(p *Part) func(*rulebook, *engine.Turn) { return p.fired })
	for _, d := range append(state.Drones(t.Game), state.Crafts(t.Game)...) {
		if w := hurt[d.ID]; w.points > 0 {
			f := state.Of(d).Flight
			t.Because(w.by...).Emit(&state.Hurt{Ship: d.ID, Before: f.Points, After: max(0, f.Points-w.points)}, engine.SeeAll(), l.cite(onFire, topicOf(f))...)
		}
	}
	l.resolve(t)
	l.leave(t)
}

// orderedFire are a ship's orders to fire and launch in the phase that is played.
func (l *rulebook) orderedFire(t *engine.Turn, s *engine.Ship) []fireOrder {
	p := memo(t).plans[s.ID]
	if p == nil {
		return nil
	}
	return p.phases[l.phaseOf(t.Phase.No)-1].fires
}

// lastChance tells whether an order cannot be carried out any more after this impulse.
func (l *rulebook) lastChance(o *fireOrder, t *engine.Turn) bool {
	_, last := l.span(l.phaseOf(t.Phase.No))
	return !o.group && (t.Phase.No == last || o.on == t.Phase.No)
}

func (l *rulebook) skipped(t *engine.Turn, s *engine.Ship, o *fireOrder, why string) {
	t.Emit(&engine.Skip{Ship: s.ID, Line: o.line, Order: o.text, Reason: why}, engine.SeeOnly(s.ID), l.cite(onSkipped)...)
}

// withheld tells that an order did not fire a weapon, when it cannot any more. That the
// weapon fired before is told of an order for one impulse alone: others are given for
// several phases.
func (l *rulebook) withheld(t *engine.Turn, s *engine.Ship, o *fireOrder, w int, why string) {
	before := o.on == 0 && state.Of(s).Weapons[w].Fired.Turn == t.Number()
	if l.lastChance(o, t) && !before && !slices.Contains(o.done, w) {
		l.skipped(t, s, o, state.Of(s).Bank(w).Name+": "+why)
	}
}

const (
	shipCloaked = "she is cloaked"
	noControl   = "her fire control is off"
)

// fair tells whether a ship can be fired at.
func (l *rulebook) fair(s *engine.Ship) bool {
	return s.Status == engine.Active || s.Status == engine.Crippled
}

// aim is what an order means by a target; nil if that is not on the map.
func (l *rulebook) aim(g *engine.Game, s *engine.Ship, target engine.ShipID) *engine.Ship {
	if g.Blind != nil {
		return l.aimInTheDark(g, s, target)
	}
	if target != nearestEnemy {
		if foe, ok := g.Ship(target); ok && l.fair(foe) && l.sees(g, s, foe) {
			return foe
		}
		return nil
	}
	var best *engine.Ship
	for _, o := range state.Fighting(g) {
		if o.Side != s.Side && !l.hidden(g, o) && (best == nil || hex.Distance(s.Hex, o.Hex) < hex.Distance(s.Hex, best.Hex)) {
			best = o
		}
	}
	return best
}

// declare is the fire of a ship in an impulse: by orders, and at drones by standing orders.
func (l *rulebook) declare(t *engine.Turn, s *engine.Ship) []shot {
	var out []shot
	sys := state.Of(s)
	spent := 0 // of the capacitors, in halves of energy
	charge := func() int { return l.forPhasers(sys) - spent }
	add := func(sh shot, cause engine.Ref) {
		spent += sys.Bank(sh.weapon).Kind.Shot()
		l.drawForPhasers(t, s, spent, cause)
		out = append(out, sh)
	}
	used := func(w int) bool { return slices.ContainsFunc(out, func(sh shot) bool { return sh.weapon == w }) }
	fires := l.orderedFire(t, s)
	for i := range fires {
		o := &fires[i]
		if o.launch || o.blind || o.cannon || o.on > 0 && o.on != t.Phase.No {
			continue
		}
		target := l.aim(t.Game, s, o.target)
		if target != nil && !l.judge(t, s, target, o.when) {
			if l.lastChance(o, t) && slices.ContainsFunc(o.weapons, func(w int) bool { return sys.Weapons[w].Fired.Turn != t.Number() }) {
				l.skipped(t, s, o, "its condition did not come true")
			}
			continue
		}
		held := ""
		if target != nil {
			held = dark.HoldsFire(l.self, t.Game, s, target, sys.Standing.Hold)
		}
		for _, w := range o.weapons {
			if held != "" {
				l.withheld(t, s, o, w, held)
				continue
			}
			sh, why := l.shotOf(t, s, w, target, charge())
			if why == "" && !used(w) {
				sh.order = o
				if o.row > 0 {
					not := ""
					if sh.aimed, not = l.aimedAt(t, s, target, o.row); not != "" {
						l.skipped(t, s, &fireOrder{order: order{line: o.line, text: fmt.Sprintf("aimed %d", o.row)}}, not+"; "+sys.Bank(w).Name+" fires, and dice decide what it hits")
					}
				}
				add(sh, o.cause(t, s.ID))
				o.done = append(o.done, w)
			} else {
				l.withheld(t, s, o, w, cmp.Or(why, "it fires by another order"))
			}
		}
	}
	for _, g := range sys.Standing.Guard {
		for _, sh := range l.guard(t, s, g, charge(), used, out) {
			add(sh, t.OrderedIn(s.ID, "standing", "guard"))
		}
	}
	return out
}

// forPhasers is the energy that there is for phasers, in halves: that of the capacitors, and
// where a captain says so, that of the reserve and the batteries too (ruling R3b).
func (l *rulebook) forPhasers(sys *state.System) int {
	if !sys.Draws {
		return sys.Charge()
	}
	return sys.Charge() + 2*(sys.Reserve+sys.Batteries)
}

// drawForPhasers takes what the capacitors lack of so many halves from the reserve and the
// batteries (ruling R3b).
func (l *rulebook) drawForPhasers(t *engine.Turn, s *engine.Ship, halves int, cause engine.Ref) {
	if short := halves - state.Of(s).Charge(); short > 0 {
		l.pay(t, s, verbPhasers, (short+1)/2, cause)
	}
}

// guard is the fire of a ship's guard at drones that seek her, the nearest first, no more
// of it at each than is likely to be needed.
func (l *rulebook) guard(t *engine.Turn, s *engine.Ship, g state.Guard, charge int, used func(int) bool, before []shot) []shot {
	seekers := slices.DeleteFunc(state.Drones(t.Game), func(d *engine.Ship) bool {
		return state.Of(d).Flight.Target != s.ID || hex.Distance(s.Hex, d.Hex) > g.Within || !l.whole(t.Game, s, d)
	})
	if len(seekers) == 0 {
		return nil
	}
	slices.SortStableFunc(seekers, func(a, b *engine.Ship) int {
		return cmp.Compare(hex.Distance(s.Hex, a.Hex), hex.Distance(s.Hex, b.Hex))
	})
	expected := map[engine.ShipID]int{}
	for _, sh := range before {
		expected[sh.target.ID] += sh.row.sixths(sh.more)
	}
	var out []shot
	for _, d := range seekers {
		for _, name := range g.Weapons {
			w := state.Of(s).Weapon(name)
			if w < 0 || expected[d.ID] >= 6*state.Of(d).Flight.Points || used(w) || slices.ContainsFunc(out, func(sh shot) bool { return sh.weapon == w }) {
				continue
			}
			if sh, why := l.shotOf(t, s, w, d, charge); why == "" {
				charge -= state.Of(s).Bank(w).Kind.Shot()
				expected[d.ID] += sh.row.sixths(sh.more)
				out = append(out, sh)
			}
		}
	}
	return out
}

// counted is the range as which fire of a ship counts, with what her scanner adds to it, and
// what the cloak of the target makes of that.
func (l *rulebook) counted(firer *sheet.Sheet, rng int, hidden bool) (counts, scanner int) {
	scanner, _ = firer.Rating(sheet.Scanner)
	counts = rng + scanner
	if hidden {
		counts = l.Cloak.counted(counts)
	}
	return counts, scanner
}

// line is what a weapon does by its chart at a range that counts as another, or why it can do
// nothing. The shortest range of a weapon is of hexes as they are (ruling C14).
func line(chart *fireChart, b *sheet.Bank, over, rng, counts int, hidden bool) (r row, why string) {
	_, near := chart.atOver(over, rng)
	r, ok := chart.atOver(over, counts)
	ok = ok && near
	switch {
	case !ok && over > 0 && counts > chart.Over.Reach:
		return r, fmt.Sprintf("is overloaded, and reaches to %d hexes; the range counts as %d", chart.Over.Reach, counts)
	case !ok && near && hidden:
		return r, fmt.Sprintf("cannot fire at range %d, which the target's cloak makes of %d", counts, rng)
	case !ok && near:
		return r, fmt.Sprintf("cannot fire at range %d, which her scanner makes of %d", counts, rng)
	case !ok:
		return r, fmt.Sprintf("cannot fire at range %d", rng)
	case b.Reach > 0 && counts > b.Reach:
		return r, fmt.Sprintf("reaches to %d hexes, and the range counts as %d", b.Reach, counts)
	}
	return r, ""
}

// unready is why a weapon can fire at nothing now; blank if it can.
func (l *rulebook) unready(t *engine.Turn, s *engine.Ship, w, charge int) string {
	sys := state.Of(s)
	b, weapon := sys.Bank(w), &sys.Weapons[w]
	chart, ok := l.Charts[b.Kind]
	switch {
	case state.Cloaked(s):
		return shipCloaked
	case sys.NoFire:
		return noControl
	case !sys.Controlled():
		return uncontrolled
	case b.Left == 0:
		return "it is destroyed"
	case !ok:
		return "the rules have no chart for it"
	case weapon.Fired.Turn == t.Number():
		return "it has fired in this turn"
	case l.tooSoon(weapon, t):
		return fmt.Sprintf("it fired %d impulses ago, and may again after %d", l.since(weapon.Fired, t), l.Again)
	case charge < b.Kind.Shot():
		return "the capacitors are empty"
	case weapon.Armed < chart.Turns:
		return "it is not armed"
	}
	return ""
}

// shotOf is a shot of a weapon, or why it cannot be fired now. Charge is what the capacitors
// have, in halves of energy.
func (l *rulebook) shotOf(t *engine.Turn, s *engine.Ship, w int, target *engine.Ship, charge int) (sh shot, why string) {
	sys := state.Of(s)
	b := sys.Bank(w)
	switch why = l.unready(t, s, w, charge); {
	case why != "":
		return sh, why
	case target == nil:
		return sh, "there is no such target on the map now"
	case target.Kind == engine.KindShot:
		return sh, "nothing shoots down a shot of a cannon"
	case target.Kind == engine.KindPlasma && !b.Kind.Phaser():
		return sh, "only phasers do anything to plasma"
	}
	if !l.space(t).Clear(s.Hex, target.Hex) {
		return sh, "an obstacle is in the line of fire"
	}
	sh = shot{ship: s, target: target, weapon: w, rng: hex.Distance(s.Hex, target.Hex)}
	sh.counts, sh.scanner = l.counted(&sys.Sheet, sh.rng, state.Cloaked(target))
	chart := l.chart(sys, b.Kind)
	if sh.row, why = line(&chart, b, sys.Weapons[w].Over, sh.rng, sh.counts, state.Cloaked(target)); why != "" {
		return sh, "it " + why
	}
	if bearing, apart := hex.Bearing(s.Hex, target.Hex); apart && !b.Arcs.Bear(bearing.Relative(s.Heading)) {
		return sh, "the target is out of its arc " + b.Arcs.String()
	}
	if target.Small() {
		sh.more = chart.Small
		if chart.Beam.Shield > 0 {
			sh.row.Points = chart.Beam.Inside
		}
	} else {
		sh.side = l.struck(s, target)
	}
	return sh, ""
}

// struck is the side of a target that fire from a ship strikes; on the line between two
// the target's standing choice decides (ruling D6).
func (l *rulebook) struck(from, target *engine.Ship) int {
	sys := state.Of(target)
	p, apart := hex.Bearing(target.Hex, from.Hex)
	if !apart {
		for _, n := range sys.Near {
			if n.Ship == from.ID {
				return n.Side
			}
		}
		return 0
	}
	first, second, line := hex.Side(p.Relative(target.Heading))
	if !line {
		return second
	}
	a, b := sys.Sheet.Shields[first].Left, sys.Sheet.Shields[second].Left
	switch sys.Standing.Choose {
	case strconv.Itoa(first + 1):
		return first
	case strconv.Itoa(second + 1):
		return second
	case state.Weakest:
		a, b = -a, -b
	}
	if a > b {
		return first
	}
	return second
}

// shoot throws the die of a shot. What it does is noted for the volleys, or in hurt for
// a drone.
func (l *rulebook) shoot(t *engine.Turn, sh *shot, hurt map[engine.ShipID]droneHits) {
	b := state.Of(sh.ship).Bank(sh.weapon)
	cite := l.cite(onFire)
	switch {
	case sh.target.Small():
		cite = l.cite(onFire, topicOf(state.Of(sh.target).Flight))
	case state.Cloaked(sh.target):
		cite = l.cite(onFire, onCloak)
	}
	if l.Charts[b.Kind].Beam.Shield > 0 {
		cite = append(slices.Clone(cite), l.cite(onBeam)...)
	}
	if sh.aimed.row > 0 {
		cite = append(slices.Clone(cite), l.cite(onAiming)...)
	}
	roll := t.Roll(engine.NameRoll("fire", sh.ship.ID).And(b.Name), dice.D6, engine.SeeAll(), cite...)
	over, own := l.ownDie(t, sh.ship, sh.weapon)
	f := &state.Fire{
		Ship: sh.ship.ID, Target: sh.target.ID, Weapon: b.Name, Kind: b.Kind, Impulse: t.Phase.No, Range: sh.rng, Scanner: sh.scanner,
		Roll: roll, More: sh.more, Need: sh.row.Need, Points: sh.row.points(roll, sh.more), Over: over, Own: own,
	}
	f.Hit, f.Aimed, f.Half = f.Points > 0, sh.aimed.row, sh.aimed.half
	if sh.counts != sh.rng {
		f.Counts = sh.counts
	}
	if !sh.target.Small() {
		f.Shield = sh.side + 1
	}
	if sh.order != nil {
		t.Because(sh.order.cause(t, sh.ship.ID))
	} else {
		t.Because(t.OrderedIn(sh.ship.ID, "standing", "guard"))
	}
	fired := t.Emit(f, engine.SeeAll().And(state.FireTarget), cite...)
	l.blows(t, sh.ship, sh.weapon, over, own, fired)
	switch {
	case !f.Hit, dark.IsEcho(sh.target): // what sensors show of a hit on an echo is as false as it is
	case sh.target.Small():
		w := hurt[sh.target.ID]
		hurt[sh.target.ID] = droneHits{w.points + f.Points, append(w.by, fired)}
	default:
		l.inflict(t, sh.target, sh.side, f.Points, l.weaponSource(sh.ship, sh.weapon, sh.aimed), fired)
	}
}

// judge works a condition out; all that it may ask is open.
func (l *rulebook) judge(t *engine.Turn, s, target *engine.Ship, cond *orders.Cond) bool {
	return cond.Eval(func(c *orders.Cond) bool {
		switch c.Subject {
		case "range":
			return target != nil && c.Holds(hex.Distance(s.Hex, target.Hex))
		case "impulse":
			return c.Holds(t.Phase.No)
		case "damaged":
			return state.Of(s).Hit
		case dark.AboutHeard:
			return dark.In(t).Heard(s)
		case "facing":
			return target != nil && !target.Small() && l.headed(t.Game, s, target) && c.Holds(l.struck(s, target)+1)
		case "cloaked":
			return target != nil && state.Cloaked(target) && l.whole(t.Game, s, target)
		case "drones":
			n := 0
			for _, d := range state.Drones(t.Game) {
				n += b2i(state.Of(d).Flight.Target == s.ID && l.whole(t.Game, s, d))
			}
			return c.Holds(n)
		}
		if a, named := c.Arg("SHIP"); named && dark.AsksContact(c) {
			return l.judgeContact(t, s, a.Text, c)
		}
		side, _ := c.Arg("SHIELD")
		whose := s
		if a, named := c.Arg("SHIP"); named {
			whose = l.aim(t.Game, s, nearestEnemy)
			if !strings.EqualFold(a.Text, nearestEnemy) {
				whose = l.named(t.Game, s, a.Text)
			}
		}
		return whose != nil && !whose.Small() && l.sees(t.Game, s, whose) && l.whole(t.Game, s, whose) && c.Holds(state.Of(whose).Sheet.Shields[side.Num-1].Left)
	})
}
