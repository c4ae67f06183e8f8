package sfb

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/rules/sfb/sheet"
)

// noTurns is the hexes straight before a turn of a ship that cannot turn.
const noTurns = 1000

const uncontrolled = "no control box is left"

// controlPart is ships that need a bridge, or what else they can be controlled from, to turn
// and to fire (ruling H19).
var controlPart = part{
	has: func(b *Book) bool { return b.Controls },
	sheet: func(_ *rulebook, _ *engine.View, sys *System) []string {
		if !sys.controlled() {
			return []string{uncontrolled + " (bridge, flag, emergency, auxiliary): she goes straight on, and fires and launches nothing"}
		}
		return nil
	},
	mark: func(_ *engine.View, known Open) string {
		if (&System{Sheet: known.Sheet, Dealings: Dealings{Steered: known.Steered}}).controlled() {
			return ""
		}
		return "out of control"
	},
}

// controlled tells whether a ship has a box left that she can be controlled from, or needs none.
func (s *System) controlled() bool {
	boxes := s.Sheet.Count(sheet.Bridge, sheet.FlagBridge, sheet.Emergency, sheet.Auxiliary)
	return !s.Steered || boxes.All == 0 || boxes.Left > 0
}

// tooSoonWords is why a ship cannot turn yet.
func tooSoonWords(moved, mode int) string {
	if mode >= noTurns {
		return uncontrolled
	}
	return fmt.Sprintf("she has moved %d of %d hexes straight", moved, mode)
}
