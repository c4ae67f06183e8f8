package fasa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/tactical"
)

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
	c := &powerShedder{powerLoss: powerLoss{was: sys.Alloc, alloc: sys.Alloc}, sys: sys, armed: map[string][]int{}, over: over, phase: t.Phase.No}
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
	topics := []cites.Topic{cites.PowerShedding}
	if out {
		c.detail, topics = []string{"shields and engines fail, nothing is armed"}, append(topics, cites.Crippling)
	}
	shed := t.Because(ruinOf(t, s.ID)...).Emit(&ship.Shed{
		Ship: s.ID, Power: ship.Change{Before: allotted, After: after}, Alloc: c.alloc, Set: c.set, Armed: c.armed, Detail: c.detail,
	}, engine.SeeOnly(s.ID), l.cite(topics...)...)
	l.unpower(t, s, shed)
	if !out {
		l.onShed(l, t, s, shed, c.powerLoss)
	}
}

// powerShedder cuts power of a ship.
type powerShedder struct {
	powerLoss
	sys   *ship.State
	set   []int
	armed map[string][]int
	over  int // power that is to be cut still
	phase int
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

// cutsOfEngineer are the systems that power is cut from: as the engineer says, or by dice
// while he is shaken (stcs 21.4, 21.5).
func cutsOfEngineer(l *rulebook, t *engine.Turn, s *engine.Ship) []powerCut {
	if ship.Of(s).Bridge().Shaky(ship.PostEngineer) {
		out := inOrder(ship.Of(s).Standing.Shed)
		rolled := map[string]int{}
		for _, cut := range out {
			rolled[cut.system] = t.Roll(l.hazard(t, engine.NameRoll("cuts", s.ID).And(cut.system)), dice.D10, engine.SeeOnly(s.ID), l.cite(cites.EngineRoomHits)...)
		}
		slices.SortStableFunc(out, func(a, b powerCut) int { return rolled[b.system] - rolled[a.system] })
		return out
	}
	return cutsAsOrdered(l, t, s)
}

// cutsAsOrdered are they by the standing orders.
func cutsAsOrdered(_ *rulebook, _ *engine.Turn, s *engine.Ship) []powerCut {
	out := inOrder(ship.Of(s).Standing.Shed)
	for i, words := range shedWords(ship.Of(s).Standing) {
		if _, amount, ok := strings.Cut(words, " "); ok {
			out[i].most, _ = strconv.Atoi(amount) // it was read when it was given
		}
	}
	return out
}

// tellCuts tells each officer what of his was cut, and the engineer how much of what.
func tellCuts(l *rulebook, t *engine.Turn, s *engine.Ship, shed engine.Ref, c powerLoss) {
	of := map[string]string{"weapons": ship.PostWeapons, "movement": ship.PostHelm, "shields": ship.PostScience, ship.NameCloak: ship.PostHelm, verbLabs: ship.PostScience}
	was := map[string]int{"weapons": c.was.Weapons, "movement": c.was.Movement, "shields": c.was.Shields, ship.NameCloak: c.was.Cloak, verbLabs: c.was.Labs}
	is := map[string]int{"weapons": c.alloc.Weapons, "movement": c.alloc.Movement, "shields": c.alloc.Shields, ship.NameCloak: c.alloc.Cloak, verbLabs: c.alloc.Labs}
	what := map[string][]string{}
	for _, system := range append(ship.Of(s).Shedable(), verbLabs) {
		if lost := was[system] - is[system]; lost > 0 {
			what[ship.PostEngineer] = append(what[ship.PostEngineer], fmt.Sprintf("%s %d", system, lost))
		}
	}
	for i, system := range c.from {
		what[of[system]] = append(what[of[system]], c.detail[i])
	}
	for _, post := range posts() {
		if len(what[post]) > 0 {
			t.Because(shed).Emit(&ship.Cut{Ship: s.ID, Post: post, What: what[post]}, engine.SeeOnly(s.ID), l.cite(cites.PostCuts)...)
		}
	}
}
