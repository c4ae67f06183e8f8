package sfb

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/ruling"
	"starpost/orders"
)

// TestOrdersAtAnEchoTellNothing: reports on orders against an echo have the same bytes as on the same orders against
// a ship detected at the same place.
func TestOrdersAtAnEchoTellNothing(t *testing.T) {
	at := func(orders string) string { return "power\n speed 0\n phasers 2\n" + orders }
	fires := func(target string) string {
		return at(strings.ReplaceAll("phase 1\n fire ph-1 at X when range <= 14\nphase 2\n fire ph-2 at X when level of X >= 2\nphase 3\n fire ph-2 at X when level of X = 1\n", "X", target))
	}
	for _, r := range []*engine.Rules{houseRules(t), cadetRules(t)} {
		own, foe := "klingon-d7", "kzinti-cs"
		tests := []struct{ plan, want string }{
			{fires("c01"), `"fire-seen"`},
			{fires("nearest"), `"fire-seen"`},
			{at("phase 1\n launch drone-1 at c01\n"), `"launch-seen"`},
			{at("phase 1\n launch drone-1 at nearest when level of nearest = 1\n"), `"launch-seen"`},
			{at("phase 1\n pursue c01 to 2\nphase 2\n face c01\n fire ph-1 at c01 when facing = 1\n"), "its condition did not come true"},
		}
		if r.Name != houseName {
			own, foe = "cadet-klingon", "cadet-federation"
		} else {
			for _, does := range []string{"tractor c01 with 2", "raid c01 lab", "raid c01 lab steal", "board nearest with 2"} {
				tests = append(tests, struct{ plan, want string }{at("phase 1\n " + does + "\n"), "her sensors do not show who that is"})
			}
			tests = append(tests, []struct{ plan, want string }{
				{at("phase 1\n probe to 2528 study c01 on 1\n"), `"craft"`},
				{at("study c01 with 2\n"), "nothing by that name is within 10 hexes"},
				{at("decode c01 with 2\n"), "no such talk heard within 10 hexes"},
				{at("decode any with 2\n"), "no talk heard within 10 hexes"},
				{at("phase 1\n tractor c01 with 2 when range > 20\n"), "its condition did not come true"},
			}...)
		}
		hood := darkShip("Hood", "red", own, "2525", "A", "state = { speed = 0, capacitors = 2 }")
		far := darkShip("Far", "green", foe, "90.90", "A", "")
		ghost, solid := darkGame(t, r, hood, far), darkGame(t, r, hood, far, darkShip("Mid", "green", foe, "2511", "D", ""))
		ghost, _ = standing(t, r, ghost, at(""), 1, "echo Hood 2511")
		solid, _ = standing(t, r, solid, at(""), 1)
		for _, test := range tests {
			for seed := range uint64(3) {
				_, one := standing(t, r, ghost, test.plan, seed)
				_, two := standing(t, r, solid, test.plan, seed)
				if one != two {
					t.Fatalf("%s, %s: at an echo\n%s\nat a ship\n%s", r.Name, test.plan, one, two)
				}
				if !strings.Contains(one, test.want) {
					t.Fatalf("%s, %s: want %s, got\n%s", r.Name, test.plan, test.want, one)
				}
			}
		}
	}
}

// TestOrdersAtALostEchoTellNothing: orders against a lost echo are reported like those against a lost ship.
func TestOrdersAtALostEchoTellNothing(t *testing.T) {
	r, rest := houseRules(t), "power\n speed 0\n phasers 2\n"
	hood := darkShip("Hood", "red", "klingon-d7", "2525", "A", "state = { speed = 0, capacitors = 2 }")
	far := darkShip("Far", "green", "kzinti-cs", "90.90", "A", "")
	ghost, solid := darkGame(t, r, hood, far), darkGame(t, r, hood, far, darkShip("Mid", "green", "kzinti-cs", "2511", "D", ""))
	ghost, _ = standing(t, r, ghost, rest, 1, "echo Hood 2511")
	solid, _ = standing(t, r, solid, rest, 1)
	ghost, _ = standing(t, r, ghost, rest, 1)
	solid, _ = standing(t, r, solid, rest, 1, "move Mid 90.80 A")
	ghost, _ = standing(t, r, ghost, rest, 1)
	solid, _ = standing(t, r, solid, rest, 1)
	for does, want := range map[string]string{
		"phase 2\n fire ph-1 at c01\n":                                     "no such target on the map",
		"phase 2\n tractor c01 with 1\nphase 3\n launch drone-1 at c01\n":  "no such ship on the map",
		"study c01 with 1\ndecode c01 with 1\n":                            "no such talk heard within 10 hexes",
		"phase 2\n face c01\n pursue c01 to 3\n probe to 2530 study c01\n": "no such ship on the map",
	} {
		_, one := standing(t, r, ghost, rest+does, 1)
		_, two := standing(t, r, solid, rest+does, 1)
		if one != two || !strings.Contains(one, want) {
			t.Errorf("%s: want %s; at an echo\n%s\nat a ship\n%s", does, want, one, two)
		}
	}
}

