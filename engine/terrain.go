package engine

import (
	"fmt"
	"iter"
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

// KnownTo tells whether a viewer knows of a feature, and what it is.
func (f *Feature) KnownTo(who Viewer, sides []string) bool {
	return who.All || !f.Hidden || slices.Contains(sides, f.Side) ||
		slices.ContainsFunc(who.Ships, func(id ShipID) bool { return slices.Contains(f.Found, id) })
}

// Feature finds a feature by id.
func (g *Game) Feature(id string) (*Feature, bool) {
	i, ok := slices.BinarySearchFunc(g.Terrain, id, func(f Feature, id string) int { return strings.Compare(f.ID, id) })
	if !ok {
		return nil, false
	}
	return &g.Terrain[i], true
}

// Features are all that the game has, those that are gone too.
func (g *Game) Features() iter.Seq[*Feature] {
	return func(yield func(*Feature) bool) {
		for i := range g.Terrain {
			if !yield(&g.Terrain[i]) {
				return
			}
		}
	}
}

// TerrainAt lists the features, not those that are gone, that hold a hex.
func (g *Game) TerrainAt(h hex.Hex) []*Feature {
	var out []*Feature
	for i := range g.Terrain {
		if f := &g.Terrain[i]; !f.Gone && slices.Contains(f.Hexes, h) {
			out = append(out, f)
		}
	}
	return out
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

// Charted is a feature that came to be, changed, or is gone: the whole of it as it
// is from now on.
type Charted struct {
	Feature Feature `json:"feature" see:"all"`
}

// Type implements Body.
func (*Charted) Type() string { return "terrain" }

// Apply implements Body.
func (b *Charted) Apply(g *Game) error {
	if b.Feature.ID == "" || len(b.Feature.Hexes) == 0 {
		return fmt.Errorf("a feature without id or hexes")
	}
	i, known := slices.BinarySearchFunc(g.Terrain, b.Feature.ID, func(f Feature, id string) int { return strings.Compare(f.ID, id) })
	if known {
		g.Terrain[i] = b.Feature.Clone()
	} else {
		g.Terrain = slices.Insert(g.Terrain, i, b.Feature.Clone())
	}
	return nil
}

// terrain is what a viewer knows of the map.
func (c *ViewBuilder) terrain(v *View, all bool) []*Feature {
	if len(c.game.Terrain) == 0 {
		return nil
	}
	var sides []string
	for _, id := range v.Viewer.Ships {
		if s, ok := c.game.Ship(id); ok {
			sides = append(sides, s.Side)
		}
	}
	var found func(f *Feature, secret bool) *Feature // nil: all that is there
	if !all && c.rules.Extension != nil {
		found = c.rules.Extension.Chart(c.game, v.Viewer)
	}
	var out []*Feature
	for i := range c.game.Terrain {
		f := &c.game.Terrain[i]
		missed := !all && slices.ContainsFunc(v.Viewer.Ships, func(id ShipID) bool { return slices.Contains(f.Missed, id) })
		whole := all || f.KnownTo(v.Viewer, sides)
		if f.Gone && !missed || !whole && !f.Shown {
			continue
		}
		if found != nil {
			if f = found(f, whole); f == nil {
				continue
			}
		}
		known := f.Clone()
		if !whole {
			known.Figure = nil
		}
		if !all { // who else has found it, or knows that it is gone, is not his to know
			known.Found, known.Missed, known.Gone, known.Facts = nil, nil, false, nil
		}
		out = append(out, &known)
	}
	if found != nil {
		byPlace(out)
	}
	return out
}

// byPlace names features of a view by where they were found first: their own names tell how many there are.
func byPlace(features []*Feature) {
	count := map[string]int{}
	for _, f := range features {
		f.ID = fmt.Sprintf("%s-%s", f.Kind, f.Hexes[0].Label())
		if count[f.ID]++; count[f.ID] > 1 {
			f.ID += fmt.Sprintf("-%02d", count[f.ID])
		}
	}
	slices.SortFunc(features, func(a, b *Feature) int { return strings.Compare(a.ID, b.ID) })
}
