package sfb

import (
	"fmt"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/scenario"
	"starpost/orders"
)

// labDice are dice by name; all others show 4.
type labDice map[string]int

// Roll implements dice.Source.
func (d labDice) Roll(name string, _ dice.Die) int {
	if n, ok := d[name]; ok {
		return n
	}
	return 4
}

// TestWhatLaboratoriesGather is the arithmetic of cases 13, 14 and 17.
func TestWhatLaboratoriesGather(t *testing.T) {
	for _, c := range []struct{ boxes, rng, die, want int }{
		{3, 4, 3, 12}, {3, 2, 1, 24}, {1, 9, 1, 1}, {1, 9, 2, 0}, {8, 10, 1, 0}, {4, 1, 3, 28}, {4, 1, 2, 32},
	} {
		if got := dark.LabPoints(c.boxes, c.rng, c.die); got != c.want {
			t.Errorf("%d boxes at range %d, die %d: got %d, want %d", c.boxes, c.rng, c.die, got, c.want)
		}
	}
}

// labBattle plays turns with orders by ship, and returns the game and the events of each.
func labBattle(t *testing.T, text string, d labDice, turns ...map[string]string) (games []*engine.Game, events [][]engine.Event) {
	t.Helper()
	r := houseRules(t)
	sc, diags := scenario.Parse([]byte("format = 1\nname = \"labs\"\ntitle = \"Labs\"\nrules = \"sfb-house\"\n" + text))
	if sc == nil {
		t.Fatal(diags)
	}
	g, diags := sc.NewGame(r, "labs", nil)
	if g == nil {
		t.Fatal(diags)
	}
	for n, orderSets := range turns {
		var sheets []engine.Sheet
		for _, id := range g.InFight() {
			s, _ := g.Ship(id)
			blocks, diags := orders.Parse([]byte(fmt.Sprintf("#orders labs turn %d ship %s\npower\n speed 0\n%s#end\n", n+1, s.Name, orderSets[string(id)])), r.Language)
			if len(blocks) != 1 || len(diags) > 0 {
				t.Fatal(orderSets[string(id)], diags)
			}
			sheets = append(sheets, engine.Sheet{Ship: id, Block: &blocks[0]})
		}
		after, told, err := engine.ResolveWith(r, g, sheets, d)
		if err != nil {
			t.Fatal(err)
		}
		g = after
		games, events = append(games, g), append(events, told)
	}
	return games, events
}

const labSides = "[[side]]\nid = \"federation\"\n[[side]]\nid = \"klingon\"\n"

// TestAFileIsReceivedAndStolen is case 17, with a thief: a file of 50 units goes from ship to ship by the dice of the
// receivers, and only while it is sent.
func TestAFileIsReceivedAndStolen(t *testing.T) {
	text := labSides + darkShip("Riskadh", "klingon", "klingon-d7", "1010", "A", "") + darkShip("Gurkan", "klingon", "klingon-d6", "1011", "A", "") +
		darkShip("Kongo", "federation", "federation-sc", "1015", "A", "") + "[[file]]\nname = \"charts\"\nship = \"Riskadh\"\n"
	send := map[string]string{"riskadh": "send file charts to Gurkan\n", "gurkan": "receive charts with 4\n", "kongo": "steal charts with 8\n"}
	silent := map[string]string{"gurkan": "receive charts with 4\n", "kongo": "steal charts with 8\n"}
	games, events := labBattle(t, text, labDice{"t1.p8.lab.gurkan.1": 3, "t1.lab.gurkan.1": 3, "t2.lab.gurkan.1": 2, "t2.p8.lab.gurkan.1": 2, "t3.lab.gurkan.1": 2}, send, silent, send)
	if n := games[0].Labs.Points("gurkan", engine.JobReceive, "charts"); n != 28 {
		t.Errorf("after a turn Gurkan has %d units, want 28", n)
	}
	if n := games[0].Labs.Points("kongo", engine.JobReceive, "charts"); n != 8*(11-4-5) {
		t.Errorf("after a turn Kongo has %d units, want %d", n, 8*(11-4-5))
	}
	if n := games[1].Labs.Points("gurkan", engine.JobReceive, "charts"); n != 28 {
		t.Errorf("in a turn in which it is not sent Gurkan comes to %d units, want 28", n)
	}
	if got := strings.Join(games[2].Labs.Aboard("gurkan"), " "); got != "charts" || games[2].Labs.Points("gurkan", engine.JobReceive, "charts") != 60 {
		t.Errorf("after the second turn of sending Gurkan has %d units and aboard %q, want 60 and charts", games[2].Labs.Points("gurkan", engine.JobReceive, "charts"), got)
	}
	skipped := 0
	for _, e := range events[1] {
		if s, ok := e.Body.(*engine.Skip); ok && s.Reason == "nothing by that name is within 10 hexes" {
			skipped++
		}
	}
	if skipped != 2 {
		t.Errorf("%d orders were skipped in the turn without a sender, want 2", skipped)
	}
}

