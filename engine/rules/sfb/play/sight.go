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

// Hidden tells whether a ship is off the map for others: cloaked, with no plasma torpedo that
// seeks her (house 41.7, 41.71).
func Hidden(b *rulebook.Book, g *engine.Game, s *engine.Ship) bool {
	return b.Cloak.Hides && !s.Small() && state.Cloaked(s) && !slices.ContainsFunc(state.Drones(g), func(d *engine.Ship) bool {
		return d.Kind == engine.KindPlasma && state.Of(d).Flight.Target == s.ID
	})
}

// sees tells whether a ship's people see another ship.
func sees(b *rulebook.Book, g *engine.Game, s, o *engine.Ship) bool {
	return s.Side == o.Side || !Hidden(b, g, o)
}

// seenBy is who sees what happens to a ship: all, or her own side if she is hidden, and what is not open to others
// her own captain.
func seenBy(b *rulebook.Book, g *engine.Game, s *engine.Ship) engine.See {
	see := engine.SeeAll(s.ID)
	if Hidden(b, g, s) {
		see.Among = mates(g, s)
	}
	return see
}

// mates are the ships of a ship's side.
func mates(g *engine.Game, s *engine.Ship) (out []engine.ShipID) {
	for _, o := range g.Ships {
		if o.Side == s.Side && !o.Small() {
			out = append(out, o.ID)
		}
	}
	return out
}

// Look is what a viewer makes out of another captain's ship; of one that is hidden no more than
// that there is one.
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

// fair tells whether a ship can be fired at.
func fair(s *engine.Ship) bool {
	return s.Status == engine.Active || s.Status == engine.Crippled
}

// apart tells whether an obstacle lies between two ships of a game.
func apart(l *rulebook.Rules, g *engine.Game, a, b *engine.Ship) bool {
	return len(g.Terrain) > 0 && !steering.SpaceOf(nil, l.Ground, g.Features()).Clear(a.Hex, b.Hex)
}

// space is that of a turn.
func space(l *rulebook.Rules, t *engine.Turn) *steering.Space {
	n := memo(t)
	if n.space == nil {
		n.space = steering.SpaceOf(t.Game.Bounds, l.Ground, t.Game.Features())
	}
	return n.space
}

// known is the space that what flies goes by: that of the turn, or where the chart is unknown what is on that of
// the captain who had it launched.
func known(l *rulebook.Rules, t *engine.Turn, d *engine.Ship) *steering.Space {
	if !t.Game.Blind.Uncharted() {
		return space(l, t)
	}
	return steering.SpaceOf(t.Game.Bounds, l.Ground, slices.Values(dark.In(t).Chart(d)))
}

// Obstacles are the bodies of space that nothing enters, and that nothing is seen or fired across
// (house 9.73 knows them, ruling H20).
func Obstacles() map[string]engine.Ground {
	return map[string]engine.Ground{
		"planet": {Doc: "a planet: nothing can enter it, it blocks sight and fire, and seeking weapons fly around it", Closed: true, Opaque: true, Looks: blind.Signature{Large: true}},
		"moon":   {Doc: "a moon: like a planet", Closed: true, Opaque: true, Looks: blind.Signature{Large: true}},
	}
}

// openly is what all see, but for games in the dark.
func openly(g *engine.Game) engine.See {
	if g.Blind != nil {
		return engine.See{}
	}
	return engine.SeeAll()
}
