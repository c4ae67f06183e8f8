package sfb

import (
	"cmp"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// reinforceVerb is its verb.
func reinforceVerb() orders.Verb {
	return orders.Verb{
		Name: "reinforce", Forms: []orders.Form{"reinforce struck up to POINTS", "reinforce shield SHIELD up to POINTS", "reinforce none"}, When: true,
		Examples: []string{"reinforce struck up to 4", "reinforce shield 1 up to 6 when shield 1 < 10"},
		Doc:      "Put energy that no order took, then that of the batteries, on a shield that fire or a drone is about to strike, until it has so many points of reinforcement. How hard it will be struck is not known then. What is not used stays on the shield for the turn.",
	}
}

// reinforcing reads such an order; the first of a set takes the place of all before.
func (c *compiler) reinforcing(s orders.Statement, first bool) {
	st := &c.p.standing
	if first {
		st.Reinforce = nil
	}
	upto, said := s.Arg("POINTS")
	if !said || !c.condition(s) {
		return
	}
	r := state.Reinforcing{UpTo: upto.Num}
	if s.When != nil {
		r.When = s.When.String()
	}
	if a, ok := s.Arg("SHIELD"); ok {
		side, good := c.shield(a)
		if !good {
			return
		}
		r.Shield = side + 1
	}
	st.Reinforce = append(st.Reinforce, r)
}

// holds tells whether a ship is to reinforce now.
func (l *rulebook) holds(t *engine.Turn, s *engine.Ship, r state.Reinforcing) bool {
	if r.When == "" {
		return true
	}
	g, _ := l.read("standing\n"+r.Text()).Group("standing", 0)
	return len(g.Statements) == 1 && l.judge(t, s, nil, g.Statements[0].When)
}

// reinforceStruck puts reserves on the shields that are about to be struck: those that the
// shots are aimed at, and those that something has reached. The weakest comes first.
func (l *rulebook) reinforceStruck(t *engine.Turn, shots []shot) {
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
				if r.Shield > 0 && r.Shield != side+1 || points <= 0 || !l.holds(t, s, r) {
					continue
				}
				reserve := min(points, sys.Reserve)
				t.Because(t.OrderedIn(s.ID, "standing", "reinforce")).Emit(&state.Reinforced{Ship: s.ID, Shield: side + 1, Points: points, Reserve: sys.Reserve - reserve, Batteries: sys.Batteries - (points - reserve)}, engine.SeeOnly(s.ID), l.cite(onReserve)...)
			}
		}
	}
}
