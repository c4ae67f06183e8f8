package sfb

import (
	"os"
	"slices"
	"testing"

	"starpost/engine"
	"starpost/engine/testkit/enginetest"
)

// TestEveryEventHasItsCause: in no case is a ship fired at, hit or damaged without an earlier cause that leads to it.
func TestEveryEventHasItsCause(t *testing.T) {
	causes(t, cadetRules(t), "sfb-cadet", map[string][]string{
		"fire": {"roll"}, "volley": {"fire", "strike"}, "damage": {"volley"}, "hurt": {"fire"}, "strike": {"move", "launch", "roll"},
		"speed": {"energy"}, "score": {"out"}, "energy": {"absent"}, "launch": {},
	})
	causes(t, houseRules(t), "sfb-house", map[string][]string{
		"fire": {"roll"}, "volley": {"fire", "strike"}, "damage": {"volley"}, "hurt": {"fire", "strike"}, "strike": {"move", "launch", "burst", "roll"},
		"launch": {}, "burst": {}, "hard": {}, "blowout": {"fire"}, "breakdown": {"hard", "tractor"},
	})
}

// causes examines the cases of a folder: events of some types must follow from events of other types, or from orders.
func causes(t *testing.T, r *engine.Rules, dir string, must map[string][]string) {
	t.Helper()
	seen := map[string]int{}
	cases, err := enginetest.Cases(os.DirFS(suite + dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, played := range cases {
		played.Play(r) // the cases report differences themselves
		for i, e := range played.Events {
			needed, watched := must[e.Type.Name]
			if !watched {
				continue
			}
			seen[e.Type.Name]++
			ordered, from := false, ""
			for _, c := range played.Causes[i] {
				k := slices.IndexFunc(played.Events, func(o engine.Event) bool { return c.Orders == nil && o.Turn == e.Turn && o.Seq == c.Event })
				if ordered = ordered || c.Orders != nil; k >= 0 && slices.Contains(needed, played.Events[k].Type.Name) {
					from = played.Events[k].Type.Name
				}
			}
			if from == "" && !ordered {
				t.Errorf("%s, turn %d, event %d: %s follows from none of %q", played.Name, e.Turn, e.Seq, e.Type.Name, needed)
			}
		}
	}
	for kind := range must {
		if seen[kind] == 0 {
			t.Errorf("no case has an event %s", kind)
		}
	}
}
