package sfb

import (
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/orders"
)

// TestRobotsUseLaboratoriesInTheDark checks robots' orders in single situations, under the cadet and the house rules:
// laboratories work on unknown contacts that are near enough, and are powered while there is no contact.
func TestRobotsUseLaboratoriesInTheDark(t *testing.T) {
	charts := "[bounds]\ncolumns = 44\nrows = 120\n[[file]]\nname = \"charts\"\nship = \"Mate\"\n[[victory]]\nside = \"red\"\nwhen = \"file\"\nfile = \"charts\"\nships = [\"Hood\"]\nedge = \"north\"\n" +
		"[[victory]]\nside = \"green\"\nwhen = \"file\"\nfile = \"charts\"\nedge = \"south\"\n"
	for name, test := range map[string]struct {
		mate, foe, more, of string // their places; the ship under test
		points              int    // of data that she has about the foe
		has, not            []string
	}{
		"nothing is found":                   {mate: "1052", foe: "1099", of: "hood", has: []string{"  labs "}, not: []string{"study", "steal"}},
		"a contact within reach":             {mate: "1052", foe: "1023", of: "hood", has: []string{"study c01 with "}, not: []string{"  labs "}},
		"a contact whose sheet is drawn":     {mate: "1052", foe: "1023", of: "hood", points: 8, not: []string{"study", "  labs "}},
		"a contact too far away":             {mate: "1052", foe: "1026", of: "hood", not: []string{"study", "  labs "}},
		"who takes a file away":              {mate: "1013", foe: "1099", of: "hood", more: charts, has: []string{"receive charts with ", "pursue Mate to 1"}, not: []string{"  labs "}},
		"... with it aboard":                 {mate: "1013", foe: "1099", of: "hood", more: strings.Replace(charts, "ship = \"Mate\"", "ship = \"Hood\"", 1), has: []string{"F F"}, not: []string{"receive", "send", "pursue"}},
		"who has a file":                     {mate: "1013", foe: "1099", of: "mate", more: charts, has: []string{"send file charts to Hood\n", "pursue Hood to 1", "  labs "}},
		"... far from who takes it away":     {mate: "1029", foe: "1099", of: "mate", more: charts, has: []string{"pursue Hood to 1"}, not: []string{"send"}},
		"who steals a file, with ships near": {mate: "1013", foe: "1020", of: "foe", more: charts, has: []string{"steal charts with "}, not: []string{"study"}},
		"... with no one near":               {mate: "1013", foe: "1099", of: "foe", more: charts, has: []string{"  labs "}, not: []string{"steal"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range []*engine.Rules{cadetRules(t), houseRules(t)} {
				hood, foe := "cadet-federation", "cadet-klingon"
				if r.Name == houseName {
					hood, foe = "federation-ca", "klingon-d7"
				}
				g := darkGame(t, r, darkShip("Hood", "red", hood, "1010", "A", ""), darkShip("Mate", "red", hood, test.mate, "A", ""), darkShip("Foe", "green", foe, test.foe, "A", ""), test.more)
				s, _ := g.Ship(engine.ShipID(test.of))
				v, err := engine.BuildView(r, g, nil, g.Viewer(s))
				if err != nil {
					t.Fatal(err)
				}
				own, _ := v.Ship(engine.ShipID(test.of))
				own.Gathered = []engine.LabView{{Job: engine.JobStudy, What: "c01", Points: test.points}}
				text := r.Robot(v, engine.ShipID(test.of)).String()
				for _, want := range test.has {
					if !strings.Contains(text, want) {
						t.Errorf("%s: no %q in:\n%s", r.Name, want, text)
					}
				}
				for _, no := range test.not {
					if strings.Contains(text, no) {
						t.Errorf("%s: %q in:\n%s", r.Name, no, text)
					}
				}
				blocks, diags := orders.Parse([]byte("#orders game turn 1 ship "+s.Name+"\n"+text+"#end\n"), r.Language)
				if len(blocks) != 1 || orders.HasErrors(append(diags, r.Check(v, engine.ShipID(test.of), blocks[0]).Diagnostics...)) {
					t.Errorf("%s: %v in:\n%s", r.Name, diags, text)
				}
			}
		})
	}
}

// TestRobotsTakeAFileAwayInTheDark: under the cadet rules one robot sends a file, and another receives it and leaves
// with it across the edge named in her goal.
func TestRobotsTakeAFileAwayInTheDark(t *testing.T) {
	r := cadetRules(t)
	g := darkGame(t, r, darkShip("Hood", "red", "cadet-federation", "1010", "A", ""), darkShip("Mate", "red", "cadet-federation", "1013", "A", ""), darkShip("Foe", "green", "cadet-klingon", "1099", "A", ""),
		"[bounds]\ncolumns = 44\nrows = 120\n[[file]]\nname = \"charts\"\nship = \"Mate\"\nunits = 20\n[[victory]]\nside = \"red\"\nwhen = \"file\"\nfile = \"charts\"\nships = [\"Hood\"]\nedge = \"north\"\n")
	var events []engine.Event
	for g.Result == nil && g.Turn < 8 {
		var sheets []engine.Sheet
		for _, id := range g.InFight() {
			s, _ := g.Ship(id)
			v, err := engine.BuildView(r, g, events, g.Viewer(s))
			if err != nil {
				t.Fatal(err)
			}
			text := r.Robot(v, id).String()
			blocks, diags := orders.Parse([]byte("#orders game turn 1 ship "+s.Name+"\n"+text+"#end\n"), r.Language)
			if len(blocks) != 1 || orders.HasErrors(append(diags, r.Check(v, id, blocks[0]).Diagnostics...)) {
				t.Fatalf("turn %d: %v in:\n%s", g.Turn+1, diags, text)
			}
			sheets = append(sheets, engine.Sheet{Ship: id, Block: &blocks[0]})
		}
		var err error
		if g, events, err = engine.Resolve(r, g, sheets, dice.FromSeed(1)); err != nil {
			t.Fatal(err)
		}
	}
	if g.Result == nil || g.Result.Side != "red" || !strings.Contains(g.Result.Why, "charts") {
		t.Errorf("after turn %d the battle is %+v", g.Turn, g.Result)
	}
}
