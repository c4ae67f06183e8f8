package ship

import (
	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/tactical"
)

// Scheme is how a rule book shares out movement and numbers shields.
type Scheme struct {
	Split tactical.Split // how a turn's movement points fall into its phases; as many phases as it has
	Most  int            // movement points that a turn may have at most; 0: any number
	Ring  tactical.Ring  // the numbers of shields
}

// MovementPoints is how many of them a ship makes of power.
func (c Scheme) MovementPoints(sys *State, power int) int {
	points := sys.Design.Move.Points(power)
	if c.Most > 0 {
		points = min(points, c.Most)
	}
	return points
}

// Ahead is the number of the shield ahead.
func (c Scheme) Ahead() int { return c.Ring.Number(0) }

// Astern is the number of the shield astern.
func (c Scheme) Astern() int { return c.Ring.Number(3) }

// Foremost lists the shields, those ahead first.
func (c Scheme) Foremost() []int {
	n := c.Ring.Number
	return []int{n(0), n(5), n(1), n(4), n(2), n(3)}
}

// Facing is the shield number (or, on a line, the two) that a ship at a place
// turns to a hex; zeros when it is the same hex.
func (c Scheme) Facing(at engine.Place, to hex.Hex) (first, second int) {
	p, ok := hex.Bearing(at.Hex, to)
	if !ok {
		return 0, 0
	}
	a, b, line := hex.Side(p.Relative(at.Heading))
	if !line {
		b = a
	}
	return c.Ring.Number(a), c.Ring.Number(b)
}
