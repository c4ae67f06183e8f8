package sfb

import (
	"fmt"

	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

// chart is that of a weapon of a ship. Lasers and particle beams have the figures that the
// scenario gives them (ruling R15).
func (b *Book) chart(sys *state.System, k sheet.Kind) fireChart {
	c := b.Charts[k]
	if c.Beam.Shield == 0 {
		return c
	}
	c.Rows = nil
	for _, r := range sys.Figures[k] {
		c.Rows = append(c.Rows, row{Upto: r.Upto, Need: r.Need, Points: c.Beam.Shield})
	}
	return c
}

// beamWords are what a hit does, in words.
func beamWords(h beamHits) string {
	return fmt.Sprintf("%d on a shield, or %d inside", h.Shield, h.Inside)
}
