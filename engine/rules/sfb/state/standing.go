package state

import (
	"strconv"

	"starpost/engine/rules/sfb/sheet"
	"starpost/orders"
)

// Set returns standing orders as a captain writes them; empty if there are none.
func (s Standing) Set() (out orders.Set) {
	if lines := s.Lines(); len(lines) > 0 {
		out.Add("standing", 0, lines...)
	}
	return out
}

// Lines returns the standing orders one by one.
func (s Standing) Lines() (out []orders.Order) {
	say := func(words ...any) { out = append(out, orders.Say(words...)) }
	said := map[sheet.Category]string{sheet.HullBoxes: "hull", sheet.EngineBoxes: "engines", sheet.WeaponBoxes: "weapons", sheet.OtherBoxes: "other"}
	for i := 0; i < len(s.Lose); {
		w := s.Lose[i]
		var names []string
		for ; i < len(s.Lose) && s.Lose[i].Category == w.Category && (s.Lose[i].Count > 0) == (w.Count > 0); i++ {
			name := s.Lose[i].Bank
			if w.Count > 0 {
				name += ":" + strconv.Itoa(s.Lose[i].Count)
			}
			names = append(names, name)
		}
		say("lose", said[w.Category], names)
	}
	for _, g := range s.Guard {
		say("guard", g.Weapons, "within", g.Within)
	}
	for _, r := range s.Reinforce {
		out = append(out, r.Order())
	}
	for _, line := range s.Orders {
		say(line)
	}
	if s.Choose != "" {
		say("choose shield", s.Choose)
	}
	if s.Hold > 0 {
		say("hold fire below", s.Hold)
	}
	if s.Missing != "" {
		say("missing", s.Missing)
	}
	return out
}

// Reinforcing is a standing order to reinforce shields about to be hit, with unallotted energy and the batteries
// (house 5.111).
type Reinforcing struct {
	Shield int `json:"shield,omitempty"` // 1 to 6; 0: whichever is hit
	UpTo   int `json:"up_to"`            // fill it up to so many points
	// When is a condition as in orders; "": always.
	When string `json:"when,omitempty"`
}

// Order returns the order as a captain writes it.
func (r Reinforcing) Order() orders.Order {
	what := []any{"reinforce struck up to", r.UpTo}
	if r.Shield > 0 {
		what = []any{"reinforce shield", r.Shield, "up to", r.UpTo}
	}
	if r.When != "" {
		what = append(what, "when", r.When)
	}
	return orders.Say(what...)
}

// Prefers reports whether a captain's standing choice prefers one shield to another.
func (s *System) Prefers(side, other int) bool {
	a, b := s.Sheet.Shields[side].Left, s.Sheet.Shields[other].Left
	switch s.Standing.Choose {
	case Strongest:
		return a > b
	case Weakest:
		return a < b
	}
	return s.Standing.Choose == strconv.Itoa(side+1)
}
