package fasa

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/scenario"
)

// crewedScenarios returns the scenarios with ships that have officers with seats, and how many such ships.
func crewedScenarios() map[string]int {
	return map[string]int{"kobayashi-maru": 1, "long-watch": 2, "four-and-four": 2}
}

// TestScenariosWithCrewsBriefEveryPost: each officer of a built-in crew, and the captain, has a
// briefing, all of them different.
func TestScenariosWithCrewsBriefEveryPost(t *testing.T) {
	r := rulesOf(t, Command)
	all, err := Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range crewedScenarios() {
		sc, diags := scenario.Parse(all[name])
		if sc == nil {
			t.Fatal(diags)
		}
		g := scenarioGame(t, r, name)
		crewed := 0
		for _, sh := range sc.Ships {
			s, _ := g.Ship(engine.ShipID(strings.ToLower(sh.Name)))
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

// TestMapsShowOfficersWhatIsTheirs: the map shows shields to the science officer and weapon arcs to
// the helm, and both to the captain; others would see figures of an undamaged ship.
func TestMapsShowOfficersWhatIsTheirs(t *testing.T) {
	r := rulesOf(t, Command)
	g := scenarioGame(t, r, "kobayashi-maru")
	for post, want := range map[string][2]bool{
		ship.PostCaptain: {true, true}, ship.PostEngineer: {false, false}, ship.PostHelm: {false, true}, ship.PostScience: {true, false},
	} {
		who, err := r.SeatViewer(g, engine.Seat{Ship: "meridian", Post: post})
		if err != nil {
			t.Fatal(err)
		}
		v, err := engine.BuildView(r, g, nil, who)
		if err != nil {
			t.Fatal(err)
		}
		o := r.Marks(v)["meridian"]
		if got := [2]bool{len(o.Shields) > 0, len(o.Arcs) > 0}; got != want {
			t.Errorf("%q sees shields and arcs: %v, want %v", post, got, want)
		}
	}
}

// TestKobayashiMaruAcrossTheMap: one Federation ship with a crew is at a short edge, a group of
// Klingons at the other (the scenario of Command & Control).
func TestKobayashiMaruAcrossTheMap(t *testing.T) {
	g := scenarioGame(t, rulesOf(t, Command), "kobayashi-maru")
	south, north := 0, 0
	for _, s := range g.Ships {
		_, row := s.Hex.ColRow()
		switch {
		case s.Side == "federation" && len(s.Crew) == 3 && row >= g.Bounds.Rows-1 && s.Heading == 0:
			south++
		case s.Side == "klingon" && row <= 2 && s.Heading == 3:
			north++
		}
	}
	if g.Bounds.Rows <= g.Bounds.Cols || south != 1 || north < 2 || south+north != len(g.Ships) {
		t.Errorf("%d by %d hexes, %d of one side, %d of the other, of %d ships", g.Bounds.Cols, g.Bounds.Rows, south, north, len(g.Ships))
	}
}
