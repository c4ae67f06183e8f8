package ship

import (
	"fmt"

	"starpost/engine"
)

// FreeStart is where a ship's captain may choose to begin: anywhere or edge.
type FreeStart string

// Free is where a ship's captain may choose to begin; blank for where it is.
func (s *State) Free() string { return string(*ShareOf[FreeStart](s)) }

// Key implements Share.
func (*FreeStart) Key() string { return "free" }

// Clone implements Share.
func (f *FreeStart) Clone() Share {
	c := *f
	return &c
}

// Placed is a ship put where it begins (stcs 5.1). Others see it there or do not.
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

// Where a captain may choose to begin (stcs 5.1): the state key free of a scenario.
const (
	FreeAnywhere = "anywhere"
	FreeEdge     = "edge"
)
