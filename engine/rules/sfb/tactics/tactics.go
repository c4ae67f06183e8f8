// Package tactics decides how a robot of the cadet game fights an enemy: its speed, movement and fire, from the
// situation at the start of a turn.
package tactics

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/steering"
)

// Energy put on a shield each turn makes it stronger than any volley, so a ship that closes bow to bow loses to one
// that waits. A robot therefore waits too when the enemy comes near. Around an enemy that stands still, and so cannot
// turn, it circles out of range to a shield astern. With these figures its scenarios are even and no simple trick beats
// it.
const (
	usualSpeed  = 12
	usualRange  = 4  // hexes within which weapons matter
	ringRange   = 9  // at which a robot circles a stopped enemy
	afarRange   = 14 // hexes beyond which it approaches at the usual speed
	nearRange   = 3  // hexes within which ships fight closely
	waitSpeed   = 4  // when waiting
	closeSpeed  = 8  // when fighting closely
	runnerSpeed = 9  // an enemy faster than this that shows its stern is fleeing
)

// A ship with a cloak has plasma torpedoes, and without them is outmatched. Until they are armed she keeps away, and
// cloaks only if an enemy is near anyway, because the cloak costs speed. She launches at an approaching enemy, or close
// by: from farther away the torpedoes burn out behind an enemy that turns and flees. Her enemy does that, and stays
// wary until she has launched.
const (
	clearRange = 16 // at which she keeps away
	hideRange  = 8  // at which she stays cloaked
	chaseRange = 11 // hexes from a fleeing enemy within which she slows down to arm all torpedoes
	waryRange  = 6  // how near her enemy comes while she may launch
)

// Ship is what is known of a ship at the start of a turn.
type Ship struct {
	At      engine.Place
	Speed   int
	Shields [6]int
	Armed   bool // has any weapon
	Cloak   int  // energy of the cloak; 0: no cloak
	Cloaked bool
}

// Duel is the situation of a robot and its nearest enemy.
type Duel struct {
	Turn, MaxSpeed int
	Me, Foe        Ship
	Was            *hex.Hex // where the enemy began the previous turn
	Power          int      // of the robot's ship
	First          bool     // the robot's side is the game's first
	OnlyPhotons    bool     // the robot has photon torpedoes and no phasers
	Torpedoes
}

// Torpedoes describes plasma torpedoes. All is the energy that the robot's torpedoes take this turn, Most that of the
// most expensive one, and Ready whether they can be launched. Turns is how long arming takes. Thrown means the enemy
// launched recently and has none left; Seeks means they seek the robot.
type Torpedoes struct {
	All, Most     int
	Ready         bool
	Turns         int
	Thrown, Seeks bool
}

// Stance is how a robot moves and fires in a turn.
type Stance struct {
	Speed  int
	Side   int      // that gets the energy left over
	Hide   bool     // cloaks
	First  []string // movement orders that come first in each phase
	Moves  []string // the movement order of each phase; the last is repeated
	Fire   string   // the condition to fire; "" holds fire
	Last   int      // hexes within which it always fires on the last impulse
	Launch string   // the condition to launch on
}

// launchAlways is the condition to launch for ships without special launch orders.
const launchAlways = "range <= 12 and range >= 2"

// Stance returns a robot's stance in a turn.
func (d *Duel) Stance() (how Stance) {
	mine, _ := steering.Facing(d.Me.At, d.Foe.At.Hex) // the robot's side facing the enemy
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

// evading returns first movement orders that put fleeing from torpedoes before anything else.
func evading(then ...string) []string {
	return append([]string{"flee nearest when drones > 0"}, then...)
}

// his returns the enemy's side that faces the robot; on a line, the one to the right.
func (d *Duel) his() int {
	side, _ := steering.Facing(d.Foe.At, d.Me.At.Hex)
	return side
}

// astern reports whether the enemy shows one of its three rear sides.
func (d *Duel) astern() bool { return d.his() >= 2 && d.his() <= 4 }

// rng returns the distance to the enemy.
func (d *Duel) rng() int { return hex.Distance(d.Me.At.Hex, d.Foe.At.Hex) }

// comes reports whether the enemy came nearer to the robot's present hex last turn.
func (d *Duel) comes() bool { return d.Was != nil && hex.Distance(*d.Was, d.Me.At.Hex)-d.rng() >= 2 }

// ambush returns the stance of a ship with a cloak.
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

// approach returns the stance against an enemy that launches no torpedoes now.
func (d *Duel) approach() Stance {
	rng := d.rng()
	mine, apart := steering.Facing(d.Me.At, d.Foe.At.Hex)
	face, in := "face nearest", "pursue nearest to 2"
	if d.OnlyPhotons { // they are useless next to the enemy
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
	case rng <= 1 && d.Me.At.Heading == d.Foe.At.Heading && d.Me.Speed == d.Foe.Speed: // side by side, neither would ever bear on the other
		turn := "L"
		if d.First {
			turn = "R"
		}
		return Stance{Speed: usualSpeed, Moves: []string{"move " + turn + " " + turn, in}, Fire: "range <= 3", Last: 8}
	}
	return Stance{Speed: closeSpeed, Moves: []string{face}, Fire: "range <= 3", Last: 8}
}

// stalk circles a stopped enemy to its weakest rear shield, and then closes in; mine is the robot's side facing the
// enemy.
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
