package rulebook

import (
	"slices"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/ship"
)

// veils reports whether anything may hide a ship in a game.
func (l *Rules) veils(g *engine.Game) bool { return g.Blind != nil || len(l.Concealments) > 0 }

// unlit returns the concealment by darkness, the book's own included: a ship is hidden from
// ships whose sensors do not detect her. A warp field alone shows no ship.
func (l *Rules) unlit(g *engine.Game, of *engine.Ship) Hides {
	return func(by *engine.Ship) bool { return l.detects(g, by, of) < blind.Presence }
}

// Friends reports whether a ship's captain takes another for one of the same side: in the dark, if known for one.
func (l *Rules) Friends(g *engine.Game, s, o *engine.Ship) bool {
	if g.Blind == nil || o.Side != s.Side {
		return o.Side == s.Side
	}
	_, friend := dark.Finds(l.Self, g, s.Captain, o)
	return friend
}

// detects returns how much a ship's sensors show of another.
func (l *Rules) detects(g *engine.Game, by, of *engine.Ship) blind.Level {
	return dark.Detects(l.Self, g, by, of)
}

// veiled reports whether something other than distance hides a ship from another: the book's
// own shadows and cloaks.
func (l *Rules) veiled(g *engine.Game, by, of *engine.Ship) bool {
	return slices.ContainsFunc(l.Concealments, func(c Concealment) bool {
		from := c(l, g, of)
		return from != nil && from(by)
	})
}

// TooFaint returns why a ship can have no lock on another in the dark: that takes level 2.
func (l *Rules) TooFaint(g *engine.Game, s, target *engine.Ship) string {
	if g.Blind == nil || l.detects(g, s, target) >= blind.Rough {
		return ""
	}
	return "her own sensors show too little there for a lock"
}

// Locked reports whether a ship has a lock on another.
func Locked(s *engine.Ship, target engine.ShipID) bool { return ship.Of(s).Holds(target) }

// LockTells reports whether a firer has a lock on the target. With a lock the firer learns
// what hits did, without one only whether and where they struck (stcs 7.7, ruling D26).
func LockTells(g *engine.Game, from engine.ShipID, target *engine.Ship) bool {
	s, ok := g.Ship(from)
	return ok && Locked(s, target.ID)
}
