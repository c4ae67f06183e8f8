package board

import (
	"slices"
	"testing"

	"starpost/engine/hex"
)

// TestRouteGoesRound looks for a way about a planet with its moons.
func TestRouteGoesRound(t *testing.T) {
	closed := map[hex.Hex]bool{}
	for radius := range 3 {
		for h := range hex.Ring(hex.At(11, 17), radius) {
			closed[h] = true
		}
	}
	from, to := hex.At(11, 21), hex.At(11, 13)
	way := Route(from, to, Passability{Closed: closed, Bounds: &hex.Bounds{Cols: 22, Rows: 33}})
	if len(way) == 0 || way[len(way)-1] != to || hex.Distance(from, way[0]) != 1 {
		t.Fatalf("way %v", way)
	}
	for i, h := range way {
		if closed[h] || i > 0 && hex.Distance(way[i-1], h) != 1 {
			t.Errorf("step %d to %s", i, h.Label())
		}
	}
	if straight := Route(from, to, Passability{}); len(straight) != 8 || len(way) <= 8 {
		t.Errorf("%d hexes straight, %d round", len(straight), len(way))
	}
	for h := range hex.Ring(to, 1) {
		closed[h] = true
	}
	if way := Route(from, to, Passability{Closed: closed}); way != nil {
		t.Errorf("a way to where there is none: %v", way)
	}
	if !slices.Equal(Route(from, from, Passability{}), nil) {
		t.Error("a way to where it is")
	}
}
