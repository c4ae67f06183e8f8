// Package tactics is how a robot of the cadet game meets an enemy: from how things stand as a turn begins, its speed, its
// movement and when it fires.
package tactics

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/steering"
)

// Energy that goes to a shield each turn makes it stronger than any volley, so who comes on bow to bow loses to who waits: a
// robot waits too as the enemy comes near. Round one who stands, and so cannot turn, it goes out of his reach to a shield
// astern. The figures are those with which its scenarios are even and no simple trick beats it.
const (
	usualSpeed  = 12
	usualRange  = 4  // hexes within which weapons count
	ringRange   = 9  // at which a robot goes round one who stands
	afarRange   = 14 // hexes from which on it comes on at the usual speed
	nearRange   = 3  // hexes within which ships are at grips
	waitSpeed   = 4  // of one who waits
	closeSpeed  = 8  // of one at grips
	runnerSpeed = 9  // above which an enemy who shows his stern runs
)

// A ship with a cloak has torpedoes of plasma, and without them is no match. Until they are armed she keeps off, under her
// cloak only from who is near all the same: it takes her speed. She throws them at who comes on, or close by: from farther
// off they burn out behind who turns and flies. That is what her enemy does, and until she has thrown them he is wary.
const (
	clearRange = 16 // at which she keeps off
	hideRange  = 8  // at which she stays under her cloak
	chaseRange = 11 // hexes from a runner within which she slows down to arm all her torpedoes
	waryRange  = 6  // how near her enemy comes to one who may throw them
)

// Ship is what is known of a ship as a turn begins.
type Ship struct {
	At      engine.Place
	Speed   int
	Shields [6]int
	Armed   bool // with any weapon
	Cloak   int  // the energy that her cloak takes; 0: she has none
	Cloaked bool
}

// Duel is how things stand between a robot and its nearest enemy.
type Duel struct {
	Turn, MaxSpeed int
	Me, Foe        Ship
	Was            *hex.Hex // where the enemy began the turn before
	Power          int      // of mine
	First          bool     // mine is the first side of the game
	OnlyPhotons    bool     // I have photon torpedoes and no phasers
	Torpedoes
}

// Torpedoes is what there is to know of torpedoes of plasma: of mine what energy all of them take in this turn, and the one
// that takes most, and whether they can be thrown in it; how many turns they take; and whether the enemy threw some of late,
// so that he has none, and they seek me.
type Torpedoes struct {
	All, Most     int
	Ready         bool
	Turns         int
	Thrown, Seeks bool
}

// Stance is how a robot flies and fires in a turn.
type Stance struct {
	Speed  int
	Side   int      // that gets what energy is left
	Hide   bool     // under its cloak
	First  []string // movement orders that go before others in each phase
	Moves  []string // the movement order of each phase; the last is that of the phases that are left
	Fire   string   // the condition to fire on; blank: it fires nothing
	Last   int      // hexes within which it fires on the last impulse in any case
	Launch string   // the condition to launch on
}

// launchAlways is the condition to launch on but for those who hide.
const launchAlways = "range <= 12 and range >= 2"

// Stance is a robot's in a turn.
func (d *Duel) Stance() (how Stance) {
	mine, _ := steering.Facing(d.Me.At, d.Foe.At.Hex) // my side that is towards him
	switch torpedoes := d.Foe.Cloak > 0; {
	case !d.Me.Armed && d.Foe.Armed:
		how = Stance{Speed: d.MaxSpeed, First: []string{"flee nearest"}, Moves: []string{"disengage"}}
	case d.Me.Cloak > 0:
		how = d.ambush()
	case torpedoes && d.Seeks:
		how = Stance{Speed: d.MaxSpeed, First: evading(), Moves: []string{"pursue nearest to 3"}, Fire: "range <= 3", Last: 8}
	case torpedoes && !d.Thrown && d.Turn >= d.Turns && (d.Foe.Cloaked || !d.astern() && d.comes()):
		keep := fmt.Sprintf("flee nearest when range <= %d", waryRange)
		how = Stance{Speed: usualSpeed, First: evading(keep), Moves: []string{fmt.Sprintf("pursue nearest to %d", waryRange)}, Fire: fmt.Sprintf("range <= %d and not cloaked", usualRange), Last: 8}
	default:
		if how = d.approach(); torpedoes {
			how.First = evading()
		}
	}
	if how.Side = mine; how.Launch == "" {
		how.Launch = launchAlways
	}
	return how
}

// evading are first movement orders of one who flees from torpedoes before all.
func evading(then ...string) []string {
	return append([]string{"flee nearest when drones > 0"}, then...)
}

// his is the enemy's side that is towards me; on a line the one to the right.
func (d *Duel) his() int {
	side, _ := steering.Facing(d.Foe.At, d.Me.At.Hex)
	return side
}

