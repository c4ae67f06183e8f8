package simulate_test

import (
	"flag"
	"strings"
	"testing"
)

var (
	seeds = flag.Uint64("seeds", 20, "how many worlds are played")
	first = flag.Uint64("seed", 1, "the first of them")
)

// A failing seed is played again to the same byte.
func TestSeedIsTheWholeWorld(t *testing.T) {
	for seed := *first; seed < *first+min(*seeds, 5); seed++ {
		one, err := play(t, seed, plan{})
		two, again := play(t, seed, plan{})
		if err != nil || again != nil {
			t.Errorf("seed %d: %v\n%v", seed, err, again)
		}
		if one != two {
			t.Errorf("seed %d gives two worlds:\n%s", seed, firstDifference(one, two))
		}
	}
}

// firstDifference gives the lines of two traces from a little before they part.
func firstDifference(one, two string) string {
	a, b := strings.Split(one, "\n"), strings.Split(two, "\n")
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	part := func(lines []string) string { return strings.Join(lines[max(0, n-10):min(len(lines), n+10)], "\n") }
	return part(a) + "\nand\n" + part(b)
}

func TestWorlds(t *testing.T) {
	for seed := *first; seed < *first+*seeds; seed++ {
		if trace, err := play(t, seed, plan{}); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, trace)
		}
	}
}
