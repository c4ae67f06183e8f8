package stcs

import (
	"slices"

	"starpost/engine"
)

// cloakAble tells whether the ship has a cloak and the power to use it.
func (c *commander) cloakAble() bool {
	k := c.sys.Cloak
	return k != nil && c.sys.Power >= 2*k.Need // else there is nothing left to fight with
}

// payCloak keeps the cloak's power back from what else there is to give out.
func (c *commander) payCloak() { c.sys.Power -= c.sys.Cloak.Need }

// stalk fights from under the cloak. Far from the target the ship comes nearer unseen;
// near it, weapons are armed as well, and she drops the cloak for one fire phase: the
// first if the target is near enough already, else the last if it is by then. She puts
// it on again as soon as may be.
func (c *commander) stalk() {
	late := c.sys.Cloak.Late
	c.payCloak()
	c.face()
	rng := c.ambush()
	strikes := c.rng <= rng+2*c.sys.Design.Move.Points(c.sys.Power/2)+4
	points := c.sys.Design.Move.Points(c.sys.Power)
	c.set = settings{shields: make([]int, 6), armed: map[int][]int{}}
	if strikes {
		points = max(1, c.sys.Design.Move.Points(c.sys.Power/4))
	}
	c.set.points = points
	c.set = c.sys.pin(c.set)
	if strikes {
		c.arm(c.byPunch(), c.sys.Power)
		raise(c.sys, &c.set, shieldsFrom(c.show), c.sys.Power)
	}
	strikes = strikes && len(c.set.armed) > 0
	c.approach(rng)
	switch {
	case !c.sys.Cloak.On && late:
		c.more = append(c.more, "cloak ready", "cloak on after 1")
	case !c.sys.Cloak.On:
		c.more = append(c.more, "cloak on")
	default:
		c.more = append(c.more, "cloak ready")
	}
	if !strikes {
		return
	}
	if c.rng <= rng && c.sys.Cloak.On {
		c.more = append(c.more, "cloak off after 1")
		c.phase(0, "fire all at %s", c.foe.Name)
		c.phase(1, "cloak on")
		return
	}
	c.phase(2, "cloak off when range to %s <= %d", c.foe.Name, rng)
	c.phase(2, "fire all at %s when range <= %d", c.foe.Name, rng)
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
	if c.sys.Sensors == nil || !slices.Contains(c.l.verbs(), "scan") {
		return
	}
	for n := range Phases {
		if c.foe != nil && c.rng > 0 {
			c.phase(n, "scan for %s when not seen %s", c.foe.Name, aimNearest)
			continue
		}
		arcs := []int{2, 1, 3, 6, 4, 5}
		c.phase(n, "scan %d when not seen %s", arcs[(Phases*c.v.Due+n)%len(arcs)], aimNearest)
	}
}

// verbs are the names of the verbs that the course's parts add.
func (l *course) verbs() []string {
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
	known, ok := c.foe.System.(*Public)
	return ok && known.Cloaked
}

// guarded is where an enemy's goal wants him to leave the map, if one does.
func (c *commander) guarded() (edge string, ok bool) {
	for _, side := range c.v.Sides {
		if side.ID == c.s.Side {
			continue
		}
		for _, g := range c.v.Ends(side.ID) {
			if g.When == engine.GoalExit {
				return g.Edge, true
			}
		}
	}
	return "", false
}
