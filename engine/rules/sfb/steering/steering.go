// Package steering has the words of movement: where they lead, which of them suits an order, and where ships cannot
// go.
package steering

import (
	"fmt"
	"iter"
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
)

// Wish is the aim of a movement order, depending on its verb: a range from a ship, a side to turn to her, or a hex.
type Wish struct {
	Verb  string
	Range int
	Side  int // clockwise from the bow
}

// Space is where ships may go: on the map, and not into obstacles.
type Space struct {
	Bounds *hex.Bounds
	Closed map[hex.Hex]string // by hex, the kind of obstacle
}

// SpaceOf returns the space of a map with its known features.
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

// Off reports whether a hex is off the map or an obstacle.
func (s *Space) Off(h hex.Hex) bool {
	return s.Closed[h] != "" || s.Bounds != nil && !s.Bounds.Contains(h)
}

// Clear reports whether no obstacle lies between two hexes.
func (s *Space) Clear(a, b hex.Hex) bool {
	return s.Closed == nil || engine.LineOfSight(a, b, func(h hex.Hex) bool { return s.Closed[h] != "" })
}

// beside reports whether an obstacle is one hex away.
func (s *Space) beside(h hex.Hex) bool {
	return s.Closed != nil && slices.ContainsFunc([]hex.Heading{hex.A, hex.B, hex.C, hex.D, hex.E, hex.F}, func(to hex.Heading) bool { return s.Closed[h.Step(to)] != "" })
}

// Course returns the word that takes a drone or craft nearest to a hex. Its turn mode is 1, and its first hex is
// straight ahead. It dodges an obstacle one hex away by taking the shortest way round until nothing is in between
// (house 19.41); dodges reports this.
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

// widest is how many places are searched for a way round an obstacle.
const widest = 20000

// round returns the first word of the shortest way to a hex past obstacles, or "" if there is none. Of several
// equally short ways it takes the one that turns clockwise (ruling R8).
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

// InWay names the obstacle in a hex that a ship does not enter.
func (s *Space) InWay(h hex.Hex) string { return fmt.Sprintf("a %s is in the way", s.Closed[h]) }

// Step returns the place that a word leads to.
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

// Motion is a ship's place, and how many hexes she has moved straight.
type Motion struct {
	At       engine.Place
	Straight int
}

// Go moves a ship one hex by a word and returns the word actually used: straight ahead, if she has not yet moved mode
// hexes straight. She stops before an obstacle, and barred is true. That hex counts as moved straight; otherwise she
// could never turn away.
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

// most limits the number of places that Reach considers.
const most = 400

// Reach returns where a ship can be after as many hexes as there are turn modes, each moved by its own turn mode, with
// the first sequence of words that leads to each place. Ways that lead off the map or into an obstacle are left out.
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

// Onward returns the word of a ship without movement orders: she stays on the map, and avoids obstacles.
func (s *Space) Onward(at engine.Place, may bool) string {
	if !may || !s.Off(Step(at, "F").Hex) {
		return "F"
	}
	to := at // if the map is unbounded
	to.Hex = to.Hex.StepN(to.Heading, 9)
	if b := s.Bounds; b != nil {
		to.Hex = hex.At(b.Cols/2, b.Rows/2)
	}
	return Steer(Wish{Verb: "course"}, at, to, may, s)
}

// Steer returns the word that best suits a movement order at this moment.
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

// turned returns how far a side of a ship is turned away from a hex, in 24ths of the circle, 0 to 12.
func turned(at engine.Place, to hex.Hex, side int) int {
	p, ok := hex.Bearing(at.Hex, to)
	if !ok {
		return 0
	}
	off := (int(p.Relative(at.Heading)) - 4*side + 24) % 24
	return min(off, 24-off)
}

// Toward returns the heading that best turns a side of a ship to a hex.
func Toward(at engine.Place, to hex.Hex, side int) hex.Heading {
	best := at.Heading
	for h := hex.A; h <= hex.F; h++ {
		if turned(engine.Place{Hex: at.Hex, Heading: h}, to, side) < turned(engine.Place{Hex: at.Hex, Heading: best}, to, side) {
			best = h
		}
	}
	return best
}

// MoveWords returns the words for one hex of movement: ahead, or a turn by one side and then ahead.
func MoveWords() []string { return []string{"F", "L", "R"} }

func abs(n int) int { return max(n, -n) }

// Facing returns the side of a ship, clockwise from the bow, that faces a hex; on a line, the side to the right. It
// returns false for her own hex.
func Facing(at engine.Place, to hex.Hex) (side int, ok bool) {
	p, ok := hex.Bearing(at.Hex, to)
	if !ok {
		return 0, false
	}
	_, side, _ = hex.Side(p.Relative(at.Heading))
	return side, true
}
