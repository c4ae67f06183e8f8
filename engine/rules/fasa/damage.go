package fasa

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/tactical"
)

// damageBlock is damage that got through, on its way to the location that takes it.
type damageBlock struct {
	penetration
	part, points int // the block's number from 1, and what it holds
	roll         int
}

// place is a location and the table that gave it, with the cell of a detailed one.
type place struct {
	table, location string
	cell            tables.Hit
}

// effect does what a hit on a location does.
type effect func(*damageResolver)

// damageResolver carries out what a hit does that went through.
type damageResolver struct {
	damageBlock
	l      *rulebook
	t      *engine.Turn
	sys    *ship.State
	d      *ship.Damage
	topics []topic

	cell   tables.Hit                // of a detailed chart
	named  engine.RollName           // the roll for the location, within the phase
	thrown []engine.Ref              // dice that it shares with them
	rolled map[engine.RollName]throw // dice of the hits that took effect with it
}

// throw is a die that several events follow from.
type throw struct {
	value int
	event engine.Ref
}

// cite adds topics to the event.
func (in *damageResolver) cite(topics ...topic) { in.topics = append(in.topics, topics...) }

// halfToSuperstructure is what becomes in the courses of a hit on what is gone already, or
// on nothing (ruling D21).
func halfToSuperstructure(in *damageResolver) string {
	loseSuperstructure(in.d, in.sys, (in.points+1)/2)
	return "half, rounded up, to the superstructure"
}

// wasted is a hit that finds nothing to damage.
func (in *damageResolver) wasted(why string, topics ...topic) {
	in.d.Note = why + ": " + in.l.vain(in)
	in.cite(topics...)
}

// takeDamage lets all that got through take effect. The hits of one roll go to
// the same location (stcs 4.13).
func (l *rulebook) takeDamage(s *salvo) {
	l.inflict(s.t, s.through)
	s.through = nil
}

// inflict does the damage of hits, each divided into blocks if it is spread.
func (l *rulebook) inflict(t *engine.Turn, hits []penetration) {
	rolled := map[engine.RollName]throw{}
	for _, h := range hits {
		for i, points := range blocks(h.through, h.spread) {
			named := h.group.And("location")
			if i > 0 {
				named = named.And(strconv.Itoa(i + 1))
			}
			roll, known := rolled[named]
			if !known {
				roll.value = t.Roll(named, dice.D10, l.felt(t.Game, h.hit), l.cite(DamageLocation, LocationTable)...)
				roll.event = t.Last()
				rolled[named] = roll
			}
			l.damage(t, damageBlock{penetration: h, part: i + 1, points: points, roll: roll.value}, named, rolled)
		}
	}
	dark.In(t).TellWaiting()
}

// blocks divides damage that is spread into blocks of 5 points (stcs 9.1).
func blocks(points int, spread bool) []int {
	if !spread {
		return []int{points}
	}
	var out []int
	for ; points > 5; points -= 5 {
		out = append(out, 5)
	}
	return append(out, points)
}

// damage does the damage of one block. Named is the roll for its location, within the
// phase.
func (l *rulebook) damage(t *engine.Turn, w damageBlock, named engine.RollName, rolled map[engine.RollName]throw) {
	at := l.locate(l, w)
	in := &damageResolver{damageBlock: w, l: l, t: t, sys: ship.Of(w.target), topics: []topic{DamageLocation}, cell: at.cell, named: named, rolled: rolled}
	in.d = &ship.Damage{
		Ship: w.target.ID, From: w.from, Weapon: w.weapon, Mount: w.mount,
		Table: at.table, Named: t.RollName(named).String(), Roll: w.roll, Location: at.location, Points: w.points,
	}
	if at.cell.Half && at.location != tables.AtSplit {
		in.points /= 2 // rounded down (stcs 15.12)
		in.cite(ChartHalving)
	}
	if at.cell.Half || at.location == tables.AtSplit {
		in.spared = (w.points+w.spared)/2 - w.points/2
	}
	switch do, ok := l.effects[at.location]; {
	case w.points == 0: // all of it was taken off, but not the casualties
		if l.hurts(in); in.d.Casualties == nil {
			return
		}
	case ok:
		do(in)
	}
	// Where and how much is told, not the figures that take a question to learn.
	blind := in.sys.Sensors().Down
	event := t.Because(w.pierced, rolled[named].event).Because(in.thrown...).Emit(in.d, l.felt(t.Game, w.hit), l.cite(in.topics...)...)
	if d := in.d; d.Superstructure != nil || d.Power != nil || len(d.Engines) > 0 || d.Lost != nil {
		harm(t, d.Ship, event)
	}
	if in.sys.Sensors().Down && !blind {
		putOut(t, in.d.Ship, event)
	}
}

