package fasa

import (
	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/ship"
)

// step carries out one movement word (stcs 3.5, ruling D16). Unknown words hold.
func step(at engine.Place, word string) engine.Place {
	switch word {
	case "F":
		at.Hex = at.Hex.Step(at.Heading)
	case "FF":
		at.Hex = at.Hex.StepN(at.Heading, 2)
	case "FL":
		at.Hex = at.Hex.Step(at.Heading)
		at.Heading = at.Heading.Turn(-1)
	case "FR":
		at.Hex = at.Hex.Step(at.Heading)
		at.Heading = at.Heading.Turn(1)
	case wordSwingL:
		at.Hex = at.Hex.Step(at.Heading)
		at.Heading = at.Heading.Turn(-2)
	case wordSwingR:
		at.Hex = at.Hex.Step(at.Heading)
		at.Heading = at.Heading.Turn(2)
	case wordAstern:
		at.Hex = at.Hex.Step(at.Heading.Turn(3))
	case "L", wordTacticalL, wordEvadeL:
		at.Heading = at.Heading.Turn(-1)
	case "R", wordTacticalR, wordEvadeR:
		at.Heading = at.Heading.Turn(1)
	case "SL":
		at.Hex = at.Hex.Step(at.Heading.Turn(-1)).Step(at.Heading)
	case "SR":
		at.Hex = at.Hex.Step(at.Heading.Turn(1)).Step(at.Heading)
	}
	return at
}

// score is how good a place is for a reactive order; smaller is better, compared
// from the first figure on.
type score [4]int

func (s score) less(o score) bool {
	for i := range s {
		if s[i] != o[i] {
			return s[i] < o[i]
		}
	}
	return false
}

// farthest is how many points of a phase a reactive order looks ahead with; the
// printed table ends at 10. More are spent on hold, so that no ship of a game's
// own tables, however fast, makes the search grow without bound.
const farthest = 30

// moveRule tells why a ship may not carry out a movement word now, with the rules
// that say so; blank when it may.
type moveRule func(l *rulebook, t *engine.Turn, s *engine.Ship, word string) (why string, rule []Topic)

// afterMove is what comes of a movement word that was carried out. The ship stands at
// the end of it already.
type afterMove func(l *rulebook, t *engine.Turn, s *engine.Ship, word string, from engine.Place)

// way lists the hexes that a movement word enters, in order.
func way(at engine.Place, word string) []hex.Hex {
	to := step(at, word).Hex
	switch {
	case to == at.Hex:
		return nil
	case hex.Distance(at.Hex, to) == 1:
		return []hex.Hex{to}
	case word == "SL":
		return []hex.Hex{at.Hex.Step(at.Heading.Turn(-1)), to}
	case word == "SR":
		return []hex.Hex{at.Hex.Step(at.Heading.Turn(1)), to}
	}
	return []hex.Hex{at.Hex.Step(at.Heading), to}
}

// passability is where a ship may go: on the map, and not into closed hexes.
type passability struct {
	bounds *hex.Bounds
	closed map[hex.Hex]bool
	steps  []string // movement words
	stuck  bool     // the ship can only turn on the spot
}

func (l *rulebook) passability(g *engine.Game) passability {
	w := passability{bounds: g.Bounds, steps: l.steps}
	for i := range g.Terrain {
		w.close(l, &g.Terrain[i])
	}
	return w
}

func (l *rulebook) watersOfView(v *engine.View) passability {
	w := passability{bounds: v.Bounds, steps: l.steps}
	for _, f := range v.Terrain {
		w.close(l, f)
	}
	return w
}

func (w *passability) close(l *rulebook, f *engine.Feature) {
	if f.Gone || !l.ground[f.Kind].Closed {
		return
	}
	if w.closed == nil {
		w.closed = map[hex.Hex]bool{}
	}
	for _, h := range f.Hexes {
		w.closed[h] = true
	}
}

// open tells whether a movement word leads only where a ship may go.
func (w passability) open(at engine.Place, word string) bool {
	return w.free(at, word, step(at, word).Hex)
}

// free is open for a word whose last hex is known.
func (w passability) free(at engine.Place, word string, to hex.Hex) bool {
	if w.bounds != nil && !w.bounds.Contains(to) {
		return false
	}
	if len(w.closed) == 0 {
		return true
	}
	for _, h := range way(at, word) {
		if w.closed[h] {
			return false
		}
	}
	return true
}

// expand finds the movement words with which a ship best carries out a reactive
// order with some points, never leaving the map. Among equally good places it
// takes the one that needs the fewest points, then the one whose words come
// first in the order of the words; what is left over is hold. The search is over
// places, nearest first: since a ship may always hold, a place is looked at once.
func expand(m moveOrder, start engine.Place, points int, target engine.Place, sea passability) []string {
	sea.stuck = sea.stuck || m.verb == "face" // a turn on the spot
	return wordsTo(start, points, sea, func(at engine.Place, moved int) score { return rate(m, start, at, target, moved) })
}

