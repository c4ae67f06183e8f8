package fasa

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/hex"
)

// freeStart is where a ship's captain may choose to begin: anywhere or edge.
type freeStart string

// Free is where a ship's captain may choose to begin; blank for where it is.
func (s *System) Free() string { return string(*shareOf[freeStart](s)) }

func (*freeStart) key() string { return "free" }

func (f *freeStart) clone() Share {
	c := *f
	return &c
}

// freeWords says where a ship may begin.
func freeWords(free string) string {
	if free == freeEdge {
		return "anywhere on the border of the map"
	}
	return "anywhere on the map"
}

// misplaced tells why a ship cannot begin at a place.
func misplaced(turn int, free string, bounds *hex.Bounds, sea passability, h hex.Hex) string {
	switch {
	case turn != 1:
		return "ships are placed in the first turn only"
	case bounds != nil && !bounds.Contains(h):
		return h.Label() + " is off the map"
	case sea.closed[h]:
		return "no ship can be at " + h.Label()
	case free == freeEdge && bounds == nil:
		return "the map has no border"
	case free == freeEdge && !border(*bounds, h):
		return h.Label() + " is not on the border of the map"
	}
	return ""
}

// border tells whether a hex of the map lies on its border.
func border(b hex.Bounds, h hex.Hex) bool {
	col, row := h.ColRow()
	return col == 1 || row == 1 || col == b.Cols || row == b.Rows
}

// Placed is a ship put where it begins (stcs 5.1). Others see it there or do not.
type Placed struct {
	Ship string       `json:"ship"`
	At   engine.Place `json:"at"`
}

// Type implements engine.Body.
func (*Placed) Type() string { return "place" }

// Apply implements engine.Body.
func (b *Placed) Apply(g *engine.Game) error {
	s, ok := g.Ship(b.Ship)
	if !ok {
		return fmt.Errorf("no ship %q", b.Ship)
	}
	s.Hex, s.Heading = b.At.Hex, b.At.Heading
	return nil
}

func placeWords(at engine.Place) string { return at.Hex.Label() + ", heading " + at.Heading.String() }