// TestWhatSeeksAnEchoLosesIt: a drone flies to its captain's echo, and loses it when the echo no longer shows, as it
// would a ship.
func TestWhatSeeksAnEchoLosesIt(t *testing.T) {
	r := houseRules(t)
	g := darkGame(t, r, darkShip("Hood", "red", "klingon-d7", "2525", "A", "state = { speed = 0 }"), darkShip("Far", "green", "kzinti-cs", "90.90", "A", ""))
	g, _ = standing(t, r, g, "power\n speed 0\n", 1, "echo Hood 2511")
	g, told := standing(t, r, g, "power\n speed 0\nphase 1\n launch drone-1 at c01\n", 1)
	seeking := state.Drones(g)
	if len(seeking) != 1 || strings.Contains(told, "is gone") {
		t.Fatalf("%d drones seek the echo:\n%s", len(seeking), told)
	}
	d := seeking[0].ID
	if at := seeking[0].Hex; hex.Distance(at, hex.At(25, 11)) > 7 {
		t.Errorf("after a turn the drone is at %s", at.Label())
	}
	g, told = standing(t, r, g, "power\n speed 0\n", 1)
	if s, _ := g.Ship(d); s.Status != engine.Left || !strings.Contains(told, "its target is gone") {
		t.Errorf("when the echo is gone the drone is %s:\n%s", s.Status, told)
	}
	if strings.Contains(told, "~") || strings.Contains(told, "echo") {
		t.Errorf("it tells that it was an echo:\n%s", told)
	}
}

// TestPointsAboutAnEcho: an echo near enough for laboratories yields points by dice, as a ship does; a sheet never.
func TestPointsAboutAnEcho(t *testing.T) {
	r := houseRules(t)
	dull := "set Hood sensor 3" // it then shows a place within 10 hexes, and more within 5
	hood, far := darkShip("Hood", "red", "klingon-d7", "2525", "A", "state = { speed = 0 }"), darkShip("Far", "green", "kzinti-cs", "90.90", "A", "")
	ghost, _ := standing(t, r, darkGame(t, r, hood, far), "power\n speed 0\n", 1, dull, "echo Hood 2518")
	solid, _ := standing(t, r, darkGame(t, r, hood, far, darkShip("Mid", "green", "kzinti-cs", "2518", "D", "")), "power\n speed 0\n", 1, dull)
	studied := regexp.MustCompile(`(?m)^.*Hood, study c01: range 7, .*$`)
	for seed := range uint64(6) {
		after, one := standing(t, r, ghost, "power\n speed 0\nstudy c01 with 4\n", seed)
		_, two := standing(t, r, solid, "power\n speed 0\nstudy c01 with 4\n", seed)
		if got, want := studied.FindString(one), studied.FindString(two); got != want || got == "" {
			t.Errorf("about an echo %q, about a ship %q", got, want)
		}
		if len(after.Labs.Known) != 1 || len(after.Labs.Sheets) > 0 {
			t.Errorf("of an echo laboratories know %+v", after.Labs)
		}
	}
}

// standing plays a turn in which Hood carries out a plan and all others stand still, with rulings at its end, and
// returns what Hood's captain is told.
func standing(t *testing.T, r *engine.Rules, g *engine.Game, plan string, seed uint64, rulings ...string) (after *engine.Game, told string) {
	t.Helper()
	var all []ruling.Ruling
	for _, what := range rulings {
		all = append(all, ruling.Ruling{By: "Rita", At: "now", Why: "as at the table", What: what})
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
	after, events, err := engine.Resolve(ruling.Upon(r, all), g, sheets, dice.FromSeed(seed))
	if err != nil {
		t.Fatal(err)
	}
	return after, string(toldInTheDark(t, r, after, events, "hood"))
}