// basicTable is the one table of the Basic Course (ruling D19).
func basicTable(l *rulebook, w damageBlock) place {
	return place{table: "basic", location: l.Locations[w.roll]}
}

// basicEffects is what hits do in the Basic Course.
func basicEffects() map[string]effect {
	effects := simpleEffects()
	effects[tables.AtSensors] = hitSensors
	return effects
}

// simpleEffects is what hits do in Book One, in which sensors are not hit.
func simpleEffects() map[string]effect {
	return map[string]effect{
		tables.AtShield: hitGenerator, tables.AtBeam: hitWeapon, tables.AtMissile: hitWeapon,
		tables.AtEngine: func(in *damageResolver) {
			losePower(in.d, in.sys, in.points)
			in.cite(EngineHits)
		},
		tables.AtSuperstructure: func(in *damageResolver) {
			loseSuperstructure(in.d, in.sys, in.points)
			in.cite(SuperstructureHits)
		},
	}
}

func hitGenerator(in *damageResolver) {
	if in.sys.Shields[in.shield-1].Down {
		in.wasted(fmt.Sprintf("generator %d is damaged already", in.shield), GeneratorHits, HalfDamage)
		return
	}
	in.d.ShieldNumber = in.shield
	in.d.Shield = &ship.Loss{Name: fmt.Sprintf("shield generator %d", in.shield), Before: "working", After: "damaged"}
	in.cite(GeneratorHits)
}

// hitSensors divides the damage between engines and superstructure and bars fire in
// the next phase (stcs 4.12, ruling D22), however often the sensors are hit: they are
// never gone, so no later hit is halved (ruling D21).
func hitSensors(in *damageResolver) {
	losePower(in.d, in.sys, in.points/2)
	loseSuperstructure(in.d, in.sys, in.points-in.points/2)
	in.d.Sensors = &ship.Change{Before: in.sys.NoFire, After: in.l.firePhase(in.t.Number(), in.t.Phase.No) + 1}
	in.cite(SensorHits)
}

func loseSuperstructure(d *ship.Damage, sys *ship.State, points int) {
	d.Superstructure = &ship.Change{Before: sys.Superstructure, After: sys.Superstructure - points}
}

func losePower(d *ship.Damage, sys *ship.State, points int) {
	d.Power = &ship.Change{Before: sys.Power, After: max(0, sys.Power-points)}
}

// hitWeapon takes a mount that can bear on the firer, by the owner's standing
// preference; with none of the kind that was hit, one of the other kind; with
// none at all half the damage goes to the superstructure (ruling D20). A second
// hit of the same bank to the same location finds the weapon gone (stcs 4.13).
func hitWeapon(in *damageResolver) {
	defer in.cite(WeaponHits)
	kind, other := tables.Beam, tables.Missile
	if in.d.Location == tables.AtMissile {
		kind, other = tables.Missile, tables.Beam
	}
	if in.again {
		in.wasted("the weapon is gone already", SharedLocation, HalfDamage)
		return
	}
	for _, k := range []string{kind, other} {
		bank, mount, ok := in.l.victim(in.stood, in.sys, k, in.at)
		if !ok {
			continue
		}
		b := &in.sys.Banks[bank]
		in.d.LostBank, in.d.LostMount = b.ID, mount+1
		in.d.Lost = &ship.Loss{Name: ship.MountName(b, mount), Before: "working", After: "destroyed"}
		if k != kind {
			in.d.Note = "no " + kind + " weapon bears on the firer"
		}
		return
	}
	in.wasted("no weapon bears on the firer", NoWeaponBears)
}

// victim chooses the mount that is lost: banks in the owner's order, then those
// that have fired, then the rest as the ship lists them. Missiles and plasma
// launchers count as one kind.
func (l *rulebook) victim(at engine.Place, sys *ship.State, kind string, from hex.Hex) (bank, mount int, ok bool) {
	type choice struct{ rank, bank, mount int }
	var choices []choice
	prefer := sys.Standing.Beams
	if kind == tables.Missile {
		prefer = sys.Standing.Missile
	}
	for i := range sys.Banks {
		b := &sys.Banks[i]
		if (b.Kind == tables.Beam) != (kind == tables.Beam) {
			continue
		}
		if _, bears := b.Bears(l.Library, at, from); !bears {
			continue
		}
		for m, mt := range b.Mounts {
			if mt.Destroyed {
				continue
			}
			rank := slices.Index(prefer, b.ID)
			if rank < 0 {
				rank = len(prefer) + 1
				if mt.Fired {
					rank = len(prefer)
				}
			}
			choices = append(choices, choice{rank, i, m})
		}
	}
	if len(choices) == 0 {
		return 0, 0, false
	}
	best := slices.MinFunc(choices, func(a, b choice) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.bank, b.bank), cmp.Compare(a.mount, b.mount))
	})
	return best.bank, best.mount, true
}

