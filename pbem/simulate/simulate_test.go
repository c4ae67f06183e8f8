package simulate_test

import (
	"flag"
	"strconv"
	"strings"
	"testing"

	"starpost/engine/testkit/enginetest"
)

var (
	first = flag.Uint64("seed", 1, "the first world that is played")
	seeds = flag.Uint64("seeds", usual(), "how many are")
	fine  = flag.Bool("fine", false, "traces have all that takes time")
)

// usual is the default number of worlds: few under the race detector, which watches any of them equally well.
func usual() uint64 {
	if enginetest.Share > 1 {
		return 5
	}
	return 200
}

// A failing seed is reproducible to the byte.
func TestSeedIsTheWholeWorld(t *testing.T) {
	for seed := *first; seed < *first+min(*seeds, 3); seed++ {
		one, err := play(t, seed, planOf(seed))
		two, again := play(t, seed, planOf(seed))
		if err != nil || again != nil {
			t.Errorf("seed %d: %v\n%v", seed, err, again)
		}
		if one != two {
			t.Errorf("seed %d gives two worlds:\n%s", seed, firstDifference(one, two))
		}
	}
}

// TestWorldsThatFailed plays worlds that failed with an earlier daemon. A change of daemon or worlds moves such
// seeds: then others must be found with that daemon.
func TestWorldsThatFailed(t *testing.T) {
	for _, found := range []struct {
		seed uint64
		why  string
	}{
		{13, "a daemon took a living one's mark for a dead one's, since it had forgotten what it saw when it was turned away"},
		{1, "a daemon that waited for its mailbox and could not pause a game ran in circles"},
	} {
		if trace, err := play(t, found.seed, planOf(found.seed)); err != nil {
			t.Errorf("seed %d (%s): %v\n%s", found.seed, found.why, err, trace)
		}
	}
}

// planOf gives every other world two hosts.
func planOf(seed uint64) plan { return plan{hosts: 1 + int(seed%2)} }

// firstDifference returns the lines of two traces around the first difference.
func firstDifference(one, two string) string {
	a, b := strings.Split(one, "\n"), strings.Split(two, "\n")
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	part := func(lines []string) string { return strings.Join(lines[max(0, n-10):min(len(lines), n+10)], "\n") }
	return part(a) + "\nand\n" + part(b)
}

// Worlds are played in parallel, each in its own bubble.
func TestWorlds(t *testing.T) {
	for seed := *first; seed < *first+*seeds; seed++ {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			if trace, err := play(t, seed, planOf(seed)); err != nil {
				t.Errorf("%v\nmake simulate SEED=%d SEEDS=1 plays it again; what happened:\n%s", err, seed, trace)
			}
		})
	}
}
