package fasa

import (
	"fmt"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/orders"
)

// lonely is Hood, and a ship that she does not find.
func lonely(r *engine.Rules, settings string) string {
	return strings.Replace(darkScenario(r, darkShip("Hood", "red", "constitution-hood", "2525", "A", ""),
		darkShip("Far", "green", "d-10-wolf", "90.90", "A", "")), "[blind]\n", "[blind]\n"+settings, 1)
}

// TestEchoesOfAScenario stand for one turn, where a place is all that shows, and each turn has others.
func TestEchoesOfAScenario(t *testing.T) {
	r := rulesOf(t, Basic)
	g := gameOf(t, r, lonely(r, "echoes = 2\n"))
	for turn := 1; turn <= 3; turn++ {
		after, events, err := ruledDark(t, r, g)
		if err != nil {
			t.Fatal(err)
		}
		g = after
		stand := map[hex.Hex]bool{}
		for _, c := range g.Blind.Log("Hood").Contacts {
			switch at := hex.Distance(mustShip(g, "hood").Hex, c.Hex); {
			case c.Echo == turn && (c.Lost || c.Level != blind.Presence || at < 11 || at > 20):
				t.Errorf("turn %d: %+v at range %d, want a presence at 11 to 20", turn, c, at)
			case c.Echo != turn && !c.Lost:
				t.Errorf("turn %d: %+v still stands", turn, c)
			case c.Echo == turn:
				stand[c.Hex] = true
			}
		}
		if len(stand) != 2 {
			t.Errorf("turn %d: %d echoes stand, want 2", turn, len(stand))
		}
		for _, e := range events {
			if roll, ok := e.Body.(*engine.Roll); ok && strings.Contains(roll.Name, "echo") && len(e.See.Whole)+len(e.See.Among) > 0 {
				t.Errorf("turn %d: %s is shown", turn, roll.Name)
			}
		}
		text := string(told(t, r, g, events, "hood"))
		if strings.Contains(text, "echo") || strings.Contains(text, "~") || !strings.Contains(text, `"c0`) {
			t.Errorf("turn %d: Hood is told that they are none, or nothing:\n%s", turn, text)
		}
	}
}

// TestFireAtAnEchoTellsNothing: what its captain is told of fire at an echo has the same bytes as of
// fire at a ship that he has at the same place.
func TestFireAtAnEchoTellsNothing(t *testing.T) {
	for _, r := range darkBooks(t) {
		ghost := gameOf(t, r, lonely(r, ""))
		solid := gameOf(t, r, lonely(r, "")+darkShip("Mid", "green", "d-10-wolf", "2511", "D", ""))
		var err error
		if ghost, _, err = ruledDark(t, r, ghost, "echo Hood 2511"); err != nil {
			t.Fatal(err)
		}
		if solid, _, err = ruledDark(t, r, solid); err != nil {
			t.Fatal(err)
		}
		names := []string{"c01"}
		if _, later := r.Options[OptionRatings]; later { // orders know the word
			names = append(names, "nearest")
		}
		for _, at := range names {
			plan := fmt.Sprintf("power\n move 0\n arm bank-a 2\n arm torpedo-1\n shields 1:2\nphase 1\n fire bank-a at %s when range <= 14\n fire torpedo-1 at %s\nphase 2\n fire bank-a at %s when level of %s >= 2\n fire torpedo-1 at %s\nphase 3\n fire all at %s\n", at, at, at, at, at, at)
			for seed := range uint64(6) {
				one, _ := firedAt(t, r, ghost, plan, seed)
				two, fired := firedAt(t, r, solid, plan, seed)
				if one != two {
					t.Fatalf("%s, at %s: at an echo\n%s\nat a ship\n%s", r.Name, at, one, two)
				}
				if !fired {
					t.Fatalf("%s, at %s: nothing was fired:\n%s", r.Name, at, one)
				}
			}
		}
	}
}

// firedAt is what Hood's captain is told in a turn in which she carries out a plan, and whether she fired.
func firedAt(t *testing.T, r *engine.Rules, g *engine.Game, plan string, seed uint64) (what string, fired bool) {
	t.Helper()
	var sheets []engine.Sheet
	for _, id := range g.InFight() {
		does := "power\n move 0\n"
		if id == "hood" {
			does = plan
		}
		blocks, diags := orders.Parse([]byte(fmt.Sprintf("#orders game turn %d ship %s\n%s#end\n", g.Turn+1, mustShip(g, id).Name, does)), r.Language)
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		sheets = append(sheets, engine.Sheet{Ship: id, Block: &blocks[0]})
	}
	after, events, err := engine.Resolve(r, g, sheets, dice.FromSeed(seed))
	if err != nil {
		t.Fatal(err)
	}
	v, err := engine.BuildView(r, after, events, after.Viewer(mustShip(after, "hood")))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range v.Events {
		data, err := engine.Marshal(e.Body)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%d %s %s %v %s\n", e.Phase, e.Step, e.Body.Type(), e.Rule, data)
		_, isFire := e.Body.(*FireSeen)
		fired = fired || isFire
	}
	return b.String(), fired
}
