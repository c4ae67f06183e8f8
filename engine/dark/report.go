package dark

import (
	"slices"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/hex"
)

// sameFind is within how many hexes of a place that a mate told of a turn ago a robot takes what it finds for the same.
const sameFind = 8

// ReportOrder is the order, a line, by which a robot tells its side in code what it has found in a game in the
// dark; blank for none. Since talk is overheard, it speaks by one ship of a captain as a turn begins, when it
// has found an enemy, or more of one, of whom another captain of its side may not know, and not in the turn after it
// spoke.
func ReportOrder(v *engine.View, s *engine.ShipView) string {
	own := func(o *engine.ShipView) bool { return o.Own && !o.Kind.Small() && o.Status == engine.Active }
	if i := slices.IndexFunc(v.Ships, own); !v.Dark || v.Mute || v.DueRound() > 1 || i < 0 || v.Ships[i].ID != s.ID {
		return ""
	}
	fresh := map[blind.ContactNo]bool{}
	for _, e := range v.Events {
		switch b := e.Body.(type) {
		case *engine.Talk:
			if from, ok := v.Ship(b.Ship); ok && from.Own {
				return ""
			}
		case *SensorContact:
			fresh[b.No] = fresh[b.No] || b.New || b.More
		}
	}
	if !slices.ContainsFunc(v.Ships, func(o *engine.ShipView) bool {
		return o.Sensed != nil && (v.Turn == 0 || fresh[o.Sensed.No]) && o.Sensed.Told == "" && o.Sight != engine.Lost && o.Kind == engine.KindShip && o.Side != s.Side && newToMates(v, s, *o.Hex)
	}) {
		return ""
	}
	return engine.VerbReport + " contacts\n"
}

// newToMates tells whether another captain of a ship's side may not know of an enemy at a place: he is not where plain
// sensors find that, or may not be, and no one has told of it.
func newToMates(v *engine.View, s *engine.ShipView, at hex.Hex) bool {
	reach := blind.Suite{}.Reach(blind.Presence, false)
	out := false
	for _, o := range v.Ships {
		switch {
		case o.Sensed != nil && o.Sensed.Told != "" && o.Since != nil && o.Since.Turn >= v.Turn-1 && hex.Distance(*o.Hex, at) <= sameFind:
			return false
		case !o.Own && o.Side == s.Side && !o.Kind.Small() && o.Status == engine.Active:
			out = out || o.Hex == nil || o.Sight != engine.Seen || hex.Distance(*o.Hex, at) > reach
		}
	}
	return out
}
