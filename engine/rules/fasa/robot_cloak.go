package fasa

import (
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
)

// cloakAble tells whether the ship has a cloak and the power to use it.
func (c *commander) cloakAble() bool {
	return c.sys.Has(ship.NameCloak) && c.sys.Power >= 2*c.sys.Cloak().Need // else there is nothing left to fight with
}

// payCloak keeps the cloak's power back from what else there is to give out.
func (c *commander) payCloak() { c.sys.Power -= c.sys.Cloak().Need }

// stalk fights from under the cloak. Far from the target the ship comes nearer unseen;
// near it, weapons are armed as well, the heaviest first, and she drops the cloak for
// one fire phase if the target is near enough by then. She puts it on again as soon as
// may be.
func (c *commander) stalk() {
	c.payCloak()
	c.face()
	rng := c.ambush()
	strikes := c.rng <= rng && board.TurnsOff(c.here(), *c.foe.Hex, c.l.Ring.Side(c.show)) <= 4 && c.sys.Cloak().On
	c.set = ship.Settings{Shields: make([]int, 6), Armed: map[int][]int{}}
	c.set.Points = c.sys.Design.Move.Points(c.sys.Power)
	if strikes {
		c.set.Points = 1
	}
	c.set = c.sys.Pin(c.set)
	if strikes {
		c.arm(c.byWeight(), c.sys.Power)
		ship.Raise(c.sys, &c.set, c.l.Ring.Nearest(c.show), c.sys.Power)
	}
	strikes = strikes && len(c.set.Armed) > 0
	c.creep(max(2, rng/2))
	c.keepCloak()
	if !strikes {
		return
	}
	n := 0 // the one movement point is for the next phase
	c.phase(n, "cloak off when range to %s <= %d", c.foe.Name, rng)
	c.phase(n, "fire all at %s when range <= %d", c.foe.Name, rng)
	if n < 2 {
		c.phase(n+1, "cloak on when not cloaked")
	}
}

// creep takes the ship, phase by phase, behind the target, where least bears on her,
// with the shown shield to it: to where it will be if it keeps its course and speed.
func (c *commander) creep(rng int) {
	target := engine.Place{Hex: *c.foe.Hex, Heading: *c.foe.Heading}
	pace := make([]int, c.l.Split.Phases())
	if known, ok := c.foe.System.(*ship.Public); ok && len(known.Split) == len(pace) {
		pace = known.Split
	}
	at, sea := c.here(), c.safe()
	for n, points := range c.l.Split.Points(c.set.Points) {
		target.Hex = target.Hex.StepN(target.Heading, pace[n])
		if points == 0 {
			continue
		}
		words := board.WordsTo(at, points, sea, func(at engine.Place, moved int) board.Score {
			astray := 4*tactical.Abs(hex.Distance(at.Hex, target.Hex)-rng) + board.TurnsOff(target, at.Hex, 3)
			return board.Score{board.SameHex(hex.Distance(at.Hex, target.Hex)), astray, board.TurnsOff(at, target.Hex, c.l.Ring.Side(c.show)), moved}
		})
		for _, w := range words {
			at = board.Step(at, w)
		}
		c.phase(n, "move %s", strings.Join(words, " "))
	}
}

// keepCloak has the cloak on as soon as it can be.
func (c *commander) keepCloak() {
	switch k := c.sys.Cloak(); {
	case k.On:
		c.more = append(c.more, "cloak ready")
	case k.Late:
		c.more = append(c.more, "cloak ready", "cloak on after 1")
	default:
		c.more = append(c.more, "cloak on")
	}
}

// byWeight orders the banks that bear over the shown shield, the heaviest first.
func (c *commander) byWeight() []int {
	banks := c.byPunch()
	d := min(max(c.want(), 1), c.rng)
	heavy := func(i int) int { b := &c.sys.Banks[i]; return c.l.ToHit(b.Chart, d) * b.Punch(d) }
	slices.SortStableFunc(banks, func(a, b int) int { return heavy(b) - heavy(a) })
	return banks
}

// ambush is the range at which to drop the cloak: near enough for the heaviest weapon
// to hit more often than not.
func (c *commander) ambush() int {
	for d := 12; d > 3; d-- {
		if 3*c.value(d) >= 2*c.value(3) {
			return d
		}
	}
	return 3
}

// hunt uses the sensors to look for cloaked ships when nothing is in sight: towards
// where the target was seen last, else through one arc after the other.
func (c *commander) hunt() {
	if !slices.Contains(c.l.verbs(), "scan") {
		return
	}
	for n := range c.l.Split.Phases() {
		if c.foe != nil && c.rng > 0 {
			c.phase(n, "scan for %s when not seen %s", c.foe.Name, board.AimNearest)
			continue
		}
		arcs := c.l.Foremost()
		c.phase(n, "scan %d when not seen %s", arcs[(c.l.Split.Phases()*c.v.Due+n)%len(arcs)], board.AimNearest)
	}
}

// verbs are the names of the verbs that the course's parts add.
func (l *rulebook) verbs() []string {
	var out []string
	for _, p := range l.parts {
		for _, v := range p.verbs {
			out = append(out, v.Name)
		}
	}
	return out
}

// found tells whether the target is cloaked and was found all the same.
func (c *commander) found() bool {
	known, ok := c.foe.System.(*ship.Public)
	return ok && known.Cloaked
}

// guarded is where an enemy's goal wants him to leave the map, if one does.
func (c *commander) guarded() (edge string, ok bool) {
	for _, side := range c.v.Sides {
		if side.ID == c.s.Side {
			continue
		}
		for _, g := range c.v.GoalsOf(side.ID) {
			if g.When == engine.GoalExit {
				return g.Edge, true
			}
		}
	}
	return "", false
}
