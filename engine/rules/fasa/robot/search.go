package robot

import (
	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// search looks for enemies that are not in sight: where one was last seen, otherwise at places
// about the middle of the battle. Weapons are armed for whatever appears.
func (c *Commander) search() {
	sys := c.State
	c.Shown = 2
	if c.cloakAble() { // unseen, like those that she looks for
		c.payCloak()
		c.keepCloak()
		c.Power = sys.Pin(ship.Settings{Points: sys.Design.Move.Points(sys.Power), Shields: make([]int, 6), Armed: map[int][]int{}})
	} else {
		c.light()
		points := min(max(3, sys.Design.Move.Points(sys.Power/4)), sys.Design.Move.Points(sys.Power/2))
		if lurks(c.View, c.Ship, c.State) {
			points = 0
		}
		c.allRound(points)
		c.hunt()
	}
	at, sea := c.here(), c.safe()
	goal := c.lookAt()
	if c.View.Dark && sea.Closed[goal] { // about a planet, not into it
		goal = goal.StepN(hex.Heading(c.View.Due/2%6), 6)
	}
	for n, points := range c.Rules.Split.Points(c.Power.Points) {
		if points > 0 && !sea.Stuck {
			var words []string
			if way := board.Route(at.Hex, goal, sea); len(way) > 0 {
				words = board.Expand(board.Maneuver{Verb: "course", At: way[min(len(way), 2*points)-1]}, at, points, engine.Place{Hex: goal}, sea)
			} else {
				for range points {
					words = append(words, "R") // look about
				}
			}
			for _, w := range words {
				at = board.Step(at, w)
			}
			c.AddToPhase(n, "move", words)
		}
	}
	c.fireAtAny()
}

// fireAtAny has armed weapons fire at whatever appears.
func (c *Commander) fireAtAny() {
	for n := range c.Rules.Split.Phases() {
		if len(c.Power.Armed) > 0 {
			c.AddToPhase(n, "fire all at", board.AimNearest, AtOdds([]int{50, 40, 10}[n]))
		}
	}
}

// lookAt returns where to look next: where the target was last seen, until the ship has been
// there; then places near the middle, changing every other turn.
func (c *Commander) lookAt() hex.Hex {
	if c.Foe != nil && c.rng > 3 {
		return *c.Foe.Hex
	}
	middle := c.middle()
	if edge, ok := c.guarded(); ok && c.View.Bounds != nil {
		return c.post(edge)
	}
	if c.View.Dark {
		return whereToLook(c.View, c.Ship)
	}
	turn := hex.Heading((c.View.Due/2 + len(c.Ship.ID)) % 6)
	to := middle.StepN(turn, 7)
	if b := c.View.Bounds; b != nil && !b.Contains(to) {
		return middle.StepN(turn, 3)
	}
	return to
}

// post returns where to wait for an enemy who is to leave by an edge: eight hexes from it, the
// ships of a side beside each other.
func (c *Commander) post(edge string) hex.Hex {
	n, place := 0, 0
	for _, s := range c.View.Ships {
		if s.Side != c.Ship.Side || s.Status != engine.Active {
			continue
		}
		if s.ID == c.Ship.ID {
			place = n
		}
		n++
	}
	b := c.View.Bounds
	col, row := b.Cols*(2*place+1)/(2*max(1, n)), b.Rows*(2*place+1)/(2*max(1, n))
	switch edge {
	case "north":
		row = 8
	case "south":
		row = b.Rows - 7
	case "west":
		col = 8
	default:
		col = b.Cols - 7
	}
	return hex.At(max(1, min(b.Cols, col)), max(1, min(b.Rows, row)))
}

// middle returns the middle of the battle: a planet if there is one, otherwise of the map,
// otherwise of the known ships.
func (c *Commander) middle() hex.Hex {
	for _, f := range c.View.Terrain {
		if c.Rules.Ground[f.Kind].Closed && !f.Gone {
			return f.Hexes[0]
		}
	}
	if b := c.View.Bounds; b != nil {
		return hex.At((b.Cols+1)/2, (b.Rows+1)/2)
	}
	col, row, n := 0, 0, 0
	for _, s := range c.View.Ships {
		if s.Hex != nil {
			x, y := s.Hex.ColRow()
			col, row, n = col+x, row+y, n+1
		}
	}
	return hex.At(col/max(1, n), row/max(1, n))
}

// place chooses where to begin, if the scenario leaves it to the captain and no enemy is in
// sight: some way from the middle, or on the border of the map, in a direction that depends on
// the names of ship and game.
func (c *Commander) place() {
	if c.View.Due != 1 || c.State.Free() == "" || c.Foe != nil && c.Foe.Sight == engine.Seen {
		return
	}
	sum := 0
	for _, r := range c.View.Game + string(c.Ship.ID) {
		sum = (31*sum + int(r)) % 1000003
	}
	sea, middle := c.safe(), c.middle()
	for turn := range 6 {
		way := hex.Heading((sum + turn) % 6)
		at := engine.Place{Hex: middle.StepN(way, 7), Heading: way}
		if c.State.Free() == ship.FreeEdge && c.View.Bounds != nil {
			for at.Hex = middle; c.View.Bounds.Contains(at.Hex.Step(way)); at.Hex = at.Hex.Step(way) {
				at.Heading = way.Reverse()
			}
		}
		if board.Misplaced(c.View.Due, c.State.Free(), c.View.Bounds, sea, at.Hex) != "" || sea.Closed[at.Hex] {
			continue
		}
		c.Head = append(c.Head, orders.Say("place", at.Hex.Label(), at.Heading))
		there := *c.Ship
		there.Hex, there.Heading = &at.Hex, &at.Heading
		c.Ship = &there
		return
	}
}
