package trial

import (
	"math/rand/v2"
	"testing"

	"starpost/engine/testkit/enginetest"
)

// TestSureVerdictsAreSeldomWrong: for simulated results with a known true score, evaluated after each battle, the
// interval misses the score in at most 5 of 100 runs, and a clear difference is found early.
func TestSureVerdictsAreSeldomWrong(t *testing.T) {
	enginetest.Sequential(t)
	const runs, battles = 200, 200
	for _, truth := range []float64{0.5, 0.62, 0.9} {
		missed, until := 0, 0
		for run := range runs {
			r := rand.New(rand.NewPCG(uint64(run), 7))
			var e evidence
			out := false
			for n := range battles {
				switch x := r.Float64(); { // one in ten is a draw, which leaves the true score unchanged
				case x < 0.1:
					e.add(0.5)
				case x < 0.1+0.9*truth:
					e.add(1)
				default:
					e.add(0)
				}
				low, high := e.interval()
				mean := 100 * (0.05 + 0.9*truth)
				out = out || mean < low-1e-6 || mean > high+1e-6
				if low > Fair && until == 0 {
					until = n + 1
				}
			}
			if out {
				missed++
			}
		}
		if missed > runs/20+8 {
			t.Errorf("of %d runs with the score %.2f the interval missed it in %d", runs, truth, missed)
		}
		if truth == 0.9 && (until == 0 || until > 40) {
			t.Errorf("a score of 0.9 is seen to be unfair after %d battles", until)
		}
	}
}

// TestVaryingAShip: a wreck makes the other side stronger, which is found after fewer than the maximum number of
// battles. The same seed gives the same result.
func TestVaryingAShip(t *testing.T) {
	r, sc := builtIn(t, "big-bad-wolf")
	v, err := ReadVary("Riskadh.superstructure=1..1")
	if err != nil {
		t.Fatal(err)
	}
	got, err := UntilSure(t.Context(), r, sc, &v, 1, 200, 1, nil)
	if err != nil || got.Verdict != VerdictStrong || got.Battles >= 200 {
		t.Errorf("a wreck is %+v, %v", got, err)
	}
	if again, err := UntilSure(t.Context(), r, sc, &v, 1, 200, 1, nil); err != nil || again != got {
		t.Errorf("again it is %+v, %v; was %+v", again, err, got)
	}
	if _, err := UntilSure(t.Context(), r, sc, &Vary{Ship: "Hood", Field: "sails"}, 3, 10, 1, nil); err == nil {
		t.Error("a field that no ship has was varied")
	}
	for _, bad := range []string{"", "Hood", "Hood.x", "Hood.x=1", "Hood.x=3..1", "Hood.x=1..2/0", "Hood.x=a..b", "Hood.x=0..1000", ".x=1..2"} {
		if v, err := ReadVary(bad); err == nil {
			t.Errorf("%q is read as %+v", bad, v)
		}
	}
}
