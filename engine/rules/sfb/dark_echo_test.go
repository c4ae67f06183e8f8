package sfb

import (
	"fmt"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/orders"
)

// TestFireAtAnEchoTellsNothing: what its captain is told of fire at an echo has the same bytes as of
// fire at a ship that he has at the same place.
func TestFireAtAnEchoTellsNothing(t *testing.T) {
	for _, r := range []*engine.Rules{houseRules(t), cadetRules(t)} {
		own, foe := "federation-ca", "kzinti-cs"
		if r.Name != houseName {
			own, foe = "cadet-federation", "cadet-klingon"
		}
		hood := darkShip("Hood", "red", own, "2525", "A", "state = { speed = 0, capacitors = 2 }")
		far := darkShip("Far", "green", foe, "90.90", "A", "")
		ghost, solid := darkGame(t, r, hood, far), darkGame(t, r, hood, far, darkShip("Mid", "green", foe, "2511", "D", ""))
		ghost, _ = standing(t, r, ghost, "power\n speed 0\n phasers 2\n", 1, "echo Hood 2511")
		solid, _ = standing(t, r, solid, "power\n speed 0\n phasers 2\n", 1)
		for _, at := range []string{"c01", "nearest"} {
			fires := fmt.Sprintf("power\n speed 0\n phasers 2\nphase 1\n fire ph-1 at %s when range <= 14\nphase 2\n fire ph-2 at %s when level of %s >= 2\nphase 3\n fire ph-2 at %s when level of %s = 1\n", at, at, at, at, at)
			for seed := range uint64(6) {
				_, one := standing(t, r, ghost, fires, seed)
				_, two := standing(t, r, solid, fires, seed)
				if one != two {
					t.Fatalf("%s, at %s: at an echo\n%s\nat a ship\n%s", r.Name, at, one, two)
				}
				if strings.Count(one, "fire-seen") != 2 {
					t.Fatalf("%s, at %s: want two shots, got\n%s", r.Name, at, one)
				}
			}
		}
	}
}

// standing plays a turn in which Hood carries out a plan and all others stand, with rulings at its end, and gives
// what Hood's captain is told.
func standing(t *testing.T, r *engine.Rules, g *engine.Game, plan string, seed uint64, rulings ...string) (after *engine.Game, told string) {
	t.Helper()
	var all []engine.Ruling
	for _, what := range rulings {
		all = append(all, engine.Ruling{By: "Rita", At: "now", Why: "as at the table", What: what})
	}
	var sheets []engine.Sheet
	for _, s := range g.Ships {
		does := "power\n speed 0\n"
		if s.ID == "hood" {
			does = plan
		}
		blocks, diags := orders.Parse([]byte(fmt.Sprintf("#orders game turn %d ship %s\n%s#end\n", g.Turn+1, s.Name, does)), r.Language)
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		sheets = append(sheets, engine.Sheet{Ship: s.ID, Block: &blocks[0]})
	}
	after, events, err := engine.Resolve(r.Ruled(all), g, sheets, dice.FromSeed(seed))
	if err != nil {
		t.Fatal(err)
	}
	s, _ := after.Ship("hood")
	v, err := engine.BuildView(r, after, events, after.Viewer(s))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range v.Events {
		data, err := engine.Marshal(e.Body)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%d %s %v %s\n", e.Phase, e.Body.Type(), e.Rule, data)
	}
	return after, b.String()
}
