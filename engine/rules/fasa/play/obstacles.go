package play

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
)

// debrisNeed is the highest die on which a ship that enters a hex of asteroids is struck
// (ruling D32).
const debrisNeed = 4

// ObstacleGround returns the terrain of planets, moons and asteroids (stcs 5.4, 8.6, 8.7).
func ObstacleGround() map[string]engine.Ground {
	return map[string]engine.Ground{
		board.Planet: {Closed: true, Opaque: true, Looks: blind.Signature{Large: true}, Facts: bodyFacts()},
		board.Moon:   {Closed: true, Opaque: true, Looks: blind.Signature{Large: true}, Facts: bodyFacts()},
		board.Asteroid: {Facts: map[string]string{
			"mass": "many small bodies", "composition": "rock and metal", "state": "solid, in pieces", "life": "none",
		}},
	}
}

// opaqueHexes returns the hexes that block sight. Callers that check many lines should call it
// once.
func opaqueHexes(l *rulebook.Rules, g *engine.Game) []hex.Hex {
	var out []hex.Hex
	for i := range g.Terrain {
		if f := &g.Terrain[i]; !f.Gone && l.Ground[f.Kind].Opaque {
			out = append(out, f.Hexes...)
		}
	}
	return out
}

// Shadowed is the concealment by planets and moons: ships on two sides of one do not see each
// other (stcs 7.6, ruling D32).
func Shadowed(l *rulebook.Rules, g *engine.Game, of *engine.Ship) rulebook.Hides {
	opaque := opaqueHexes(l, g)
	if len(opaque) == 0 {
		return nil
	}
	in := func(h hex.Hex) bool { return slices.Contains(opaque, h) }
	return func(by *engine.Ship) bool { return !engine.LineOfSight(by.Hex, of.Hex, in) }
}

// Behind is the line-of-fire rule of planets and moons: there is no fire across them.
func Behind(l *rulebook.Rules, g *engine.Game, s, target *engine.Ship) string {
	if from := Shadowed(l, g, target); from == nil || !from(s) {
		return ""
	}
	kind := board.Planet
	for i := range g.Terrain {
		f := &g.Terrain[i]
		only := func(h hex.Hex) bool { return slices.Contains(f.Hexes, h) }
		if !f.Gone && l.Ground[f.Kind].Opaque && !engine.LineOfSight(s.Hex, target.Hex, only) {
			kind = f.Kind
			break
		}
	}
	return "a " + kind + " lies between"
}

// Astray is the move rule of closed hexes: a ship stops before them (stcs 8.6).
func Astray(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, word string) (why string, rule []cites.Topic) {
	if h, kind := InTheWay(l.Ground, t.Game, s.Stands(), word); kind != "" {
		return LeadsInto(kind, h), []cites.Topic{cites.PlanetsAndMoons}
	}
	return "", nil
}

// LeadsInto returns why a ship does not enter a hex.
func LeadsInto(kind string, h hex.Hex) string {
	return fmt.Sprintf("it leads into the %s at %s", kind, h.Label())
}

// InTheWay returns the first closed hex that a movement word leads into, and what closes it; "" if none does.
func InTheWay(ground map[string]engine.Ground, g *engine.Game, at engine.Place, word string) (h hex.Hex, kind string) {
	if len(g.Terrain) == 0 {
		return hex.Hex{}, ""
	}
	for _, h := range board.Way(at, word) {
		for _, f := range g.TerrainAt(h) {
			if ground[f.Kind].Closed {
				return h, f.Kind
			}
		}
	}
	return hex.Hex{}, ""
}

// bodyFacts returns what sensors tell of a planet or moon if the scenario says no more.
func bodyFacts() map[string]string {
	return map[string]string{"mass": "that of a whole world", "composition": "unknown", "state": "solid", "life": "unknown"}
}
