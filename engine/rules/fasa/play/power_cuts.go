package play

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
)

// shed cuts allotted power when the engines no longer give it (ruling D23), in the captain's
// order of systems: weapons not yet fired, movement still to come, shields. A ship that is out
// of the fight loses all its remaining power.
func shed(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) {
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
	c := &powerShedder{PowerLoss: rulebook.PowerLoss{Was: sys.Alloc, Alloc: sys.Alloc}, sys: sys, armed: map[string][]int{}, over: over, phase: t.Phase.No}
	c.Alloc.Split = slices.Clone(sys.Alloc.Split)
	for _, sh := range sys.Shields {
		c.set = append(c.set, sh.Set)
	}
	c.dead()
	c.labs()
	cuts := inOrder(sys.Shedable())
	if !out {
		cuts = l.CutOrder(l, t, s)
	}
	for _, cut := range cuts {
		c.take(cut)
	}
	for _, cut := range cuts {
		if cut.Most > 0 { // for when the amounts named are not enough
			c.take(rulebook.PowerCut{System: cut.System})
		}
	}
	after := c.Alloc.Used()
	if after == allotted {
		return // everything left has already been used
	}
	topics := []cites.Topic{cites.PowerShedding}
	if out {
		c.Detail, topics = []string{"shields and engines fail, nothing is armed"}, append(topics, cites.Crippling)
	}
	shed := t.Because(RuinOf(t, s.ID)...).Emit(&ship.Shed{
		Ship: s.ID, Power: ship.Change{Before: allotted, After: after}, Alloc: c.Alloc, Set: c.set, Armed: c.armed, Detail: c.Detail,
	}, engine.SeeOnly(s.ID), l.Cite(topics...)...)
	unpower(l, t, s, shed)
	if !out {
		l.OnShed(l, t, s, shed, c.PowerLoss)
	}
}

// powerShedder cuts the power of a ship.
type powerShedder struct {
	rulebook.PowerLoss
	sys   *ship.State
	set   []int
	armed map[string][]int
	over  int // power that must still be cut
	phase int
}

// inOrder returns cuts without amounts, in this order.
func inOrder(systems []string) []rulebook.PowerCut {
	out := make([]rulebook.PowerCut, len(systems))
	for i, system := range systems {
		out[i].System = system
	}
	return out
}

