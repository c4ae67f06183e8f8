package fasa

import (
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/tables"
)

// fight closes with the target and fires at it: picky early in the turn, at anything
// late, since what is armed and not fired is lost. Once the target is crippled, others that
// still fight are fired at.
func (c *commander) fight() {
	c.face()
	if c.chasing() && c.weight(c.l.ahead()) > 0 && !c.sys.Shields[c.l.ahead()-1].Down {
		c.show = c.l.ahead() // straight on is fastest
	}
	c.share()
	c.approach(c.want())
	odds := c.l.sure.choosy
	if c.found() { // fire at her is hard enough
		odds = c.l.sure.cloaked
	}
	for n := range odds {
		switch {
		case len(c.set.armed) == 0:
		case c.enemies() > 1:
			c.phase(n, "fire all at %s when not crippled and chance >= %d%%", c.foe.Name, odds[n])
			c.phase(n, "fire all at %s when chance >= %d%%", aimNearest, odds[n])
		default:
			c.phase(n, "fire all at %s when chance >= %d%%", c.foe.Name, odds[n])
		}
	}
	c.present()
}

// chasing tells whether the target runs for an edge of the map.
func (c *commander) chasing() bool {
	return slices.ContainsFunc(c.v.GoalsOf(c.foe.Side), func(g engine.Goal) bool {
		return g.When == engine.GoalExit && (len(g.Ships) == 0 || slices.Contains(g.Ships, c.foe.ID))
	})
}

// enemies counts the enemies in the fight that are known.
func (c *commander) enemies() int {
	n := 0
	for _, o := range c.v.Ships {
		if o.Side != c.s.Side && o.Status == engine.Active {
			n++
		}
	}
	return n
}

// share splits the turn's power: movement to close in, the shield that is shown and
// those beside it, weapons that will bear, cheap ones first, and shields with the rest.
func (c *commander) share() {
	sys := c.sys
	c.set = settings{shields: make([]int, 6), armed: map[int][]int{}}
	reach := 0
	for i := range sys.Banks {
		if b := &sys.Banks[i]; c.l.usable(b) && !destroyed(b) {
			reach = max(reach, c.l.reach(b.Chart))
		}
	}
	// At two hexes a point, and the enemy as fast, none will bear.
	far := c.rng-4*sys.Design.Move.Points(sys.Power/2) > reach
	switch {
	case far:
		c.set.points = sys.Design.Move.Points(sys.Power * 3 / 4)
	case c.rng > 8:
		c.set.points = sys.Design.Move.Points(sys.Power * 2 / 5)
	default:
		c.set.points = min(max(3, sys.Design.Move.Points(sys.Power/4)), sys.Design.Move.Points(sys.Power/2))
	}
	if known, ok := c.foe.System.(*Public); ok && c.chasing() { // keep up with it
		c.set.points = min(max(c.set.points, known.Points, 5), sys.Design.Move.Points(sys.Power*3/5))
	}
	c.set = sys.pin(c.set)
	if !far {
		budget := sys.Power - sys.Design.Move.Cost(c.set.points)
		screen := sys.Design.MaxShield * (3 + 2*min(c.enemies(), 3)) / 7 // more of them are not all ahead
		c.arm(c.byPunch(), sys.Power-min(budget/2, sys.Design.Shield.Cost(screen)))
	}
	raise(sys, &c.set, c.l.ring.Nearest(c.show), sys.Power)
}

// arm arms banks in an order, as long as not more than a limit of power is used; but
// the first weapon is armed if there is power for it at all.
func (c *commander) arm(banks []int, limit int) {
	moves := c.sys.Design.Move.Cost(c.set.points)
	for _, i := range banks {
		b := &c.sys.Banks[i]
		for m, mount := range b.Mounts {
			used := c.set.cost(c.sys)
			want := b.Arm
			if b.Kind == tables.Beam {
				want = min(b.most(m), limit-used)
			}
			if mount.Destroyed || want < 1 || used+want > c.sys.Power || used+want > limit && used > moves {
				continue
			}
			if c.set.armed[i] == nil {
				c.set.armed[i] = make([]int, len(b.Mounts))
			}
			c.set.armed[i][m] = want
		}
	}
}

// present turns a fresh shield to the enemy, seldom: only when the one that was to be
// shown is gone, a neighbour holds, and the ship can bear the strain.
func (c *commander) present() {
	if c.sys.Superstructure <= c.sys.Design.Superstructure/2 || len(c.sys.warpEngines()) == 0 || c.stuck() {
		return
	}
	side := c.l.ring.Side(c.show)
	next := c.l.ring.Number((side + 1) % 6)
	if other := c.l.ring.Number((side + 5) % 6); c.set.shields[other-1] > c.set.shields[next-1] {
		next = other
	}
	if 2*c.set.shields[next-1] <= c.sys.Design.MaxShield {
		return
	}
	for n := 1; n < c.l.split.Phases(); n++ {
		c.phase(n, "tactical showing %d to %s when shield %d < 1 and range <= 10", next, c.foe.Name, c.show)
	}
}

// allRound arms what there is for whatever may appear: some power in every beam, the
// missiles that cost little, and shields all round.
func (c *commander) allRound(points int) {
	sys := c.sys
	c.set = sys.pin(settings{points: points, shields: make([]int, 6), armed: map[int][]int{}})
	left := sys.Power - sys.Design.Move.Cost(c.set.points)
	for _, i := range c.cheapest() {
		b := &sys.Banks[i]
		for m, mount := range b.Mounts {
			want := b.Arm
			if b.Kind == tables.Beam {
				want = b.most(m) * 2 / 3
			}
			if mount.Destroyed || want < 1 || want > 6 || c.set.cost(sys)+want > sys.Power-left/2 {
				continue
			}
			if c.set.armed[i] == nil {
				c.set.armed[i] = make([]int, len(b.Mounts))
			}
			c.set.armed[i][m] = want
		}
	}
	for points := 1; points <= sys.Design.MaxShield; points++ { // evenly
		for _, n := range c.l.foremost() {
			if sys.Shields[n-1].Down {
				continue
			}
			c.set.shields[n-1]++
			if c.set.cost(sys) > sys.Power {
				c.set.shields[n-1]--
				return
			}
		}
	}
}

// cheapest orders the banks by the power that a mount takes, the least first.
func (c *commander) cheapest() []int {
	var out []int
	for i := range c.sys.Banks {
		if c.l.usable(&c.sys.Banks[i]) {
			out = append(out, i)
		}
	}
	takes := func(i int) int { return max(c.sys.Banks[i].Max, c.sys.Banks[i].Arm) }
	slices.SortStableFunc(out, func(a, b int) int { return takes(a) - takes(b) })
	return out
}

// usable tells whether the course has rules for a bank's weapon.
func (l *rulebook) usable(b *Bank) bool {
	_, ok := l.kinds[b.Kind]
	return ok
}

// punch is what a hit of a bank's weapon does at a range, at its best.
func (b *Bank) punch(rng int) int {
	if b.Kind == tables.Plasma {
		full, _ := bolt(b, rng)
		return full
	}
	return max(b.Max, b.Damage) + b.bonus(rng)
}
