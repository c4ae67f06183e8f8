package ship

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
)

// MineMet is a ship entering the hex of a mine (stcs 10.2). Shield and Damage are set if the
// mine goes off.
type MineMet struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Hex    hex.Hex       `json:"hex" see:"all"`
	Dummy  bool          `json:"dummy,omitempty" see:"all"`
	Evaded bool          `json:"evaded,omitempty" see:"all"`
	Shield int           `json:"shield,omitempty" see:"all"`
	Damage int           `json:"damage,omitempty" see:"all"`
}

// Evade is a ship's attempt to evade another's missile, and her heading from then on
// (stcs 8.4).
type Evade struct {
	Ship    engine.ShipID `json:"ship" see:"all"`
	Against engine.ShipID `json:"against" see:"all"`
	Weapon  string        `json:"weapon" see:"all"`
	Mount   int           `json:"mount" see:"all"` // from 1
	Need    int           `json:"need" see:"all"`
	Roll    int           `json:"roll" see:"all"`
	Success bool          `json:"success" see:"all"`
	From    hex.Heading   `json:"from" see:"all"` // heading before
	Heading hex.Heading   `json:"heading" see:"all"`
}

// Apply implements engine.Body.
func (b *Evade) Apply(g *engine.Game) error {
	s, ok := g.Ship(b.Ship)
	if !ok || s.Heading != b.From {
		return fmt.Errorf("%s does not head %s", b.Ship, b.From)
	}
	s.Heading = b.Heading
	return nil
}

// Withdraw takes back declared fire: the mounts have not fired.
type Withdraw struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Target engine.ShipID `json:"target" see:"all"`
	Weapon string        `json:"weapon" see:"all"`
	Mounts []int         `json:"mounts" see:"all"` // from 1
}

// Apply implements engine.Body.
func (b *Withdraw) Apply(g *engine.Game) error {
	s, err := Lookup(g, b.Ship)
	if err != nil {
		return err
	}
	bank, ok := s.Bank(b.Weapon)
	if !ok {
		return fmt.Errorf("%s has no %s", b.Ship, b.Weapon)
	}
	for _, m := range b.Mounts {
		if m < 1 || m > len(bank.Mounts) || !bank.Mounts[m-1].Fired {
			return fmt.Errorf("%s: %s mount %d has not fired", b.Ship, b.Weapon, m)
		}
		bank.Mounts[m-1].Fired = false
	}
	return nil
}

// Debris is a ship entering a hex of asteroids, and whether she was struck.
type Debris struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Hex    hex.Hex       `json:"hex" see:"all"`
	Need   int           `json:"need" see:"all"`
	Roll   int           `json:"roll" see:"all"`
	Struck bool          `json:"struck" see:"all"`
	Shield int           `json:"shield,omitempty" see:"all"` // number; 0 when it was not struck
	Damage int           `json:"damage,omitempty" see:"all"`
}

// WarpSet changes a ship's warp speed at the end of a turn (stcs 8.5).
type WarpSet struct {
	Ship       engine.ShipID   `json:"ship" see:"all"`
	From       int             `json:"from" see:"all"`
	To         int             `json:"to" see:"all"`
	Follows    engine.ShipID   `json:"follows,omitempty" see:"crew" also:"chase"`     // the enemy that it follows
	Followed   bool            `json:"followed,omitempty" see:"all"`                  // an enemy makes the same change, so that it does not get away
	FollowedBy []engine.ShipID `json:"followed_by,omitempty" see:"crew" also:"chase"` // those enemies
}

// Apply implements engine.Body.
func (b *WarpSet) Apply(g *engine.Game) error {
	h, err := lookupHelm(g, b.Ship)
	if err != nil {
		return err
	}
	if h.Warp != b.From || b.To < 0 || b.To > h.Top {
		return fmt.Errorf("%s does not go from warp %d to %d", b.Ship, b.From, b.To)
	}
	h.Warp = b.To
	return nil
}

// Underway returns a copy of a state to try movement on. It shares with the original whatever movement never changes.
func Underway(s *State, standing Standing) *State {
	c := *s
	c.Standing, c.Shields, c.Alloc.Split = standing, slices.Clone(s.Shields), slices.Clone(s.Alloc.Split)
	c.Banks = cloneBanks(s.Banks)
	c.parts = slices.Clone(s.parts)
	for i, p := range s.parts {
		switch p.(type) {
		case *Helm, *EngineList, *Cloak:
			c.parts[i] = p.Clone()
		}
	}
	return &c
}

// FreeStart is where a ship's captain may choose to begin: "anywhere" or "edge".
type FreeStart string

// Free returns where a ship's captain may choose to begin; "" if only where it is.
func (s *State) Free() string { return string(*ShareOf[FreeStart](s)) }

// Clone implements Share.
func (f *FreeStart) Clone() Share {
	c := *f
	return &c
}

// Placed puts a ship where she begins (stcs 5.1). Other captains learn it only by seeing her.
type Placed struct {
	Ship engine.ShipID `json:"ship" see:"crew"`
	At   engine.Place  `json:"at" see:"crew"`
}

// Apply implements engine.Body.
func (b *Placed) Apply(g *engine.Game) error {
	s, ok := g.Ship(b.Ship)
	if !ok {
		return fmt.Errorf("no ship %q", b.Ship)
	}
	s.Hex, s.Heading = b.At.Hex, b.At.Heading
	return nil
}

// Key implements Share.
func (*FreeStart) Key() string { return "free" }

// Values of a scenario's state key free: where a captain may choose to begin (stcs 5.1).
const (
	FreeAnywhere = "anywhere"
	FreeEdge     = "edge"
)
