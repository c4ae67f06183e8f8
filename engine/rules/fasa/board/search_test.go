package board

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine/hex"
)

// TestRouteGoesRound finds a way around a planet with its moons.
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

// TestRouteIsTheFirstOfTheShortest compares routes with those of a full search that visits hexes in
// the order in which it finds them.
func TestRouteIsTheFirstOfTheShortest(t *testing.T) {
	bounds := hex.Bounds{Cols: 12, Rows: 12}
	rapid.Check(t, func(t *rapid.T) {
		at := func(what string) hex.Hex {
			return hex.At(rapid.IntRange(1, bounds.Cols).Draw(t, what), rapid.IntRange(1, bounds.Rows).Draw(t, what))
		}
		sea := Passability{Bounds: &bounds, Closed: map[hex.Hex]bool{}}
		for range rapid.IntRange(0, 60).Draw(t, "rocks") {
			sea.Closed[at("rock")] = true
		}
		from, to := at("from"), at("to")
		before, queue := map[hex.Hex]hex.Hex{from: from}, []hex.Hex{from}
		for len(queue) > 0 {
			h := queue[0]
			queue = queue[1:]
			for d := range hex.Heading(6) {
				next := h.Step(d)
				if _, seen := before[next]; !seen && h != to && bounds.Contains(next) && (!sea.Closed[next] || next == to) {
					before[next] = h
					queue = append(queue, next)
				}
			}
		}
		var want []hex.Hex
		if _, found := before[to]; found {
			for h := to; h != from; h = before[h] {
				want = append(want, h)
			}
			slices.Reverse(want)
		}
		if got := Route(from, to, sea); !slices.Equal(got, want) {
			t.Fatalf("from %s to %s: %v, want %v", from.Label(), to.Label(), got, want)
		}
	})
}
