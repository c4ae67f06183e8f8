package robot

import (
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
)

// run takes the ship to an edge of the map by the shortest route without danger, with the shields
// up towards the nearest enemy, and fires with the remaining power.
func (c *Commander) run(edge string) {
	sys := c.State
	hidden := c.cloakAble()
	if hidden {
		c.payCloak()
		c.keepCloak()
	}
	points := sys.Design.Move.Points(max(sys.Power/2, min(sys.Power, sys.Design.Move.Cost(3))))
	if hidden { // a cloaked ship has no use for shields or weapons
		points = sys.Design.Move.Points(sys.Power)
	}
	c.Power = sys.Pin(ship.Settings{Points: points, Shields: make([]int, 6), Armed: map[int][]int{}})
	first := c.Rules.Astern()
	if c.Foe != nil && c.rng > 0 {
		first, _ = c.Rules.Facing(c.here(), *c.Foe.Hex)
	}
	c.Shown = first
	if !hidden && c.Foe != nil && c.Foe.Sight == engine.Seen && c.rng <= 16 {
		budget := sys.Power - sys.Design.Move.Cost(c.Power.Points)
		c.arm(c.byPunch(), sys.Power-budget*2/3)
	}
	ship.Raise(sys, &c.Power, c.Rules.Ring.Nearest(first), sys.Power)
	at, sea := c.here(), c.safe()
	bounds := *c.View.Bounds
	for n, points := range c.Rules.Split.Points(c.Power.Points) {
		var words []string
		for len(words) < points {
			words = append(words, c.runWord(at, edge, bounds, sea, points-len(words))...)
			at = c.here()
			for _, done := range c.ran {
				at = board.Step(at, done)
			}
			for _, w := range words {
				at = board.Step(at, w)
			}
		}
		words = words[:points]
		c.ran = append(c.ran, words...)
		if len(words) > 0 {
			c.AddToPhase(n, "move", words)
		}
		if len(c.Power.Armed) > 0 {
			c.AddToPhase(n, "fire all at", board.AimNearest, AtOdds(c.Rules.Odds.Plain[n]))
		}
	}
	c.dodge(first, "missile")
}

// runWord returns the next words on the way to an edge: straight for it, or round what is in the
// way.
func (c *Commander) runWord(at engine.Place, edge string, bounds hex.Bounds, sea board.Passability, points int) []string {
	if !bounds.Contains(at.Hex) {
		return []string{"H"} // she has left by then
	}
	w := homeward(at, edge, bounds)
	if _, barred := sea.Into(at, w); !barred && !c.ahead(at, w, sea, bounds) {
		return []string{w}
	}
	best := []hex.Hex(nil)
	for h := range borderHexes(edge, bounds) {
		if hex.Distance(at.Hex, h) > len(best) && best != nil {
			continue
		}
		if way := board.Route(at.Hex, h, sea); len(way) > 0 && (best == nil || len(way) < len(best)) {
			best = way
		}
	}
	if len(best) == 0 {
		return []string{w}
	}
	return board.Expand(board.Maneuver{Verb: "course", At: best[min(len(best), 2*points)-1]}, at, points, engine.Place{}, sea)
}

// roomAhead is how many hexes a ship wants ahead of her before an edge that is not her goal.
const roomAhead = 6

// homeward returns the next movement word on the way to an edge. Where no heading leads straight
// to it, the ship keeps a heading that leads nearer as long as there is room, and then takes the
// other.
func homeward(at engine.Place, edge string, bounds hex.Bounds) string {
	wanted := map[string][]hex.Heading{"north": {hex.A}, "south": {hex.D}, "east": {hex.B, hex.C}, "west": {hex.F, hex.E}}[edge]
	best, most := wanted[0], -1
	for _, h := range wanted {
		room, next := 0, at.Hex
		for ; bounds.Contains(next); room++ {
			next = next.Step(h)
		}
		if slices.Contains(bounds.Beyond(next), edge) {
			room += 1000
		}
		if h == at.Heading && room > roomAhead {
			return "FF"
		}
		if room > most {
			best, most = h, room
		}
	}
	off := (int(best)-int(at.Heading)+9)%6 - 3 // -3..2, clockwise positive
	moving, still := "FR", "R"
	if off < 0 {
		moving, still = "FL", "L"
	}
	switch {
	case off == 0:
		return "FF"
	case tactical.Abs(off) < 2 && bounds.Contains(board.Step(at, moving).Hex):
		return moving
	}
	return still
}

// ahead reports whether something is in the way within six hexes straight on from the end of a word.
func (c *Commander) ahead(at engine.Place, word string, sea board.Passability, bounds hex.Bounds) bool {
	next := board.Step(at, word)
	for range 6 {
		next.Hex = next.Hex.Step(next.Heading)
		if !bounds.Contains(next.Hex) {
			return false
		}
		if sea.Closed[next.Hex] {
			return true
		}
	}
	return false
}

// borderHexes yields the hexes of the map along an edge.
func borderHexes(edge string, b hex.Bounds) func(func(hex.Hex) bool) {
	return func(yield func(hex.Hex) bool) {
		long := b.Cols
		if edge == "east" || edge == "west" {
			long = b.Rows
		}
		for i := 1; i <= long; i++ {
			h := map[string][2]int{"north": {i, 1}, "south": {i, b.Rows}, "west": {1, i}, "east": {b.Cols, i}}[edge]
			if !yield(hex.At(h[0], h[1])) {
				return
			}
		}
	}
}