// shed cuts allotted power when the engines no longer give it (ruling D23), in
// the captain's order of systems: weapons not yet fired, movement still to
// come, shields. A ship that is out of the fight loses all that is left of it.
func (l *rulebook) shed(t *engine.Turn, s *engine.Ship) {
	sys := ship.Of(s)
	allotted := sys.Alloc.Used()
	over := allotted - sys.Power - sys.Alloc.Extra
	out := s.Status != engine.Active
	if out {
		over = allotted
	}
	if over <= 0 {
		return
	}
	c := &powerShedder{sys: sys, alloc: sys.Alloc, was: sys.Alloc, armed: map[string][]int{}, over: over, phase: t.Phase.No}
	c.alloc.Split = slices.Clone(sys.Alloc.Split)
	for _, sh := range sys.Shields {
		c.set = append(c.set, sh.Set)
	}
	c.dead()
	c.labs()
	cuts := inOrder(sys.Shedable())
	if !out {
		cuts = l.cutOrder(l, t, s)
	}
	for _, cut := range cuts {
		c.take(cut)
	}
	for _, cut := range cuts {
		if cut.most > 0 { // the amounts named were not enough
			c.take(powerCut{system: cut.system})
		}
	}
	after := c.alloc.Used()
	if after == allotted {
		return // all that is left is used up already
	}
	topics := []topic{powerShedding}
	if out {
		c.detail, topics = []string{"shields and engines fail, nothing is armed"}, append(topics, crippling)
	}
	shed := t.Because(ruinOf(t, s.ID)...).Emit(&ship.Shed{
		Ship: s.ID, Power: ship.Change{Before: allotted, After: after}, Alloc: c.alloc, Set: c.set, Armed: c.armed, Detail: c.detail,
	}, engine.SeeOnly(s.ID), l.cite(topics...)...)
	l.unpower(t, s, shed)
	if !out {
		l.onShed(l, t, s, shed, c)
	}
}

// powerCut is a system that power is cut from, and how much of it at first; 0 for all.
type powerCut struct {
	system string
	most   int
}

// inOrder are cuts without amounts.
func inOrder(systems []string) []powerCut {
	out := make([]powerCut, len(systems))
	for i, system := range systems {
		out[i].system = system
	}
	return out
}

// take cuts power from a system.
func (c *powerShedder) take(cut powerCut) {
	rest := 0
	if cut.most > 0 {
		rest = max(0, c.over-cut.most)
		c.over -= rest
	}
	switch cut.system {
	case "weapons":
		c.weapons()
	case "movement":
		c.movement()
	case "shields":
		c.shields()
	case ship.NameCloak:
		c.cloak()
	}
	c.over += rest
}

type powerShedder struct {
	sys    *ship.State
	alloc  ship.Alloc
	set    []int
	armed  map[string][]int
	was    ship.Alloc
	detail []string
	from   []string // by detail: the system it was cut from
	over   int
	phase  int
}

// tell says what was cut from a system.
func (c *powerShedder) tell(system, format string, args ...any) {
	c.detail, c.from = append(c.detail, fmt.Sprintf(format, args...)), append(c.from, system)
}

// dead takes the power of mounts that were destroyed before they fired: it is of
// no use to anybody, whatever the captain's order.
func (c *powerShedder) dead() {
	c.mounts(func(m ship.Mount) bool { return m.Destroyed && !m.Fired }, func(name string, cut, _ int) string {
		return fmt.Sprintf("%s is destroyed, its %d power are not missed", name, cut)
	})
}

// weapons takes power from mounts that have not fired, in the order that was ordered, else
// last bank first.
func (c *powerShedder) weapons() {
	c.mounts(func(m ship.Mount) bool { return !m.Destroyed && !m.Fired }, func(name string, cut, left int) string {
		return fmt.Sprintf("%s loses %d power, %d left", name, cut, left)
	})
}

