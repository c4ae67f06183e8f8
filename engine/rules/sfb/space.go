package sfb

import (
	"slices"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/steering"
)

// obstacles are the bodies of space that nothing enters, and that nothing is seen or fired across
// (house 9.73 knows them, ruling H20).
func obstacles() map[string]engine.Ground {
	return map[string]engine.Ground{
		"planet": {Doc: "a planet: nothing enters it, nothing is seen or fired across it, and what seeks goes round it", Closed: true, Opaque: true, Looks: blind.Signature{Large: true}},
		"moon":   {Doc: "a moon: as a planet", Closed: true, Opaque: true, Looks: blind.Signature{Large: true}},
	}
}

// spaceOf is that of a map with its features, as far as they are known.
func (b *Book) spaceOf(bounds *hex.Bounds, features func(yield func(*engine.Feature) bool)) *steering.Space {
	s := &steering.Space{Bounds: bounds}
	for f := range features {
		if f.Gone || !b.Ground[f.Kind].Closed {
			continue
		}
		if s.Closed == nil {
			s.Closed = map[hex.Hex]string{}
		}
		for _, h := range f.Hexes {
			s.Closed[h] = f.Kind
		}
	}
	return s
}

// space is that of a turn.
func (l *rulebook) space(t *engine.Turn) *steering.Space {
	n := memo(t)
	if n.space == nil {
		n.space = l.spaceOf(t.Game.Bounds, charted(t.Game))
	}
	return n.space
}

// known is the space that what flies goes by: that of the turn, or where the chart is unknown what is on that of
// the captain who had it launched.
func (l *rulebook) known(t *engine.Turn, d *engine.Ship) *steering.Space {
	if !t.Game.Blind.Uncharted() {
		return l.space(t)
	}
	return l.spaceOf(t.Game.Bounds, slices.Values(dark.In(t).Chart(d)))
}

// charted are the features of a game.
func charted(g *engine.Game) func(yield func(*engine.Feature) bool) {
	return func(yield func(*engine.Feature) bool) {
		for i := range g.Terrain {
			if !yield(&g.Terrain[i]) {
				return
			}
		}
	}
}

// apart tells whether an obstacle lies between two ships of a game.
func (l *rulebook) apart(g *engine.Game, a, b *engine.Ship) bool {
	return len(g.Terrain) > 0 && !l.spaceOf(nil, charted(g)).Clear(a.Hex, b.Hex)
}
