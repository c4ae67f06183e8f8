package robot

import (
	"cmp"
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/orders"
)

// layMines lays the mines of the side's own fields before the first turn: across the way of an
// enemy that is in sight, otherwise as far from each other as possible. Dummies are left to the
// dice. The last ship of the side does it for all; mines that captains of earlier ships ordered
// are laid first.
func (c *Commander) layMines() {
	if c.View.Due != 1 {
		return
	}
	for _, s := range slices.Backward(c.View.Ships) {
		if s.Side != c.Ship.Side || s.Status != engine.Active {
			continue
		}
		if s.ID != c.Ship.ID {
			return
		}
		break
	}
	sea := c.safe()
	for _, f := range c.View.Terrain {
		if f.Kind != board.Minefield || f.Side != c.Ship.Side || f.Gone || f.Figure[board.FigureMines] == 0 {
			continue
		}
		var free []hex.Hex
		for _, h := range f.Hexes {
			if !sea.Closed[h] {
				free = append(free, h)
			}
		}
		slices.SortFunc(free, hex.Compare)
		var laid []string
		for _, h := range c.chosen(free, f.Figure[board.FigureMines]) {
			laid = append(laid, h.Label())
		}
		if len(laid) > 0 {
			c.Head = append(c.Head, orders.Say("lay mines", laid))
		}
	}
}

// chosen returns n of the hexes: those nearest the direct way from the target to here, the ones
// nearest the target first; without a target in sight, each as far as possible from those
// before it.
func (c *Commander) chosen(free []hex.Hex, n int) []hex.Hex {
	n = min(n, len(free))
	if c.Foe != nil && c.Foe.Sight == engine.Seen {
		from, to := *c.Foe.Hex, *c.Ship.Hex
		slices.SortStableFunc(free, func(a, b hex.Hex) int {
			off := func(h hex.Hex) int { return hex.Distance(from, h) + hex.Distance(h, to) }
			return cmp.Or(cmp.Compare(off(a), off(b)), cmp.Compare(hex.Distance(from, a), hex.Distance(from, b)))
		})
		return free[:n]
	}
	var out []hex.Hex
	for len(out) < n {
		out = append(out, slices.MaxFunc(free, func(a, b hex.Hex) int { return cmp.Compare(clearance(a, out), clearance(b, out)) }))
	}
	return out
}

// clearance returns the distance of a hex from the nearest of others.
func clearance(h hex.Hex, others []hex.Hex) int {
	least := 99 // a greater distance is no better
	for _, o := range others {
		least = min(least, hex.Distance(h, o))
	}
	return least
}
