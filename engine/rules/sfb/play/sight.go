package play

import (
	"slices"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
)

// Hidden reports whether a ship is off the map for other sides: cloaked, with no plasma torpedo seeking her (house
// 41.7, 41.71).
func Hidden(b *rulebook.Book, g *engine.Game, s *engine.Ship) bool {
	return b.Cloak.Hides && !s.Small() && state.Cloaked(s) && !slices.ContainsFunc(state.Drones(g), func(d *engine.Ship) bool {
		return d.Kind == engine.KindPlasma && state.Of(d).Flight.Target == s.ID
	})
}

// sees reports whether a ship can see another.
func sees(b *rulebook.Book, g *engine.Game, s, o *engine.Ship) bool {
	return s.Side == o.Side || !Hidden(b, g, o)
}

// seenBy returns who sees what happens to a ship: everyone, or only her own side if she is hidden; private fields
// only her captain.
func seenBy(b *rulebook.Book, g *engine.Game, s *engine.Ship) engine.See {
	see := engine.SeeAll(s.ID)
	if Hidden(b, g, s) {
		see.Among = mates(g, s)
	}
	return see
}

// mates returns the ships of a ship's side.
func mates(g *engine.Game, s *engine.Ship) (out []engine.ShipID) {
	for _, o := range g.Ships {
		if o.Side == s.Side && !o.Small() {
			out = append(out, o.ID)
		}
	}
	return out
}

// Look returns what a viewer can see of another captain's ship. A hidden one is only known to exist.
func Look(b *rulebook.Book, g *engine.Game, who engine.Viewer, s *engine.Ship) engine.Observation {
	if Hidden(b, g, s) && !slices.ContainsFunc(who.Ships, func(id engine.ShipID) bool {
		o, ok := g.Ship(id)
		return ok && o.Side == s.Side
	}) {
		since := state.Of(s).Under
		return engine.Observation{Sight: engine.Lost, Since: engine.Moment{Turn: since.Turn, Phase: since.Impulse}}
	}
	return engine.Observation{Known: state.Public(s)}
}

// fair reports whether a ship can be fired at.
func fair(s *engine.Ship) bool {
	return s.Status == engine.Active || s.Status == engine.Crippled
}

// apart reports whether an obstacle lies between two ships of a game.
func apart(l *rulebook.Rules, g *engine.Game, a, b *engine.Ship) bool {
	return len(g.Terrain) > 0 && !steering.SpaceOf(nil, l.Ground, g.Features()).Clear(a.Hex, b.Hex)
}

// space returns the space of a turn.
func space(l *rulebook.Rules, t *engine.Turn) *steering.Space {
	n := memo(t)
	if n.space == nil {
		n.space = steering.SpaceOf(t.Game.Bounds, l.Ground, t.Game.Features())
	}
	return n.space
}

// known returns the space by which a craft flies: that of the turn or, if the chart is unknown, what is on the chart
// of the captain who launched it.
func known(l *rulebook.Rules, t *engine.Turn, d *engine.Ship) *steering.Space {
	if !t.Game.Blind.Uncharted() {
		return space(l, t)
	}
	return steering.SpaceOf(t.Game.Bounds, l.Ground, slices.Values(dark.In(t).Chart(d)))
}

// Obstacles are the bodies that nothing can enter, see or fire across (house 9.73 knows them, ruling H20).
func Obstacles() map[string]engine.Ground {
	return map[string]engine.Ground{
		"planet": {Closed: true, Opaque: true, Looks: blind.Signature{Large: true}},
		"moon":   {Closed: true, Opaque: true, Looks: blind.Signature{Large: true}},
	}
}

// openly makes events visible to all, except in games in the dark.
func openly(g *engine.Game) engine.See {
	if g.Blind != nil {
		return engine.See{}
	}
	return engine.SeeAll()
}
