package fasa

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/scenario"
	"starpost/engine/tactical"
)

// TestScenariosAreComplete reads every built-in scenario and sets it up.
func TestScenariosAreComplete(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	all, err := Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"big-bad-wolf", "convoy", "fleet-action", "three-on-three",
		"romulan-gambit", "raiders", "needle", "ghost-hunt", "moonrise", "stern-chase", "outpost-raid",
		"first-command", "two-and-two", "run-the-line", "kobayashi-maru", "long-watch", "four-and-four",
		"lamplight", "raider-hunt", "watch-house", "decoys", "sealed-letter",
	} {
		if all[name] == nil {
			t.Errorf("there is no scenario %s", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		sc, diags := scenario.Parse(all[name])
		if len(diags) > 0 {
			t.Errorf("%s: %v", name, diags)
			continue
		}
		if sc.Name != name || sc.Title == "" || sc.Source == "" || sc.Text == "" {
			t.Errorf("%s: name %q, title %q, source %q", name, sc.Name, sc.Title, sc.Source)
		}
		course := Courses()[sc.Rules]
		if course == nil {
			t.Errorf("%s: there is no rule set %q", name, sc.Rules)
			continue
		}
		r, err := course(lib)
		if err != nil {
			t.Fatal(err)
		}
		if _, diags := sc.NewGame(r, "game", nil); len(diags) > 0 {
			t.Errorf("%s: %v", name, diags)
		}
	}
}

func TestFleetActionHasTwentyCaptains(t *testing.T) {
	g := scenarioGame(t, basicRules(t), "fleet-action")
	if n := len(g.Captains()); n != 20 || len(g.Ships) != 20 {
		t.Errorf("%d captains of %d ships", n, len(g.Ships))
	}
	if n := len(g.InFight()); n != 18 {
		t.Errorf("%d ships at the start", n)
	}
}

// TestRobotsEndEveryScenario has robots play the built-in scenarios with many
// secrets. Each ends in time, and neither side always wins.
func TestRobotsEndEveryScenario(t *testing.T) {
	r := basicRules(t)
	for _, test := range []struct {
		name  string
		seeds uint64
		turns int
	}{
		{"three-on-three", 20, 40},
		{"convoy", 20, 12},
		{"fleet-action", 4, 10},
	} {
		t.Run(test.name, func(t *testing.T) {
			wins := map[string]int{}
			long := 0
			for seed := range test.seeds {
				g := playByRobots(t, r, scenarioGame(t, r, test.name), seed, test.turns)
				long = max(long, g.Turn)
				switch {
				case g.Result == nil:
					t.Fatalf("seed %d: no end after %d turns", seed, g.Turn)
				case g.Result.Draw:
					wins["draw"]++
				default:
					wins[g.Result.Side]++
				}
			}
			t.Logf("%d battles, at most %d turns: %v", test.seeds, long, wins)
			for side, n := range wins {
				if side != "draw" && n == int(test.seeds) {
					t.Errorf("%s wins every time", side)
				}
			}
		})
	}
}

func playByRobots(tb testing.TB, r *engine.Rules, g *engine.Game, seed uint64, turns int, after ...func(*engine.Game, []engine.Event)) *engine.Game {
	tb.Helper()
	var events []engine.Event
	for g.Result == nil && g.Turn < turns {
		var err error
		if g, events, err = engine.Resolve(r, g, robotSheets(tb, r, g, events), dice.FromSeed(seed)); err != nil {
			tb.Fatal(fmt.Errorf("seed %d: %w", seed, err))
		}
		for _, look := range after {
			look(g, events)
		}
	}
	return g
}

// TestFleetsAreEven adds up the published figures of both sides of battles
// that are meant to be even.
func TestFleetsAreEven(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	all, err := Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"three-on-three", "fleet-action", "needle", "moonrise"} {
		sc, diags := scenario.Parse(all[name])
		if sc == nil {
			t.Fatal(diags)
		}
		defence, weapons := map[string]int{}, map[string]int{}
		for _, s := range sc.Ships {
			d, err := lib.Design(s.Class)
			if err != nil {
				t.Fatal(err)
			}
			defence[s.Side] += int(d.D)
			weapons[s.Side] += int(d.WDF)
		}
		one, other := sc.Sides[0].ID, sc.Sides[1].ID
		for what, sums := range map[string]map[string]int{"D": defence, "WDF": weapons} {
			a, b := sums[one], sums[other]
			if a == 0 || b == 0 || 10*tactical.Abs(a-b) > max(a, b) {
				t.Errorf("%s: %s is %d and %d tenths", name, what, a, b)
			}
		}
	}
}

// TestALetterIsStolenAndTakenAway has robots play The Sealed Letter until the letter has been stolen and taken off
// the map, and received and taken off: both happen within a few battles, and each such victory follows from that job.
func TestALetterIsStolenAndTakenAway(t *testing.T) {
	r := rulesOf(t, advanced)
	ways := map[engine.ShipID]int{}
	for seed := uint64(1); seed <= 20 && (ways["larson"] == 0 || ways["stormbird"] == 0); seed++ {
		var jobs []string
		g := playByRobots(t, r, scenarioGame(t, r, "sealed-letter"), seed, 16, func(_ *engine.Game, events []engine.Event) {
			for _, e := range events {
				if b, ok := e.Body.(*dark.LabWork); ok && b.What == "letter" {
					jobs = append(jobs, string(b.Ship)+" "+b.Job)
				}
			}
		})
		if g.Result == nil {
			t.Fatalf("seed %d: no end after %d turns", seed, g.Turn)
		}
		for id, job := range map[engine.ShipID]string{"larson": engine.JobReceive, "stormbird": engine.JobSteal} {
			if s := mustShip(g, id); s.Status == engine.Left && g.Result.Side == s.Side && strings.Contains(g.Result.Why, "letter") {
				ways[id]++
				if !slices.Contains(jobs, string(id)+" "+job) || !slices.Contains(g.Labs.Aboard(id), "letter") {
					t.Errorf("seed %d: %s won by the letter, and has %v; of it were done %v", seed, id, g.Labs.Aboard(id), jobs)
				}
			}
		}
	}
	if ways["larson"] == 0 || ways["stormbird"] == 0 {
		t.Errorf("the letter was taken away by %v", ways)
	}
}