// wordsTo finds the movement words to the place that is judged best.
func wordsTo(start engine.Place, points int, sea passability, judge func(at engine.Place, moved int) score) []string {
	type node struct {
		at     engine.Place
		parent int
		word   string
		moved  int // points not spent on hold
	}
	words := sea.steps
	if sea.stuck {
		words = []string{"L", "R", "H"}
	}
	most := min(points, farthest)
	nodes := append(make([]node, 0, 64), node{at: start, parent: -1})
	seen := newPlaces(start, 2*most) // no word leads farther than two hexes
	seen.add(start)
	first := 0
	for moved := 1; moved <= most; moved++ {
		last := len(nodes)
		for i := first; i < last; i++ {
			for _, w := range words {
				to := step(nodes[i].at, w)
				if seen.has(to) || !sea.free(nodes[i].at, w, to.Hex) {
					continue
				}
				seen.add(to)
				nodes = append(nodes, node{to, i, w, moved})
			}
		}
		first = last
	}
	best := 0
	bestScore := judge(start, 0)
	for i := 1; i < len(nodes); i++ {
		if s := judge(nodes[i].at, nodes[i].moved); s.less(bestScore) {
			best, bestScore = i, s
		}
	}
	out := make([]string, points)
	for k := range out {
		out[k] = "H"
	}
	for i := best; nodes[i].parent >= 0; i = nodes[i].parent {
		out[nodes[i].moved-1] = nodes[i].word
	}
	return out
}

const headings = int(hex.F) + 1

// places is a set of places around one, within some steps of it.
type places struct {
	centre hex.Hex
	reach  int
	in     []bool
}

func newPlaces(around engine.Place, reach int) places {
	width := 2*reach + 1
	return places{around.Hex, reach, make([]bool, width*width*headings)}
}

func (p *places) index(at engine.Place) int {
	q, r := at.Hex.Q-p.centre.Q+p.reach, at.Hex.R-p.centre.R+p.reach
	return (q*(2*p.reach+1)+r)*headings + int(at.Heading)%headings
}

func (p *places) has(at engine.Place) bool { return p.in[p.index(at)] }
func (p *places) add(at engine.Place)      { p.in[p.index(at)] = true }

// rate judges a place that a reactive order could end in.
func rate(m moveOrder, start, at, target engine.Place, moved int) score {
	d := hex.Distance(at.Hex, target.Hex)
	switch m.verb {
	case "pursue":
		return score{same(d), abs(d - m.rng), turnsOff(at, target.Hex, m.side), moved}
	case "flee":
		return score{-d, turnsOff(at, target.Hex, 3), moved}
	case "face":
		return score{turnsOff(at, target.Hex, m.side), moved}
	case "circle":
		return score{abs(d - m.rng), -round(start.Hex, at.Hex, target.Hex), turnsOff(at, target.Hex, 0)}
	default: // course
		away := hex.Distance(at.Hex, m.at)
		off := 0
		if away > 0 {
			off = turnsOff(at, m.at, 0)
		}
		return score{away, off, moved}
	}
}

// same is 1 for a distance of 0: ships in one hex cannot fire at each other, so
// no pursuit should end there.
func same(d int) int {
	if d == 0 {
		return 1
	}
	return 0
}

// turnsOff is by how much, in 24ths of the circle, a side, counted clockwise from the
// bow, is turned away from a hex: 0 when it faces it squarely.
func turnsOff(at engine.Place, to hex.Hex, side int) int {
	p, ok := hex.Bearing(at.Hex, to)
	if !ok {
		return 24
	}
	off := int(p.Relative(at.Heading)) - 4*side
	off = (off%24 + 24) % 24
	return min(off, 24-off)
}

// round is by how much of the circle (in 24ths, clockwise, -11..12) a move goes round a hex.
func round(from, to, centre hex.Hex) int {
	a, ok1 := hex.Bearing(centre, from)
	b, ok2 := hex.Bearing(centre, to)
	if !ok1 || !ok2 {
		return 0
	}
	d := (int(b-a)%24 + 24) % 24
	if d > 12 {
		d -= 24
	}
	return d
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// edges names the map edges beyond which a hex lies.
func edges(b hex.Bounds, h hex.Hex) []string {
	var out []string
	col, row := h.ColRow()
	if row < 1 {
		out = append(out, "north")
	}
	if row > b.Rows {
		out = append(out, "south")
	}
	if col > b.Cols {
		out = append(out, "east")
	}
	if col < 1 {
		out = append(out, "west")
	}
	return out
}

// into is the first closed hex that a movement word leads into.
func (w passability) into(at engine.Place, word string) (h hex.Hex, closed bool) {
	if len(w.closed) == 0 {
		return hex.Hex{}, false
	}
	for _, h := range way(at, word) {
		if w.closed[h] {
			return h, true
		}
	}
	return hex.Hex{}, false
}

// lesser is what is left of a movement word that cannot be carried out whole.
func lesser(w string) string {
	if w == "FF" {
		return "F"
	}
	return "H"
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
	case free == ship.FreeEdge && bounds == nil:
		return "the map has no border"
	case free == ship.FreeEdge && !border(*bounds, h):
		return h.Label() + " is not on the border of the map"
	}
	return ""
}

// border tells whether a hex of the map lies on its border.
func border(b hex.Bounds, h hex.Hex) bool {
	col, row := h.ColRow()
	return col == 1 || row == 1 || col == b.Cols || row == b.Rows
}
