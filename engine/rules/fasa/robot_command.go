package fasa

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// commander is the robot of the courses with sensors and repair. It does what the
// plain captain does, and besides: it picks its target by what it has learnt, looks
// for one that is out of sight, lays its side's mines, goes round planets and what it
// knows of mines, uses plasma, and has standing orders for sensors, evasion, repair and its crew.
type commander struct {
	pilot
	set    ship.Settings
	head   []string   // orders for the turn
	more   []string   // more lines of the power section
	do     [][]string // lines of the phases
	st     ship.Standing
	ran    []string // words of the way to an edge so far
	dodges bool     // there is something to evade by standing order
}

// seasonedCaptain writes a commander's orders.
func (l *rulebook) seasonedCaptain(v *engine.View, id string) string {
	s, sys, ok := ship.Own(v, id)
	if !ok || s.Hex == nil || s.Status != engine.Active {
		return ""
	}
	if own, copied := sys.Clone().(*ship.State); copied { // what it keeps back for later it takes off its power
		sys = own
	}
	c := &commander{pilot: pilot{l: l, v: v, s: s, sys: sys}, st: sys.Standing.Clone()}
	c.st.Missing = "repeat"
	if c.foe = c.target(); c.foe != nil {
		c.rng = board.Distance(s, c.foe)
	}
	c.place()
	c.layMines()
	edge, wanted := v.WayOut(id)
	switch {
	case wanted && v.Bounds != nil && !c.stuck():
		c.run(edge)
	case !c.ableToFight():
		c.leave()
	case c.foe != nil && c.foe.Sight == engine.Seen && c.cloakAble():
		c.stalk()
	case c.foe != nil && c.foe.Sight == engine.Seen:
		c.fight()
	default:
		c.search()
	}
	for _, p := range l.parts {
		p.robot(c)
	}
	return c.text()
}

// stuck tells whether the ship cannot move at all.
func (c *commander) stuck() bool { return c.sys.Design.Move.Points(c.sys.Power) == 0 }

// text puts the orders together.
func (c *commander) text() string {
	var b strings.Builder
	for _, line := range c.head {
		b.WriteString(line + "\n")
	}
	ship.WritePower(&b, c.sys, c.set.Volleys(c.sys, c.rng))
	for _, line := range c.more {
		b.WriteString("  " + line + "\n")
	}
	for n, lines := range c.do {
		if len(lines) == 0 {
			continue
		}
		fmt.Fprintf(&b, "phase %d\n", n+1)
		for _, line := range lines {
			b.WriteString("  " + line + "\n")
		}
	}
	c.l.offerStanding(&b, c.v, c.s, c.sys, c.st)
	return b.String()
}

// phase adds a line to a phase, by its index.
func (c *commander) phase(n int, format string, args ...any) {
	for len(c.do) <= n {
		c.do = append(c.do, nil)
	}
	c.do[n] = append(c.do[n], fmt.Sprintf(format, args...))
}

// ableToFight tells whether a weapon works, or could be made to.
func (c *commander) ableToFight() bool {
	for i := range c.sys.Banks {
		b := &c.sys.Banks[i]
		if !c.l.usable(b) || b.Kind != tables.Beam && b.Arm > c.sys.Power {
			continue
		}
		for m, mount := range b.Mounts {
			if !mount.Destroyed || c.sys.Detailed() && c.mendable(ship.MountFault(b, i, m)) {
				return true
			}
		}
	}
	return false
}

// mendable tells whether a system that is out of order could be repaired. Without a
// hull in detail weapons cannot.
func (c *commander) mendable(f ship.Fault) bool {
	_, _, out := c.sys.Need(c.l.Library, f)
	return !out
}

// leave takes a ship that can fight no more out of the battle.
func (c *commander) leave() {
	c.set = ship.Settings{Points: c.sys.Design.Move.Points(c.sys.Power / 2), Shields: make([]int, 6), Armed: map[int][]int{}}
	c.set = c.sys.Pin(c.set)
	first := 5
	if c.foe != nil && c.rng > 0 {
		first, _ = c.l.Facing(c.here(), *c.foe.Hex)
	}
	ship.Raise(c.sys, &c.set, c.l.Ring.Nearest(first), c.sys.Power)
	if line := strings.TrimSpace(awayOrder(c.sys)); line != "" {
		c.head = append(c.head, line)
	}
	if c.foe == nil {
		return
	}
	for n, points := range c.l.Split.Points(c.set.Points) {
		if points > 0 {
			c.phase(n, "flee %s", c.foe.Name)
		}
	}
	c.dodge(first, "missile")
}

// here is where the ship is.
func (c *commander) here() engine.Place { return engine.Place{Hex: *c.s.Hex, Heading: *c.s.Heading} }

// target picks whom to fight: an enemy that the side's goals are about goes before
// others, one that is seen before one that is not, then one that is near, with a lock on it and
// badly hurt.
func (c *commander) target() *engine.ShipView {
	wanted := c.quarry()
	var best *engine.ShipView
	most := 0
	for _, o := range c.v.Ships {
		if o.Side == c.s.Side || o.Hex == nil || o.Status != engine.Active {
			continue
		}
		if k, ok := o.System.(*ship.Public); ok && k.Free != "" {
			continue // where it will be nobody knows
		}
		worth := -2*board.Distance(c.s, o) - c.apart(o)
		if o.Sight != engine.Seen {
			worth -= 1000
		}
		if slices.Contains(wanted, o.ID) {
			worth += 12
		}
		if c.sys.Holds(o.ID) {
			worth += 4
		}
		if a, told := c.sys.Learnt(o.ID, ship.AskStructure); told && a.Superstructure < 8 {
			worth += 8 - a.Superstructure
		}
		if best == nil || worth > most {
			best, most = o, worth
		}
	}
	return best
}

// apart is how far an enemy is from the ships of the own side, on average: those
// that fire at the same ship beat it sooner.
func (c *commander) apart(o *engine.ShipView) int {
	total, n := 0, 0
	for _, s := range c.v.Ships {
		if s.Side == c.s.Side && s.Hex != nil && s.Status == engine.Active {
			total, n = total+board.Distance(s, o), n+1
		}
	}
	return total / max(1, n)
}

// quarry is the ships that the goals of the own side name as those to be beaten.
func (c *commander) quarry() []string {
	var out []string
	for _, g := range c.v.GoalsOf(c.s.Side) {
		if g.When == engine.GoalDestroy || g.When == engine.GoalCripple || g.When == engine.GoalDriveOff {
			out = append(out, g.Ships...)
		}
	}
	return out
}
