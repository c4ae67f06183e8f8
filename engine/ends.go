package engine

import "slices"

// aims are the goals that a view knows, also one that was read from a report.
func (v *View) aims() []Goal {
	if v.victory.Goals != nil {
		return v.victory.Goals
	}
	return v.Aims
}

// GoalsOf are the goals of a side, as its captains and everybody else know them.
func (v *View) GoalsOf(side string) []Goal {
	var out []Goal
	for _, g := range v.aims() {
		if g.Side == side {
			g.Ships = slices.Clone(g.Ships)
			out = append(out, g)
		}
	}
	return out
}
