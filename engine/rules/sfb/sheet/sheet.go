package sheet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine/rules/sfb/arcs"
)

// Sheet is a ship's sheet of boxes, with how many are left. An undamaged ship has the sheet of her class. It is
// stored in a ship's state; copy it with [Sheet.Clone].
type Sheet struct {
	Class    string     `json:"class"`
	Shields  [6]Boxes   `json:"shields"` // 1 ahead, then clockwise
	TurnMode []TurnStep `json:"turn_mode"`
	Banks    []Bank     `json:"banks"`           // names are unique; in the order of the class
	Cloak    int        `json:"cloak,omitempty"` // energy for a turn under the cloak; 0: she has no cloak
	// Letter names the turn mode if it is one of the rule set's; MoveCost is the movement energy for a hex, in 60ths;
	// 0 means 60.
	Letter   string `json:"letter,omitempty"`
	MoveCost int    `json:"move_cost,omitempty"`
	// Breakdown is the lowest die on which a high energy turn breaks her engines, 0 for never. Boarding is the number
	// of boarding parties. Size is 4 for the smallest ships and 2 for the largest.
	Breakdown int `json:"breakdown,omitempty"`
	Boarding  int `json:"boarding,omitempty"`
	Size      int `json:"size,omitempty"`
}

// Boxes counts the boxes of a shield or a bank, and those left.
type Boxes struct {
	All  int `json:"boxes"`
	Left int `json:"left"`
}

// TurnStep is a line of a turn mode: up to that speed, a ship moves so many hexes straight before each turn.
type TurnStep struct {
	Moves int `json:"moves"`
	Speed int `json:"speed"`
}

// Bank is a named group of boxes of one kind, such as an engine. Each weapon is its own bank.
type Bank struct {
	Name string   `json:"name"`
	Kind Kind     `json:"kind"`
	Arcs arcs.Set `json:"arcs,omitempty"` // of a weapon
	// Reach is the longest range of a weapon if the chart goes farther; 0: the chart's.
	Reach int `json:"reach,omitempty"`
	// Track has a number for each box, the best first; boxes are lost in this order.
	Track []int `json:"track,omitempty"`
	Boxes
}

// Rating returns the current number of a track; ok is false if the sheet has none. When all boxes are lost, the last
// number stays.
func (s *Sheet) Rating(of Kind) (number int, ok bool) {
	for i := range s.Banks {
		if b := &s.Banks[i]; b.Kind == of && len(b.Track) > 0 {
			return b.Track[min(b.All-b.Left, len(b.Track)-1)], true
		}
	}
	return 0, false
}

// Clone returns a copy of a sheet.
func (s Sheet) Clone() Sheet {
	s.Banks = slices.Clone(s.Banks)
	return s
}

// Bank returns the index of a bank by its name, or -1.
func (s *Sheet) Bank(name string) int {
	return slices.IndexFunc(s.Banks, func(b Bank) bool { return b.Name == name })
}

// Count adds up the boxes of banks of the given kinds.
func (s *Sheet) Count(of ...Kind) (sum Boxes) {
	for i := range s.Banks {
		if b := &s.Banks[i]; slices.Contains(of, b.Kind) {
			sum.All += b.All
			sum.Left += b.Left
		}
	}
	return sum
}

// Fit sets the number of boxes of a kind that is not a weapon.
func (s *Sheet) Fit(kind Kind, n int) {
	s.Banks = slices.Clone(s.Banks)
	i := slices.IndexFunc(s.Banks, func(b Bank) bool { return b.Kind == kind })
	if i < 0 {
		i, s.Banks = len(s.Banks), append(s.Banks, Bank{Name: string(kind), Kind: kind})
	}
	s.Banks[i].Boxes = Boxes{All: n, Left: n}
}

// In adds up the boxes of banks of a category.
func (s *Sheet) In(c Category) (sum Boxes) {
	for i := range s.Banks {
		if b := &s.Banks[i]; b.Kind.Category() == c {
			sum.All += b.All
			sum.Left += b.Left
		}
	}
	return sum
}

