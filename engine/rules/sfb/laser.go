package sfb

import (
	"fmt"
	"strings"

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

// figures reads what a scenario gives for the lasers or particle beams of a ship, such as
// "5 to 4, 3 to 12": they hit with a die of 5 or less at up to 4 hexes.
func (c *commissioning) figures(k sheet.Kind, value any) {
	const most = 60
	text, _ := value.(string)
	var rows []state.HitRow
	var last state.HitRow
	for part := range strings.SplitSeq(text, ",") {
		need, upto, two := strings.Cut(strings.TrimSpace(part), " to ")
		n, err1 := sheet.Number(need, 1, 6)
		r, err2 := sheet.Number(upto, 1, most)
		if !two || err1 != nil || err2 != nil || r <= last.Upto || len(rows) > 0 && n > last.Need {
			c.bad(string(k), fmt.Sprintf(`%s = "5 to 4, 3 to 12": 5 or less at up to 4 hexes, 3 or less at up to 12`, k), "%s: expected the die that hits, 1 to 6, up to a range, 1 to %d, nearest first", k, most)
			return
		}
		last = state.HitRow{Upto: r, Need: n}
		rows = append(rows, last)
	}
	if c.sys.Figures == nil {
		c.sys.Figures = map[sheet.Kind][]state.HitRow{}
	}
	c.sys.Figures[k] = rows
}

// beams tells of a ship whose lasers or particle beams have no figures.
func (c *commissioning) beams() {
	for w := range c.sys.Weapons {
		b := c.sys.Bank(w)
		_, tried := c.given[string(b.Kind)]
		if c.book.Charts[b.Kind].Beam.Shield > 0 && !tried {
			c.given[string(b.Kind)] = ""
			c.bad("state", fmt.Sprintf(`give the ship state = {%s = "5 to 4, 3 to 12"}: the die that hits, up to a range`, b.Kind), "%s has a %s, %s, and the scenario has no figures for it", c.sys.Sheet.Class, b.Kind.Title(), b.Name)
		}
	}
}

// beamWords are what a hit does, in words.
func beamWords(h beamHits) string {
	return fmt.Sprintf("%d on a shield, or %d inside", h.Shield, h.Inside)
}
