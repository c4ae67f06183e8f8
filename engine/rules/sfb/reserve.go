package sfb

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/orders"
)

// reinforcing is a standing order to reinforce shields as they are about to be struck, with
// energy that was not allotted and what is in the batteries (house 5.111).
type reinforcing struct {
	Shield int `json:"shield,omitempty"` // 1 to 6; 0: whichever is struck
	UpTo   int `json:"up_to"`            // points that it is filled up to
	// When is a condition as orders write it; blank: always.
	When string `json:"when,omitempty"`
}

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
	r := reinforcing{UpTo: upto.Num}
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

// text is the order as a captain writes it.
func (r reinforcing) text() string {
	what, when := "struck", ""
	if r.Shield > 0 {
		what = "shield " + strconv.Itoa(r.Shield)
	}
	if r.When != "" {
		when = " when " + r.When
	}
	return fmt.Sprintf("reinforce %s up to %d%s", what, r.UpTo, when)
}

// holds tells whether a ship is to reinforce now.
func (l *rulebook) holds(t *engine.Turn, s *engine.Ship, r reinforcing) bool {
	if r.When == "" {
		return true
	}
	g, _ := l.read("standing\n"+r.text()).Group("standing", 0)
	return len(g.Statements) == 1 && l.judge(t, s, nil, g.Statements[0].When)
}

// reinforceStruck puts reserves on the shields that are about to be struck: those that the
// shots are aimed at, and those that something has reached. The weakest comes first.
func (l *rulebook) reinforceStruck(t *engine.Turn, shots []shot) {
	for _, s := range fighting(t.Game) {
		sys := of(s)
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
				t.Because(t.OrderedIn(s.ID, "standing", "reinforce")).Emit(&reinforced{s.ID, side + 1, points, sys.Reserve - reserve, sys.Batteries - (points - reserve)}, engine.SeeOnly(s.ID), l.cite(onReserve)...)
			}
		}
	}
}

// reinforced is energy that goes to a shield as it is about to be struck: a secret of the
// captain's, as all reinforcement is until it is struck.
type reinforced struct {
	Ship      engine.ShipID `json:"ship"`
	Shield    int           `json:"shield"`
	Points    int           `json:"points"`
	Reserve   int           `json:"reserve"`   // left of what was not allotted
	Batteries int           `json:"batteries"` // left in them
}

// Type implements engine.Body.
func (*reinforced) Type() string { return "reinforce" }

// Apply implements engine.Body.
func (b *reinforced) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err != nil {
		return err
	}
	if b.Points != sys.Reserve-b.Reserve+sys.Batteries-b.Batteries || b.Reserve < 0 || b.Batteries < 0 {
		return fmt.Errorf("%s puts %d on shield %d with %d and %d", b.Ship, b.Points, b.Shield, sys.Reserve, sys.Batteries)
	}
	sys.Reserve, sys.Batteries = b.Reserve, b.Batteries
	sys.Freed = min(sys.Freed, sys.Reserve)
	sys.Reinforce[b.Shield-1] += b.Points
	return nil
}
