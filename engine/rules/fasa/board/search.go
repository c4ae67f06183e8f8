package board

import (
	"math"
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/tactical"
)

// farthest is the most points of a phase with which a reactive order looks ahead; the printed
// table ends at 10. Points beyond it are spent on hold, so that a fast ship of a game's own
// tables cannot make the search grow without bound.
const farthest = 30

// MostReached is the most places that are listed as within a ship's reach in a phase.
const MostReached = 400

// Expand returns the movement words with which a ship best carries out a reactive order with
// some points, never leaving the map. Among equally good places it takes the one that needs
// the fewest points, then the one whose words come first in the order of the words; points
// left over are hold. The search visits places, nearest first, each of them once, since a ship
// may always hold.
func Expand(m Maneuver, start engine.Place, points int, target engine.Place, sea Passability) []string {
	sea.Stuck = sea.Stuck || m.Verb == "face" // a turn on the spot
	return WordsTo(start, points, sea, func(at engine.Place, moved int) Score { return rate(m, start, at, target, moved) })
}

// WordsTo returns the movement words to the place that judge scores best.
func WordsTo(start engine.Place, points int, sea Passability, judge func(at engine.Place, moved int) Score) []string {
	type node struct {
		at     engine.Place
		parent int
		word   string
		moved  int // points not spent on hold
	}
	words := sea.Words
	if sea.Stuck {
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
				to := Step(nodes[i].at, w)
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

// places is a set of places within some steps of a hex.
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

func (p *places) add(at engine.Place) { p.in[p.index(at)] = true }

// rate scores a place in which a reactive order could end.
func rate(m Maneuver, start, at, target engine.Place, moved int) Score {
	d := hex.Distance(at.Hex, target.Hex)
	switch m.Verb {
	case "pursue":
		return Score{SameHex(d), tactical.Abs(d - m.Range), TurnsOff(at, target.Hex, m.Side), moved}
	case "flee":
		return Score{-d, TurnsOff(at, target.Hex, 3), moved}
	case "face":
		return Score{TurnsOff(at, target.Hex, m.Side), moved}
	case "station":
		place := engine.Place{Hex: target.Hex.StepN(hex.Heading(m.Side), m.Range)}
		return Score{hex.Distance(at.Hex, place.Hex), tactical.Abs((int(at.Heading)-int(target.Heading)+9)%6 - 3), moved}
	case "circle":
		return Score{tactical.Abs(d - m.Range), -round(start.Hex, at.Hex, target.Hex), TurnsOff(at, target.Hex, 0)}
	default: // course
		away := hex.Distance(at.Hex, m.At)
		off := 0
		if away > 0 {
			off = TurnsOff(at, m.At, 0)
		}
		return Score{away, off, moved}
	}
}

// SameHex returns 1 for a distance of 0: ships in one hex cannot fire at each other, so no
// pursuit should end there.
func SameHex(d int) int {
	if d == 0 {
		return 1
	}
	return 0
}

// TurnsOff returns by how much, in 24ths of the circle, a side, counted clockwise from the
// bow, is turned away from a hex: 0 when it faces it squarely.
func TurnsOff(at engine.Place, to hex.Hex, side int) int {
	p, ok := hex.Bearing(at.Hex, to)
	if !ok {
		return 24
	}
	off := int(p.Relative(at.Heading)) - 4*side
	off = (off%24 + 24) % 24
	return min(off, 24-off)
}

// round returns by how much of the circle (in 24ths, clockwise, -11..12) a move goes round a hex.
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

// routeRadius bounds the search for a route.
const routeRadius = 60

// Route returns the shortest route between two hexes over open hexes, without the first hex;
// nil if there is none. Among equally short routes it takes the first by direction.
func Route(from, to hex.Hex, sea Passability) []hex.Hex {
	least := hex.Distance(from, to)
	if from == to || least > routeRadius {
		return nil
	}
	if way := sea.route(from, to, least); way != nil {
		return way
	}
	return sea.route(from, to, math.MaxInt)
}

// route returns the shortest route if it has at most most hexes. It skips hexes from which the
// route would be longer. That does not change the result: if a hex is on a shortest route, so is
// the hex from which it was first found.
func (w Passability) route(from, to hex.Hex, most int) []hex.Hex {
	before := map[hex.Hex]hex.Hex{from: from}
	ring := []hex.Hex{from}
	for steps := 1; len(ring) > 0; steps++ {
		var further []hex.Hex
		for _, h := range ring {
			for d := range hex.Heading(6) {
				next := h.Step(d)
				if _, seen := before[next]; seen || w.Closed[next] && next != to || hex.Distance(next, to) > most-steps ||
					w.Bounds != nil && !w.Bounds.Contains(next) || hex.Distance(from, next) > routeRadius {
					continue
				}
				if before[next] = h; next == to {
					return wayBack(before, from, to)
				}
				further = append(further, next)
			}
		}
		ring = further
	}
	return nil
}

func wayBack(before map[hex.Hex]hex.Hex, from, to hex.Hex) []hex.Hex {
	var way []hex.Hex
	for h := to; h != from; h = before[h] {
		way = append(way, h)
	}
	slices.Reverse(way)
	return way
}

// Maneuver is the aim of a movement order.
type Maneuver struct {
	Verb  string  // pursue, flee, face, circle, course or station
	Range int     // from the target
	Side  int     // to turn to the target, clockwise from the bow; for station the direction of the place
	At    hex.Hex // where a course leads
}

// Score rates a place for a reactive order; smaller is better, compared from the first figure
// on.
type Score [4]int

func (s Score) less(o Score) bool {
	for i := range s {
		if s[i] != o[i] {
			return s[i] < o[i]
		}
	}
	return false
}
