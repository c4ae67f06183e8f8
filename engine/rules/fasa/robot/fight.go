package robot

import (
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
)

// fight closes with the target and fires at it: only at good chances early in the turn, at any
// chance late, since power that is armed and not fired is lost. Once the target is crippled, it
// fires at others that still fight.
func (c *Commander) fight() {
	c.face()
	if c.chasing() && c.weight(c.Rules.Ahead()) > 0 && !c.State.Shields[c.Rules.Ahead()-1].Down {
		c.Shown = c.Rules.Ahead() // straight on is fastest
	}
	c.share()
	c.approach(c.Foe, c.want())
	odds := c.Rules.Odds.Choosy
	if c.found() { // fire at a cloaked ship is hard enough
		odds = c.Rules.Odds.Cloaked
	}
	for n := range odds {
		switch {
		case len(c.Power.Armed) == 0:
		case c.enemies() > 1:
			c.AddToPhase(n, "fire all at", c.Foe.Name, strings.Replace(AtOdds(odds[n]), "when", "when not crippled and", 1))
			c.AddToPhase(n, "fire all at", board.AimNearest, AtOdds(odds[n]))
		default:
			c.AddToPhase(n, "fire all at", c.Foe.Name, AtOdds(odds[n]))
		}
	}
	c.present()
}

// chasing reports whether the target runs for an edge of the map.
func (c *Commander) chasing() bool {
	return slices.ContainsFunc(c.View.GoalsOf(c.Foe.Side), func(g engine.Goal) bool {
		return g.When == engine.GoalExit && (len(g.Ships) == 0 || slices.Contains(g.Ships, c.Foe.ID))
	})
}

// enemies counts the known enemies in the fight.
func (c *Commander) enemies() int {
	n := 0
	for _, o := range c.View.Ships {
		if o.Side != c.Ship.Side && o.Status == engine.Active {
			n++
		}
	}
	return n
}

// share splits the turn's power: movement to close in, the shown shield and those beside it,
// weapons that will bear, the best damage for their power first, and shields with the rest.
func (c *Commander) share() {
	sys := c.State
	c.Power = ship.Settings{Shields: make([]int, 6), Armed: map[int][]int{}}
	reach := 0
	for i := range sys.Banks {
		if b := &sys.Banks[i]; c.Rules.Book.Usable(b) && !ship.AllDestroyed(b) {
			reach = max(reach, c.Rules.Reach(b.Chart))
		}
	}
	// Out of reach even at two hexes a point, with an enemy just as fast.
	far := c.rng-4*sys.Design.Move.Points(sys.Power/2) > reach
	switch {
	case far:
		c.Power.Points = sys.Design.Move.Points(sys.Power * 3 / 4)
	case c.rng > 8:
		c.Power.Points = sys.Design.Move.Points(sys.Power * 2 / 5)
	default:
		c.Power.Points = min(max(3, sys.Design.Move.Points(sys.Power/4)), sys.Design.Move.Points(sys.Power/2))
	}
	if known, ok := c.Foe.System.(*ship.Public); ok && c.chasing() { // keep up with it
		c.Power.Points = min(max(c.Power.Points, known.Points, 5), sys.Design.Move.Points(sys.Power*3/5))
	}
	c.Power = sys.Pin(c.Power)
	if !far {
		budget := sys.Power - sys.Design.Move.Cost(c.Power.Points)
		screen := sys.Design.MaxShield * (3 + 2*min(c.enemies(), 3)) / 7 // several enemies are not all ahead
		c.arm(c.byPunch(), sys.Power-min(budget/2, sys.Design.Shield.Cost(screen)))
	}
	ship.Raise(sys, &c.Power, c.Rules.Ring.Nearest(c.Shown), sys.Power)
}

// arm arms banks in order as long as the power used stays within limit; but the first weapon is
// armed if there is power for it at all.
func (c *Commander) arm(banks []int, limit int) {
	moves := c.State.Design.Move.Cost(c.Power.Points)
	for _, i := range banks {
		b := &c.State.Banks[i]
		for m, mount := range b.Mounts {
			used := c.Power.Cost(c.State)
			want := b.Arm
			if b.AnyPower() {
				want = min(b.Most(m), limit-used)
			}
			if mount.Destroyed || want < 1 || used+want > c.State.Power || used+want > limit && used > moves {
				continue
			}
			if c.Power.Armed[i] == nil {
				c.Power.Armed[i] = make([]int, len(b.Mounts))
			}
			c.Power.Armed[i][m] = want
		}
	}
}

// present turns a fresh shield to the enemy, though rarely: only when the shown one is gone, a
// neighbour holds, and the ship can bear the stress.
func (c *Commander) present() {
	if c.State.Superstructure <= c.State.Design.Superstructure/2 || len(c.State.Engines().Warp()) == 0 || c.stuck() {
		return
	}
	side := c.Rules.Ring.Side(c.Shown)
	next := c.Rules.Ring.Number((side + 1) % 6)
	if other := c.Rules.Ring.Number((side + 5) % 6); c.Power.Shields[other-1] > c.Power.Shields[next-1] {
		next = other
	}
	if 2*c.Power.Shields[next-1] <= c.State.Design.MaxShield {
		return
	}
	for n := 1; n < c.Rules.Split.Phases(); n++ {
		c.AddToPhase(n, "tactical showing", next, "to", c.Foe.Name, "when shield", c.Shown, "< 1 and range <= 10")
	}
}

// allRound arms the ship for whatever may appear: some power in every beam, cheap missiles, and
// shields all round.
func (c *Commander) allRound(points int) {
	sys := c.State
	c.Power = sys.Pin(ship.Settings{Points: points, Shields: make([]int, 6), Armed: map[int][]int{}})
	left := sys.Power - sys.Design.Move.Cost(c.Power.Points)
	for _, i := range c.cheapest() {
		b := &sys.Banks[i]
		for m, mount := range b.Mounts {
			want := b.Arm
			if b.AnyPower() {
				want = b.Most(m) * 2 / 3
			}
			if mount.Destroyed || want < 1 || want > 6 || c.Power.Cost(sys)+want > sys.Power-left/2 {
				continue
			}
			if c.Power.Armed[i] == nil {
				c.Power.Armed[i] = make([]int, len(b.Mounts))
			}
			c.Power.Armed[i][m] = want
		}
	}
	for points := 1; points <= sys.Design.MaxShield; points++ { // evenly
		for _, n := range c.Rules.Foremost() {
			if sys.Shields[n-1].Down {
				continue
			}
			c.Power.Shields[n-1]++
			if c.Power.Cost(sys) > sys.Power {
				c.Power.Shields[n-1]--
				return
			}
		}
	}
}

// cheapest sorts the banks by the power that a mount takes, the least first.
func (c *Commander) cheapest() []int {
	var out []int
	for i := range c.State.Banks {
		if c.Rules.Book.Usable(&c.State.Banks[i]) {
			out = append(out, i)
		}
	}
	takes := func(i int) int { return max(c.State.Banks[i].Max, c.State.Banks[i].Arm) }
	slices.SortStableFunc(out, func(a, b int) int { return takes(a) - takes(b) })
	return out
}
