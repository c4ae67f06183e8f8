package sfb

import (
	"fmt"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/scenario"
	"starpost/orders"
)

// TestRobotsGoByTheirGoals: a robot's prey, its exit edge and the file it wants follow from the goals' data.
func TestRobotsGoByTheirGoals(t *testing.T) {
	r := houseRules(t)
	files, err := Family().ScenarioFiles()
	if err != nil {
		t.Fatal(err)
	}
	led := 0
	for _, name := range []string{"house-duel", "other-cloak", "drone-raid", "stolen-charts"} {
		sc, diags := scenario.Parse(files[name])
		if sc == nil {
			t.Fatal(diags)
		}
		g, diags := sc.NewGame(r, "mail", nil)
		if g == nil {
			t.Fatal(diags)
		}
		for _, id := range g.InFight() {
			s, _ := g.Ship(id)
			v, err := engine.BuildView(r, g, nil, g.Viewer(s))
			if err != nil {
				t.Fatal(err)
			}
			want := r.Robot(v, id).String()
			v.Aims = nil
			led += rulebook.BoolInt(r.Robot(v, id).String() != want)
		}
	}
	if led < 4 {
		t.Errorf("goals change the orders of %d robots", led)
	}
}

// TestRobotsBrakeAimAndLightLaboratories: a robot uses what a rule offers its ship if that is an advantage, without
// mistakes, and otherwise not.
func TestRobotsBrakeAimAndLightLaboratories(t *testing.T) {
	r := houseRules(t)
	const game = "format = 1\nname = \"g\"\ntitle = \"G\"\nrules = \"sfb-house\"\nside = [{id = \"a\"}, {id = \"b\"}]\n%s\nship = [{name = \"Hood\", side = \"a\", class = \"%s\", hex = \"1020\", heading = \"A\", state = {speed = 16, capacitors = 6}},\n" +
		"{name = \"Fang\", side = \"b\", class = \"klingon-f5\", hex = \"%s\", heading = \"D\", repair = {%s}}]\n"
	const ca, near, far = "federation-ca", "1018", "1002"
	for _, c := range []struct {
		what, more, class, hex, repair, wants string
		not                                   bool
	}{
		{"an enemy with one bridge box left", "", ca, near, "bridge = 1, auxiliary = 0, emergency = 0", "fire all at nearest aimed 2 when range <= 2", false},
		{"... one of auxiliary control", "", ca, near, "bridge = 0, auxiliary = 1, emergency = 0", "fire all at nearest aimed 12 when range <= 2", false},
		{"... with both", "", ca, near, "bridge = 1, auxiliary = 1", "aimed", true},
		{"a ship whose computers do not aim", "", "klingon-d7", near, "bridge = 1, auxiliary = 0, emergency = 0", "aimed", true},
		{"a ship that comes on fast", "", ca, far, "lab = 1", "brake when damaged", false},
		{"a ship of another navy", "", "klingon-d7", far, "lab = 1", "brake", true},
		{"a slow one", "", ca, near, "lab = 1", "brake", true},
		{"no one found in the dark", "blind = {}", ca, "1060", "lab = 1", "  labs ", false},
		{"in the open", "", ca, "1060", "lab = 1", "  labs ", true},
	} {
		sc, diags := scenario.Parse(fmt.Appendf(nil, game, c.more, c.class, c.hex, c.repair))
		if sc == nil {
			t.Fatal(diags)
		}
		g, diags := sc.NewGame(r, "g", nil)
		if g == nil {
			t.Fatal(c.what, diags)
		}
		hood, _ := g.Ship("hood")
		v, err := engine.BuildView(r, g, nil, g.Viewer(hood))
		if err != nil {
			t.Fatal(err)
		}
		text := r.Robot(v, "hood").String()
		if strings.Contains(text, c.wants) == c.not {
			t.Errorf("%s: %q is ordered: %v; the robot orders\n%s", c.what, c.wants, c.not, text)
		}
		blocks, diags := orders.Parse([]byte("#orders g turn 1 ship Hood\n"+text+"#end\n"), r.Language)
		if len(blocks) != 1 || len(diags) > 0 || orders.HasErrors(r.Check(v, "hood", blocks[0]).Diagnostics) {
			t.Errorf("%s: %v, %v in\n%s", c.what, diags, r.Check(v, "hood", blocks[0]).Diagnostics, text)
		}
	}
}

// TestRobotsFireCannonWhereShipsWillBe: a robot fires its cannon along the row where an enemy going straight on will be
// when the shot arrives, and not through a ship of its own side.
func TestRobotsFireCannonWhereShipsWillBe(t *testing.T) {
	r := houseRules(t)
	const game = "format = 1\nname = \"g\"\ntitle = \"G\"\nrules = \"sfb-house\"\noptions = {cannon = \"on\"}\nside = [{id = \"a\"}, {id = \"b\"}]\n" +
		"ship = [{name = \"Fang\", side = \"a\", class = \"kzinti-cs\", hex = \"2020\", heading = \"A\", state = {speed = 8}},\n%s" +
		"{name = \"Hood\", side = \"b\", class = \"federation-ca\", hex = \"%s\", heading = \"%s\", state = {speed = %d}}]\n"
	for _, c := range []struct {
		what, friend, hex, heading string
		speed                      int
		wants                      string // "": none
	}{
		{"at rest ahead", "", "2010", "A", 0, "phase 1\n  fire cannon-1 cannon-2 cannon-3 cannon-4 along A on 1\n"},
		{"crossing the row as the shot comes", "", "1811", "C", 8, "along A on 1\n"},
		{"far away", "", "2001", "A", 24, ""},
		{"behind a friend, until she is passed", "{name = \"Claw\", side = \"a\", class = \"kzinti-ff\", hex = \"2017\", heading = \"A\"},\n", "2010", "A", 0, "phase 2\n  fire cannon-1 cannon-2 cannon-3 cannon-4 along A on 3\n"},
	} {
		sc, diags := scenario.Parse(fmt.Appendf(nil, game, c.friend, c.hex, c.heading, c.speed))
		if sc == nil {
			t.Fatal(diags)
		}
		g, diags := sc.NewGame(r, "g", nil)
		if g == nil {
			t.Fatal(c.what, diags)
		}
		fang, _ := g.Ship("fang")
		v, err := engine.BuildView(r, g, nil, g.Viewer(fang))
		if err != nil {
			t.Fatal(err)
		}
		text := r.Robot(v, "fang").String()
		if fires := strings.Contains(text, "fire cannon"); fires != (c.wants != "") || !strings.Contains(text, c.wants) {
			t.Errorf("%s: want %q, and the robot orders\n%s", c.what, c.wants, text)
		}
	}
}
