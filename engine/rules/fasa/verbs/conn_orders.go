package verbs

import (
	"cmp"
	"slices"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/robot"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// navigator makes orders of plain commands for a ship, within what the posts of others allow.
type navigator struct {
	l     *rulebook.Rules
	v     *engine.View
	s     *engine.ShipView
	sys   *ship.State
	round int // the round that is due, from 1
	all   []family.Conn
	block *orders.Block
	out   family.Conned
	banks map[int]family.Conn // banks that fire, by the command that orders it
}

// Conn makes orders of plain commands by the rules of the book (house 200.0).
func Conn(l *rulebook.Rules, v *engine.View, id engine.ShipID, commands []family.Conn, b *orders.Block) family.Conned {
	s, sys, ok := ship.Own(v, id)
	if !ok || s.Hex == nil || s.Status != engine.Active { // she takes no orders
		return family.Conned{}
	}
	n := &navigator{l: l, v: v, s: s, sys: sys, round: max(1, v.DueRound()), block: b, banks: map[int]family.Conn{}}
	if n.all = n.out.Possible(commands, n.cannot); len(n.all) > 0 {
		n.batteries()
		points := n.power()
		n.phases(points)
		n.standing()
	}
	return n.out
}

// cannot returns why the ship cannot carry out a command; "" if she can.
func (n *navigator) cannot(c family.Conn) (hint, why string) {
	const out = "leave it out"
	switch {
	case len(n.s.Crew) > 0:
		return "write orders of your own post", "each post on this ship gives its own orders"
	case n.sys.Outpost() && (c.Kind == family.ConnAhead && c.Word != family.PaceStop || c.Kind == family.ConnCome || c.Kind == family.ConnSteer):
		return out, "an outpost does not move"
	case c.Kind == family.ConnAhead && n.round > 1:
		return out, "this turn's power is already allotted: set the pace in the first phase"
	case c.Kind == family.ConnDamage && !n.sys.Has(ship.NameRepair):
		return out, "under these rules nothing is repaired during a battle"
	case c.Kind == family.ConnBattery && len(n.bearing(c)) == 0:
		return "name another: forward, starboard, aft or port", "no working weapon bears to that side: " + c.Word
	}
	return "", ""
}

// bearing returns the banks with a working weapon that bears to a battery's side.
func (n *navigator) bearing(c family.Conn) (out []int) {
	for i := range n.sys.Banks {
		b := &n.sys.Banks[i]
		bears := slices.ContainsFunc(b.Arcs, func(arc string) bool {
			for _, a := range n.l.Arcs[arc] {
				if a.Contains(c.Bearing()) {
					return true
				}
			}
			return false
		})
		if bears && n.l.Usable(b) && !ship.AllDestroyed(b) {
			out = append(out, i)
		}
	}
	return out
}

// batteries assigns each bank to the first command that means it.
func (n *navigator) batteries() {
	for _, c := range n.all {
		if c.Kind != family.ConnBattery {
			continue
		}
		for _, i := range n.bearing(c) {
			if _, given := n.banks[i]; !given {
				n.banks[i] = c
			}
		}
	}
}

// power allots the turn's power, and returns the movement points of each phase, which follow the captain's own power
// orders if there are any.
func (n *navigator) power() []int {
	if n.round > 1 {
		points := make([]int, n.l.Split.Phases())
		for i := range points {
			points[i] = n.sys.Alloc.InPhase(i + 1)
		}
		return points
	}
	set := n.sys.Pin(ship.Settings{Points: n.pace(), Shields: make([]int, 6), Armed: map[int][]int{}, Cloak: n.sys.Hidden()})
	if !set.Cloak {
		screen := (n.sys.Power - set.Cost(n.sys)) / 2
		if _, first := family.OfKind(n.all, family.ConnShields); first {
			screen += screen / 2
		}
		robot.Arm(n.sys, &set, n.toArm(), screen)
		ship.Raise(n.sys, &set, n.l.Ring.Nearest(n.l.Ahead()), n.sys.Power)
	}
	if set.Points == 0 {
		n.out.Add(family.For(n.all, family.ConnAhead), "power", 0, orders.Say("move 0"))
	}
	n.out.AddPower(family.For(n.all, family.ConnAhead), ship.PowerOrders(n.sys, set))
	if family.Allots(n.block) {
		return n.l.Compile(n.s.ID, n.s.Side, n.sys, rulebook.RosterOfView(n.v.Ships), n.v.Sides, n.block, false).Power.Split
	}
	n.holdUnarmed(set.Armed)
	return n.l.Split.Points(set.Points)
}

// holdUnarmed drops banks without power from a battery in which others are armed.
func (n *navigator) holdUnarmed(armed map[int][]int) {
	for i, by := range n.banks {
		if armed[i] != nil {
			continue
		}
		for other := range armed {
			if n.banks[other] == by {
				delete(n.banks, i)
			}
		}
	}
}

// toArm returns the banks that fire by command, followed by all others if the captain gives fire orders too.
func (n *navigator) toArm() (out []int) {
	fires := slices.ContainsFunc(n.block.Groups, func(g orders.Group) bool { return len(g.All("fire")) > 0 })
	for i := range n.sys.Banks {
		if _, named := n.banks[i]; named {
			out = append(out, i)
		}
	}
	for i := range n.sys.Banks {
		if _, named := n.banks[i]; !named && fires && n.l.Usable(&n.sys.Banks[i]) {
			out = append(out, i)
		}
	}
	return out
}

// pace returns the movement points of the turn, by the pace that was commanded or else that of last turn.
func (n *navigator) pace() int {
	if n.sys.Outpost() {
		return 0
	}
	c, given := family.OfKind(n.all, family.ConnAhead)
	if !given && n.sys.Alloc.Available > 0 {
		return n.l.MovementPoints(n.sys, min(n.sys.Alloc.Movement, n.sys.Power))
	}
	share := map[string]int{family.PaceFull: 15, family.PaceHalf: 8, family.PaceSlow: 4, family.PaceStop: 0}
	return n.l.MovementPoints(n.sys, n.sys.Power*share[cmp.Or(c.Word, family.PaceHalf)]/20)
}

// phases steers the ship and fires her batteries in the phases that are due.
func (n *navigator) phases(points []int) {
	at := engine.Place{Hex: *n.s.Hex, Heading: *n.s.Heading}
	upto := n.l.Split.Phases()
	if n.v.Rounds > 0 {
		upto = n.round
	}
	for i := n.round - 1; i < upto; i++ {
		if g, _ := n.block.Group("phase", i+1); points[i] > 0 && !n.sys.Outpost() && !g.Faulty && !slices.ContainsFunc(g.Statements, family.Steers) {
			at = n.steer(i+1, points[i], at)
		}
		for _, c := range n.all {
			var names []string
			for b := range n.sys.Banks {
				if by, fires := n.banks[b]; fires && by == c {
					names = append(names, n.sys.Banks[b].ID)
				}
			}
			if len(names) > 0 {
				n.out.Add(c, "phase", i+1, orders.Say("fire", names, "at", c.Ship, robot.AtOdds(n.l.Sure.Plain[i])))
			}
		}
	}
}

// steer adds the movement order of a phase and returns where it ends, as far as that is known.
func (n *navigator) steer(phase, points int, at engine.Place) engine.Place {
	if c, ok := family.OfKind(n.all, family.ConnSteer); ok {
		n.out.Add(c, "phase", phase, c.Pursuit())
		return at
	}
	by := family.For(n.all, family.ConnAhead)
	to := at.Heading
	if c, ok := family.OfKind(n.all, family.ConnCome); ok {
		by, to = c, c.Heading()
	}
	var words []string
	for range points {
		w := rulebook.Onward(n.sys)
		switch turn := (int(to) - int(at.Heading) + 6) % 6; {
		case turn > 3:
			w = "L"
		case turn > 0:
			w = "R"
		case n.v.Bounds != nil && !n.v.Bounds.Contains(board.Step(at, w).Hex):
			w = "H"
		}
		at = board.Step(at, w)
		words = append(words, w)
	}
	n.out.Add(by, "phase", phase, orders.Say("move", words))
	return at
}

// standing adds the standing orders for shields ahead and damage control.
func (n *navigator) standing() {
	if c, ok := family.OfKind(n.all, family.ConnShields); ok {
		n.out.Add(c, "standing", 0, orders.Say("choose shield", n.l.Ahead()))
	}
	if c, ok := family.OfKind(n.all, family.ConnDamage); ok {
		n.out.Add(c, "standing", 0, orders.Say("repair", ship.RepairAll))
	}
}
