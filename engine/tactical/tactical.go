// Package tactical has arithmetic that several families of tactical rules share: ratios of power to points, and
// tables that spread a turn's movement points over its phases. It has no rules and cites none; a rule set supplies
// the figures. What only one family needs does not belong here.
//
// Invariants: integers only, and the same result for the same figures; nothing here keeps state.
package tactical

import (
	"strconv"

	"starpost/engine"
	"starpost/orders"
)

// Split spreads movement points evenly over the phases of a turn. Row r says which phases get one more point if an
// even share leaves r points over. There are as many rows as phases, and row r adds r points.
type Split [][]int

// Phases returns the number of phases in a turn.
func (s Split) Phases() int { return len(s) }

// Points returns each phase's share of a turn's points, 0 or more.
func (s Split) Points(points int) []int {
	out := make([]int, len(s))
	if len(s) == 0 {
		return out
	}
	for n := range out {
		out[n] = points/len(s) + s[points%len(s)][n]
	}
	return out
}

// Ring numbers a ship's six shields, one on each hex side, clockwise. Its value is the number of the shield ahead,
// 1 to 6.
type Ring int

// Number returns the number of the shield on a hex side, 0 to 5 clockwise from the bow.
func (r Ring) Number(side int) int { return (side+int(r)+5)%6 + 1 }

// Side returns the hex side, clockwise from the bow, of the shield with a number, 1 to 6.
func (r Ring) Side(number int) int { return (number - int(r) + 6) % 6 }

// Nearest lists the six shields by how near they are to one, that one first.
func (r Ring) Nearest(number int) []int {
	side := r.Side(number)
	out := make([]int, 0, 6)
	for _, turn := range []int{0, 1, 5, 2, 4, 3} {
		out = append(out, r.Number((side+turn)%6))
	}
	return out
}

// Spending is the power that an order takes, and how much of it must come from the warp engines, if that matters.
type Spending struct {
	Pos         orders.Pos
	Power, Warp int
}

// Uses returns the lines that take power, in the given order.
func Uses(spent []Spending) []engine.Use {
	out := make([]engine.Use, 0, len(spent))
	for _, s := range spent {
		out = append(out, engine.Use{Line: s.Pos.Line, Power: s.Power})
	}
	return out
}

// Sum returns the sum of ns.
func Sum(ns []int) int {
	t := 0
	for _, n := range ns {
		t += n
	}
	return t
}

// Highest returns the index of the highest figure, the first of equal ones.
func Highest(ns []int) int {
	best := 0
	for i, n := range ns {
		if n > ns[best] {
			best = i
		}
	}
	return best
}

// JoinInts returns figures separated by spaces.
func JoinInts(ns []int) string {
	var few [32]byte
	text := few[:0]
	for i, n := range ns {
		if i > 0 {
			text = append(text, ' ')
		}
		text = strconv.AppendInt(text, int64(n), 10)
	}
	return string(text)
}

// Abs returns the absolute value.
func Abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
