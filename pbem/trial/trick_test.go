package trial

import (
	"slices"
	"testing"

	"starpost/engine/family"
	"starpost/engine/rules/sfb"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
)

// TestRobotsBeatTricks: against each simple trick, robots of the cadet game and of the house rules win most battles,
// and only a few of their battles against each other end without a winner. The race detector runs one trick in
// [enginetest.Share], and not the draws.
func TestRobotsBeatTricks(t *testing.T) {
	files, err := sfb.Family().ScenarioFiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"encounter", "dakota", "house-duel", "other-cloak"} {
		sc, diags := scenario.Parse(files[name])
		if sc == nil {
			t.Fatal(diags)
		}
		sets := sfb.Family().Sets
		r, err := sets[slices.IndexFunc(sets, func(s family.RuleSet) bool { return s.Name == sc.Rules })].Rules(nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Tricks) < 10 {
			t.Fatalf("%d tricks", len(r.Tricks))
		}
		for i, trick := range r.Tricks {
			if i%enginetest.Share != 0 {
				continue
			}
			t.Run(name+"/"+trick.Name, func(t *testing.T) {
				t.Parallel()
				got, err := RunTrick(t.Context(), r, sc, trick, 10, 1, nil)
				if err != nil {
					t.Fatal(err)
				}
				if !got.Beats() || got.Robots+got.Won+got.Draws+got.Endless != got.Battles || got.Sides[0]+got.Sides[1] != got.Robots {
					t.Errorf("%+v", got)
				}
			})
		}
		if enginetest.Share > 1 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := Run(t.Context(), r, sc, 40, 1, nil); err != nil || got.Draws+got.Endless > 4 {
				t.Errorf("%v, %d draws", err, got.Draws)
			}
		})
	}
}
