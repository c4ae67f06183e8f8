package fasa

import (
	"fmt"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/scenario"
	"starpost/orders"
)

// TestTheDarkNeedsRules: a rule set without rules for the dark refuses a scenario that asks for it.
func TestTheDarkNeedsRules(t *testing.T) {
	r := *rulesOf(t, Basic)
	r.Extension = &dark.Extension{Labs: dark.Of(&r).Labs}
	sc, diags := scenario.Parse([]byte(lonely(&r, "")))
	if sc == nil {
		t.Fatal(diags)
	}
	if g, diags := sc.NewGame(&r, "game", nil); g != nil || len(diags) != 1 || diags[0].Code != "E410" || diags[0].Pos.Line != 5 || diags[0].Hint == "" {
		t.Errorf("got %v", diags)
	}
}

// lonely returns a scenario with Hood, and a ship that she does not find.
func lonely(r *engine.Rules, settings string) string {
	return strings.Replace(darkScenario(r, darkShip("Hood", "red", "constitution-hood", "2525", "A", ""),
		darkShip("Far", "green", "d-10-wolf", "90.90", "A", "")), "[blind]\n", "[blind]\n"+settings, 1)
}

// TestEchoesOfAScenario: echoes last for one turn, where only a presence shows, and each turn has others.
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
			if roll, ok := e.Body.(*engine.Roll); ok && strings.Contains(roll.Name.String(), "echo") && len(e.See.Whole)+len(e.See.Among) > 0 {
				t.Errorf("turn %d: %s is shown", turn, roll.Name)
			}
		}
		text := string(toldTo(t, r, g, events, "hood"))
		if strings.Contains(text, "echo") || strings.Contains(text, "~") || !strings.Contains(text, `"c0`) {
			t.Errorf("turn %d: Hood is told that they are none, or nothing:\n%s", turn, text)
		}
	}
}

// TestOrdersAtAnEchoTellNothing: what a captain is told of orders at an echo has the same bytes as for
// orders at a real contact in the same place.
func TestOrdersAtAnEchoTellNothing(t *testing.T) {
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
		power := "power\n move 0\n arm bank-a 2\n arm torpedo-1\n shields 1:2\n"
		plans := map[string]string{}
		for _, at := range []string{"c01", "nearest"} {
			plans["fire at "+at] = power + fmt.Sprintf("phase 1\n fire bank-a at %s when range <= 14\n fire torpedo-1 at %s\nphase 2\n fire bank-a at %s when level of %s >= 2\n fire torpedo-1 at %s\nphase 3\n fire all at %s\n", at, at, at, at, at, at)
		}
		for _, does := range []string{
			"lock c01", "lock nearest", "scan for c01", "evade left against c01", "evade right against torpedo of c01", "tactical showing 2 to c01",
			"probe to 2528 study c01", "probe to 2527 decode any", "fire bank-a at c01 when locked", "fire bank-a at c01 when chance >= 1", "probe to 2535 study c01", "probe to 2535 study nearest when range <= 14",
		} {
			plans[does] = power + "phase 1\n " + does + "\n"
		}
		for _, does := range []string{"pursue c01 to 13", "flee c01", "face c01 with 3", "circle c01 at 14"} {
			plans[does] = strings.Replace(power, "move 0", "move 2", 1) + "phase 1\n " + does + "\n"
		}
		for _, does := range []string{"sensors c01", "sensors nearest", "scan for c01"} {
			plans["standing "+does] = power + "standing\n " + does + "\n"
		}
		plans["study c01"] = power + "study c01 with 1\n"
		played := 0
		for name, plan := range plans {
			if _, diags := orders.Parse([]byte("#orders game turn 2 ship Hood\n"+plan+"#end\n"), r.Language); len(diags) > 0 {
				continue // the course lacks that order
			}
			played++
			for seed := range uint64(3) {
				one, fired := toldByHood(t, r, ghost, plan, seed)
				two, _ := toldByHood(t, r, solid, plan, seed)
				if one != two {
					t.Fatalf("%s, %s: at an echo\n%s\nat a ship\n%s", r.Name, name, one, two)
				}
				if !fired && name == "fire at c01" {
					t.Fatalf("%s, %s: nothing was fired:\n%s", r.Name, name, one)
				}
			}
		}
		if played < 6 {
			t.Errorf("%s has %d of the orders", r.Name, played)
		}
	}
}

// toldByHood returns what Hood's captain is told in a turn in which she carries out a plan, and whether she fired.
func toldByHood(t *testing.T, r *engine.Rules, g *engine.Game, plan string, seed uint64) (what string, fired bool) {
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
	what = string(toldTo(t, r, after, events, "hood"))
	return what, strings.Contains(what, `"fire-seen"`)
}
