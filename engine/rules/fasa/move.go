package fasa

import (
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
)

// lesser is the shorter movement word for one that cannot be carried out in full.
func lesser(w string) string {
	if w == "FF" {
		return "F"
	}
	return "H"
}

// rockyHexes are the hexes with asteroids.
func rockyHexes(g *engine.Game) []hex.Hex {
	var out []hex.Hex
	for i := range g.Terrain {
		if f := &g.Terrain[i]; !f.Gone && f.Kind == board.Asteroid {
			out = append(out, f.Hexes...)
		}
	}
	return out
}

// rocksBetween counts the hexes of asteroids on the way to a hex, that hex among them.
func rocksBetween(g *engine.Game, from, to hex.Hex) int {
	in := rockyHexes(g)
	if len(in) == 0 {
		return 0
	}
	hexes := 0
	if slices.Contains(in, to) {
		hexes++
	}
	for pair := range hex.Between(from, to) {
		if slices.Contains(in, pair[0]) && slices.Contains(in, pair[1]) {
			hexes++
		}
	}
	return hexes
}
