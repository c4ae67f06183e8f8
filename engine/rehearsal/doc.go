// Package rehearsal plays the turn that is due many times with other dice, from what one captain knows and nothing else, and
// counts what comes of it: hits, damage, losses, where ships end.
//
// The game that is played is made of a view. What the view does not tell is assumed, by the rules of each family: a ship as
// her class has it when new, less what the viewer was told that she has lost. Each such guess is named in the result. All
// is in the open in that game; ships that are out of sight are not in it.
//
// It is pure: the same task gives the same result. The dice come of the task's seed; those of the real game are not known
// here. The work is bounded: at most MaxTimes battles, and none begins once the events of those before have used up the budget.
package rehearsal

import (
	"cmp"
	"fmt"

	"starpost/engine"
	"starpost/orders"
)

// Bounds of the work.
const (
	UsualTimes = 100
	MaxTimes   = 1000
	// UsualBudget are the events of some thousand turns of a duel, or of a hundred with 20 ships.
	UsualBudget = 400_000
)

// Task is what is rehearsed: the turn, or the round, that is due in a view.
type Task struct {
	Rules  *engine.Rules
	View   *engine.View
	Sets   []Set   // of the viewer's seats; what has none keeps course
	Others []Other // ships of others that no robot commands
	Times  int     // that are asked for; 0: UsualTimes
	Most   int     // that are played at most; 0: all
	Seed   uint64
	Budget int // of events; 0: UsualBudget
}

// Set is the order set of a seat, in order.
type Set struct {
	Seat  engine.Seat
	Block orders.Block
}

// Other says how another's ship acts.
type Other struct {
	Ship engine.ShipID `json:"ship"`
	By   string        `json:"by"`
	Text string        `json:"text,omitempty"` // orders that are written for her
}

// How another's ship can act.
const (
	ByRobot  = "robot"  // as a robot would order in her captain's place
	ByKeep   = "keep"   // course and speed kept, and nothing fired
	ByOrders = "orders" // by orders that are written for her
)

// A Refusal says why a task cannot be rehearsed, and a way out.
type Refusal struct {
	Problem, Way string
	// Ship, as the task names her, has orders with mistakes, and these are their diagnostics.
	Ship        engine.ShipID
	Diagnostics []orders.Diagnostic
}

// Error is the problem.
func (r *Refusal) Error() string { return r.Problem }

// Hint is the way out.
func (r *Refusal) Hint() string { return r.Way }

func refuse(way, format string, args ...any) error {
	return &Refusal{Problem: fmt.Sprintf(format, args...), Way: way}
}

// bounded gives a task its usual bounds, or says what cannot be played.
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
