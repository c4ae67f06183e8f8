package sheet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine/rules/sfb/arcs"
)

// Sheet is a ship's sheet of boxes with what is left of them: her class's as long as all
// is whole. It is a ship's state in files, and is copied by [Sheet.Clone].
type Sheet struct {
	Class    string     `json:"class"`
	Shields  [6]Boxes   `json:"shields"` // 1 ahead, then clockwise
	TurnMode []TurnStep `json:"turn_mode"`
	Banks    []Bank     `json:"banks"`           // by name; the order is that of the class
	Cloak    int        `json:"cloak,omitempty"` // energy that a turn under the cloak takes; 0: she has none
	// Letter names the turn mode, where it is one of the rule set's; MoveCost is what a hex
	// takes of movement energy, in 60ths; 0: 60.
	Letter   string `json:"letter,omitempty"`
	MoveCost int    `json:"move_cost,omitempty"`
	// Breakdown is the lowest die on which a high energy turn breaks her engines; 0: none
	// does. Boarding are boarding parties, Size is 4 for the smallest ships and 2 for the largest.
	Breakdown int `json:"breakdown,omitempty"`
	Boarding  int `json:"boarding,omitempty"`
	Size      int `json:"size,omitempty"`
}

// Boxes are the boxes of a shield or a bank, and how many of them are left.
type Boxes struct {
	All  int `json:"boxes"`
	Left int `json:"left"`
}

// TurnStep is a line of a turn mode: up to that speed a ship moves so many hexes
// straight before each turn.
type TurnStep struct {
	Moves int `json:"moves"`
	Speed int `json:"speed"`
}

// Bank is some boxes of one kind under one name, such as those of an engine. Each
// weapon is a bank of its own.
type Bank struct {
	Name string   `json:"name"`
	Kind Kind     `json:"kind"`
	Arcs arcs.Set `json:"arcs,omitempty"` // of a weapon
	// Reach is the longest range of a weapon whose chart goes beyond it; 0: the chart's.
	Reach int `json:"reach,omitempty"`
	// Track are the numbers that the boxes stand for, the best first: those are lost first.
	Track []int `json:"track,omitempty"`
	Boxes
}

// Rating is the number that what is left of a track stands for; ok is false without one. The
// last number stays when all boxes are gone.
func (s *Sheet) Rating(of Kind) (number int, ok bool) {
	for i := range s.Banks {
		if b := &s.Banks[i]; b.Kind == of && len(b.Track) > 0 {
			return b.Track[min(b.All-b.Left, len(b.Track)-1)], true
		}
	}
	return 0, false
}

// Clone copies a sheet.
func (s Sheet) Clone() Sheet {
	s.Banks = slices.Clone(s.Banks)
	return s
}

// Bank is the index of a bank by its name, -1 for a name that no bank has.
func (s *Sheet) Bank(name string) int {
	return slices.IndexFunc(s.Banks, func(b Bank) bool { return b.Name == name })
}

// Count adds up the boxes of the banks of the kinds.
func (s *Sheet) Count(of ...Kind) (sum Boxes) {
	for i := range s.Banks {
		if b := &s.Banks[i]; slices.Contains(of, b.Kind) {
			sum.All += b.All
			sum.Left += b.Left
		}
	}
	return sum
}

// Fit gives a sheet so many boxes of a kind that is no weapon's.
func (s *Sheet) Fit(kind Kind, n int) {
	s.Banks = slices.Clone(s.Banks)
	i := slices.IndexFunc(s.Banks, func(b Bank) bool { return b.Kind == kind })
	if i < 0 {
		i, s.Banks = len(s.Banks), append(s.Banks, Bank{Name: string(kind), Kind: kind})
	}
	s.Banks[i].Boxes = Boxes{All: n, Left: n}
}

// In adds up the boxes of the banks of a category.
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

// Power is what engines and reactors give in a turn, a box 1; a star drive gives none (house 21.32).
func (s *Sheet) Power() int { return s.Count(Warp, Impulse, Reactor).Left }

// Straight is how many hexes a ship of that speed moves straight before each turn.
// Beyond the last line of the turn mode that line holds.
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

// Raided are the banks with boxes left that a raid on a word may mean: not hull, armour and
// excess damage.
func (s *Sheet) Raided(word string) (out []int) {
	for i := range s.Banks {
		b := &s.Banks[i]
		if b.Left > 0 && b.Kind.Inner() && b.Called(word) {
			out = append(out, i)
		}
	}
	return out
}

// MountCannon puts battery cannon in place of the drone racks of a sheet: primary ones, and on the
// smallest ships tertiary ones (house 103.0, H17).
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

// MoveParts is in how many parts of one movement energy is counted, so that thirds and quarters of it are whole.
const MoveParts = 60

// HexCost is what a hex costs, in 60ths of energy.
func (s *Sheet) HexCost() int {
	if s.MoveCost == 0 {
		return MoveParts
	}
	return s.MoveCost
}

// Fraction is movement energy in words, such as "1 1/2".
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

// Life tells how many points inside a ship still bears (cadet D4.4).
func (s *Sheet) Life() string {
	in, ex := s.Inside(), s.In(ExcessBoxes)
	return fmt.Sprintf("%d of %d boxes inside and %d of %d of excess damage are left: point %d from now inside her destroys her", in.Left, in.All, ex.Left, ex.All, in.Left+ex.Left+1)
}

// Called tells whether a word means a bank: its name, the word before the hyphen of it, or
// its kind.
func (b *Bank) Called(word string) bool {
	rest, ok := strings.CutPrefix(b.Name, word)
	return b.Name == word || string(b.Kind) == word || ok && strings.HasPrefix(rest, "-")
}

// Entry are the banks that stand for one on a printed sheet with a bank: weapons of a kind
// and arcs are drawn together (ruling H11).
func (s *Sheet) Entry(bank int) (out []int) {
	of := &s.Banks[bank]
	for i := range s.Banks {
		if b := &s.Banks[i]; i == bank || b.Left > 0 && b.Kind == of.Kind && b.Kind.Category() == WeaponBoxes && b.Arcs == of.Arcs {
			out = append(out, i)
		}
	}
	return out
}
