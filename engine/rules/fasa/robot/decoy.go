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

// farthestStation is the most hexes that a robot's decoy stays from her ship.
const farthestStation = 4

// beside returns a turn, or a round of it, of a decoy that need not leave the map: she keeps station on the nearest
// ship of her side that is no decoy, at her present place.
func (l *Rules) beside(v *engine.View, s *engine.ShipView, sys *ship.State, round int) (set orders.Set) {
	so := standing(v, s, sys)
	so.Missing = sys.Standing.Missing // otherwise she would repeat orders without a place
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

// leader returns the nearest ship of a decoy's side that is no decoy; nil if none is in sight.
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

// seenThrough reports whether a ship's captain knows that another is a decoy: identified as one, or known by a lock.
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
