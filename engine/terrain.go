package engine

import (
	"maps"
	"slices"
	"strings"

	"starpost/engine/blind"
	"starpost/engine/hex"
)

// Feature is a thing on the map that is no ship: a planet, asteroids, a mine.
// A hidden one is known to its side and to the ships that have found it. Where one
// lies that is Shown all can see, but not what it is: which figures it has.
type Feature struct {
	ID     string         `json:"id"`
	Kind   string         `json:"kind"` // as the rule set's Terrain has it
	Name   string         `json:"name,omitempty"`
	Hexes  []hex.Hex      `json:"hexes"`
	Side   string         `json:"side,omitempty"` // whose it is
	Hidden bool           `json:"hidden,omitempty"`
	Shown  bool           `json:"shown,omitempty"`
	Found  []ShipID       `json:"found,omitempty"` // ids of the ships that know of it, sorted
	Gone   bool           `json:"gone,omitempty"`
	Missed []ShipID       `json:"missed,omitempty"` // of what is gone: ids of the ships whose captains do not know it
	Figure map[string]int `json:"figure,omitempty"` // the rule set's own figures
	// Facts are what is found out of it only by looking closely, as the rule set has it,
	// where the scenario tells it: no view has them.
	Facts map[string]string `json:"facts,omitempty"`
}

// Ground is a kind of feature: what it does to those that enter or look across,
// and which figures of it a scenario may set, with their least, most and usual.
type Ground struct {
	Doc    string
	Closed bool            // its hexes cannot be entered
	Opaque bool            // nothing is seen or fired across its hexes
	Hidden bool            // not everyone sees it
	Looks  blind.Signature // to sensors, where captains have to find it
	Figure map[string]Bracket
	Facts  map[string]string // what a close look tells where the scenario does not say it
}

// Bracket is what a figure may be, and what it is if nothing is said.
type Bracket struct{ Least, Most, Usual int }

// Clone copies a feature deeply.
func (f Feature) Clone() Feature {
	f.Hexes, f.Found, f.Missed = slices.Clone(f.Hexes), slices.Clone(f.Found), slices.Clone(f.Missed)
	f.Figure, f.Facts = maps.Clone(f.Figure), maps.Clone(f.Facts)
	return f
}

// Where says what a feature is, and in which hexes.
func (f *Feature) Where() string {
	labels := make([]string, len(f.Hexes))
	for i, h := range f.Hexes {
		labels[i] = h.Label()
	}
	return strings.TrimSpace(f.Kind+" "+f.Name) + " at " + strings.Join(labels, " ")
}

// LineOfSight tells whether nothing stands between two hexes (ruling D32): a line along
// a hex side is blocked only if both hexes beside it are.
func LineOfSight(a, b hex.Hex, opaque func(hex.Hex) bool) bool {
	for pair := range hex.Between(a, b) {
		if opaque(pair[0]) && opaque(pair[1]) {
			return false
		}
	}
	return true
}