// mounts takes power from the mounts that may lose it.
func (c *powerShedder) mounts(may func(ship.Mount) bool, tell func(name string, cut, left int) string) {
	for _, i := range c.first(standingDisarm, len(c.sys.Banks), func(i int) string { return c.sys.Banks[i].ID }) {
		b := &c.sys.Banks[i]
		left, known := c.armed[b.ID]
		if !known {
			left = make([]int, len(b.Mounts))
			for m := range left {
				left[m] = b.Mounts[m].Armed
			}
		}
		for m := len(b.Mounts) - 1; m >= 0 && c.over > 0; m-- {
			spent := b.Mounts[m].Spent // with the shots that it has fired
			if left[m] <= spent || !may(b.Mounts[m]) {
				continue
			}
			cut := min(left[m]-spent, c.over)
			if b.Kind != tables.Beam && (!b.Mounts[m].Destroyed || c.sys.Detailed()) {
				cut = left[m] // a missile is armed or it is not, also one that may be repaired
			}
			left[m] -= cut
			c.over -= cut
			c.alloc.Weapons -= cut
			c.armed[b.ID] = left
			c.tell("weapons", "%s", tell(ship.MountName(b, m), cut, left[m]-spent))
		}
	}
}

// first are indices up to n: those that a standing order names in its order, then from the
// last one down.
func (c *powerShedder) first(key string, n int, name func(i int) string) []int {
	var out []int
	for _, named := range c.sys.Standing.List(key) {
		for i := range n {
			if name(i) == named {
				out = append(out, i)
			}
		}
	}
	for i := n - 1; i >= 0; i-- {
		if !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

// movement takes points of the phases still to come, in the order that was ordered, else
// the last phase first.
func (c *powerShedder) movement() {
	if c.over <= 0 {
		return
	}
	used := 0
	for n := range c.alloc.Split {
		if n < c.phase {
			used += c.alloc.Split[n]
		}
	}
	ratio := c.sys.Design.Move
	// The points that were made cannot be taken back; nor can their power.
	cut := min(c.over, c.alloc.Movement-ratio.Cost(used))
	if cut <= 0 {
		return
	}
	points := max(used, ratio.Points(c.alloc.Movement-cut))
	lose := c.alloc.Points - points
	for _, n := range c.first(standingSlow, len(c.alloc.Split), func(i int) string { return strconv.Itoa(i + 1) }) {
		if n < c.phase {
			continue
		}
		take := min(lose, c.alloc.Split[n])
		c.alloc.Split[n] -= take
		lose -= take
	}
	c.tell("movement", "movement loses %d power, %d of %d points left", cut, points, c.alloc.Points)
	c.alloc.Points = points
	c.alloc.Movement -= cut
	c.over -= cut
}

// shields takes points until the power fits: from those that were ordered, then one by one
// from the strongest.
func (c *powerShedder) shields() {
	if c.over <= 0 {
		return
	}
	cut := min(c.over, c.alloc.Shields)
	if cut <= 0 {
		return
	}
	allowed := c.sys.Design.Shield.Points(c.alloc.Shields - cut)
	total, was := tactical.Sum(c.set), tactical.Sum(c.set)
	for _, named := range c.sys.Standing.List(standingLower) {
		if i, err := strconv.Atoi(named); err == nil && i >= 1 && i <= len(c.set) {
			take := min(c.set[i-1], max(0, total-allowed))
			c.set[i-1] -= take
			total -= take
		}
	}
	for total > allowed {
		c.set[tactical.Highest(c.set)]--
		total--
	}
	c.tell("shields", "shields lose %d power, %d of %d points left", cut, total, was)
	c.alloc.Shields -= cut
	c.over -= cut
}

// cloak takes the power of the cloak, all of it: it works with that or not at all.
func (c *powerShedder) cloak() {
	if c.over <= 0 || c.alloc.Cloak == 0 {
		return
	}
	c.tell(ship.NameCloak, "the cloak loses its %d power", c.alloc.Cloak)
	c.over -= c.alloc.Cloak
	c.alloc.Cloak = 0
}

// labs takes the power of laboratories, before any system's (ruling F7).
func (c *powerShedder) labs() {
	cut := min(c.over, c.alloc.Labs)
	if cut <= 0 {
		return
	}
	c.alloc.Labs -= cut
	c.over -= cut
	c.tell(verbLabs, "laboratories lose %d power, %d left", cut, c.alloc.Labs)
}

// hitEngines takes power from the engines in the captain's order (stcs 4.10).
func hitEngines(in *damageResolver) {
	in.d.Engines = in.sys.Spill(in.points)
	lost := 0
	for _, c := range in.d.Engines {
		lost += c.Before - c.After
	}
	losePower(in.d, in.sys, lost)
	in.cite(EngineHits, standingOrders)
}
