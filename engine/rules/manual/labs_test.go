package manual_test

import (
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/rules/manual"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// instrumentTable returns a game in the dark in which Hood has laboratories and a probe, and Wasp is 9 hexes from her.
func instrumentTable(t *testing.T) *engine.Game {
	t.Helper()
	text := "format = 1\nname = \"dark\"\ntitle = \"Dark\"\nrules = \"manual\"\n[blind]\ntalk = \"none\"\n[[side]]\nid = \"red\"\n[[side]]\nid = \"green\"\n[[file]]\nname = \"charts\"\nship = \"Mate\"\n"
	for _, s := range []string{
		"name = \"Hood\"\nside = \"red\"\nhex = \"2020\"\nblind = { labs = 4, probes = 1 }\n", "name = \"Mate\"\nside = \"red\"\nhex = \"2010\"\n",
		"name = \"Wasp\"\nside = \"green\"\nhex = \"2029\"\nstate = { hull = 5, guns = 2 }\n", "name = \"Far\"\nside = \"green\"\nhex = \"9090\"\n",
	} {
		text += "[[ship]]\nclass = \"Sloop\"\nheading = \"A\"\n" + s
	}
	sc, ds := scenario.Parse([]byte(text))
	if sc == nil {
		t.Fatal(ds)
	}
	g, ds := sc.NewGame(manual.Rules(), "cinder", nil)
	if g == nil {
		t.Fatal(ds)
	}
	return g
}

// TestInstrumentsAtATable: the program plays orders for laboratories and probes by the scenario's data alone; the
// referee moves ships and says who is hit.
func TestInstrumentsAtATable(t *testing.T) {
	r, g := manual.Rules(), instrumentTable(t)
	for n, turn := range []struct {
		hood, mate, filing string
		want, not          []string
	}{
		{
			"study c01 with 3\nprobe to 2005 carry\nmessage courier\n#text\nCome north.\n#endtext\nprobe to 2001", "send file charts to Hood", "#all\nNothing.\n",
			[]string{"Hood launches a probe, r", "moves 2020 -> 2012, heading A", "Hood, study c01: range 9, 3 boxes, die ", "Hood could not carry out \"probe to 2001\": no probe is loaded", "detects what is within 10 hexes of it"},
			[]string{"Wasp"},
		},
		{
			"study c01 with 4", "turn about", "#rulings\nset Wasp hull 3\n",
			[]string{"Hood, study c01: range 9", "moves 2012 -> 2005"},
			[]string{"Wasp"},
		},
		{
			"receive charts with 4", "send file charts to Hood", "#rulings\nshot Wasp PROBE hit\n",
			[]string{"is destroyed: any hit destroys a probe", "Hood, receive charts: range 10, 4 boxes"},
			nil,
		},
	} {
		var probe string
		for _, s := range g.Ships {
			if s.Small() {
				probe = s.Name
			}
		}
		var in []engine.Sheet
		for _, id := range g.InFight() {
			text := map[engine.ShipID]string{"hood": turn.hood, "mate": turn.mate}[id]
			blocks, ds := orders.Parse([]byte("#orders cinder turn 1 ship "+string(id)+"\n"+text+"\n#end\n"), r.Language)
			if text != "" && (len(ds) > 0 || len(blocks) != 1) {
				t.Fatal(ds)
			}
			if text != "" {
				in = append(in, engine.Sheet{Ship: id, Block: &blocks[0]})
			} else {
				in = append(in, engine.Sheet{Ship: id, Policy: engine.PolicyStanding})
			}
		}
		if blank := r.Filing.Blank(g, in); n == 0 && !strings.Contains(blank, "(study c01 with 3: the program plays it)") {
			t.Errorf("the referee reads\n%s", blank)
		}
		after, events, err := resolveFiled(r, g, in, []byte(strings.ReplaceAll(turn.filing, "PROBE", probe)), dice.FromSeed(7))
		if err != nil {
			t.Fatal(err)
		}
		if err := enginetest.CheckTurn(r, g, after, events); err != nil {
			t.Error(err)
		}
		g = after
		_, text := viewOf(t, g, events, "hood")
		expect(t, "Hood", text, turn.want, turn.not)
		if _, told := viewOf(t, g, events, "wasp"); strings.Contains(told, "launches") || strings.Contains(told, "study") {
			t.Errorf("Wasp is told\n%s", told)
		}
	}
	if n := g.Labs.Points("hood", engine.JobStudy, "wasp"); n == 0 || dark.HasSheet(g, "Hood", "wasp") != (n >= dark.SheetPoints) {
		t.Errorf("%d points, and a sheet: %t", n, dark.HasSheet(g, "Hood", "wasp"))
	}
}

// TestBadOrdersForInstruments: they are reported with a hint, and an order about an unseen ship like one about a ship
// that does not exist. In the open, and with other forms, lines are for the referee to read.
func TestBadOrdersForInstruments(t *testing.T) {
	r, g := manual.Rules(), instrumentTable(t)
	check := func(g *engine.Game, ship engine.ShipID, text string) engine.Checked {
		s, _ := g.Ship(ship)
		v, err := engine.BuildView(r, g, nil, g.Viewer(s))
		if err != nil {
			t.Fatal(err)
		}
		blocks, ds := orders.Parse([]byte("#orders cinder turn 1 ship "+s.Name+"\n"+text+"\n#end\n"), r.Language)
		if len(blocks) != 1 || len(ds) > 0 {
			t.Fatal(text, ds)
		}
		return r.Check(v, ship, blocks[0])
	}
	for _, c := range []struct{ ship, text, want engine.ShipID }{
		{"hood", "study c01 with 4", ""},
		{"hood", "study c01 with 5", "E258 5 asked for, and 4 free"},
		{"hood", "study c01 with 3\ndecode any with 2", "E258 2 asked for, and 1 free"},
		{"mate", "study c02 with 1", "E258"},
		{"hood", "study c09 with 1", "E102"},
		{"hood", "study Mate with 1", "E256"},
		{"mate", "send file charts to Hood", ""},
		{"hood", "send file charts to Mate", "E257"},
		{"hood", "probe to 2001\nprobe to 2002", "E250 no probe is loaded"},
		{"mate", "probe to 2001", "E250 no probe is loaded"},
	} {
		got := ""
		for _, d := range check(g, c.ship, string(c.text)).Diagnostics {
			got += d.Code + " " + d.Message
		}
		if !strings.HasPrefix(got, string(c.want)) || c.want == "" && got != "" {
			t.Errorf("%s, %s: got %q, want %q", c.ship, c.text, got, c.want)
		}
	}
	for _, order := range []string{"study NAME with 1", "probe to 2001 study NAME"} {
		var said [2]string
		for i, name := range []string{"Far", "Gone"} {
			for _, d := range check(g, "hood", strings.ReplaceAll(order, "NAME", name)).Diagnostics {
				said[i] += strings.ReplaceAll(d.String(), name, "X")
			}
		}
		if said[0] != said[1] || said[0] == "" {
			t.Errorf("%s: an unseen ship gives %q, one that is not there %q", order, said[0], said[1])
		}
	}
	open := g.Clone()
	open.Blind, open.Labs = nil, nil
	for _, c := range []struct {
		g    *engine.Game
		text string
	}{{open, "study Wasp with 9"}, {open, "probe to 2001"}, {g, "study their wake with great care"}, {g, "send a boat to Mate"}, {open, "new heading"}} {
		out := check(c.g, "hood", c.text)
		if len(out.Diagnostics) > 0 || len(out.Effects) != 1 || out.Effects[0].Text != "the referee reads: "+c.text {
			t.Errorf("%s: got %v, %v", c.text, out.Diagnostics, out.Effects)
		}
	}
}