// astern tells whether the enemy shows one of his three sides behind.
func (d *Duel) astern() bool { return d.his() >= 2 && d.his() <= 4 }

// rng is how far the enemy is.
func (d *Duel) rng() int { return hex.Distance(d.Me.At.Hex, d.Foe.At.Hex) }

// comes tells whether the enemy came nearer in the turn before to where I am.
func (d *Duel) comes() bool { return d.Was != nil && hex.Distance(*d.Was, d.Me.At.Hex)-d.rng() >= 2 }

// ambush is the stance of a ship with a cloak.
func (d *Duel) ambush() Stance {
	how := Stance{Speed: min(d.MaxSpeed, d.Power-d.All), Fire: "range <= 3", Last: 8}
	how.Launch = fmt.Sprintf("range <= %d or range <= %d and facing = 1", usualRange, hideRange)
	keep := usualRange
	switch runs := d.astern() && d.Foe.Speed > runnerSpeed; {
	case runs && d.rng() > chaseRange:
		how.Speed, keep = min(d.MaxSpeed, d.Power-d.Most), 1
	case runs && !d.Ready:
		how.Speed, keep = min(how.Speed, d.Foe.Speed), hideRange
	case runs:
		how.Launch, keep = "range <= 2", 1
	case !d.Ready && d.rng() <= hideRange:
		how.Hide, how.Speed, keep = true, max(waitSpeed, how.Speed-d.Me.Cloak), hideRange
	case !d.Ready:
		keep = clearRange
	}
	how.Moves = []string{fmt.Sprintf("pursue nearest to %d", keep)}
	return how
}

// approach is the stance against an enemy who throws no torpedoes now.
func (d *Duel) approach() Stance {
	rng := d.rng()
	mine, apart := steering.Facing(d.Me.At, d.Foe.At.Hex)
	face, in := "face nearest", "pursue nearest to 2"
	if d.OnlyPhotons { // which are of no use beside the enemy
		face, in = "pursue nearest to 3", "pursue nearest to 3"
	}
	runs := d.astern() && mine != 3 && d.Foe.Speed > runnerSpeed
	switch {
	case runs && rng > usualRange:
		return Stance{Speed: d.MaxSpeed, Moves: []string{"pursue nearest to 1"}, Fire: "range <= 2", Last: 6}
	case runs:
		return Stance{Speed: d.Foe.Speed, Moves: []string{in}, Fire: "range <= 2", Last: 6}
	case rng > afarRange:
		return Stance{Speed: usualSpeed, Moves: []string{"pursue nearest to 3"}, Fire: "range <= 3", Last: 4}
	case d.Foe.Speed == 0 && apart:
		return d.stalk(mine)
	case rng > nearRange && !d.comes():
		return Stance{Speed: min(usualSpeed, max(6, d.Foe.Speed+2)), Moves: []string{in}, Fire: "range <= 3", Last: 6}
	case rng > nearRange:
		return Stance{Speed: waitSpeed, Moves: []string{face}, Fire: "range <= 3", Last: 8}
	case rng <= 1 && d.Me.At.Heading == d.Foe.At.Heading && d.Me.Speed == d.Foe.Speed: // side by side neither would bear on the other for good
		turn := "L"
		if d.First {
			turn = "R"
		}
		return Stance{Speed: usualSpeed, Moves: []string{"move " + turn + " " + turn, in}, Fire: "range <= 3", Last: 8}
	}
	return Stance{Speed: closeSpeed, Moves: []string{face}, Fire: "range <= 3", Last: 8}
}

// stalk goes round an enemy who stands to his weakest shield astern, and then in; mine is my side that is towards him.
func (d *Duel) stalk(mine int) Stance {
	want, his, rng := 3, d.his(), d.rng()
	for _, side := range []int{2, 4} {
		if d.Foe.Shields[side] < d.Foe.Shields[want] {
			want = side
		}
	}
	turn := (want-his+9)%6 - 3 // sides to go, clockwise
	if turn == 0 {
		speed := max(0, min(usualSpeed, rng-2))
		if rng <= nearRange && mine == 0 {
			speed = 0
		}
		return Stance{Speed: speed, Moves: []string{"pursue nearest to 2"}, Fire: fmt.Sprintf("range <= 3 and facing = %d", his+1), Last: 5}
	}
	step := 1
	if turn < 0 {
		step = -1
	}
	var moves []string
	for i := range 4 {
		side := (his + step*min(i+1, max(turn, -turn)) + 6) % 6
		moves = append(moves, "course "+d.Foe.At.Hex.StepN(d.Foe.At.Heading.Turn(side), ringRange).Label())
	}
	return Stance{Speed: usualSpeed, Moves: moves, Fire: "range <= 3 and not facing = 1"}
}
