package board

import (
	"starpost/engine"
	"starpost/engine/hex"
)

// Distance is how far two ships of a view are from each other, whose hexes are known.
func Distance(a, b *engine.ShipView) int { return hex.Distance(*a.Hex, *b.Hex) }

// Nearest is the nearest enemy ship in sight and in the fight that is not known to be a decoy, the first by id of equals.
func Nearest(v *engine.View, s *engine.ShipView) *engine.ShipView {
	var best *engine.ShipView
	for _, o := range v.Ships {
		if o.Side == s.Side || o.Kind != engine.KindShip || o.Hex == nil || o.Status != engine.Active || o.Sight != engine.Seen {
			continue
		}
		if best == nil || Distance(s, o) < Distance(s, best) {
			best = o
		}
	}
	return best
}
