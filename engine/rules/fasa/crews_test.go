package fasa

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
)

// crewedScenarios are those in which ships have officers with seats of their own, with how many.
func crewedScenarios() map[string]int {
	return map[string]int{"kobayashi-maru": 1, "long-watch": 2, "four-and-four": 2}
}

// TestScenariosWithCrewsBriefEveryPost: each officer of a built-in crew is told what he does, and
// so is her captain, each something of his own.
func TestScenariosWithCrewsBriefEveryPost(t *testing.T) {
	r := rulesOf(t, Command)
	all, err := Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range crewedScenarios() {
		sc, diags := engine.ParseScenario(all[name])
		if sc == nil {
			t.Fatal(diags)
		}
		g := scenarioGame(t, r, name)
		crewed := 0
		for _, sh := range sc.Ships {
			s, _ := g.Ship(strings.ToLower(sh.Name))
			if !maps.Equal(s.Crew, sh.Crew) {
				t.Errorf("%s: the crew of %s is %v, not %v", name, sh.Name, s.Crew, sh.Crew)
			}
			if len(sh.Crew) == 0 {
				continue
			}
			crewed++
			told := map[string]bool{}
			for _, post := range append(slices.Sorted(maps.Keys(sh.Crew)), engine.AllPosts) {
				if text := sh.Briefing[post]; len(text) < 60 || told[text] {
					t.Errorf("%s: the %s of %s is told %q", name, post, sh.Name, text)
				} else {
					told[text] = true
				}
			}
		}
		if crewed != want {
			t.Errorf("%s has %d ships with crews, not %d", name, crewed, want)
		}
	}
}
