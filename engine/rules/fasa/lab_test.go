package fasa

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/scenario"
	"starpost/orders"
)

// labGame returns a game in the dark in which Hood, with more in her entry, has Riskadh as c01.
func labGame(tb testing.TB, r *engine.Rules, more string) *engine.Game {
	tb.Helper()
	return gameOf(tb, r, darkScenario(r, darkShip("Hood", "red", "constitution-hood", "1010", "A", more), darkShip("Riskadh", "green", "d-10-wolf", "1014", "A", "")))
}

func hoodsOrders(tb testing.TB, r *engine.Rules, text string) *orders.Block {
	tb.Helper()
	blocks, diags := orders.Parse([]byte("#orders game turn 1 ship Hood\n"+text+"#end\n"), r.Language)
	if len(blocks) != 1 || orders.HasErrors(diags) {
		tb.Fatalf("%s\n%v", text, diags)
	}
	return &blocks[0]
}

// TestLaboratoriesByScenario: in every book a ship has a box for each 10 of total power, or the scenario's number.
func TestLaboratoriesByScenario(t *testing.T) {
	for _, r := range darkBooks(t) {
		for more, want := range map[string]int{"": 4, "blind = { labs = 6 }": 6, "blind = { labs = 0 }": 0} {
			if got := ship.Of(mustShip(labGame(t, r, more), "hood")).Labs().Boxes; got != want {
				t.Errorf("%s, %s: %d boxes, want %d", r.Name, more, got, want)
			}
		}
	}
	r := *basicRules(t)
	r.Extension = &dark.Extension{Dark: dark.Of(&r).Dark, Labs: &dark.LabRules{}}
	s, diags := scenario.Parse([]byte(darkScenario(&r, darkShip("Hood", "red", "constitution-hood", "1010", "A", "blind = { labs = 6 }"), darkShip("Riskadh", "green", "d-10-wolf", "1014", "A", ""))))
	if orders.HasErrors(diags) {
		t.Fatal(diags)
	}
	if _, diags = s.NewGame(&r, "game", nil); len(diags) != 1 || diags[0].Code != "E402" || !strings.Contains(diags[0].Message, "how many laboratories") || diags[0].Pos.Line == 0 {
		t.Errorf("where sheets have the boxes labs in a scenario is told of as %v", diags)
	}
}

// TestLaboratoriesAreOrderedFirst: in every book, when orders come phase by phase, only the first set gives
// laboratories work. A game set up before ships had any still plays on without them.
func TestLaboratoriesAreOrderedFirst(t *testing.T) {
	for _, r := range darkBooks(t) {
		for _, test := range []struct {
			name, first, later string
			old                bool
			want               []string
		}{
			{"first", "power\n labs 1\nstudy c01 with 3\n", "phase 2\n move H\n", false, []string{"study 3"}},
			{"later", "power\n labs 1\nstudy c01 with 1\n", "phase 2\n move H\nstudy c01 with 3\n", false, []string{"study 1"}},
			{"old game", "power\n labs 1\nstudy c01 with 1\n", "phase 2\n move H\n", true, nil},
		} {
			g := labGame(t, r, "")
			if test.old {
				for _, s := range g.Ships {
					ship.Of(s).Shares().Drop(ship.NameLabs)
				}
			}
			sheets := []engine.Sheet{
				{Ship: "hood", Block: hoodsOrders(t, r, test.first), Later: []engine.Reply{{Block: hoodsOrders(t, r, test.later)}}},
				{Ship: "riskadh", Policy: engine.PolicyStanding},
			}
			_, events, err := engine.Resolve(r, g, sheets, dice.FromSeed(3))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range events {
				if b, ok := e.Body.(*dark.LabWork); ok {
					got = append(got, fmt.Sprint(b.Job, " ", b.Boxes))
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%s, %s: laboratories did %v, want %v", r.Name, test.name, got, test.want)
			}
		}
	}
}

// TestLaboratoriesGoOn: if a captain sends nothing and wants the last orders again, laboratories repeat their work.
func TestLaboratoriesGoOn(t *testing.T) {
	for _, r := range darkBooks(t) {
		for _, again := range []bool{true, false} {
			g, events, err := labGame(t, r, ""), []engine.Event(nil), error(nil)
			plan := "power\n labs 1\nstudy c01 with 3\n"
			if again {
				plan += "standing\n missing repeat\n"
			}
			for _, sheet := range []engine.Sheet{{Ship: "hood", Block: hoodsOrders(t, r, plan)}, {Ship: "hood", Policy: engine.PolicyStanding}} {
				if g, events, err = engine.Resolve(r, g, []engine.Sheet{sheet, {Ship: "riskadh", Policy: engine.PolicyStanding}}, dice.FromSeed(3)); err != nil {
					t.Fatal(err)
				}
			}
			if worked := slices.ContainsFunc(events, func(e engine.Event) bool { b, ok := e.Body.(*dark.LabWork); return ok && b.Boxes == 3 }); worked != again {
				t.Errorf("%s, again %t: laboratories work %t", r.Name, again, worked)
			}
		}
	}
}

// TestOfficersAreToldOfTheirLaboratories: only the science officer and the captain are told what laboratories do.
func TestOfficersAreToldOfTheirLaboratories(t *testing.T) {
	r := rulesOf(t, Command)
	g := labGame(t, r, "crew = { engineer = \"Boyle\", helm = \"Chen\", science = \"Dahl\" }\n")
	sheets := []engine.Sheet{{Ship: "hood", Policy: engine.PolicyStanding}, {Ship: "riskadh", Policy: engine.PolicyStanding}}
	for post, text := range map[string]string{ship.PostEngineer: "power\n labs 1\n", ship.PostHelm: "final\n", ship.PostScience: "study c01 with 3\n"} {
		sheets = append(sheets, engine.Sheet{Ship: "hood", Post: post, Block: hoodsOrders(t, r, text)})
	}
	after, events, err := engine.Resolve(r, g, sheets, dice.FromSeed(3))
	if err != nil {
		t.Fatal(err)
	}
	for post, want := range map[string]bool{"": true, ship.PostScience: true, ship.PostHelm: false, ship.PostEngineer: false} {
		text := string(toldTo(t, r, after, events, strings.TrimSuffix("hood/"+post, "/")))
		if got := strings.Contains(text, "\"type\":\"lab\""); got != want {
			t.Errorf("%q is told of the laboratories' work: %t", post, got)
		}
		if got := strings.Contains(text, "t1.lab.hood"); got != want {
			t.Errorf("%q is told of their die: %t", post, got)
		}
		if got := strings.Contains(text, "labs-hood"); got != want {
			t.Errorf("%q has their panel: %t", post, got)
		}
	}
}
