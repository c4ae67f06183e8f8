package robot

import (
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// farthestStation is how far from her ship a robot's decoy stays, in hexes.
const farthestStation = 4

// beside is a turn, or a round of it, of a decoy whose side wants no ship off the map: she keeps station on the nearest
// of her side that is none, where she is.
func (l *Rules) beside(v *engine.View, s *engine.ShipView, sys *ship.State, round int) (set orders.Set) {
	so := standing(v, s, sys)
	so.Missing = sys.Standing.Missing // else she repeats orders without a place
	if lead := leader(v, s); lead != nil {
		away := max(1, min(farthestStation, board.Distance(s, lead)))
		way := hex.A
		off := func(h hex.Heading) int { return hex.Distance(lead.Hex.StepN(h, away), *s.Hex) }
		for h := range hex.F + 1 {
			if off(h) < off(way) {
				way = h
			}
		}
		if so.List(ship.Station) == nil {
			so.SetList(ship.Station, string(lead.ID), strconv.Itoa(away), way.String())
		}
	}
	if round <= 1 {
		power := ship.Settings{Shields: make([]int, 6)}
		ship.Raise(sys, &power, l.Ring.Nearest(l.Ahead()), sys.Power/2)
		set = ship.PowerOrders(sys, power)
	}
	return slices.Concat(set, l.Book.OfferStanding(v, s, sys, so))
}

// leader is the nearest ship of a decoy's side that is none, nil for none in sight.
func leader(v *engine.View, s *engine.ShipView) (best *engine.ShipView) {
	for _, o := range v.Ships {
		if o.Side != s.Side || o.Kind != engine.KindShip || o.Hex == nil || o.Status != engine.Active {
			continue
		}
		if best == nil || board.Distance(s, o) < board.Distance(s, best) {
			best = o
		}
	}
	return best
}

// seenThrough tells whether a ship's captain knows that another is a decoy: he knows who it is, or a lock of hers told it.
func seenThrough(s, o *engine.ShipView) bool {
	if o.Kind == engine.KindDecoy {
		return true
	}
	sys, own := s.System.(*ship.State)
	if !own {
		return false
	}
	a, told := sys.Learnt(o.ID, ship.AtLock)
	return told && a.Auto != nil && a.Auto.Class == engine.ClassDecoy
}
