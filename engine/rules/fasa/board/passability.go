package board

import (
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/ship"
)

// Passability is where a ship may go: on the map, and not into closed hexes.
type Passability struct {
	Bounds *hex.Bounds
	Closed map[hex.Hex]bool
	Words  []string // movement words
	Stuck  bool     // the ship can only turn on the spot
}

// PassabilityOf returns where the ships of a game may go by these words on its terrain.
func PassabilityOf(g *engine.Game, words []string, ground map[string]engine.Ground) Passability {
	w := Passability{Bounds: g.Bounds, Words: words}
	for i := range g.Terrain {
		w.close(ground, &g.Terrain[i])
	}
	return w
}

// PassabilityIn returns where ships may go by these words on some terrain.
func PassabilityIn(bounds *hex.Bounds, terrain []*engine.Feature, words []string, ground map[string]engine.Ground) Passability {
	w := Passability{Bounds: bounds, Words: words}
	for _, f := range terrain {
		w.close(ground, f)
	}
	return w
}

func (w *Passability) close(ground map[string]engine.Ground, f *engine.Feature) {
	if f.Gone || !ground[f.Kind].Closed {
		return
	}
	if w.Closed == nil {
		w.Closed = map[hex.Hex]bool{}
	}
	for _, h := range f.Hexes {
		w.Closed[h] = true
	}
}

// Open reports whether a movement word leads only where a ship may go.
func (w Passability) Open(at engine.Place, word string) bool {
	return w.free(at, word, Step(at, word).Hex)
}

// free is Open for a word whose last hex is already known.
func (w Passability) free(at engine.Place, word string, to hex.Hex) bool {
	if w.Bounds != nil && !w.Bounds.Contains(to) {
		return false
	}
	return len(w.Closed) == 0 || !slices.ContainsFunc(Way(at, word), func(h hex.Hex) bool { return w.Closed[h] })
}

// Into returns the first closed hex that a movement word leads into.
func (w Passability) Into(at engine.Place, word string) (h hex.Hex, closed bool) {
	if len(w.Closed) == 0 {
		return hex.Hex{}, false
	}
	for _, h := range Way(at, word) {
		if w.Closed[h] {
			return h, true
		}
	}
	return hex.Hex{}, false
}

// Misplaced returns why a ship cannot begin at a place; "" if it can.
func Misplaced(turn int, free string, bounds *hex.Bounds, sea Passability, h hex.Hex) string {
	switch {
	case turn != 1:
		return "ships are placed in the first turn only"
	case bounds != nil && !bounds.Contains(h):
		return h.Label() + " is off the map"
	case sea.Closed[h]:
		return "no ship can be at " + h.Label()
	case free == ship.FreeEdge && bounds == nil:
		return "the map has no border"
	case free == ship.FreeEdge && !border(*bounds, h):
		return h.Label() + " is not on the border of the map"
	}
	return ""
}

// Distance returns the distance of two ships of a view, both with known hexes.
func Distance(a, b *engine.ShipView) int { return hex.Distance(*a.Hex, *b.Hex) }

// border reports whether a hex of the map lies on its border.
func border(b hex.Bounds, h hex.Hex) bool {
	col, row := h.ColRow()
	return col == 1 || row == 1 || col == b.Cols || row == b.Rows
}
