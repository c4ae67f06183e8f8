package sfb

import (
	"cmp"
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/sfb/forecast"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
	"starpost/orders"
)

// navigator makes orders for a ship from plain commands.
type navigator struct {
	l     *rulebook.Rules
	v     *engine.View
	s     *engine.ShipView
	sys   *state.System
	round int // the round that is due, from 1
	all   []family.Conn
	block *orders.Block
	out   family.Conned
}

// conn translates plain commands into orders of the book (house 200.0).
func conn(l *rulebook.Rules, v *engine.View, id engine.ShipID, commands []family.Conn, b *orders.Block) family.Conned {
	s, sys, ok := forecast.Own(v, id)
	if !ok || s.Status != engine.Active { // she takes no orders
		return family.Conned{}
	}
	n := &navigator{l: l, v: v, s: s, sys: sys, round: max(1, v.DueRound()), block: b}
	if n.all = n.out.Possible(commands, n.cannot); len(n.all) > 0 {
		n.phases(n.power())
		if c, ok := family.OfKind(n.all, family.ConnShields); ok {
			n.out.Add(c, "standing", 0, orders.Say("choose shield 1"))
			if l.Reserve {
				n.out.Add(c, "standing", 0, orders.Say("reinforce shield 1 up to", houseReserve))
			}
		}
	}
	return n.out
}

// cannot returns why the ship cannot carry out a command, with a hint; "" if she can.
func (n *navigator) cannot(c family.Conn) (hint, why string) {
	const out = "leave it out"
	switch {
	case n.round > 1 && (c.Kind == family.ConnAhead || c.Kind == family.ConnDamage):
		return out, "this turn's power is already allotted: give this in the first phase"
	case c.Kind == family.ConnDamage && len(n.repairs()) == 0:
		return out, "no shield has damage that can be repaired this turn"
	case c.Kind == family.ConnBattery && len(n.bearing(c)) == 0:
		return "name another: forward, starboard, aft or port", "no working weapon bears to that side: " + c.Word
	}
	return "", ""
}

// bearing returns the working weapons that bear to a battery's side, except those that launch drones or plasma.
func (n *navigator) bearing(c family.Conn) []string {
	return n.sys.Names(func(b *sheet.Bank) bool { return b.Left > 0 && !b.Kind.Launches() && b.Arcs.Bear(c.Bearing()) })
}

// repairs returns the shields that can be repaired this turn, from ahead to astern.
func (n *navigator) repairs() (parts []string) {
	boxes := n.l.Repairs(n.sys) / max(1, n.l.BoxEnergy)
	for _, side := range []int{0, 1, 5, 2, 4, 3} {
		sh := n.sys.Sheet.Shields[side]
		if mend := min(boxes, sh.All-sh.Left); mend > 0 {
			parts, boxes = append(parts, fmt.Sprintf("%d:%d", side+1, mend)), boxes-mend
		}
	}
	return parts
}

// power allots the turn's energy and returns the speed: the one set by the captain's own power orders, if any.
func (n *navigator) power() int {
	if n.round > 1 {
		return n.sys.Speed
	}
	c, given := family.OfKind(n.all, family.ConnAhead)
	share := map[string]int{family.PaceFull: 3, family.PaceHalf: 2, family.PaceSlow: 1, family.PaceStop: 0}
	speed := n.l.MaxSpeed * share[cmp.Or(c.Word, family.PaceHalf)] / 4
	if !given && n.sys.Allotted {
		speed = n.sys.Speed
	}
	mend, damage := family.OfKind(n.all, family.ConnDamage)
	side := 0
	if damage {
		side = -1 // the energy left over goes to repairs, not to a shield
	}
	power, pace := play.Allotment(n.l, n.sys, speed, side, true, n.sys.Cloaked)
	n.out.AddPower(family.For(n.all, family.ConnAhead), power)
	if damage {
		n.out.Add(mend, "power", 0, orders.Say("repair", n.repairs()))
	}
	if family.Allots(n.block) {
		return speedOf(n.l, n.block)
	}
	return pace
}

// speedOf returns the speed in orders.
func speedOf(l *rulebook.Rules, b *orders.Block) int {
	g, _ := b.Group("power", 0)
	all := g.All("speed")
	if len(all) == 0 {
		return 0
	}
	a, _ := all[0].Arg("SPEED")
	if i := slices.IndexFunc(l.Quanta, func(q rulebook.Quantum) bool { return q.Word == a.Text }); i >= 0 {
		return l.Quanta[i].Hexes
	}
	return a.Num
}

// phases steers the ship and fires her batteries in the phases that are due.
func (n *navigator) phases(speed int) {
	upto := n.l.Rounds
	if n.v.Rounds > 0 {
		upto = n.round
	}
	heading, straight := *n.s.Heading, n.sys.Straight
	for i := n.round; i <= upto; i++ {
		if g, _ := n.block.Group("phase", i); speed > 0 && !g.Faulty && !slices.ContainsFunc(g.Statements, family.Steers) {
			if c, ok := family.OfKind(n.all, family.ConnSteer); ok {
				n.out.Add(c, "phase", i, c.Pursuit())
			}
			if c, ok := family.OfKind(n.all, family.ConnCome); ok {
				var words []string
				for range n.l.MovesIn(speed, i) {
					w := "F"
					if left := (int(c.Heading()) - int(heading) + 6) % 6; left > 0 && straight >= n.sys.StraightAt(speed) {
						w = map[bool]string{true: "R", false: "L"}[left <= 3]
					}
					straight++
					if w != "F" {
						straight = 1
					}
					heading = steering.Step(engine.Place{Heading: heading}, w).Heading
					words = append(words, w)
				}
				if len(words) > 0 {
					n.out.Add(c, "phase", i, orders.Say("move", words))
				}
			}
		}
		for _, c := range n.all {
			if c.Kind != family.ConnBattery {
				continue
			}
			weapons := n.bearing(c)
			n.out.Add(c, "phase", i, orders.Say("fire", weapons, "at", c.Ship, "when range <=", firstReach))
			if i == n.l.Rounds {
				n.out.Add(c, "phase", i, orders.Say("fire", weapons, "at", c.Ship, "on", n.l.Impulses, "when range <=", firstLast))
			}
		}
	}
}
