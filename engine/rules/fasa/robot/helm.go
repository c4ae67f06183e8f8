package robot

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
)

// dangers returns the open hexes that a robot avoids: known mines of others, and asteroids unless
// the ship is already among them.
func (c *Commander) dangers() map[hex.Hex]bool {
	out := map[hex.Hex]bool{}
	among := false
	var rocks []hex.Hex
	for _, f := range c.View.Terrain {
		switch {
		case f.Kind == board.Mine && f.Side != c.Ship.Side && f.Figure[board.FigureDummy] == 0:
			out[f.Hexes[0]] = true
		case f.Kind == board.Asteroid:
			rocks = append(rocks, f.Hexes...)
			among = among || slices.Contains(f.Hexes, *c.Ship.Hex)
		}
	}
	if !among {
		for _, h := range rocks {
			out[h] = true
		}
	}
	return out
}

// safe returns where the ship may go without known danger.
func (c *Commander) safe() board.Passability {
	sea := board.PassabilityIn(c.View.Bounds, c.View.Terrain, c.Rules.Steps, c.Rules.Ground)
	for h := range c.dangers() {
		if sea.Closed == nil {
			sea.Closed = map[hex.Hex]bool{}
		}
		if h != *c.Ship.Hex {
			sea.Closed[h] = true
		}
	}
	sea.Stuck = c.State.Helm().Astern || c.State.GridDown(ship.NameConverter)
	return sea
}

// approach moves to a range from another ship, phase by phase. The orders follow that ship as it
// moves, unless there is danger on the way: then the ship moves word by word. If something is in
// between, she first goes round that.
func (c *Commander) approach(to *engine.ShipView, rng int) {
	target := to.Stands()
	sea, danger := c.safe(), c.dangers()
	at := c.here()
	for n, points := range c.Rules.Split.Points(c.Power.Points) {
		if points == 0 {
			continue
		}
		if n == 0 {
			if w := c.wheel(at, target.Hex, sea); w != "" {
				c.AddToPhase(n, "move", w)
				at = board.Step(at, w)
				if points--; points == 0 {
					continue
				}
			}
		}
		m := board.Maneuver{Verb: "pursue", Range: rng, Side: c.Rules.Ring.Side(c.Shown)}
		open := c.clear(at.Hex, target.Hex)
		if !open || hex.Distance(at.Hex, target.Hex) > rng+2*points {
			if way := board.Route(at.Hex, target.Hex, sea); len(way) > 0 && (!open || c.perilous(way, danger, points)) {
				m = board.Maneuver{Verb: "course", At: way[min(len(way), 2*points)-1]}
			}
		}
		goal := target
		if m.Verb == "course" {
			goal = engine.Place{Hex: m.At}
		}
		words := board.Expand(m, at, points, goal, sea)
		switch {
		case m.Verb == "course" || c.nearDanger(at.Hex, danger, points):
			c.AddToPhase(n, "move", words)
		default:
			c.AddToPhase(n, "pursue", to.Name, "to", rng, "showing", c.Shown)
			if to == c.Foe && c.enemies() > 1 { // for when the target is gone by then
				c.AddToPhase(n, "pursue", board.AimNearest, "to", rng, "showing", c.Shown)
			}
		}
		for _, w := range words {
			at = board.Step(at, w)
		}
	}
}

// wheel returns an emergency turn if the target is near and right astern, and the engines are
// sound; "" otherwise.
func (c *Commander) wheel(at engine.Place, to hex.Hex, sea board.Passability) string {
	if c.State.Outpost() || sea.Stuck || hex.Distance(at.Hex, to) > 8 || board.TurnsOff(at, to, c.Rules.Ring.Side(c.Shown)) < 10 || 4*c.State.Power < 3*c.State.Design.Power {
		return ""
	}
	best, off := "", 24
	for _, w := range []string{board.WordSwingL, board.WordSwingR} {
		if !slices.Contains(c.Rules.Words, w) || !sea.Open(at, w) {
			continue
		}
		if o := board.TurnsOff(board.Step(at, w), to, c.Rules.Ring.Side(c.Shown)); o < off {
			best, off = w, o
		}
	}
	return best
}

// clear reports whether nothing hides two hexes from each other.
func (c *Commander) clear(a, b hex.Hex) bool {
	return engine.LineOfSight(a, b, func(h hex.Hex) bool {
		return slices.ContainsFunc(c.View.Terrain, func(f *engine.Feature) bool {
			return !f.Gone && c.Rules.Ground[f.Kind].Opaque && slices.Contains(f.Hexes, h)
		})
	})
}

// nearDanger reports whether a ship could come into danger with some points.
func (c *Commander) nearDanger(at hex.Hex, danger map[hex.Hex]bool, points int) bool {
	for h := range danger {
		if hex.Distance(at, h) <= 2*points {
			return true
		}
	}
	return false
}

// perilous reports whether there is danger near the beginning of a route.
func (c *Commander) perilous(way []hex.Hex, danger map[hex.Hex]bool, points int) bool {
	return len(way) > 0 && c.nearDanger(way[0], danger, points)
}

// dodge orders the ship to evade missiles when a condition holds, so as to turn the stronger neighbouring shield.
func (c *Commander) dodge(shown int, when string) {
	if c.State.Outpost() || c.stuck() || c.State.Superstructure < 2 {
		return
	}
	side := c.Rules.Ring.Side(shown)
	hand := "port" // a turn to port brings the next shield clockwise round
	if c.Power.Shields[c.Rules.Ring.Number((side+5)%6)-1] > c.Power.Shields[c.Rules.Ring.Number((side+1)%6)-1] {
		hand = "starboard"
	}
	c.Standing.SetList("evade", fmt.Sprintf("evade %s when %s", hand, when))
	c.Dodges = true
}
