package sfb

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
)

// aiming is what a book says of fire at a row of the damage allocation chart.
type aiming struct {
	// Navy is that whose ships may aim within Range, moving or not, and do half of what gets
	// inside (house 36.1). All ships may at range 0, both at rest (house 7.59).
	Navy  string
	Range int
}

// aimed is fire at a row of the chart.
type aimed struct {
	row  int // 0: what is thrown decides
	half bool
}

// aimedAt tells how a ship's fire at a row strikes a target now, or why it cannot be aimed.
func (l *rulebook) aimedAt(t *engine.Turn, s, target *engine.Ship, row int) (a aimed, why string) {
	rng := hex.Distance(s.Hex, target.Hex)
	switch {
	case target.Small():
		return a, "fire can be aimed at parts of ships only"
	case rng == 0 && l.atRest(t, s) && l.atRest(t, target):
		return aimed{row: row}, ""
	case of(s).Aims && t.Game.Blind != nil && !dark.HasSheet(t.Game, s.Captain, target.ID):
		return a, "her people have no sheet of that ship: laboratories draw one"
	case of(s).Aims && rng <= l.Aiming.Range:
		return aimed{row: row, half: true}, ""
	case of(s).Aims:
		return a, fmt.Sprintf("at range %d: she can aim at %d or less", rng, l.Aiming.Range)
	case rng > 0:
		return a, fmt.Sprintf("at range %d: she can aim at 0 only, if both ships are at rest", rng)
	}
	return a, "both ships must be at rest, in this impulse and the last"
}

// atRest tells whether a ship has moved neither in this impulse nor in the last (ruling R5).
func (l *rulebook) atRest(t *engine.Turn, s *engine.Ship) bool {
	n, impulse := memo(t), t.Phase.No
	last, moved := n.moved[s.ID]
	if impulse == 1 && l.moves(n.speeds[s.ID], l.Impulses) > 0 {
		return false
	}
	return !moved || last < impulse-1
}
