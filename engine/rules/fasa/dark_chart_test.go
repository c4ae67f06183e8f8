package fasa

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// lies returns a terrain feature of a scenario: its kind and hexes, and other keys.
func lies(kind, hexes, more string) string {
	return fmt.Sprintf("[[terrain]]\nkind = %q\nhexes = [\"%s\"]\n%s\n", kind, strings.ReplaceAll(hexes, " ", `", "`), more)
}

// onChart returns the features of a ship's view, by name, with their hexes.
func onChart(v *engine.View) string {
	var out []string
	for _, f := range v.Terrain {
		out = append(out, f.ID+": "+f.Where())
	}
	return strings.Join(out, "; ")
}

// TestWhatTerrainSensorsFind: a captain's chart has a hex of terrain as soon as the sensors would detect it, a
// planet at twice the range, a mine's counter within 2 (house 9.71 to 9.74, F6).
func TestWhatTerrainSensorsFind(t *testing.T) {
	hood := func(more string) string { return darkShip("Hood", "red", "constitution-hood", "1060", "A", more) }
	for _, c := range []struct{ law, ships, terrain, want string }{
		{"a planet within 40", "", lies("planet", "1020 1019", `name = "Ardana"`), "planet-1020: planet Ardana at 1020"},
		{"and no farther", "", lies("planet", "1019", ""), ""},
		{"within 60 by uprated sensors", hood("blind = { uprated = true }"), lies("moon", "1001 9001", ""), "moon-1001: moon at 1001"},
		{"asteroids within 20, as one hex more", "", lies("asteroid", "1040 1041", ""), "asteroid-1041: asteroid at 1041"},
		{"those on the way count too", "", lies("asteroid", "1050", "") + lies("asteroid", "1042", ""), "asteroid-1042: asteroid at 1042; asteroid-1050: asteroid at 1050"},
		{"and take it beyond the range", "", lies("asteroid", "1041", "") + lies("asteroid", "1050", ""), "asteroid-1050: asteroid at 1050"},
		{"nothing behind a planet but herself", "", lies("planet", "1050 1049", "") + lies("asteroid", "1048", "") + lies("moon", "1045", ""), "planet-1050: planet at 1050 1049"},
		{"what is unlike others has the name of its place", "", lies("planet", "9999", "") + lies("planet", "1055", "") + lies("planet", "9998", ""), "planet-1055: planet at 1055"},
		{"two of a kind in one hex", "", lies("asteroid", "1050 9999", "") + lies("asteroid", "1050 9998", ""), "asteroid-1050: asteroid at 1050; asteroid-1050-02: asteroid at 1050"},
		{"counters of mines are small", "", lies("mine", "1058", "side = \"green\"\ncounters = \"shown\"") + lies("mine", "1057", "side = \"green\"\ncounters = \"shown\""), "mine-1058: mine at 1058"},
		{"hidden ones no sensors find", "", lies("mine", "1059", "side = \"green\""), ""},
		{"the own side's are known, and what lies among them", "", lies("minefield", "9001 9002", "side = \"red\"") + lies("planet", "9001 9101", ""), "minefield-9001: minefield at 9001 9002; planet-9001: planet at 9001"},
		{"as a planet of the own side is", "", lies("planet", "9001", "name = \"Home\"\nside = \"red\"") + lies("planet", "9050", "side = \"green\""), "planet-9001: planet Home at 9001"},
		{"his ships share", hood("captain = \"Kirk\"") + darkShip("Mate", "red", "constitution-hood", "9060", "A", "captain = \"Kirk\""), lies("asteroid", "9055", ""), "asteroid-9055: asteroid at 9055"},
		{"other captains of his side do not", hood("") + darkShip("Mate", "red", "constitution-hood", "9060", "A", ""), lies("asteroid", "9055", ""), ""},
	} {
		t.Run(c.law, func(t *testing.T) {
			r := rulesOf(t, advanced)
			if c.ships == "" {
				c.ships = hood("")
			}
			g := gameOf(t, r, uncharted(r, c.ships, darkShip("Wolf", "green", "d-10-wolf", "5099", "A", ""), c.terrain))
			v := viewOf(t, r, g, nil, "hood")
			if got := onChart(v); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if !v.Uncharted || !strings.Contains(fmt.Sprint(r.Present(v).Panels), "your chart shows only the terrain your ships have discovered") {
				t.Error("he is not told that there may be more")
			}
			if all, err := engine.BuildView(r, g, nil, engine.Viewer{All: true}); err != nil || len(all.Terrain) != len(g.Terrain) {
				t.Errorf("a referee sees %s, %v", onChart(all), err)
			}
			if none, err := engine.BuildView(r, g, nil, engine.Viewer{}); err != nil || len(none.Terrain) > 0 {
				t.Errorf("who looks on sees %s, %v", onChart(none), err)
			}
		})
	}
}

func uncharted(r *engine.Rules, ships ...string) string {
	return strings.Replace(darkScenario(r, ships...), "[blind]\n", "[blind]\nchart = \"unknown\"\n", 1)
}

// TestTerrainThatWasFoundStaysKnown: asteroids are found from where a ship was in the middle of a turn, told to her
// captain at the end of the phase, and still known when she is far away again; the events hold all of it.
func TestTerrainThatWasFoundStaysKnown(t *testing.T) {
	r := rulesOf(t, advanced)
	g := gameOf(t, r, uncharted(r, darkShip("Hood", "red", "constitution-hood", "1060", "A", ""), darkShip("Wolf", "green", "d-10-wolf", "5099", "A", ""),
		lies("asteroid", "1040 1039", `name = "the belt"`)))
	for n, c := range []struct{ plan, chart, told string }{
		{"power\n move 12\nphase 1\n move F\n", "asteroid-1040: asteroid the belt at 1040", "found: asteroid the belt at 1040"},
		{"power\n move 28\nphase 1\n move B B B\nphase 2\n move B B\nphase 3\n move B B\n", "asteroid-1040: asteroid the belt at 1040", ""},
	} {
		var sheets []engine.Sheet
		for _, id := range []engine.ShipID{"hood", "wolf"} {
			text := "power\n move 0\n"
			if id == "hood" {
				text = c.plan
			}
			blocks, _ := orders.Parse([]byte(fmt.Sprintf("#orders game turn %d ship %s\n%s#end\n", n+1, id, text)), r.Language)
			sheets = append(sheets, engine.Sheet{Ship: id, Block: &blocks[0]})
		}
		after, events, err := enginetest.Resolve(r, g, sheets, dice.FromSeed(1))
		if err != nil {
			t.Fatal(err)
		}
		g = after
		for _, ship := range []engine.ShipID{"hood", "wolf"} {
			v, told := viewOf(t, r, g, events, ship), ""
			for _, e := range v.Events {
				if b, ok := e.Body.(*dark.ChartEntry); ok {
					if told += b.Sentence(v); b.Truth != nil {
						t.Errorf("%s is told the name of the whole", ship)
					}
				}
			}
			wants := [2]string{c.told, c.chart}
			if ship == "wolf" {
				wants = [2]string{}
			}
			if got := [2]string{told, onChart(v)}; got != wants {
				t.Errorf("turn %d, %s: got %q, want %q", n+1, ship, got, wants)
			}
		}
	}
	if hood, _ := g.Ship("hood"); slices.Contains([]string{"1060", "1059"}, hood.Hex.Label()) {
		t.Errorf("Hood is still at %s", hood.Hex.Label())
	}
}