// take cuts power from a system.
func (c *powerShedder) take(cut rulebook.PowerCut) {
	rest := 0
	if cut.Most > 0 {
		rest = max(0, c.over-cut.Most)
		c.over -= rest
	}
	switch cut.System {
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

// tell records in words what was cut from a system.
func (c *powerShedder) tell(system, format string, args ...any) {
	c.Detail, c.From = append(c.Detail, fmt.Sprintf(format, args...)), append(c.From, system)
}

// dead takes the power of mounts that were destroyed before they fired: it is useless, whatever
// the captain's order.
func (c *powerShedder) dead() {
	c.mounts(func(m ship.Mount) bool { return m.Destroyed && !m.Fired }, func(name string, cut, _ int) string {
		return fmt.Sprintf("%s is destroyed, its %d power are not missed", name, cut)
	})
}

// weapons takes power from mounts that have not fired, in the captain's order, otherwise last
// bank first.
func (c *powerShedder) weapons() {
	c.mounts(func(m ship.Mount) bool { return !m.Destroyed && !m.Fired }, func(name string, cut, left int) string {
		return fmt.Sprintf("%s loses %d power, %d left", name, cut, left)
	})
}

// mounts takes power from the mounts that may lose it.
func (c *powerShedder) mounts(may func(ship.Mount) bool, tell func(name string, cut, left int) string) {
	for _, i := range c.first(rulebook.StandingDisarm, len(c.sys.Banks), func(i int) string { return c.sys.Banks[i].ID }) {
		b := &c.sys.Banks[i]
		left, known := c.armed[b.ID]
		if !known {
			left = make([]int, len(b.Mounts))
			for m := range left {
				left[m] = b.Mounts[m].Armed
			}
		}
		for m := len(b.Mounts) - 1; m >= 0 && c.over > 0; m-- {
			spent := b.Mounts[m].Spent // used by the shots already fired
			if left[m] <= spent || !may(b.Mounts[m]) {
				continue
			}
			cut := min(left[m]-spent, c.over)
			if !b.AnyPower() && (!b.Mounts[m].Destroyed || c.sys.Detailed()) {
				cut = left[m] // a missile takes all its power or none, even one that may be repaired
			}
			left[m] -= cut
			c.over -= cut
			c.Alloc.Weapons -= cut
			c.armed[b.ID] = left
			c.tell("weapons", "%s", tell(ship.MountName(b, m), cut, left[m]-spent))
		}
	}
}

// first returns the indices below n: those named by a standing order in its order, then the
// others from the last down.
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

// movement takes points of the phases still to come, in the captain's order, otherwise the last
// phase first.
func (c *powerShedder) movement() {
	if c.over <= 0 {
		return
	}
	used := 0
	for n := range c.Alloc.Split {
		if n < c.phase {
			used += c.Alloc.Split[n]
		}
	}
	ratio := c.sys.Design.Move
	// Points already used cannot be taken back, nor can their power.
	cut := min(c.over, c.Alloc.Movement-ratio.Cost(used))
	if cut <= 0 {
		return
	}
	points := max(used, ratio.Points(c.Alloc.Movement-cut))
	lose := c.Alloc.Points - points
	for _, n := range c.first(rulebook.StandingSlow, len(c.Alloc.Split), func(i int) string { return strconv.Itoa(i + 1) }) {
		if n < c.phase {
			continue
		}
		take := min(lose, c.Alloc.Split[n])
		c.Alloc.Split[n] -= take
		lose -= take
	}
	c.tell("movement", "movement loses %d power, %d of %d points left", cut, points, c.Alloc.Points)
	c.Alloc.Points = points
	c.Alloc.Movement -= cut
	c.over -= cut
}

// shields takes points until the power fits: from the shields that the captain named, then one
// by one from the strongest.
func (c *powerShedder) shields() {
	if c.over <= 0 {
		return
	}
	cut := min(c.over, c.Alloc.Shields)
	if cut <= 0 {
		return
	}
	allowed := c.sys.Design.Shield.Points(c.Alloc.Shields - cut)
	total, was := tactical.Sum(c.set), tactical.Sum(c.set)
	for _, named := range c.sys.Standing.List(rulebook.StandingLower) {
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
	c.Alloc.Shields -= cut
	c.over -= cut
}

// cloak takes all the power of the cloak, which works with all of it or not at all.
func (c *powerShedder) cloak() {
	if c.over <= 0 || c.Alloc.Cloak == 0 {
		return
	}
	c.tell(ship.NameCloak, "the cloak loses its %d power", c.Alloc.Cloak)
	c.over -= c.Alloc.Cloak
	c.Alloc.Cloak = 0
}

// labs takes the power of laboratories before that of any system (ruling F7).
func (c *powerShedder) labs() {
	cut := min(c.over, c.Alloc.Labs)
	if cut <= 0 {
		return
	}
	c.Alloc.Labs -= cut
	c.over -= cut
	c.tell(rulebook.VerbLabs, "laboratories lose %d power, %d left", cut, c.Alloc.Labs)
}

// CutsOfEngineer returns the systems that power is cut from: as the engineer says, or by dice
// while the engineer is shaken (stcs 21.4, 21.5).
func CutsOfEngineer(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) []rulebook.PowerCut {
	if ship.Of(s).Bridge().Shaky(ship.PostEngineer) {
		out := inOrder(ship.Of(s).Standing.Shed)
		rolled := map[string]int{}
		for _, cut := range out {
			rolled[cut.System] = t.Roll(Hazard(t, engine.NameRoll("cuts", s.ID).And(cut.System)), dice.D10, engine.SeeOnly(s.ID), l.Cite(cites.EngineRoomHits)...)
		}
		slices.SortStableFunc(out, func(a, b rulebook.PowerCut) int { return rolled[b.System] - rolled[a.System] })
		return out
	}
	return CutsAsOrdered(l, t, s)
}

// CutsAsOrdered returns the systems that power is cut from by the standing orders.
func CutsAsOrdered(_ *rulebook.Rules, _ *engine.Turn, s *engine.Ship) []rulebook.PowerCut {
	out := inOrder(ship.Of(s).Standing.Shed)
	for i, words := range rulebook.ShedWords(ship.Of(s).Standing) {
		if _, amount, ok := strings.Cut(words, " "); ok {
			out[i].Most, _ = strconv.Atoi(amount) // checked when the order was read
		}
	}
	return out
}

// TellCuts tells each officer what was cut from their systems, and the engineer all amounts.
func TellCuts(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, shed engine.Ref, c rulebook.PowerLoss) {
	of := map[string]string{"weapons": ship.PostWeapons, "movement": ship.PostHelm, "shields": ship.PostScience, ship.NameCloak: ship.PostHelm, rulebook.VerbLabs: ship.PostScience}
	was := map[string]int{"weapons": c.Was.Weapons, "movement": c.Was.Movement, "shields": c.Was.Shields, ship.NameCloak: c.Was.Cloak, rulebook.VerbLabs: c.Was.Labs}
	is := map[string]int{"weapons": c.Alloc.Weapons, "movement": c.Alloc.Movement, "shields": c.Alloc.Shields, ship.NameCloak: c.Alloc.Cloak, rulebook.VerbLabs: c.Alloc.Labs}
	what := map[string][]string{}
	for _, system := range append(ship.Of(s).Shedable(), rulebook.VerbLabs) {
		if lost := was[system] - is[system]; lost > 0 {
			what[ship.PostEngineer] = append(what[ship.PostEngineer], fmt.Sprintf("%s %d", system, lost))
		}
	}
	for i, system := range c.From {
		what[of[system]] = append(what[of[system]], c.Detail[i])
	}
	for _, post := range rulebook.Posts() {
		if len(what[post]) > 0 {
			t.Because(shed).Emit(&ship.Cut{Ship: s.ID, Post: post, What: what[post]}, engine.SeeOnly(s.ID), l.Cite(cites.PostCuts)...)
		}
	}
}
