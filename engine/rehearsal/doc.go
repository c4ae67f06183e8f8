// Package rehearsal plays the turn that is due many times with other dice, using only what one captain knows, and
// counts the results: hits, damage, losses, final positions.
//
// The game it plays is made from a view. What the view does not show is assumed by the rules of each family: a ship
// is as new in her class, except for what the viewer knows she has lost. The result lists each such assumption.
// Everything is in the open in that game; ships out of sight are left out.
//
// It is pure: the same task gives the same result. Dice come from the task's seed; those of the real game are
// unknown here. The work is bounded: at most MaxTimes battles, and none starts once earlier ones have used up the
// budget of events.
package rehearsal

import (
	"cmp"
	"fmt"

	"starpost/engine"
	"starpost/orders"
)

// Limits and defaults.
const (
	UsualTimes = 100
	MaxTimes   = 1000
	// UsualBudget is about a thousand turns of a duel, or a hundred with 20 ships.
	UsualBudget = 400_000
)

// Task is what to rehearse: the turn, or the round, that is due in a view.
type Task struct {
	Rules  *engine.Rules
	View   *engine.View
	Sets   []Set   // for the viewer's seats; seats without one keep course
	Others []Other // ships of others without a robot's orders
	Times  int     // number of battles asked for; 0: UsualTimes
	Most   int     // maximum number played; 0: all
	Seed   uint64
	Budget int // of events; 0: UsualBudget
}

// Set is the order set of a seat, without mistakes.
type Set struct {
	Seat  engine.Seat
	Block orders.Block
}

// Other says how another's ship acts.
type Other struct {
	Ship engine.ShipID `json:"ship"`
	By   string        `json:"by"`
	Text string        `json:"text,omitempty"` // orders written for her
}

// Ways in which another's ship can act.
const (
	ByRobot  = "robot"  // as a robot would order in place of her captain
	ByKeep   = "keep"   // keeps course and speed, and fires nothing
	ByOrders = "orders" // follows orders written for her
)

// A Refusal says why a task cannot be rehearsed, with a hint.
type Refusal struct {
	Problem, Way string
	// Ship, as the task names her, has orders with mistakes, described by Diagnostics.
	Ship        engine.ShipID
	Diagnostics []orders.Diagnostic
}

// Error returns the problem.
func (r *Refusal) Error() string { return r.Problem }

// Hint returns the hint.
func (r *Refusal) Hint() string { return r.Way }

func refuse(way, format string, args ...any) error {
	return &Refusal{Problem: fmt.Sprintf(format, args...), Way: way}
}

// bounded fills in a task's defaults, or returns why it cannot be played.
func (t Task) bounded() (Task, error) {
	t.Times, t.Budget = cmp.Or(t.Times, UsualTimes), cmp.Or(t.Budget, UsualBudget)
	switch {
	case t.Times < 1 || t.Times > MaxTimes:
		return t, refuse(fmt.Sprintf("the default is %d", UsualTimes), "a turn can be rehearsed 1 to %d times, not %d", MaxTimes, t.Times)
	case t.Rules.Filing != nil || t.Rules.Robot == nil:
		return t, refuse("ask the referee", "a referee plays the turns of %s, so they cannot be rehearsed", t.Rules.Name)
	case t.View.Due == 0:
		return t, refuse("", "the game is over, and no turn is due")
	case t.View.Viewer.All:
		return t, refuse("name a captain's ship", "a referee has no orders to rehearse")
	}
	return t, nil
}
