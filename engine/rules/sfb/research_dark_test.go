package sfb

import (
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/scenario"
	"starpost/orders"
)

// bodiesOf returns the bodies of a type among events.
func bodiesOf[B engine.Body](events []engine.Event) (out []B) {
	for _, e := range events {
		if b, ok := e.Body.(B); ok {
			out = append(out, b)
		}
	}
	return out
}

// craftOf returns what a ship launched in some events.
func craftOf(t *testing.T, events []engine.Event, ship engine.ShipID) engine.ShipID {
	t.Helper()
	for _, b := range bodiesOf[*state.CraftLaunch](events) {
		if b.Ship == ship {
			return engine.ShipID(strings.ToLower(b.Craft))
		}
	}
	t.Fatalf("%s launches nothing", ship)
	return ""
}

// TestAProbeIsAnEyeInTheDark: a probe finds for its captain what is within ten hexes of it, out of range of the ship,
// and within two identifies it; sent to study, it gathers 20 points a turn and draws a sheet.
func TestAProbeIsAnEyeInTheDark(t *testing.T) {
	text := "[blind]\n" + labSides + darkShip("Hood", "federation", "federation-ca", "1040", "A", "") + darkShip("Zubenelgenubi", "klingon", "klingon-d7", "1010", "A", "")
	probe := map[string]string{"hood": "phase 1\n probe to 1018 on 1\n"}
	rest := map[string]string{}
	games, events := labBattle(t, text, labDice{}, probe, rest, rest)
	level := func(n int) string {
		c := games[n].Blind.Log("Hood").Held("zubenelgenubi")
		if c == nil {
			return "nothing"
		}
		return c.Level.String()
	}
	// Seven hexes in the first turn, 22 in all: it is at 1018, eight hexes from her, after the third.
	if got := []string{level(0), level(1), level(2)}; !slices.Equal(got, []string{"nothing", "nothing", "rough"}) {
		t.Errorf("the probe shows %v turn by turn, want rough in the third alone", got)
	}
	r := houseRules(t)
	all := string(toldInTheDark(&quiet{T: t}, r, games[2], events[2], "hood"))
	if strings.Contains(strings.ToLower(all), "zubenel") || !strings.Contains(all, "c01") {
		t.Errorf("her captain is told %s", all)
	}
	if foe := string(toldInTheDark(&quiet{T: t}, r, games[2], events[2], "zubenelgenubi")); strings.Contains(foe, "r404") || strings.Contains(strings.ToLower(foe), "hood") {
		t.Errorf("who does not find the probe is told of it: %s", foe)
	}
}

// TestProbesGatherInTheDark: a probe gathers 20 points a turn about a contact without a die, and a sheet for each 8
// points; likewise from a file that is being sent.
func TestProbesGatherInTheDark(t *testing.T) {
	text := "[blind]\n" + labSides + darkShip("Hood", "federation", "federation-ca", "1020", "A", "") + darkShip("Kongo", "federation", "federation-ca", "0920", "A", "") +
		darkShip("Zubenelgenubi", "klingon", "klingon-d7", "1010", "A", "") + darkShip("Gurkan", "klingon", "klingon-d7", "1009", "A", "") + "[[file]]\nname = \"charts\"\nship = \"Gurkan\"\n"
	orders := map[string]string{"hood": "phase 1\n probe to 1015 study c02 on 1\n", "kongo": "phase 1\n probe to 0915 receive charts on 1\n", "gurkan": "send file charts to Zubenelgenubi\n"}
	send := map[string]string{"gurkan": orders["gurkan"]}
	games, events := labBattle(t, text, labDice{}, orders, send, send)
	about := games[0].Blind.Log("Hood").Called(2).Ship
	if n := games[1].Labs.Points("hood", engine.JobStudy, string(about)); n != 40 {
		t.Errorf("two turns of a probe gave %d points, want 40", n)
	}
	if n := len(bodiesOf[*dark.Nature](events[0])) + len(bodiesOf[*dark.Nature](events[1])); n != 2 || !dark.HasSheet(games[0], "Hood", about) {
		t.Errorf("%d weapons became known in two turns, want 2; sheet: %t", n, dark.HasSheet(games[0], "Hood", about))
	}
	if got := strings.Join(games[2].Labs.Aboard("kongo"), " "); got != "charts" || slices.Contains(games[1].Labs.Aboard("kongo"), "charts") {
		t.Errorf("after three turns of 20 units Kongo has %q, want charts", got)
	}
	if all := string(toldInTheDark(&quiet{T: t}, houseRules(t), games[0], events[0], "hood")); strings.Contains(strings.ToLower(all), string(about)) || !strings.Contains(all, "tells Hood of c02: 20 points, 20 in all") {
		t.Errorf("her captain is told %s", all)
	}
}

