package trial

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// builtIn returns a scenario by name with the rule set that it is made for.
func builtIn(tb testing.TB, name string) (*engine.Rules, *scenario.Scenario) {
	tb.Helper()
	lib, err := tables.Builtin()
	if err != nil {
		tb.Fatal(err)
	}
	all, err := fasa.Scenarios()
	if err != nil {
		tb.Fatal(err)
	}
	sc, diags := scenario.Parse(all[name])
	if sc == nil {
		tb.Fatal(diags)
	}
	r, err := fasa.Courses()[sc.Rules](lib)
	if err != nil {
		tb.Fatal(err)
	}
	return r, sc
}

// TestRunIsRepeatable: the same seed gives the same result on one processor and on several, and
// includes all battles.
func TestRunIsRepeatable(t *testing.T) {
	r, sc := builtIn(t, "big-bad-wolf")
	var steps []int
	one, err := Run(t.Context(), r, sc, 12, 7, func(n int) { steps = append(steps, n) })
	if err != nil {
		t.Fatal(err)
	}
	wins := one.Draws + one.Endless
	for _, s := range one.Sides {
		wins += s.Wins
	}
	decided := one.Endless
	for _, d := range one.Decided {
		decided += d.Battles
	}
	if len(steps) != 12 || steps[11] != 12 || one.Battles != 12 || wins != 12 || decided != 12 || one.Scenario != "big-bad-wolf" || one.Turns.Longest < one.Turns.Median {
		t.Errorf("%v %+v", steps, one)
	}
	before := runtime.GOMAXPROCS(1)
	again, err := Run(t.Context(), r, sc, 12, 7, nil)
	runtime.GOMAXPROCS(before)
	if err != nil || !reflect.DeepEqual(one, again) {
		t.Errorf("%v\n%+v\n%+v", err, one, again)
	}
	other, err := Run(t.Context(), r, sc, 12, 900, nil)
	if err != nil || reflect.DeepEqual(one.Turns, other.Turns) && reflect.DeepEqual(one.Decided, other.Decided) {
		t.Errorf("another seed gives the same battles: %v %+v", err, other)
	}
	if text, err := json.Marshal(one); err != nil || !json.Valid(text) {
		t.Error(err)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	r, sc := builtIn(t, "big-bad-wolf")
	ctx, cancel := context.WithCancel(t.Context())
	played := 0
	_, err := Run(ctx, r, sc, 1000, 1, func(n int) {
		if played = n; n == 2 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || played > 2+runtime.GOMAXPROCS(0) {
		t.Error(err, played)
	}
}

func TestRunTellsOfARobotsMistake(t *testing.T) {
	r, sc := builtIn(t, "big-bad-wolf")
	broken := *r
	broken.Robot = func(*engine.View, engine.ShipID) orders.Set {
		return orders.Set{{Name: "power", Orders: []orders.Order{orders.Say("fly 3")}}}
	}
	if _, err := Run(t.Context(), &broken, sc, 50, 3, nil); err == nil {
		t.Error("orders with mistakes are no error")
	}
}

// TestBuiltInScenariosAreFair: a few battles of each scenario, except the one that keeps its ships
// whomever they favour, do not make it likely that a side wins more than Fair per cent; "make balance"
// plays more of them. The race detector runs one in [enginetest.Share].
func TestBuiltInScenariosAreFair(t *testing.T) {
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if name == "big-bad-wolf" || i%enginetest.Share != 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, sc := builtIn(t, name)
			got, err := Run(t.Context(), r, sc, 24, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range got.Sides {
				if s.Low > Fair {
					t.Errorf("%s wins %d of %d", s.ID, s.Wins, got.Battles)
				}
			}
			if got.Endless > 0 {
				t.Errorf("%d battles do not end", got.Endless)
			}
		})
	}
}

// TestInterval compares Wilson's interval with values calculated by hand and with its laws.
func TestInterval(t *testing.T) {
	for _, test := range []struct {
		n, total  int
		low, high float64
	}{
		{0, 10, 0, 27.75}, {10, 10, 72.25, 100}, {5, 10, 23.66, 76.34}, {240, 400, 55.13, 64.69}, {0, 0, 0, 100},
	} {
		low, high := Interval(test.n, test.total)
		if math.Abs(low-test.low) > 0.01 || math.Abs(high-test.high) > 0.01 {
			t.Errorf("%d of %d: %.2f to %.2f, expected %.2f to %.2f", test.n, test.total, low, high, test.low, test.high)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.IntRange(1, 5000).Draw(t, "total")
		n := rapid.IntRange(0, total).Draw(t, "n")
		low, high := Interval(n, total)
		share := 100 * float64(n) / float64(total)
		if low < 0 || high > 100 || low > share+1e-9 || high < share-1e-9 {
			t.Fatalf("%d of %d: %.3f to %.3f", n, total, low, high)
		}
		if wideLow, wideHigh := Interval(2*n, 2*total); wideHigh-wideLow > high-low+1e-9 {
			t.Fatalf("%d of %d: twice as many battles are less sure", n, total)
		}
	})
}

func TestEven(t *testing.T) {
	r := Result{Sides: []Side{{Share: 60}, {Share: 40}}}
	if !r.Even() {
		t.Error("60 per cent is not fair")
	}
	r.Sides[0].Share = 60.25
	if r.Even() {
		t.Error("60.25 per cent is fair")
	}
}
