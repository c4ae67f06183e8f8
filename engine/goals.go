package engine

import "slices"

// Goals that a scenario may set.
const (
	GoalDestroy  = "destroy"   // the ships are destroyed, have nothing left to destroy, or have surrendered
	GoalCripple  = "cripple"   // ... or crippled
	GoalDriveOff = "drive-off" // ... or have left: out of the fight in any way
	GoalExit     = "exit"      // own ships left over an edge
	GoalSurvive  = "survive"   // own ships are still in the fight after a turn
	GoalPoints   = "points"    // the side has a number of points
	GoalFile     = "file"      // own ships left over an edge with a file aboard
)

// Goals lists the kinds of goal in the order of the documentation.
func Goals() []string {
	return []string{GoalDestroy, GoalCripple, GoalDriveOff, GoalExit, GoalSurvive, GoalPoints, GoalFile}
}

// Victory is how a battle is won.
type Victory struct {
	LastTurn int    `json:"last_turn,omitempty"` // after it the points decide; 0 for no last turn
	Goals    []Goal `json:"goals,omitempty"`
}

// Goal is one way for a side to win. Ships are ids; if there are none, all enemy ships count (or all own ships for
// exit, survive and file). Count is how many of them it takes, 0 for all.
type Goal struct {
	Side   string   `json:"side"`
	When   string   `json:"when"`
	Ships  []ShipID `json:"ships,omitempty"`
	Count  int      `json:"count,omitempty"`
	Edge   string   `json:"edge,omitempty"`
	Turn   int      `json:"turn,omitempty"`
	Points int      `json:"points,omitempty"`
	File   string   `json:"file,omitempty"`
}

// Result is how a game ended.
type Result struct {
	Side string `json:"side,omitempty"`
	Draw bool   `json:"draw,omitempty"`
	Why  string `json:"why"`
	Turn int    `json:"turn"`
}

func (v Victory) clone() Victory {
	v.Goals = slices.Clone(v.Goals)
	for i := range v.Goals {
		v.Goals[i].Ships = slices.Clone(v.Goals[i].Ships)
	}
	return v
}

// OfOwn reports whether a goal is about its own side's ships.
func (g Goal) OfOwn() bool { return g.When == GoalExit || g.When == GoalSurvive || g.When == GoalFile }

// Describe returns a result in words.
func (r *Result) Describe(sideName func(id string) string) string {
	if r == nil {
		return ""
	}
	if r.Draw {
		return "The battle is a draw: " + r.Why
	}
	return "Victory: " + sideName(r.Side) + " (" + r.Why + ")"
}
