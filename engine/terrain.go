package engine

import (
	"maps"
	"slices"
	"strings"

	"starpost/engine/blind"
	"starpost/engine/hex"
)

// Feature is a thing on the map that is not a ship: a planet, asteroids, a mine. A hidden one is known to its side
// and to the ships that have found it. Everyone can see where a Shown one is, but not what it is, which its figures
// say.
type Feature struct {
	ID     string         `json:"id"`
	Kind   string         `json:"kind"` // a key of the rule set's Terrain
	Name   string         `json:"name,omitempty"`
	Hexes  []hex.Hex      `json:"hexes"`
	Side   string         `json:"side,omitempty"` // the side that owns it
	Hidden bool           `json:"hidden,omitempty"`
	Shown  bool           `json:"shown,omitempty"`
	Found  []ShipID       `json:"found,omitempty"` // ids of the ships that know of it, sorted
	Gone   bool           `json:"gone,omitempty"`
	Missed []ShipID       `json:"missed,omitempty"` // of a feature that is gone: ids of the ships whose captains do not know that
	Figure map[string]int `json:"figure,omitempty"` // the rule set's own figures
	// Facts are what only a close look finds out, in the rule set's terms, as far as the scenario sets it. No view
	// has them.
	Facts map[string]string `json:"facts,omitempty"`
}

// Ground is a kind of feature: what it does to ships that enter it or look across it, and the figures that a
// scenario may set for it, with their limits and defaults.
type Ground struct {
	Closed bool            // its hexes cannot be entered
	Opaque bool            // nothing is seen or fired across its hexes
	Hidden bool            // not everyone sees it
	Looks  blind.Signature // its signature to sensors, if captains have to find it
	Figure map[string]Bracket
	Facts  map[string]string // what a close look shows if the scenario does not say
}

// Bracket is the range of a figure and its default.
type Bracket struct{ Least, Most, Usual int }

// Clone returns a deep copy of a feature.
func (f Feature) Clone() Feature {
	f.Hexes, f.Found, f.Missed = slices.Clone(f.Hexes), slices.Clone(f.Found), slices.Clone(f.Missed)
	f.Figure, f.Facts = maps.Clone(f.Figure), maps.Clone(f.Facts)
	return f
}

// Where returns what a feature is, and its hexes.
func (f *Feature) Where() string {
	labels := make([]string, len(f.Hexes))
	for i, h := range f.Hexes {
		labels[i] = h.Label()
	}
	return strings.TrimSpace(f.Kind+" "+f.Name) + " at " + strings.Join(labels, " ")
}

// LineOfSight reports whether nothing blocks the line between two hexes (ruling D32): a line along a hex side is
// blocked only if both hexes beside it are opaque.
func LineOfSight(a, b hex.Hex, opaque func(hex.Hex) bool) bool {
	for pair := range hex.Between(a, b) {
		if opaque(pair[0]) && opaque(pair[1]) {
			return false
		}
	}
	return true
}
