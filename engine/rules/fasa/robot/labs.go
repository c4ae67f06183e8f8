package robot

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
)

const (
	litShare   = 10 // the part of a ship's power, one in so many, that goes to lit laboratories at most
	thiefRange = 4  // hexes that a ship keeps under her cloak from one whose file she may steal
)

// lit is how many laboratories a ship lights that has found nothing to fight in the dark: of those that
// her task leaves.
func lit(v *engine.View, sys *ship.State, task dark.LabTask) int {
	if !v.Dark {
		return 0
	}
	n := min(sys.Labs().Boxes-task.Boxes, sys.Power/litShare)
	if moves, pinned := sys.Pinned(); pinned {
		n = min(n, sys.Power-moves)
	}
	return max(0, n)
}

func labsOrder(lit int) string { return fmt.Sprintf("%s %d", ship.NameLabs, lit) }

// light lights laboratories, and keeps their power back.
func (c *Commander) light() {
	if n := lit(c.View, c.State, c.task); n > 0 {
		c.State.Power -= n
		c.AddPower(labsOrder(n))
	}
}

// attend keeps the ship beside one of her side, for the file that goes from one to the other, ready for whatever appears.
func (c *Commander) attend() {
	points := c.State.Design.Move.Points(c.State.Power / 2)
	if board.Distance(c.Ship, c.task.Near) <= 2*dark.TaskRange {
		points = min(points, max(c.Rules.Split.Phases(), c.State.Design.Move.Points(c.State.Power/4)))
	}
	if c.face(); c.Foe == nil || c.Foe.Sight != engine.Seen {
		c.light()
	}
	c.allRound(points)
	c.hunt()
	c.approach(c.task.Near, dark.TaskRange)
	c.fireAtAny()
}
