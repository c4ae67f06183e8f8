package fasa

import (
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
)

// moveRule tells why a ship may not carry out a movement word now, with the rules
// that say so; blank when it may.
type moveRule func(l *rulebook, t *engine.Turn, s *engine.Ship, word string) (why string, rule []Topic)

// afterMove is what follows a movement word that was carried out. The ship is at the end
// of it already.
type afterMove func(l *rulebook, t *engine.Turn, s *engine.Ship, word string, from engine.Place)

// lesser is the shorter movement word for one that cannot be carried out in full.
func lesser(w string) string {
	if w == "FF" {
		return "F"
	}
	return "H"
}

// rocky tells whether there are asteroids in a hex.
func rocky(g *engine.Game, h hex.Hex) bool {
	return slices.ContainsFunc(g.Terrain, func(f engine.Feature) bool {
		return !f.Gone && f.Kind == board.Asteroid && slices.Contains(f.Hexes, h)
	})
}

// rocksBetween counts the hexes of asteroids on the way to a hex, that hex among them.
func rocksBetween(g *engine.Game, from, to hex.Hex) int {
	if !slices.ContainsFunc(g.Terrain, func(f engine.Feature) bool { return !f.Gone && f.Kind == board.Asteroid }) {
		return 0
	}
	hexes := 0
	if rocky(g, to) {
		hexes++
	}
	for pair := range hex.Between(from, to) {
		if rocky(g, pair[0]) && rocky(g, pair[1]) {
			hexes++
		}
	}
	return hexes
}
