package ship

import (
	"fmt"

	"starpost/engine"
)

// How far explosions reach (stcs 9.6, ruling D34).
const (
	halvingTo = 6  // hexes up to which the damage is halved
	BlastTo   = 10 // hexes up to which there is any
)

// Blast is how near a ship is to exploding.
type Blast struct {
	Tested int  `json:"tested,omitempty"` // points of superstructure below 0 at the last roll
	Gone   bool `json:"gone,omitempty"`   // it has exploded
}

// Blast returns a ship's share on explosions, which the caller may change; a ship without one gives an empty share
// whose changes are lost.
func (s *State) Blast() *Blast { return ShareOf[Blast](s) }

// Key implements Share.
func (*Blast) Key() string { return "blast" }

// Clone implements Share.
func (b *Blast) Clone() Share {
	c := *b
	return &c
}

// BlastAt returns the damage of an explosion at a distance: twice the ship's power in the
// same hex, the power in the next, half as much for each hex more, rounded up, and one point
// from 7 to 10 hexes (stcs 9.6, ruling D34).
func BlastAt(power, distance int) int {
	switch {
	case power <= 0 || distance > BlastTo:
		return 0
	case distance == 0:
		return 2 * power
	case distance > halvingTo:
		return 1
	}
	for ; distance > 1; distance-- {
		power = (power + 1) / 2
	}
	return power
}

// ChosenShield returns the shield that takes damage from the ship's own hex: the one that the
// captain's standing choice names.
func ChosenShield(sys *State) int {
	low, high := 0, 0
	for i, sh := range sys.Shields {
		if sh.Now < sys.Shields[low].Now {
			low = i
		}
		if sh.Now >= sys.Shields[high].Now {
			high = i
		}
	}
	for n := 1; n <= len(sys.Shields); n++ {
		if sys.Standing.Choose == fmt.Sprint(n) {
			return n
		}
	}
	if sys.Standing.Choose == "weakest" {
		return low + 1
	}
	return high + 1
}

// Explode is a roll for whether a ship explodes, or the explosion itself (stcs 9.5, 9.8).
type Explode struct {
	Ship     engine.ShipID `json:"ship" see:"all"`
	Power    int           `json:"power" see:"all"`             // her remaining power; 0: she does not explode
	Need     int           `json:"need,omitempty" see:"all"`    // points of superstructure below 0
	Roll     int           `json:"roll,omitempty" see:"all"`    // 0: no roll was needed
	Ordered  bool          `json:"ordered,omitempty" see:"all"` // by its captain
	Exploded bool          `json:"exploded" see:"all"`
}

// Apply implements engine.Body.
func (b *Explode) Apply(g *engine.Game) error {
	s, err := Lookup(g, b.Ship)
	if err != nil {
		return err
	}
	if !s.Has("blast") {
		s.Put(&Blast{})
	}
	if !b.Ordered {
		s.Blast().Tested = b.Need
	}
	s.Blast().Gone = b.Exploded
	return nil
}

// Blasted is an explosion that strikes a ship (stcs 9.6).
type Blasted struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	From   engine.ShipID `json:"from" see:"all"` // the ship that exploded
	Range  int           `json:"range" see:"all"`
	Shield int           `json:"shield" see:"all"`
	Damage int           `json:"damage" see:"all"`
}