// TestLaboratoriesDrawSheetsInTheDark: 8 points draw the sheet of a contact, 20 describe a weapon, and neither says
// who she is. Orders about ships that are no contact and that do not exist are reported alike.
func TestLaboratoriesDrawSheetsInTheDark(t *testing.T) {
	text := "[blind]\n" + labSides + darkShip("Hood", "federation", "federation-ca", "1010", "A", "") + darkShip("Zubenelgenubi", "klingon", "klingon-d7", "1014", "A", "")
	games, events := labBattle(t, text, labDice{"t1.lab.hood.1": 3, "t2.lab.hood.1": 1},
		map[string]string{"hood": "study c01 with 3\n"}, map[string]string{"hood": "study c01 with 3\n"}, map[string]string{"hood": "study c07 with 2\nstudy zubenelgenubi with 2\n"})
	if n := games[0].Labs.Points("hood", engine.JobStudy, "zubenelgenubi"); n != 12 {
		t.Errorf("range 4, die 3, 3 boxes: got %d, want 12", n)
	}
	kinds := map[string]int{}
	var reasons []string
	r := houseRules(t)
	for i, g := range games {
		for _, e := range events[i] {
			kinds[e.Type.Name]++
			if s, ok := e.Body.(*engine.Skip); ok {
				reasons = append(reasons, s.Reason)
			}
		}
		if all := string(toldInTheDark(&quiet{T: t}, r, g, events[i], "hood")); i < 2 && strings.Contains(strings.ToLower(all), "zubenel") || strings.Contains(all, "klingon") || i == 1 && !strings.Contains(all, "c01 at the end of turn 2") {
			t.Errorf("turn %d: %s", i+1, all)
		}
	}
	if kinds["lab"] != 2 || kinds["sheet"] != 2 || kinds["nature"] != 1 {
		t.Errorf("events: %v, want 2 lab, 2 sheet, 1 nature", kinds)
	}
	if want := "no ship"; len(reasons) < 2 || strings.Count(strings.Join(reasons, "\n"), want) != 2 {
		t.Errorf("orders to no contact are skipped with %q", reasons)
	}
	if !dark.HasSheet(games[1], "Hood", "zubenelgenubi") {
		t.Error("Hood has no sheet to aim by")
	}
}

// quiet is a testing.T for helpers of property tests.
type quiet struct{ *testing.T }

// TestBadOrdersForLaboratories: they are reported with the mistake, and the rest of the set holds.
func TestBadOrdersForLaboratories(t *testing.T) {
	r := houseRules(t)
	text := "format = 1\nname = \"labs\"\ntitle = \"Labs\"\nrules = \"sfb-house\"\n" + labSides + darkShip("Hood", "federation", "federation-ca", "1010", "A", "") +
		darkShip("Mate", "federation", "federation-ca", "1011", "A", "") + darkShip("Riskadh", "klingon", "klingon-d7", "1014", "A", "") + "[[file]]\nname = \"charts\"\nship = \"Hood\"\n"
	sc, diags := scenario.Parse([]byte(text))
	if sc == nil {
		t.Fatal(diags)
	}
	g, diags := sc.NewGame(r, "labs", nil)
	if g == nil {
		t.Fatal(diags)
	}
	hood, _ := g.Ship("hood")
	v, err := engine.BuildView(r, g, nil, g.Viewer(hood))
	if err != nil {
		t.Fatal(err)
	}
	for orderText, want := range map[string]string{
		"study Riskadh with 9": "E258", "study Mate with 2": "E256", "send file maps to Mate": "E257", "send file charts to Riskadh": "E256",
		"study Riskadh with 2\nstudy Riskadh with 2": "E126", "study Riskadh with 8": "", "send file charts to Mate": "", "study Nowhere with 1": "E102",
		"power\n labs 2\nstudy Riskadh with 7": "E258",
	} {
		blocks, diags := orders.Parse([]byte("#orders labs turn 1 ship Hood\n"+orderText+"\n#end\n"), r.Language)
		if len(blocks) != 1 || len(diags) > 0 {
			t.Fatal(orderText, diags)
		}
		got := ""
		for _, d := range r.Check(v, "hood", blocks[0]).Diagnostics {
			if d.Severity == orders.Error {
				got += d.Code
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", orderText, got, want)
		}
	}
}

// TestLaboratoriesGoOn: if a captain sends nothing and wants the last orders repeated, laboratories repeat their work
// in the dark, but take no new code.
func TestLaboratoriesGoOn(t *testing.T) {
	for _, again := range []bool{true, false} {
		r := houseRules(t)
		g := darkGame(t, r, darkShip("Hood", "red", "federation-ca", "2525", "A", "state = { speed = 0 }"), darkShip("Far", "green", "kzinti-cs", "2521", "A", "state = { speed = 0 }"))
		plan := "power\n speed 0\nstudy c01 with 4\nnew code\n"
		if again {
			plan += "standing\n missing repeat\n"
		}
		g, _ = standing(t, r, g, plan, 1)
		was := g.Labs.Points("hood", engine.JobStudy, "far")
		g, events, err := engine.Resolve(r, g, []engine.Sheet{{Ship: "far", Policy: engine.PolicyStanding}, {Ship: "hood", Policy: engine.PolicyStanding}}, dice.FromSeed(1))
		if err != nil {
			t.Fatal(err)
		}
		if is := g.Labs.Points("hood", engine.JobStudy, "far"); was == 0 || is > was != again || g.Blind.Taken["red"] != 2 || len(bodiesOf[*engine.Skip](events)) > 0 {
			t.Errorf("again %t: %d points, then %d, by code book %d, and skipped is %v", again, was, is, g.Blind.Taken["red"], bodiesOf[*engine.Skip](events))
		}
	}
}
