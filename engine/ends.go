package engine

import "slices"

// GoalsOf are the goals of a side, as its captains and everybody else know them.
func (v *View) GoalsOf(side string) []Goal {
	var out []Goal
	for _, g := range v.victory.Goals {
		if g.Side == side {
			g.Ships = slices.Clone(g.Ships)
			out = append(out, g)
		}
	}
	return out
}