// Inside counts the boxes that damage can destroy, without excess damage.
func (s *Sheet) Inside() (sum Boxes) {
	for _, c := range []Category{HullBoxes, EngineBoxes, WeaponBoxes, OtherBoxes} {
		b := s.In(c)
		sum.All += b.All
		sum.Left += b.Left
	}
	return sum
}

// Power returns the energy of a turn: 1 for each box of engines and reactors; a star drive gives none (house 21.32).
func (s *Sheet) Power() int { return s.Count(Warp, Impulse, Reactor).Left }

// Straight returns how many hexes a ship must move straight at a speed before each turn. Beyond the turn mode's last
// line, that line applies.
func (s *Sheet) Straight(speed int) int {
	for _, t := range s.TurnMode {
		if speed <= t.Speed {
			return t.Moves
		}
	}
	if n := len(s.TurnMode); n > 0 {
		return s.TurnMode[n-1].Moves
	}
	return 1
}

// Raided returns the banks with boxes left that a raid on a word may target: not hull, armour or excess damage.
func (s *Sheet) Raided(word string) (out []int) {
	for i := range s.Banks {
		b := &s.Banks[i]
		if b.Left > 0 && b.Kind.Inner() && b.Called(word) {
			out = append(out, i)
		}
	}
	return out
}

// MountCannon replaces a sheet's drone racks by battery cannon: primary ones, or tertiary ones on the smallest ships
// (house 103.0, H17).
func (s *Sheet) MountCannon() {
	for i := range s.Banks {
		if b := &s.Banks[i]; b.Kind.Rack() {
			b.Name, b.Kind = strings.Replace(b.Name, "drone", "cannon", 1), PrimaryCannon
			if s.Size == smallest {
				b.Kind = TertiaryCannon
			}
		}
	}
}

// smallest is the size of the smallest ships.
const smallest = 4

// MoveParts is the number of parts in one movement energy, so that thirds and quarters are whole numbers.
const MoveParts = 60

// HexCost returns the energy for a hex, in 60ths.
func (s *Sheet) HexCost() int {
	if s.MoveCost == 0 {
		return MoveParts
	}
	return s.MoveCost
}

// Fraction returns movement energy in words, such as "1 1/2".
func Fraction(parts int) string {
	whole, part, under := parts/MoveParts, parts%MoveParts, MoveParts
	for _, by := range []int{2, 2, 3, 5} {
		if part%by == 0 {
			part, under = part/by, under/by
		}
	}
	switch {
	case part == 0:
		return strconv.Itoa(whole)
	case whole == 0:
		return fmt.Sprintf("%d/%d", part, under)
	}
	return fmt.Sprintf("%d %d/%d", whole, part, under)
}

// Life says how many more points inside destroy a ship (cadet D4.4).
func (s *Sheet) Life() string {
	in, ex := s.Inside(), s.In(ExcessBoxes)
	return fmt.Sprintf("%d of %d boxes inside and %d of %d of excess damage are left: point %d from now inside her destroys her", in.Left, in.All, ex.Left, ex.All, in.Left+ex.Left+1)
}

// Called reports whether a word means a bank: by its name, the part of its name before a hyphen, or its kind.
func (b *Bank) Called(word string) bool {
	rest, ok := strings.CutPrefix(b.Name, word)
	return b.Name == word || string(b.Kind) == word || ok && strings.HasPrefix(rest, "-")
}

// Entry returns the banks drawn as one entry on a printed sheet, together with the given bank: weapons of the same
// kind and arcs (ruling H11).
func (s *Sheet) Entry(bank int) (out []int) {
	of := &s.Banks[bank]
	for i := range s.Banks {
		if b := &s.Banks[i]; i == bank || b.Left > 0 && b.Kind == of.Kind && b.Kind.Category() == WeaponBoxes && b.Arcs == of.Arcs {
			out = append(out, i)
		}
	}
	return out
}
