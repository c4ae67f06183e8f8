// Package lookahead predicts a turn of a duel for a robot: the relative positions of two ships in each impulse, and
// how good they are for one of them.
package lookahead

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/steering"
)

// Space has the rules of movement of a book and a map.
type Space struct {
	First, Last int                          // impulses; First is the next one to come
	Moves       func(speed, impulse int) int // hexes moved at a speed in an impulse
	Off         func(hex.Hex) bool           // whether ships may not enter a hex
}

// Way is a way to steer. Next returns a ship's next place, given the other ship's and whether a turn is allowed; Face
// returns the new heading of a ship at rest.
type Way struct {
	Order string
	Next  func(at, other engine.Place, may bool) (to engine.Place, turned bool)
	Face  func(at, other engine.Place) hex.Heading // nil: a ship at rest keeps her heading
}

// passing is how many hexes to the side of an enemy a passing way leads.
const passing = 4

// Ways returns the ways to steer that a robot considers against an enemy at a place.
func Ways(in *steering.Space, there engine.Place) (out []*Way) {
	add := func(order string, m steering.Wish, to *hex.Hex) {
		w := &Way{Order: order, Next: func(at, other engine.Place, may bool) (engine.Place, bool) {
			if to != nil {
				other.Hex = *to
			}
			word := steering.Steer(m, at, other, may, in)
			return steering.Step(at, word), word != "F"
		}}
		if m.Verb == "face" {
			w.Face = func(at, other engine.Place) hex.Heading { return steering.Toward(at, other.Hex, m.Side) }
		}
		out = append(out, w)
	}
	add("face nearest", steering.Wish{Verb: "face"}, nil)
	for _, side := range []int{1, 5, 2, 4} {
		add(fmt.Sprintf("face nearest with %d", side+1), steering.Wish{Verb: "face", Side: side}, nil)
	}
	for _, to := range []int{1, 3} {
		add(fmt.Sprintf("pursue nearest to %d", to), steering.Wish{Verb: "pursue", Range: to}, nil)
	}
	add("flee nearest", steering.Wish{Verb: "flee"}, nil)
	for _, side := range []int{1, 2, 4, 5} {
		if at := there.Hex.StepN(there.Heading.Turn(side), passing); !in.Off(at) {
			add("course "+at.Label(), steering.Wish{Verb: "course"}, &at)
		}
	}
	return out
}

// Motion is a ship's place, speed and turn mode, and the hexes she has moved straight.
type Motion struct {
	At                    engine.Place
	Speed, Straight, Mode int
}

// Ship is one of the two ships at the start of the turn.
type Ship struct {
	Motion
	Shields [6]int // points that each stops, including available energy
	// Hits returns six times the mean points that her weapons score at a range and bearing from her bow.
	Hits func(rng int, bearing hex.Point) int
	hits [far + 1][24]int16 // cached results plus 1
}

// far is the range beyond which weapons are ignored.
const far = 15

// Moment is the relative position of the two in an impulse: the range, the bearing of each from the other's bow, and
// the side that each shows the other.
type Moment struct {
	Range           int
	Mine, His       hex.Point
	MySide, HisSide int
}

// Outlook is the value of a way, and its best shot: value, range, and side of the enemy.
type Outlook struct {
	Worth, Gain int
	Range, Side int
}

// Weights, relative to each other. With these figures the scenarios are even and no simple trick beats a robot.
const (
	inside  = 4  // a point inside, relative to one on a shield
	gained  = 10 // the best shot of the turn
	feared  = 8  // the enemy's
	later   = 3  // what both can do next, at a range shorter by closer
	closer  = 4
	apart   = 18 // each hex between the two at the end of the turn
	lurking = 60 // each hex off the desired range, for a ship that hides
)

// at returns Hits for a range and bearing, from the cache if known.
func (s *Ship) at(rng int, bearing hex.Point) int {
	if rng > far {
		return 0
	}
	known := &s.hits[rng][bearing]
	if *known == 0 {
		*known = int16(1 + s.Hits(rng, bearing))
	}
	return int(*known) - 1
}

// worth returns the value of hits on a shield.
func worth(hits, shield int) int {
	through := max(0, hits-6*shield)
	return hits - through + inside*through
}

// move moves a ship through an impulse.
func (sp *Space) move(s *Motion, w *Way, other engine.Place, impulse int) {
	if s.Speed == 0 && w.Face != nil {
		s.At.Heading = w.Face(s.At, other)
	}
	for range sp.Moves(s.Speed, impulse) {
		to, turned := w.Next(s.At, other, s.Straight >= s.Mode)
		s.At = to
		s.Straight++
		if turned {
			s.Straight = 1
		}
	}
}

// Foresee follows two ships through the rest of a turn. It returns nil if the first would leave the map, or could not
// avoid leaving it next.
func (sp *Space) Foresee(me, foe Motion, mine, his *Way) []Moment {
	out := make([]Moment, 0, max(0, sp.Last-sp.First+1))
	for impulse := sp.First; impulse <= sp.Last; impulse++ {
		sp.move(&foe, his, me.At, impulse)
		sp.move(&me, mine, foe.At, impulse)
		if sp.Off(me.At.Hex) {
			return nil
		}
		m := Moment{Range: hex.Distance(me.At.Hex, foe.At.Hex)}
		if p, apart := hex.Bearing(me.At.Hex, foe.At.Hex); apart {
			m.Mine = p.Relative(me.At.Heading)
			_, m.MySide, _ = hex.Side(m.Mine)
			p, _ = hex.Bearing(foe.At.Hex, me.At.Hex)
			m.His = p.Relative(foe.At.Heading)
			_, m.HisSide, _ = hex.Side(m.His)
		}
		out = append(out, m)
	}
	if me.Speed > 1 && sp.Off(me.At.Hex.StepN(me.At.Heading, max(1, me.Mode-me.Straight+1))) {
		return nil
	}
	return out
}

// Weigh returns the value of a turn to the first of two ships: her best shot against the enemy's best, and what both
// could do next. If she hides, lurk is the range she wants at the end; otherwise it is 0.
func Weigh(me, foe *Ship, turn []Moment, lurk int) (o Outlook) {
	loss := 0
	for _, m := range turn {
		if gain := worth(me.at(m.Range, m.Mine), foe.Shields[m.HisSide]); gain >= o.Gain {
			o.Gain, o.Range, o.Side = gain, m.Range, m.HisSide
		}
		loss = max(loss, worth(foe.at(m.Range, m.His), me.Shields[m.MySide]))
	}
	end := turn[len(turn)-1]
	near := max(2, end.Range-closer)
	next := later * (worth(me.at(near, 0), foe.Shields[end.HisSide]) - worth(foe.at(near, 0), me.Shields[end.MySide]))
	if o.Worth = gained*o.Gain - feared*loss + next - apart*end.Range; lurk > 0 {
		o.Worth = next - lurking*max(end.Range-lurk, lurk-end.Range)
	}
	return o
}
