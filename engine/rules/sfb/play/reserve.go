package play

import (
	"cmp"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// holds reports whether a ship's condition to reinforce is true now.
func holds(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, r state.Reinforcing) bool {
	if r.When == "" {
		return true
	}
	g, _ := Plain(l, orders.Set{{Name: "standing", Orders: []orders.Order{r.Order()}}}).Group("standing", 0)
	return len(g.Statements) == 1 && judge(l, t, s, nil, g.Statements[0].When)
}

// reinforceStruck puts reserves on the shields about to be hit: those that shots are aimed at, and those that
// something has reached. The weakest comes first.
func reinforceStruck(l *rulebook.Rules, t *engine.Turn, shots []shot) {
	for _, s := range state.Fighting(t.Game) {
		sys := state.Of(s)
		if len(sys.Standing.Reinforce) == 0 || sys.Down {
			continue
		}
		var sides []int
		struck := func(ship engine.ShipID, side int) {
			if ship == s.ID && !slices.Contains(sides, side) {
				sides = append(sides, side)
			}
		}
		for _, v := range memo(t).volleys {
			struck(v.ship, v.side)
		}
		for i := range shots {
			if !shots[i].target.Small() {
				struck(shots[i].target.ID, shots[i].side)
			}
		}
		slices.SortFunc(sides, func(a, b int) int {
			return cmp.Or(cmp.Compare(sys.Sheet.Shields[a].Left, sys.Sheet.Shields[b].Left), cmp.Compare(a, b))
		})
		for _, side := range sides {
			for _, r := range sys.Standing.Reinforce {
				if sys.Lowered[side] {
					break
				}
				points := min(r.UpTo-sys.Reinforce[side], sys.Reserve+sys.Batteries)
				if r.Shield > 0 && r.Shield != side+1 || points <= 0 || !holds(l, t, s, r) {
					continue
				}
				reserve := min(points, sys.Reserve)
				t.Because(t.OrderedIn(s.ID, "standing", "reinforce")).Emit(&state.Reinforced{Ship: s.ID, Shield: side + 1, Points: points, Reserve: sys.Reserve - reserve, Batteries: sys.Batteries - (points - reserve)}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnReserve)...)
			}
		}
	}
}
