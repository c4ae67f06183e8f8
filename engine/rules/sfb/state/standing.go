package state

import (
	"fmt"
	"strconv"
	"strings"

	"starpost/engine/rules/sfb/sheet"
)

// Text is standing orders as a captain writes them; blank where nothing stands.
func (s Standing) Text() string {
	var b strings.Builder
	said := map[sheet.Category]string{sheet.HullBoxes: "hull", sheet.EngineBoxes: "engines", sheet.WeaponBoxes: "weapons", sheet.OtherBoxes: "other"}
	for i := 0; i < len(s.Lose); {
		w := s.Lose[i]
		j := i + 1
		for j < len(s.Lose) && s.Lose[j].Category == w.Category && (s.Lose[j].Count > 0) == (w.Count > 0) {
			j++
		}
		b.WriteString("  lose " + said[w.Category])
		for _, w := range s.Lose[i:j] {
			b.WriteString(" " + w.Bank)
			if w.Count > 0 {
				fmt.Fprintf(&b, ":%d", w.Count)
			}
		}
		b.WriteString("\n")
		i = j
	}
	for _, g := range s.Guard {
		fmt.Fprintf(&b, "  guard %s within %d\n", strings.Join(g.Weapons, " "), g.Within)
	}
	for _, r := range s.Reinforce {
		b.WriteString("  " + r.Text() + "\n")
	}
	for _, line := range s.Orders {
		b.WriteString("  " + line + "\n")
	}
	if s.Choose != "" {
		b.WriteString("  choose shield " + s.Choose + "\n")
	}
	if s.Hold > 0 {
		fmt.Fprintf(&b, "  hold fire below %d\n", s.Hold)
	}
	if s.Missing != "" {
		b.WriteString("  missing " + s.Missing + "\n")
	}
	if b.Len() == 0 {
		return ""
	}
	return "standing\n" + b.String()
}

// Reinforcing is a standing order to reinforce shields as they are about to be struck, with
// energy that was not allotted and what is in the batteries (house 5.111).
type Reinforcing struct {
	Shield int `json:"shield,omitempty"` // 1 to 6; 0: whichever is struck
	UpTo   int `json:"up_to"`            // points that it is filled up to
	// When is a condition as orders write it; blank: always.
	When string `json:"when,omitempty"`
}

// Text is the order as a captain writes it.
func (r Reinforcing) Text() string {
	what, when := "struck", ""
	if r.Shield > 0 {
		what = "shield " + strconv.Itoa(r.Shield)
	}
	if r.When != "" {
		when = " when " + r.When
	}
	return fmt.Sprintf("reinforce %s up to %d%s", what, r.UpTo, when)
}

// Prefers tells whether a shield suits the standing choice of a ship's captain better than another.
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
