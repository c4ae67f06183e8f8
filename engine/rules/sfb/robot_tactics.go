package sfb

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/steering"
)

// How robots of the cadet game meet an enemy who cannot hide. Energy that goes to a shield each turn makes it stronger than
// any volley, so who comes on bow to bow loses to who waits: a robot waits too as the enemy comes near. Round one who
// stands, and so cannot turn, it goes out of his reach to a shield astern. The figures are those with which its scenarios
// are even and no simple trick beats it.
const (
	ringRange   = 9  // at which a robot goes round one who stands
	afarRange   = 14 // hexes from which on it comes on at robotSpeed
	nearRange   = 3  // hexes within which ships are at grips
	waitSpeed   = 4  // of one who waits
	closeSpeed  = 8  // of one at grips
	runnerSpeed = 9  // above which an enemy who shows his stern runs
)

// stance is how a robot flies and fires in a turn.
type stance struct {
	speed       int
	side        int      // that gets what energy is left
	moves       []string // movement orders of each phase; the last are those of the phases that are left
	fire        string   // the condition to fire on; blank: it fires nothing
	last        int      // hexes within which it fires on the last impulse in any case
	spare       int      // energy that it keeps when it overloads what it arms
	gain, worth int      // of its best shot, and of the turn
}

// stance is that of a robot against an enemy.
func (l *rulebook) stance(v *engine.View, s, foe *engine.ShipView, sys *System) stance {
	known, _ := openOf(foe)
	here, there := s.Stands(), foe.Stands()
	rng := hex.Distance(here.Hex, there.Hex)
	mine, _ := steering.Facing(here, there.Hex)    // my side that is towards him
	his, apart := steering.Facing(there, here.Hex) // his side that is towards me
	face, in := "face nearest", "pursue nearest to 2"
	if sys.Sheet.Count(Phaser1, Phaser2).Left == 0 && sys.Sheet.Count(Photon).Left > 0 { // photons are of no use beside the enemy
		face, in = "pursue nearest to 3", "pursue nearest to 3"
	}
	astern := his >= 2 && his <= 4
	switch {
	case !l.armed(&sys.Sheet) && l.armed(&known.Sheet):
		return stance{speed: l.MaxSpeed, side: mine, moves: []string{"flee nearest\n  disengage"}}
	case astern && mine != 3 && known.Speed > runnerSpeed && rng > robotRange:
		return stance{speed: l.MaxSpeed, side: mine, moves: []string{"pursue nearest to 1"}, fire: "range <= 2", last: 6}
	case astern && mine != 3 && known.Speed > runnerSpeed:
		return stance{speed: known.Speed, side: mine, moves: []string{in}, fire: "range <= 2", last: 6}
	case rng > afarRange:
		return stance{speed: robotSpeed, side: mine, moves: []string{"pursue nearest to 3"}, fire: "range <= 3", last: 4}
	case known.Speed == 0 && apart:
		return stalk(here, there, known, his, rng)
	case rng > nearRange && !comes(foe, here.Hex):
		return stance{speed: min(robotSpeed, max(6, known.Speed+2)), side: mine, moves: []string{in}, fire: "range <= 3", last: 6}
	case rng > nearRange:
		return stance{speed: waitSpeed, side: mine, moves: []string{face}, fire: "range <= 3", last: 8}
	case rng <= 1 && here.Heading == there.Heading && known.Speed == sys.Speed: // side by side neither would bear on the other for good
		turn := "L"
		if v.Sides[0].ID == s.Side {
			turn = "R"
		}
		return stance{speed: robotSpeed, side: mine, moves: []string{"move " + turn + " " + turn, in}, fire: "range <= 3", last: 8}
	}
	return stance{speed: closeSpeed, side: mine, moves: []string{face}, fire: "range <= 3", last: 8}
}

// armed tells whether a sheet has a weapon left.
func (l *rulebook) armed(s *Sheet) bool {
	return slices.ContainsFunc(s.Banks, func(b Bank) bool {
		_, weapon := l.Charts[b.Kind]
		return b.Left > 0 && (weapon || b.Kind.launches())
	})
}

// comes tells whether a ship came nearer to a hex in the turn before.
func comes(s *engine.ShipView, to hex.Hex) bool {
	return len(s.Trail) > 0 && hex.Distance(s.Trail[0].At.Hex, to)-hex.Distance(*s.Hex, to) >= 2
}

// stalk goes round an enemy who stands to his weakest shield astern, and then in.
func stalk(here, there engine.Place, known Open, his, rng int) stance {
	want := 3
	for _, side := range []int{2, 4} {
		if known.Sheet.Shields[side].Left < known.Sheet.Shields[want].Left {
			want = side
		}
	}
	mine, _ := steering.Facing(here, there.Hex)
	turn := (want-his+9)%6 - 3 // sides to go, clockwise
	if turn == 0 {
		speed := max(0, min(robotSpeed, rng-2))
		if rng <= nearRange && mine == 0 {
			speed = 0
		}
		return stance{speed: speed, moves: []string{"pursue nearest to 2"}, fire: fmt.Sprintf("range <= 3 and facing = %d", his+1), last: 5}
	}
	step := 1
	if turn < 0 {
		step = -1
	}
	var moves []string
	for i := range 4 {
		side := (his + step*min(i+1, abs(turn)) + 6) % 6
		moves = append(moves, "course "+there.Hex.StepN(there.Heading.Turn(side), ringRange).Label())
	}
	return stance{speed: robotSpeed, side: mine, moves: moves, fire: "range <= 3 and not facing = 1"}
}
