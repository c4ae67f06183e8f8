package play

import (
	"fmt"

	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

// Chart is that of a weapon of a ship. Lasers and particle beams have the figures that the
// scenario gives them (ruling R15).
func Chart(b *rulebook.Book, sys *state.System, k sheet.Kind) rulebook.FireChart {
	c := b.Charts[k]
	if c.Beam.Shield == 0 {
		return c
	}
	c.Rows = nil
	for _, r := range sys.Figures[k] {
		c.Rows = append(c.Rows, rulebook.Row{Upto: r.Upto, Need: r.Need, Points: c.Beam.Shield})
	}
	return c
}

// BeamWords are what a hit does, in words.
func BeamWords(h rulebook.BeamHits) string {
	return fmt.Sprintf("%d on a shield, or %d inside", h.Shield, h.Inside)
}
