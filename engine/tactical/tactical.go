// Package tactical is the arithmetic that several families of tactical rules share:
// ratios of power to points, and tables that spread a turn's movement points over its
// phases. It holds no rule and cites none; a rule set hands it its figures. It is not
// the place for what only one family needs.
//
// Invariants: integers only, the same answer for the same figures; nothing here keeps
// state.
package tactical

// Split spreads movement points evenly over the phases of a turn. Row r tells which
// phases get one more when r points are left over by an even share; its rows are as
// many as the turn has phases, and row r adds r points.
type Split [][]int

// Phases is the number of phases in a turn.
func (s Split) Phases() int { return len(s) }

// Points gives each phase's share of a turn's points, 0 or more.
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
