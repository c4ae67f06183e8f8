package fasa

import (
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// fight closes with the target and fires at it: picky early in the turn, at anything
// late, since what is armed and not fired is lost. Once the target is crippled, others that
// still fight are fired at.
func (c *commander) fight() {
	c.face()
	if c.chasing() && c.weight(c.l.Ahead()) > 0 && !c.sys.Shields[c.l.Ahead()-1].Down {
		c.show = c.l.Ahead() // straight on is fastest
	}
	c.share()
	c.approach(c.want())
	odds := c.l.sure.choosy
	if c.found() { // fire at her is hard enough
		odds = c.l.sure.cloaked
	}
	for n := range odds {
		switch {
		case len(c.set.Armed) == 0:
		case c.enemies() > 1:
			c.phase(n, "fire all at %s when not crippled and chance >= %d%%", c.foe.Name, odds[n])
			c.phase(n, "fire all at %s when chance >= %d%%", board.AimNearest, odds[n])
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
	c.set = ship.Settings{Shields: make([]int, 6), Armed: map[int][]int{}}
	reach := 0
	for i := range sys.Banks {
		if b := &sys.Banks[i]; c.l.usable(b) && !ship.AllDestroyed(b) {
			reach = max(reach, c.l.Reach(b.Chart))
		}
	}
	// At two hexes a point, and the enemy as fast, none will bear.
	far := c.rng-4*sys.Design.Move.Points(sys.Power/2) > reach
	switch {
	case far:
		c.set.Points = sys.Design.Move.Points(sys.Power * 3 / 4)
	case c.rng > 8:
		c.set.Points = sys.Design.Move.Points(sys.Power * 2 / 5)
	default:
		c.set.Points = min(max(3, sys.Design.Move.Points(sys.Power/4)), sys.Design.Move.Points(sys.Power/2))
	}
	if known, ok := c.foe.System.(*ship.Public); ok && c.chasing() { // keep up with it
		c.set.Points = min(max(c.set.Points, known.Points, 5), sys.Design.Move.Points(sys.Power*3/5))
	}
	c.set = sys.Pin(c.set)
	if !far {
		budget := sys.Power - sys.Design.Move.Cost(c.set.Points)
		screen := sys.Design.MaxShield * (3 + 2*min(c.enemies(), 3)) / 7 // more of them are not all ahead
		c.arm(c.byPunch(), sys.Power-min(budget/2, sys.Design.Shield.Cost(screen)))
	}
	ship.Raise(sys, &c.set, c.l.Ring.Nearest(c.show), sys.Power)
}

// arm arms banks in an order, as long as not more than a limit of power is used; but
// the first weapon is armed if there is power for it at all.
func (c *commander) arm(banks []int, limit int) {
	moves := c.sys.Design.Move.Cost(c.set.Points)
	for _, i := range banks {
		b := &c.sys.Banks[i]
		for m, mount := range b.Mounts {
			used := c.set.Cost(c.sys)
			want := b.Arm
			if b.Kind == tables.Beam {
				want = min(b.Most(m), limit-used)
			}
			if mount.Destroyed || want < 1 || used+want > c.sys.Power || used+want > limit && used > moves {
				continue
			}
			if c.set.Armed[i] == nil {
				c.set.Armed[i] = make([]int, len(b.Mounts))
			}
			c.set.Armed[i][m] = want
		}
	}
}

// present turns a fresh shield to the enemy, seldom: only when the one that was to be
// shown is gone, a neighbour holds, and the ship can bear the strain.
func (c *commander) present() {
	if c.sys.Superstructure <= c.sys.Design.Superstructure/2 || len(c.sys.WarpEngines()) == 0 || c.stuck() {
		return
	}
	side := c.l.Ring.Side(c.show)
	next := c.l.Ring.Number((side + 1) % 6)
	if other := c.l.Ring.Number((side + 5) % 6); c.set.Shields[other-1] > c.set.Shields[next-1] {
		next = other
	}
	if 2*c.set.Shields[next-1] <= c.sys.Design.MaxShield {
		return
	}
	for n := 1; n < c.l.Split.Phases(); n++ {
		c.phase(n, "tactical showing %d to %s when shield %d < 1 and range <= 10", next, c.foe.Name, c.show)
	}
}

// allRound arms what there is for whatever may appear: some power in every beam, the
// missiles that cost little, and shields all round.
func (c *commander) allRound(points int) {
	sys := c.sys
	c.set = sys.Pin(ship.Settings{Points: points, Shields: make([]int, 6), Armed: map[int][]int{}})
	left := sys.Power - sys.Design.Move.Cost(c.set.Points)
	for _, i := range c.cheapest() {
		b := &sys.Banks[i]
		for m, mount := range b.Mounts {
			want := b.Arm
			if b.Kind == tables.Beam {
				want = b.Most(m) * 2 / 3
			}
			if mount.Destroyed || want < 1 || want > 6 || c.set.Cost(sys)+want > sys.Power-left/2 {
				continue
			}
			if c.set.Armed[i] == nil {
				c.set.Armed[i] = make([]int, len(b.Mounts))
			}
			c.set.Armed[i][m] = want
		}
	}
	for points := 1; points <= sys.Design.MaxShield; points++ { // evenly
		for _, n := range c.l.Foremost() {
			if sys.Shields[n-1].Down {
				continue
			}
			c.set.Shields[n-1]++
			if c.set.Cost(sys) > sys.Power {
				c.set.Shields[n-1]--
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
