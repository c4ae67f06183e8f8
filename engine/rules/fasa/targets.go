package fasa

import (
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
)

// sensorAims are the words that need sensors.
func sensorAims() map[string]aim {
	return map[string]aim{board.AimNearest: nearestFoe, board.AimLocked: lockedShip}
}

// nearestFoe is the nearest enemy in the fight whose place the captain knows, the
// first by id of equals, or in the dark by its number on his list: who it is may not show there.
func nearestFoe(l *rulebook, g *engine.Game, s *engine.Ship) engine.ShipID {
	best, at := engine.ShipID(""), 0
	for _, o := range slices.Concat(g.Ships, dark.Echoes(l.self, g, s)) {
		if o.Status != engine.Active || o.Small() || l.friends(g, s, o) || !l.aware(g, s, o) {
			continue
		}
		if d := hex.Distance(s.Hex, o.Hex); best == "" || d < at || d == at && g.Blind.Before(s.Captain, o.ID, best) {
			best, at = o.ID, d
		}
	}
	return best
}

// lockedShip is the ship on which a ship has its lock.
func lockedShip(_ *rulebook, _ *engine.Game, s *engine.Ship) engine.ShipID {
	return ship.Of(s).LockTarget()
}

// isAim tells whether a word stands for a ship in this course, and how it is written.
func (l *rulebook) isAim(word string) (string, bool) {
	word = strings.ToLower(word)
	_, ok := l.aims[word]
	return word, ok
}

// aimed is the ship that an order's target means now. A name means itself.
func (l *rulebook) aimed(g *engine.Game, s *engine.Ship, target engine.ShipID) engine.ShipID {
	if find, ok := l.aims[string(target)]; ok {
		return find(l, g, s)
	}
	if g.Blind != nil && target != "" && target != noTarget {
		return l.meant(g, s, string(target))
	}
	return target
}

// aimedInView is aimed for one who knows no more than a view, for a ship of his as
// if it stood at a place.
func (l *rulebook) aimedInView(v *engine.View, ship engine.ShipID, sys *ship.State, at engine.Place, target engine.ShipID) engine.ShipID {
	if _, ok := l.isAim(string(target)); !ok {
		return target
	}
	if target == board.AimLocked {
		return sys.LockTarget()
	}
	s, ok := v.Ship(ship)
	if !ok {
		return ""
	}
	there := *s
	there.Hex = &at.Hex
	if foe := board.Nearest(v, &there); foe != nil {
		return foe.ID
	}
	return ""
}
