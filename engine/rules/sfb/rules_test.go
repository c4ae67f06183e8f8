package sfb

import (
	"os"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/enginetest"
	"starpost/engine/robots"
)

func cadetRules(tb testing.TB) *engine.Rules {
	tb.Helper()
	r, err := cadetOver(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// TestCases plays the worked examples of the cadet game.
func TestCases(t *testing.T) {
	enginetest.Run(t, cadetRules(t), os.DirFS("testdata/cases"), "W122")
}

func scenario(tb testing.TB, name string) *engine.Scenario {
	tb.Helper()
	files, err := Family().ScenarioFiles()
	if err != nil {
		tb.Fatal(err)
	}
	sc, diags := engine.ParseScenario(files[name])
	if sc == nil {
		tb.Fatal(diags)
	}
	return sc
}

func TestRobotsEndTheirBattlesAndBreakNoLaw(t *testing.T) {
	r := cadetRules(t)
	names, err := Family().ScenarioNames()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		for seed := uint64(1); seed <= 4; seed++ {
			g, err := robots.Battle(r, scenario(t, name), "battle", dice.FromSeed(seed), func(turn robots.Turn) error {
				return enginetest.CheckTurn(r, turn.Before, turn.After, turn.Events)
			})
			if err != nil {
				t.Fatalf("%s with seed %d: %v", name, seed, err)
			}
			t.Logf("%s %d: turn %d: %+v", name, seed, g.Turn, *g.Result)
		}
	}
}
