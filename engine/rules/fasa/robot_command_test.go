package fasa

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/orders"
)

func courseRules(tb testing.TB, name string) *engine.Rules {
	tb.Helper()
	lib, err := tables.Builtin()
	if err != nil {
		tb.Fatal(err)
	}
	r, err := Courses()[name](lib)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// duel returns a game of two ships, with more tables of the scenario.
func duel(tb testing.TB, r *engine.Rules, first, second, more string) *engine.Game {
	tb.Helper()
	return gameOf(tb, r, fmt.Sprintf(`format = 1
name = "duel"
title = "Duel"
rules = %q
side = [{id = "a"}, {id = "b"}]
[bounds]
columns = 22
rows = 33
[[ship]]
name = "One"
side = "a"
%s
[[ship]]
name = "Two"
side = "b"
%s
%s
`, r.Name, first, second, more))
}

// orderedBy returns what the robot orders for a ship.
func orderedBy(tb testing.TB, r *engine.Rules, g *engine.Game, id engine.ShipID) string {
	tb.Helper()
	s, _ := g.Ship(id)
	v, err := engine.BuildView(r, g, nil, g.Viewer(s))
	if err != nil {
		tb.Fatal(err)
	}
	return r.Robot(v, id).String()
}

// TestRobotsUseWhatTheirShipsHave checks robots' orders in one situation each.
func TestRobotsUseWhatTheirShipsHave(t *testing.T) {
	const (
		cruiser = "class = \"constitution-iii\"\nhex = \"1120\"\nheading = \"A\""
		near    = "class = \"d-7s\"\nhex = \"1114\"\nheading = \"D\""
		field   = "[[terrain]]\nkind = \"minefield\"\nside = \"a\"\nat = \"1117\"\nfrom = 1\nto = 2\nfigure = { mines = 3, dummies = 4 }"
		astern  = "class = \"d-7s\"\nhex = \"1125\"\nheading = \"A\""
	)
	for name, test := range map[string]struct {
		course, first, second, more string
		has, not                    []string
	}{
		"locks on the enemy and asks": {course: "stcs-advanced", first: cruiser, second: near, has: []string{"sensors Two", "questions 5 3", "fire all at Two when chance"}},
		"lets an enemy be that others crippled": {
			course: "stcs-advanced", first: cruiser, second: near, more: "[[ship]]\nname = \"Three\"\nside = \"b\"\nclass = \"d-7s\"\nhex = \"1610\"\nheading = \"D\"",
			has: []string{"phase 2", "fire all at Two when not crippled and chance >= 50%\n  fire all at nearest when chance >= 50%"}, not: []string{"fire all at Two when chance"},
		},
		"repairs the shield that it shows before others": {
			course: "stcs-advanced", first: cruiser + "\nrepair = { shields_down = [4, 2] }", second: near,
			has: []string{"repair shield-2 shield-4"},
		},
		"repairs weapons where that can be": {
			course: "stcs-graduate", first: cruiser + "\nrepair = { weapons_lost = [\"torpedo-1\"] }", second: near,
			has: []string{"repair torpedo-1"},
		},
		"swings about when the enemy is right behind": {course: "stcs-advanced", first: cruiser, second: astern, has: []string{"move E"}},
		"leaves without weapons, and dodges": {
			course: "stcs-advanced", first: "class = \"merchantman\"\nhex = \"1120\"\nheading = \"A\"", second: near,
			has: []string{"warp +1", "flee Two", "evade "},
		},
		"looks for what is cloaked": {
			course: "stcs-advanced", first: cruiser, second: "class = \"v-8\"\nhex = \"1114\"\nheading = \"D\"\nstate = { cloak = \"on\" }",
			has: []string{"when not seen nearest", "fire all at nearest"}, not: []string{"Two"},
		},
		"strikes from under the cloak": {
			course: "stcs-advanced", first: "class = \"v-8\"\nhex = \"1118\"\nheading = \"A\"\nstate = { cloak = \"on\" }", second: near,
			has: []string{"cloak ready", "arm plasma-1", "cloak off when range to Two", "cloak on when not cloaked"},
		},
		"chooses where to begin": {
			course: "stcs-advanced", first: cruiser + "\nstate = { free = \"edge\" }", second: "class = \"v-8\"\nhex = \"1114\"\nheading = \"D\"\nstate = { cloak = \"on\" }",
			has: []string{"place "},
		},
		"lays mines across the way of an enemy": {
			course: "stcs-advanced", first: cruiser, second: near, more: field, has: []string{"lay mines 1115 1116 1118\n"},
		},
		"lays mines far from each other while nothing is in sight": {
			course: "stcs-advanced", first: cruiser, second: "class = \"v-8\"\nhex = \"1114\"\nheading = \"D\"\nstate = { cloak = \"on\" }", more: field,
			has: []string{"lay mines 0916 1119 1316\n"},
		},
		"leaves another side's mines alone": {
			course: "stcs-advanced", first: cruiser, second: near, more: strings.Replace(field, "side = \"a\"", "side = \"b\"", 1), not: []string{"lay "},
		},
		"follows whom it must not let go": {
			course: "stcs-advanced", first: cruiser, second: near, more: "[[victory]]\nside = \"a\"\nwhen = \"destroy\"", has: []string{"follow all"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := courseRules(t, test.course)
			g := duel(t, r, test.first, test.second, test.more)
			text := orderedBy(t, r, g, "one")
			for _, want := range test.has {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in:\n%s", want, text)
				}
			}
			for _, no := range test.not {
				if strings.Contains(text, no) {
					t.Errorf("%q in:\n%s", no, text)
				}
			}
			if _, err := robotsOrder(r, g, nil); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestRobotsPayForTheCloakWithWhatIsLeft: while the converter is out, movement gets what it got last turn,
// and a robot whose engines cannot supply the cloak as well leaves it off.
func TestRobotsPayForTheCloakWithWhatIsLeft(t *testing.T) {
	for _, last := range []int{4, 40} { // power to movement in the turn before
		r := courseRules(t, "stcs-graduate")
		g := duel(t, r, "class = \"v-8\"\nhex = \"1118\"\nheading = \"A\"\nstate = { cloak = \"on\" }", "class = \"d-7s\"\nhex = \"1114\"\nheading = \"D\"", "")
		one, _ := g.Ship("one")
		sys := ship.Of(one)
		sys.Put(&ship.RepairState{Tracks: map[string]ship.Track{ship.NameConverter: {Boxes: 1, Down: true}}})
		sys.Alloc.Available, sys.Alloc.Movement = sys.Power, min(last, sys.Power)
		text := orderedBy(t, r, g, "one")
		if cloaks := strings.Contains(text, "cloak ready"); cloaks != (last == 4) {
			t.Errorf("with %d of %d power to movement anyway, cloaked: %t\n%s", sys.Alloc.Movement, sys.Power, cloaks, text)
		}
		if _, err := robotsOrder(r, g, nil); err != nil {
			t.Error(err)
		}
	}
}

// TestRobotsBlowUpHopelessShips gives robots ships that cannot be saved.
func TestRobotsBlowUpHopelessShips(t *testing.T) {
	const battlecruiser = "class = \"d-7s\"\nheading = \"D\"\nhex = "
	another := func(side, hex string) string {
		return fmt.Sprintf("[[ship]]\nname = \"Three\"\nside = %q\n%s%q", side, battlecruiser, hex)
	}
	for name, test := range map[string]struct {
		course, second, more string
		superstructure       int // 0: as built
		powerless            bool
		status               engine.Status
		want                 string // the order, as far as it is checked
		round                int
	}{
		"crippled, enemy beside her":            {status: engine.Crippled, second: "1119", want: "self-destruct 1 when range to Two <= 1\n"},
		"crippled, friend farther away":         {status: engine.Crippled, second: "1119", more: another("a", "1123"), want: "self-destruct 1 when range to Two <= 1 and range to Three > 1\n"},
		"crippled, in a later phase":            {status: engine.Crippled, second: "1119", round: 2, want: "self-destruct 2 when range to Two <= 1\n"},
		"crippled, enemy too far":               {status: engine.Crippled, second: "1118"},
		"crippled, friend beside her":           {status: engine.Crippled, second: "1119", more: another("a", "1121")},
		"crippled, without power":               {status: engine.Crippled, second: "1119", powerless: true},
		"crippled, Basic Course":                {status: engine.Crippled, second: "1119", course: "stcs-basic"},
		"about to go, two enemies":              {superstructure: 3, second: "1119", more: another("b", "1121"), want: "self-destruct 1 when range to Three <= 1 and range to Two <= 1\n"},
		"about to go, two enemies, later phase": {superstructure: 3, second: "1119", more: another("b", "1121"), round: 3, want: "self-destruct 3 when range to Three <= 1 and range to Two <= 1\n"},
		"about to go, one enemy":                {superstructure: 3, second: "1119"},
		"sound, two enemies":                    {superstructure: 4, second: "1119", more: another("b", "1121")},
		"about to go, but is to reach an edge":  {superstructure: 3, second: "1119", more: another("b", "1121") + "\n[[victory]]\nside = \"a\"\nwhen = \"exit\"\nedge = \"north\""},
	} {
		t.Run(name, func(t *testing.T) {
			r := courseRules(t, cmp.Or(test.course, "stcs-advanced"))
			g := duel(t, r, "class = \"constitution-iii\"\nhex = \"1120\"\nheading = \"A\"", battlecruiser+fmt.Sprintf("%q", test.second), test.more)
			one, _ := g.Ship("one")
			one.Status = cmp.Or(test.status, one.Status)
			ship.Of(one).Superstructure = cmp.Or(test.superstructure, ship.Of(one).Superstructure)
			if test.powerless {
				ship.Of(one).Power = 0
			}
			if test.round > 0 {
				g.Turn, g.Round = 1, test.round-1
			}
			v, err := engine.NewViewBuilder(r, g, nil).InRounds(test.round).View(g.Viewer(one))
			if err != nil {
				t.Fatal(err)
			}
			text := r.Robot(v, "one").String()
			_, first, given := strings.Cut(text, "self-destruct")
			if first = "self-destruct" + first; given != (test.want != "") || given && !strings.HasPrefix(first, test.want) {
				t.Errorf("want %q in:\n%s", test.want, text)
			}
			if text == "" {
				return
			}
			blocks, diags := orders.Parse([]byte("#orders duel turn 1 ship One\n"+text+"#end\n"), r.Language)
			if len(blocks) != 1 || orders.HasErrors(append(diags, r.Check(v, "one", blocks[0]).Diagnostics...)) {
				t.Errorf("%v in:\n%s", diags, text)
			}
		})
	}
}

// TestTotalsAreToldByWhoGivesThem: only the engineer tells the totals, or the captain who gives the
// engineer's orders.
func TestTotalsAreToldByWhoGivesThem(t *testing.T) {
	r := averagePeople(rulesOf(t, Command))
	set := *postSet(t, r, "ship", "totals move 12 weapons 20 shields 10\n")
	for _, test := range []struct {
		name            string
		vacant, relieve bool
		post            string
		told            bool
	}{
		{"the engineer", false, false, ship.PostEngineer, true},
		{"the captain of a ship with an engineer", false, false, ship.PostCaptain, false},
		{"the captain of a ship without", true, false, ship.PostCaptain, true},
		{"the captain whose engineer is relieved", false, true, ship.PostCaptain, true},
		{"the helm", false, false, ship.PostHelm, false},
	} {
		g := crewedWolf(t, r, "hood")
		hood, _ := g.Ship("hood")
		if test.vacant {
			delete(hood.Crew, ship.PostEngineer)
		}
		if test.relieve {
			hood.Relieved = []string{ship.PostEngineer}
		}
		seat := engine.Seat{Ship: "hood", Post: test.post}
		who, err := r.SeatViewer(g, seat)
		if err != nil {
			t.Fatal(err)
		}
		v, err := engine.BuildView(r, g, nil, who)
		if err != nil {
			t.Fatal(err)
		}
		if words := r.Tell(v, seat, set); len(words) > 0 != test.told {
			t.Errorf("%s tells %v", test.name, words)
		}
	}
}
