package sfbtest_test

import (
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/robots"
	"starpost/engine/scenario"
)

// TestStoriesTellWhy traces turns of a battle: for each kind of event the story must explain the rule.
func TestStoriesTellWhy(t *testing.T) {
	want := map[string]string{
		"energy": "engine and reactor boxes give", "speed": "moves on impulses", "order": "slower ships first", "move": "speed", "launch": "it heads as directly",
		"fire": "at range", "strike": "across the side of shield", "volley": "form one volley of", "damage": "chart row",
	}
	sc, _ := scenario.Parse([]byte(melee))
	told := map[string]bool{}
	for secret := range uint64(2) {
		g, diags := sc.NewGame(cadetRules(t), "story", nil)
		if g == nil {
			t.Fatal(diags)
		}
		var events []engine.Event
		for g.Result == nil && g.Turn < 6 {
			var causes engine.Causes
			r := cadetRules(t).Tracing(&causes)
			sheets, err := robots.Orders(r, g, events)
			if err != nil {
				t.Fatal(err)
			}
			after, now, err := engine.Resolve(r, g, sheets, dice.FromSeed(secret))
			if err != nil {
				t.Fatal(err)
			}
			s, err := engine.NewStory(r, g, after, now, causes, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, e := range now {
				words, wanted := want[e.Type.Name]
				why := s.Account(i).Why
				if m, is := e.Body.(*engine.Move); is {
					if ship, _ := after.Ship(m.Ship); ship.Small() {
						words = "it seeks"
					}
				}
				if wanted && !slices.ContainsFunc(why, func(line string) bool { return strings.Contains(line, words) }) {
					t.Fatalf("turn %d, event %d: %s says %q, no %q", after.Turn, e.Seq, e.Type.Name, why, words)
				}
				if told[e.Type.Name] = true; len(s.Words(i)) == 0 {
					t.Errorf("turn %d, event %d: no words for %s", after.Turn, e.Seq, e.Type.Name)
				}
			}
			g, events = after, now
		}
	}
	for kind := range want {
		if !told[kind] {
			t.Errorf("no %s in these battles", kind)
		}
	}
}