// TestWhoStudiesAProbeLearnsWhoseItIs is case 16: 10 points reveal the ship that launched it.
func TestWhoStudiesAProbeLearnsWhoseItIs(t *testing.T) {
	text := "[blind]\n" + labSides + darkShip("Hood", "federation", "federation-ca", "1020", "A", "") + darkShip("Gurkan", "klingon", "klingon-d7", "1013", "A", "")
	games, events := labBattle(t, text, labDice{"t2.lab.gurkan.1": 4}, map[string]string{"hood": "phase 1\n probe to 1015 on 1\n"}, map[string]string{"gurkan": "study r404 with 2\n"})
	if craft := craftOf(t, events[0], "hood"); craft != "r404" || games[0].Blind.Log("Gurkan").Held(craft) == nil {
		t.Fatalf("Gurkan does not have the probe %s, two hexes away", craft)
	}
	spotted := bodiesOf[*dark.Spotted](events[1])
	for _, b := range bodiesOf[*engine.Skip](events[1]) {
		t.Errorf("%s: %s", b.Order, b.Reason)
	}
	if len(spotted) != 1 || spotted[0].Ship != "gurkan" || spotted[0].Side != "federation" || spotted[0].Bearing != "180" {
		t.Errorf("2 boxes, die 4, range 2 make 10 points: got %+v, want the side and the bearing of Hood", spotted)
	}
	if len(bodiesOf[*dark.SheetDrawn](events[1])) > 0 {
		t.Error("a probe has no sheet to draw")
	}
}

// TestAShuttleScoutsInTheDark: it sees as a probe does, and brings home what it gathers.
func TestAShuttleScoutsInTheDark(t *testing.T) {
	text := "[blind]\n" + labSides + darkShip("Hood", "federation", "federation-ca", "1020", "A", "") + darkShip("Zubenelgenubi", "klingon", "klingon-d7", "1014", "A", "")
	games, events := labBattle(t, text, labDice{"t2.study.b404": 1, "t2.p8.study.b404": 1},
		map[string]string{"hood": "phase 1\n shuttle to 1020 on 1\n"}, map[string]string{"hood": "phase 1\n shuttle b404 study c01\n"},
		map[string]string{"hood": "phase 1\n shuttle b404 send Hood\n"})
	if n := games[1].Labs.Points("hood", engine.JobStudy, "zubenelgenubi"); n != 0 {
		t.Errorf("what the shuttle holds is aboard already: %d points", n)
	}
	told := string(toldInTheDark(&quiet{T: t}, houseRules(t), games[1], events[1], "hood"))
	if strings.Contains(strings.ToLower(told), "zubenel") || !strings.Contains(told, "points about c01 at range 6") {
		t.Errorf("her captain is told %s", told)
	}
	if got := games[2].Labs.Points("hood", engine.JobStudy, "zubenelgenubi"); got != 4 {
		t.Errorf("range 6, die 1: the shuttle sent %d points, want 4", got)
	}
}

// TestBadOrdersForProbesInTheDark: they are reported, and an order about an unseen ship like one about a ship that
// does not exist.
func TestBadOrdersForProbesInTheDark(t *testing.T) {
	r := houseRules(t)
	text := "format = 1\nname = \"labs\"\ntitle = \"Labs\"\nrules = \"sfb-house\"\n[blind]\n" + labSides + darkShip("Hood", "federation", "federation-ca", "1010", "A", "") +
		darkShip("Mate", "federation", "federation-ca", "1011", "A", "") + darkShip("Gurkan", "klingon", "orion-cr", "1013", "A", "") + darkShip("Hidden", "klingon", "klingon-f5", "1060", "A", "")
	sc, diags := scenario.Parse([]byte(text))
	if sc == nil {
		t.Fatal(diags)
	}
	g, diags := sc.NewGame(r, "labs", nil)
	if g == nil {
		t.Fatal(diags)
	}
	said := func(ship engine.ShipID, text string) string {
		s, _ := g.Ship(ship)
		v, err := engine.BuildView(r, g, nil, g.Viewer(s))
		if err != nil {
			t.Fatal(err)
		}
		blocks, diags := orders.Parse([]byte("#orders labs turn 1 ship "+s.Name+"\n"+text+"\n#end\n"), r.Language)
		if len(blocks) != 1 || len(diags) > 0 {
			t.Fatal(text, diags)
		}
		got := ""
		for _, d := range r.Check(v, ship, blocks[0]).Diagnostics {
			if d.Severity == orders.Error {
				got += d.Code + " " + d.Message + " (" + d.Hint + ")"
			}
		}
		return got
	}
	for _, c := range []struct{ ship, text, want engine.ShipID }{
		{"hood", "phase 1\n probe to 1011 study c02", ""},
		{"hood", "phase 1\n probe to 1011", ""},
		{"hood", "phase 1\n probe to 1011 receive charts", ""},
		{"hood", "phase 1\n shuttle to 1011", ""},
		{"hood", "phase 1\n probe to 1011 study Mate", "E256"},
		{"hood", "phase 1\n probe to 1011 study c09", "E102"},
		{"gurkan", "phase 1\n probe to 1011", "E250 this ship has no probe launcher"},
		{"hood", "study c02 with 9", "E258"},
		{"hood", "study c09 with 2", "E102"},
		{"hood", "send file charts to Mate", "E257"},
	} {
		if got := said(c.ship, string(c.text)); !strings.HasPrefix(got, string(c.want)) || c.want == "" && got != "" {
			t.Errorf("%s, %s: got %q, want %s", c.ship, c.text, got, c.want)
		}
	}
	for _, order := range []string{"phase 1\n probe to 1011 study NAME", "study NAME with 2", "phase 1\n fire all at NAME", "phase 1\n launch drone-1 at NAME"} {
		there, not := said("hood", strings.ReplaceAll(order, "NAME", "Hidden")), said("hood", strings.ReplaceAll(order, "NAME", "Nowhen"))
		if strings.ReplaceAll(there, "Hidden", "X") != strings.ReplaceAll(not, "Nowhen", "X") || there == "" {
			t.Errorf("%s: a ship that is unseen gives %q, one that is not there %q", order, there, not)
		}
	}
}
