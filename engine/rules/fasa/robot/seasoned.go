package robot

import (
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// Commander makes the orders of the seasoned captain, for books with sensors and repair. It does
// all that the plain captain does, and also picks its target by what it has learnt, looks for one
// that is out of sight, lays its side's mines, avoids planets and known mines, and uses plasma.
// Parts add to its orders.
type Commander struct {
	pilot
	Power    ship.Settings // the use of the turn's power
	Standing ship.Standing // orders from now on
	Dodges   bool          // a standing order to evade has been given

	Head []orders.Order   // for the turn
	more []orders.Order   // for the power section
	do   [][]orders.Order // for the phases
	ran  []string         // words so far on the way to an edge

	task dark.LabTask
}

// Seasoned returns the orders of the captain of books with sensors and repair.
func (l *Rules) Seasoned(v *engine.View, id engine.ShipID) orders.Set {
	s, sys, ok := ship.Own(v, id)
	if !ok || s.Hex == nil || s.Status != engine.Active {
		return nil
	}
	if own, copied := sys.Clone().(*ship.State); copied { // power that is reserved is subtracted from the copy
		sys = own
	}
	c := &Commander{pilot: pilot{Rules: l, View: v, Ship: s, State: sys}, Standing: standing(v, s, sys)}
	if c.Foe = c.target(); c.Foe != nil {
		c.rng = board.Distance(s, c.Foe)
	}
	c.task = dark.TaskOf(v, s, sys.Labs().Boxes)
	c.Head = append(c.Head, c.task.Orders...)
	c.place()
	c.layMines()
	edge, wanted := v.WayOut(id)
	switch {
	case wanted && v.Bounds != nil && !c.stuck():
		c.run(edge)
	case !c.ableToFight():
		c.leave()
	case c.task.Near != nil && !c.task.Steals:
		c.attend()
	case c.Foe != nil && c.Foe.Sight == engine.Seen && c.cloakAble():
		c.stalk()
	case c.Foe != nil && c.Foe.Sight == engine.Seen:
		c.fight()
	default:
		c.search()
	}
	for _, adds := range l.Parts {
		adds(c)
	}
	return c.set()
}

// stuck reports whether the ship cannot move at all.
func (c *Commander) stuck() bool { return c.State.Design.Move.Points(c.State.Power) == 0 }

// set returns the complete order set.
func (c *Commander) set() (set orders.Set) {
	if len(c.Head) > 0 {
		set.Add("", 0, c.Head...)
	}
	set.Append(ship.PowerOrders(c.State, c.Power.Volleys(c.State, c.rng)))
	set.Add("power", 0, c.more...)
	for n, do := range c.do {
		if len(do) > 0 {
			set.Add("phase", n+1, do...)
		}
	}
	return slices.Concat(set, c.Rules.Book.OfferStanding(c.View, c.Ship, c.State, c.Standing))
}

// AddPower adds an order to the power section.
func (c *Commander) AddPower(words ...any) { c.more = append(c.more, orders.Say(words...)) }

// AddToPhase adds an order to a phase, by its index.
func (c *Commander) AddToPhase(n int, words ...any) {
	for len(c.do) <= n {
		c.do = append(c.do, nil)
	}
	c.do[n] = append(c.do[n], orders.Say(words...))
}

// ableToFight reports whether a weapon works, or could be repaired.
func (c *Commander) ableToFight() bool {
	for i := range c.State.Banks {
		b := &c.State.Banks[i]
		if !c.Rules.Book.Usable(b) || !b.AnyPower() && b.Arm > c.State.Power {
			continue
		}
		for m, mount := range b.Mounts {
			if !mount.Destroyed || c.State.Detailed() && c.Mendable(ship.MountFault(b, i, m)) {
				return true
			}
		}
	}
	return false
}

// Mendable reports whether a system that is out of order could be repaired. Weapons can be only
// where damage is detailed.
func (c *Commander) Mendable(f ship.Fault) bool {
	_, _, out := c.State.Need(c.Rules.Library, f)
	return !out
}

// leave takes a ship that can no longer fight out of the battle.
func (c *Commander) leave() {
	c.Power = ship.Settings{Points: c.State.Design.Move.Points(c.State.Power / 2), Shields: make([]int, 6), Armed: map[int][]int{}}
	c.Power = c.State.Pin(c.Power)
	first := 5
	if c.Foe != nil && c.rng > 0 {
		first, _ = c.Rules.Facing(c.here(), *c.Foe.Hex)
	}
	ship.Raise(c.State, &c.Power, c.Rules.Ring.Nearest(first), c.State.Power)
	if away := awayOrder(c.View, c.Ship, c.State); len(away) > 0 {
		c.Head = append(c.Head, away[0].Orders...)
	}
	if c.Foe == nil {
		return
	}
	for n, points := range c.Rules.Split.Points(c.Power.Points) {
		if points > 0 {
			c.AddToPhase(n, "flee", c.Foe.Name)
		}
	}
	c.dodge(first, "missile")
}

// here is where the ship is.
func (c *Commander) here() engine.Place {
	return engine.Place{Hex: *c.Ship.Hex, Heading: *c.Ship.Heading}
}

// target picks the enemy to fight: one that is seen before one that is not; then a near one, with
// preference for one that the side's goals name, that the ship has a lock on, or that is badly
// damaged.
func (c *Commander) target() *engine.ShipView {
	wanted := c.quarry()
	var best *engine.ShipView
	most := 0
	for _, o := range c.View.Ships {
		if o.Side == c.Ship.Side || o.Hex == nil || o.Status != engine.Active || seenThrough(c.Ship, o) {
			continue
		}
		if k, ok := o.System.(*ship.Public); ok && k.Free != "" {
			continue // it is not known yet where the ship will be
		}
		worth := -2*board.Distance(c.Ship, o) - c.apart(o)
		if o.Sight != engine.Seen {
			worth -= 1000
		}
		if slices.Contains(wanted, o.ID) {
			worth += 12
		}
		if c.State.Holds(o.ID) {
			worth += 4
		}
		if a, told := c.State.Learnt(o.ID, ship.AskStructure); told && a.Superstructure < 8 {
			worth += 8 - a.Superstructure
		}
		if best == nil || worth > most {
			best, most = o, worth
		}
	}
	return best
}

// apart returns the average distance of an enemy from the ships of the own side: ships that fire
// at the same enemy beat it sooner.
func (c *Commander) apart(o *engine.ShipView) int {
	total, n := 0, 0
	for _, s := range c.View.Ships {
		if s.Side == c.Ship.Side && s.Hex != nil && s.Status == engine.Active {
			total, n = total+board.Distance(s, o), n+1
		}
	}
	return total / max(1, n)
}

// quarry returns the ships that the goals of the own side name as those to be beaten.
func (c *Commander) quarry() []engine.ShipID {
	var out []engine.ShipID
	for _, g := range c.View.GoalsOf(c.Ship.Side) {
		if g.When == engine.GoalDestroy || g.When == engine.GoalCripple || g.When == engine.GoalDriveOff {
			out = append(out, g.Ships...)
		}
	}
	return out
}
