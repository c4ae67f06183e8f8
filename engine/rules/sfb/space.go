package sfb

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/hex"
)

// obstacles are the bodies of space that nothing enters, and that nothing is seen or fired across
// (house 9.73 knows them, ruling H20).
func obstacles() map[string]engine.Ground {
	return map[string]engine.Ground{
		"planet": {Doc: "a planet: nothing enters it, nothing is seen or fired across it, and what seeks goes round it", Closed: true, Opaque: true, Looks: blind.Signature{Large: true}},
		"moon":   {Doc: "a moon: as a planet", Closed: true, Opaque: true, Looks: blind.Signature{Large: true}},
	}
}

// space is where ships may go: on the map, where it ends, and not into an obstacle.
type space struct {
	bounds *hex.Bounds
	closed map[hex.Hex]string // the kind of obstacle there
}

// spaceOf is that of a map with its features, as far as they are known.
func (b *Book) spaceOf(bounds *hex.Bounds, features func(yield func(*engine.Feature) bool)) *space {
	s := &space{bounds: bounds}
	for f := range features {
		if f.Gone || !b.Ground[f.Kind].Closed {
			continue
		}
		if s.closed == nil {
			s.closed = map[hex.Hex]string{}
		}
		for _, h := range f.Hexes {
			s.closed[h] = f.Kind
		}
	}
	return s
}

// space is that of a turn.
func (l *rulebook) space(t *engine.Turn) *space {
	n := memo(t)
	if n.space == nil {
		n.space = l.spaceOf(t.Game.Bounds, charted(t.Game))
	}
	return n.space
}

// known is the space that what flies goes by: that of the turn, or where the chart is unknown what is on that of
// the captain who had it launched.
func (l *rulebook) known(t *engine.Turn, d *engine.Ship) *space {
	if !t.Game.Uncharted() {
		return l.space(t)
	}
	return l.spaceOf(t.Game.Bounds, slices.Values(t.Chart(d)))
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

// off tells whether a hex is over the edge of the map, or an obstacle.
func (s *space) off(h hex.Hex) bool {
	return s.closed[h] != "" || s.bounds != nil && !s.bounds.Contains(h)
}

// clear tells whether no obstacle lies between two hexes.
func (s *space) clear(a, b hex.Hex) bool {
	return s.closed == nil || engine.LineOfSight(a, b, func(h hex.Hex) bool { return s.closed[h] != "" })
}

// beside tells whether an obstacle is one hex away.
func (s *space) beside(h hex.Hex) bool {
	return s.closed != nil && slices.ContainsFunc([]hex.Heading{hex.A, hex.B, hex.C, hex.D, hex.E, hex.F}, func(to hex.Heading) bool { return s.closed[h.Step(to)] != "" })
}

// apart tells whether an obstacle lies between two ships of a game.
func (l *rulebook) apart(g *engine.Game, a, b *engine.Ship) bool {
	return len(g.Terrain) > 0 && !l.spaceOf(nil, charted(g)).clear(a.Hex, b.Hex)
}

// course is the word that brings what flies nearest to a hex: the turn mode is 1, and the first hex
// is straight ahead. An obstacle it dodges when that is one hex away, and then goes the shortest way round until nothing
// is between (house 19.41): that is told, too.
func (s *space) course(at engine.Place, to hex.Hex, turns bool) (word string, dodges bool) {
	best, least := "F", 1<<30
	for _, word := range moveWords() {
		if word != "F" && !turns {
			break
		}
		there := step(at, word)
		if score := 32*hex.Distance(there.Hex, to) + turned(there, to, 0); score < least {
			best, least = word, score
		}
	}
	if turns && s.beside(at.Hex) && (s.closed[step(at, best).Hex] != "" || !s.clear(at.Hex, to)) {
		if word = s.round(at, to); word != "" {
			return word, true
		}
	}
	return best, false
}

// widest is how many places a way round an obstacle is looked for in.
const widest = 20000

// round is the first word of the shortest way to a hex past obstacles, of several as long the one that
// turns clockwise (ruling R8); blank where there is none.
func (s *space) round(at engine.Place, to hex.Hex) string {
	type way struct {
		at    engine.Place
		first string
	}
	seen := map[engine.Place]bool{at: true}
	for queue := []way{{at: at}}; len(queue) > 0 && len(seen) < widest; queue = queue[1:] {
		for _, word := range []string{"R", "F", "L"} {
			w := way{step(queue[0].at, word), queue[0].first}
			if w.first == "" {
				w.first = word
			}
			if w.at.Hex == to {
				return w.first
			}
			if !seen[w.at] && !s.off(w.at.Hex) {
				seen[w.at] = true
				queue = append(queue, w)
			}
		}
	}
	return ""
}

// inWayWords tell of an obstacle that a ship does not enter.
func (s *space) inWayWords(h hex.Hex) string { return fmt.Sprintf("a %s is in the way", s.closed[h]) }
