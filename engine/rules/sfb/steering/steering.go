// Package steering has the words of movement: where they lead, which of them suits a wish, and where nothing can go.
package steering

import (
	"fmt"
	"iter"
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
)

// Wish is what a movement order is after: by its verb a range from a ship, a side that is turned to her, or a hex.
type Wish struct {
	Verb  string
	Range int
	Side  int // clockwise from the bow
}

// Space is where ships may go: on the map, where it ends, and not into an obstacle.
type Space struct {
	Bounds *hex.Bounds
	Closed map[hex.Hex]string // the kind of obstacle there
}

// SpaceOf is that of a map with its features, as far as they are known.
func SpaceOf(bounds *hex.Bounds, ground map[string]engine.Ground, features iter.Seq[*engine.Feature]) *Space {
	s := &Space{Bounds: bounds}
	for f := range features {
		if f.Gone || !ground[f.Kind].Closed {
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

// Off tells whether a hex is over the edge of the map, or an obstacle.
func (s *Space) Off(h hex.Hex) bool {
	return s.Closed[h] != "" || s.Bounds != nil && !s.Bounds.Contains(h)
}

// Clear tells whether no obstacle lies between two hexes.
func (s *Space) Clear(a, b hex.Hex) bool {
	return s.Closed == nil || engine.LineOfSight(a, b, func(h hex.Hex) bool { return s.Closed[h] != "" })
}

// beside tells whether an obstacle is one hex away.
func (s *Space) beside(h hex.Hex) bool {
	return s.Closed != nil && slices.ContainsFunc([]hex.Heading{hex.A, hex.B, hex.C, hex.D, hex.E, hex.F}, func(to hex.Heading) bool { return s.Closed[h.Step(to)] != "" })
}

// Course is the word that brings what flies nearest to a hex: the turn mode is 1, and the first hex
// is straight ahead. An obstacle it dodges when that is one hex away, and then goes the shortest way round until nothing
// is between (house 19.41): that is told, too.
func (s *Space) Course(at engine.Place, to hex.Hex, turns bool) (word string, dodges bool) {
	best, least := "F", 1<<30
	for _, word := range MoveWords() {
		if word != "F" && !turns {
			break
		}
		there := Step(at, word)
		if score := 32*hex.Distance(there.Hex, to) + turned(there, to, 0); score < least {
			best, least = word, score
		}
	}
	if turns && s.beside(at.Hex) && (s.Closed[Step(at, best).Hex] != "" || !s.Clear(at.Hex, to)) {
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
func (s *Space) round(at engine.Place, to hex.Hex) string {
	type way struct {
		at    engine.Place
		first string
	}
	seen := map[engine.Place]bool{at: true}
	for queue := []way{{at: at}}; len(queue) > 0 && len(seen) < widest; queue = queue[1:] {
		for _, word := range []string{"R", "F", "L"} {
			w := way{Step(queue[0].at, word), queue[0].first}
			if w.first == "" {
				w.first = word
			}
			if w.at.Hex == to {
				return w.first
			}
			if !seen[w.at] && !s.Off(w.at.Hex) {
				seen[w.at] = true
				queue = append(queue, w)
			}
		}
	}
	return ""
}

// InWay tells of an obstacle that a ship does not enter.
func (s *Space) InWay(h hex.Hex) string { return fmt.Sprintf("a %s is in the way", s.Closed[h]) }

// Step is where a word takes a ship.
func Step(at engine.Place, word string) engine.Place {
	switch word {
	case "L":
		at.Heading = at.Heading.Turn(-1)
	case "R":
		at.Heading = at.Heading.Turn(1)
	}
	at.Hex = at.Hex.Step(at.Heading)
	return at
}

// Motion is where a ship is, and how many hexes she has moved straight.
type Motion struct {
	At       engine.Place
	Straight int
}

// Go moves a ship a hex by a word, and gives what becomes of it: ahead, if so many hexes straight must come before a turn
// and she has not moved them. Before an obstacle she stays, and it is told as barred; else she could never turn away from
// it, the hex counts as moved straight.
func (m *Motion) Go(word string, mode int, in *Space) (went string, barred bool) {
	if m.Straight < mode {
		word = "F"
	}
	m.Straight++
	to := Step(m.At, word)
	if in.Closed[to.Hex] != "" {
		return word, true
	}
	if m.At = to; word != "F" {
		m.Straight = 1
	}
	return word, false
}

// most is of how many places at most it is told that a ship can reach them.
const most = 400

// Reach is where a ship can be when she has moved as many hexes as there are turn modes, each by the rules of its own: the
// words that lead there, one for each place, the first of those by the order of the words. Ways that lead off the map, or
// against an obstacle, are left out.
func (s *Space) Reach(from Motion, modes []int) (out []engine.Reached) {
	type way struct {
		Motion
		words []string
	}
	ways, strictest := []way{{Motion: from}}, slices.Max(append([]int{0}, modes...))
	for _, mode := range modes {
		var next []way
		seen := map[Motion]bool{}
		for _, w := range ways {
			for _, word := range MoveWords() {
				to := w.Motion
				went, barred := to.Go(word, mode, s)
				to.Straight = min(to.Straight, strictest)
				if went != word || barred || s.Off(to.At.Hex) || seen[to] || len(next) >= most {
					continue
				}
				seen[to] = true
				next = append(next, way{to, slices.Concat(w.words, []string{word})})
			}
		}
		ways = next
	}
	for _, w := range ways {
		if !slices.ContainsFunc(out, func(o engine.Reached) bool { return o.At == w.At }) {
			out = append(out, engine.Reached{At: w.At, Words: w.words, Cost: len(w.words)})
		}
	}
	return out
}

// Onward is the word of a ship of whose movement nothing is said: she stays on the map, and round an obstacle.
func (s *Space) Onward(at engine.Place, may bool) string {
	if !may || !s.Off(Step(at, "F").Hex) {
		return "F"
	}
	to := at // where the map has no end
	to.Hex = to.Hex.StepN(to.Heading, 9)
	if b := s.Bounds; b != nil {
		to.Hex = hex.At(b.Cols/2, b.Rows/2)
	}
	return Steer(Wish{Verb: "course"}, at, to, may, s)
}

// Steer is the word that suits a movement order best, as things stand.
func Steer(m Wish, at, target engine.Place, may bool, in *Space) string {
	best, least := "F", 1<<30
	for _, word := range MoveWords() {
		if word != "F" && !may {
			break
		}
		to := Step(at, word)
		off := turned(to, target.Hex, m.Side)
		away := hex.Distance(to.Hex, target.Hex)
		score := 0
		switch m.Verb {
		case "pursue":
			ahead := hex.Distance(to.Hex.StepN(to.Heading, 2), target.Hex)
			if away > m.Range {
				score = 8*(away+ahead) + off
			} else {
				score = 8*abs(away-m.Range) + 4*abs(ahead-m.Range) + off
			}
		case "course":
			score = 8*(away+hex.Distance(to.Hex.StepN(to.Heading, 2), target.Hex)) + off
		case "flee":
			score = -8*(away+hex.Distance(to.Hex.StepN(to.Heading, 2), target.Hex)) - off
		case "face":
			score = 8*off + away
		}
		if in.Off(to.Hex) {
			score += 1 << 20
		} else if in.Off(to.Hex.Step(to.Heading)) && in.Off(Step(to, "L").Hex) && in.Off(Step(to, "R").Hex) {
			score += 1 << 10
		}
		if score < least {
			best, least = word, score
		}
	}
	return best
}

// turned is by how many 24ths of the circle a side of a ship is turned from a hex, 0 to 12.
func turned(at engine.Place, to hex.Hex, side int) int {
	p, ok := hex.Bearing(at.Hex, to)
	if !ok {
		return 0
	}
	off := (int(p.Relative(at.Heading)) - 4*side + 24) % 24
	return min(off, 24-off)
}

// Toward is the heading by which a side of a ship is turned to a hex best.
func Toward(at engine.Place, to hex.Hex, side int) hex.Heading {
	best := at.Heading
	for h := hex.A; h <= hex.F; h++ {
		if turned(engine.Place{Hex: at.Hex, Heading: h}, to, side) < turned(engine.Place{Hex: at.Hex, Heading: best}, to, side) {
			best = h
		}
	}
	return best
}

// MoveWords are the words of one hex of movement: ahead, or a turn of one side and then
// ahead.
func MoveWords() []string { return []string{"F", "L", "R"} }

func abs(n int) int { return max(n, -n) }

// Facing is the side of a ship, clockwise from the bow, that is towards a hex; on a line
// the one to the right. ok is false in her own hex.
func Facing(at engine.Place, to hex.Hex) (side int, ok bool) {
	p, ok := hex.Bearing(at.Hex, to)
	if !ok {
		return 0, false
	}
	_, side, _ = hex.Side(p.Relative(at.Heading))
	return side, true
}
