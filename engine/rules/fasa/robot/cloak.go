package robot

import (
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
)

// cloakAble reports whether the ship has a cloak and the power to use it, besides what goes to
// movement anyway.
func (c *Commander) cloakAble() bool {
	if !c.State.Has(ship.NameCloak) {
		return false
	}
	need := c.State.Cloak().Need
	moves, pinned := c.State.Pinned()
	return c.State.Power >= 2*need && (!pinned || moves+need <= c.State.Power) // else there is nothing left to fight with
}

// payCloak subtracts the cloak's power from what can be allotted.
func (c *Commander) payCloak() { c.State.Power -= c.State.Cloak().Need }

// stalk fights from under the cloak. Far from the target the ship approaches cloaked; near it
// she also arms weapons, the heaviest first, and drops the cloak for one fire phase if the
// target is then near enough. She cloaks again as soon as she can.
func (c *Commander) stalk() {
	c.payCloak()
	c.face()
	rng := c.ambush()
	near := max(2, rng/2)
	if c.task.Steals { // the sender of a file must not know of her
		rng, near = -1, thiefRange
	}
	strikes := c.rng <= rng && board.TurnsOff(c.here(), *c.Foe.Hex, c.Rules.Ring.Side(c.Shown)) <= 4 && c.State.Cloak().On
	c.Power = ship.Settings{Shields: make([]int, 6), Armed: map[int][]int{}}
	c.Power.Points = c.State.Design.Move.Points(c.State.Power)
	if strikes {
		c.Power.Points = 1
	}
	c.Power = c.State.Pin(c.Power)
	if strikes {
		c.arm(c.byWeight(), c.State.Power)
		ship.Raise(c.State, &c.Power, c.Rules.Ring.Nearest(c.Shown), c.State.Power)
	}
	strikes = strikes && len(c.Power.Armed) > 0
	c.creep(near)
	c.keepCloak()
	if !strikes {
		return
	}
	n := 0 // the one movement point is for the next phase
	c.AddToPhase(n, "cloak off when range to", c.Foe.Name, "<=", rng)
	c.AddToPhase(n, "fire all at", c.Foe.Name, "when range <=", rng)
	if n < 2 {
		c.AddToPhase(n+1, "cloak on when not cloaked")
	}
}

// creep moves the ship, phase by phase, behind the target, where the fewest weapons bear on her,
// with the shown shield towards it: to where it will be if it keeps its course and speed.
func (c *Commander) creep(rng int) {
	target := c.Foe.Stands()
	pace := make([]int, c.Rules.Split.Phases())
	if known, ok := c.Foe.System.(*ship.Public); ok && len(known.Split) == len(pace) {
		pace = known.Split
	}
	at, sea := c.here(), c.safe()
	for n, points := range c.Rules.Split.Points(c.Power.Points) {
		target.Hex = target.Hex.StepN(target.Heading, pace[n])
		if points == 0 {
			continue
		}
		words := board.WordsTo(at, points, sea, func(at engine.Place, moved int) board.Score {
			astray := 4*tactical.Abs(hex.Distance(at.Hex, target.Hex)-rng) + board.TurnsOff(target, at.Hex, 3)
			return board.Score{board.SameHex(hex.Distance(at.Hex, target.Hex)), astray, board.TurnsOff(at, target.Hex, c.Rules.Ring.Side(c.Shown)), moved}
		})
		for _, w := range words {
			at = board.Step(at, w)
		}
		c.AddToPhase(n, "move", words)
	}
}

// keepCloak switches the cloak on as soon as possible.
func (c *Commander) keepCloak() {
	switch k := c.State.Cloak(); {
	case k.On:
		c.AddPower("cloak ready")
	case k.Late:
		c.AddPower("cloak ready")
		c.AddPower("cloak on after 1")
	default:
		c.AddPower("cloak on")
	}
}

// byWeight sorts the banks that bear over the shown shield, the heaviest first.
func (c *Commander) byWeight() []int {
	banks := c.byPunch()
	d := min(max(c.want(), 1), c.rng)
	heavy := func(i int) int { b := &c.State.Banks[i]; return c.Rules.ToHit(b.Chart, d) * b.Punch(d) }
	slices.SortStableFunc(banks, func(a, b int) int { return heavy(b) - heavy(a) })
	return banks
}

// ambush returns the range at which to drop the cloak: near enough for the weapons to do at least
// two thirds of their damage at range 3.
func (c *Commander) ambush() int {
	for d := 12; d > 3; d-- {
		if 3*c.value(d) >= 2*c.value(3) {
			return d
		}
	}
	return 3
}

// hunt scans for cloaked ships when nothing is in sight: towards where the target was last seen,
// otherwise through one arc after another.
func (c *Commander) hunt() {
	if !slices.Contains(c.Rules.Verbs, "scan") {
		return
	}
	for n := range c.Rules.Split.Phases() {
		if c.Foe != nil && c.rng > 0 {
			c.AddToPhase(n, "scan for", c.Foe.Name, "when not seen", board.AimNearest)
			continue
		}
		arcs := c.Rules.Foremost()
		c.AddToPhase(n, "scan", arcs[(c.Rules.Split.Phases()*c.View.Due+n)%len(arcs)], "when not seen", board.AimNearest)
	}
}

// found reports whether the target is cloaked but has been found.
func (c *Commander) found() bool {
	known, ok := c.Foe.System.(*ship.Public)
	return ok && known.Cloaked
}

// guarded returns the edge over which an enemy's goal is to leave the map, if there is one.
func (c *Commander) guarded() (edge string, ok bool) {
	for _, side := range c.View.Sides {
		if side.ID == c.Ship.Side {
			continue
		}
		for _, g := range c.View.GoalsOf(side.ID) {
			if g.When == engine.GoalExit {
				return g.Edge, true
			}
		}
	}
	return "", false
}
