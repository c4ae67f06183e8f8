package manual_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/manual"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

func example(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "examples", "cinder", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func cinder(t *testing.T, change ...string) *engine.Game {
	t.Helper()
	text := strings.NewReplacer(change...).Replace(string(example(t, "cinder-reach.toml")))
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

// sheets returns orders of one line for every ship in the battle.
func sheets(t *testing.T, g *engine.Game) []engine.Sheet {
	t.Helper()
	var out []engine.Sheet
	for _, id := range g.InFight() {
		text := "#orders cinder turn 1 ship " + id + "\n" + id + " does as " + id + " likes; and no less\n#end\n"
		blocks, ds := orders.Parse([]byte(text), manual.Rules().Language)
		if len(ds) > 0 {
			t.Fatal(ds)
		}
		out = append(out, engine.Sheet{Ship: id, Block: &blocks[0]})
	}
	return out
}

// resolveFiled plays a turn with a referee's filing.
func resolveFiled(r *engine.Rules, before *engine.Game, sheets []engine.Sheet, filed []byte, secret dice.Secret) (*engine.Game, []engine.Event, error) {
	with, err := r.Filed(before, filed)
	if err != nil {
		return nil, nil, err
	}
	return engine.Resolve(with, before, sheets, secret)
}

// filed plays a turn with a filing, and checks the invariants of every turn.
func filed(t *testing.T, g *engine.Game, text string) (*engine.Game, []engine.Event) {
	t.Helper()
	r := manual.Rules()
	after, events, err := resolveFiled(r, g, sheets(t, g), []byte(text), dice.FromSeed(7))
	if err != nil {
		t.Fatal(err)
	}
	if err := enginetest.CheckTurn(r, g, after, events); err != nil {
		t.Error(err)
	}
	return after, events
}

func viewOf(t *testing.T, g *engine.Game, events []engine.Event, ship engine.ShipID) (*engine.View, string) {
	t.Helper()
	r := manual.Rules()
	v, err := engine.BuildView(r, g, events, engine.Viewer{Captain: engine.CaptainName(ship), Ships: []engine.ShipID{ship}, Focus: ship})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	p := r.Present(v)
	for _, c := range p.Phases {
		b.WriteString("== " + c.Title + "\n")
		for _, l := range c.Lines {
			b.WriteString(strings.Repeat("  ", l.Depth) + l.Text + "\n")
		}
	}
	for _, panel := range p.Panels {
		b.WriteString("-- " + panel.Title + "\n" + strings.Join(panel.Notes, "\n") + "\n")
		for _, row := range panel.Rows {
			b.WriteString(strings.Join(row, " | ") + "\n")
		}
	}
	return v, b.String()
}

func expect(t *testing.T, who, text string, has, hasNot []string) {
	t.Helper()
	for _, s := range has {
		if !strings.Contains(text, s) {
			t.Errorf("%s: %q is missing in\n%s", who, s, text)
		}
	}
	for _, s := range hasNot {
		if strings.Contains(text, s) {
			t.Errorf("%s: %q is told in\n%s", who, s, text)
		}
	}
}

func TestLanguages(t *testing.T) {
	r := manual.Rules()
	if err := r.Language.Validate(); err != nil {
		t.Error(err)
	}
	if err := r.Filing.Language.Validate(); err != nil {
		t.Error(err)
	}
}

func TestSetUp(t *testing.T) {
	g := cinder(t)
	lantern, _ := g.Ship("lantern")
	var names []string
	for _, tr := range lantern.System.(*manual.System).Tracks {
		names = append(names, tr.Name)
	}
	if got := strings.Join(names, " "); got != "drive guns hull shields.1 shields.2 shields.3 shields.4 shields.5 shields.6" {
		t.Errorf("tracks %s", got)
	}
	wasp, _ := g.Ship("wasp")
	if tr := wasp.System.(*manual.System).Tracks[0]; tr != (manual.Track{Name: "crew", Now: 5, Of: 6}) {
		t.Errorf("crew %+v", tr)
	}
	_, seen := viewOf(t, g, nil, "lantern")
	expect(t, "Lantern", seen, []string{"shields 1 | 4 | 4", "Wasp (W) | Raider, converted yacht"}, []string{"Gnat", "5/6"})
	_, seen = viewOf(t, g, nil, "wasp")
	expect(t, "Wasp", seen, []string{"Gnat (G)", "crew | 5 | 6"}, nil)
	_, seen = viewOf(t, cinder(t, `sheets = "own"`, `sheets = "open"`), nil, "lantern")
	expect(t, "Lantern with open sheets", seen, []string{"Wasp: crew 5/6; drive 5"}, []string{"Gnat"})
}

func TestFiledTurns(t *testing.T) {
	g := cinder(t)
	one, events := filed(t, g, string(example(t, "turn-1.txt")))
	if s, _ := one.Ship("lantern"); s.Hex.Label() != "0910" || s.Heading.String() != "F" {
		t.Errorf("Lantern is at %s %s", s.Hex.Label(), s.Heading)
	}
	v, lantern := viewOf(t, one, events, "lantern")
	expect(t, "Lantern", lantern, []string{
		"== Orders\nThe orders of Lantern:\n  lantern does as lantern likes; and no less\n",
		"== What happened\nThe Marigold lumbers north.",
		"Lantern moves 1012 -> 0910, heading F\n",
		"== The first shots\nDie lantern.guns (d10): ",
		"Lantern fires with guns at Wasp and hits\n", "Wasp fires with guns at Lantern and misses",
		"To Lantern: Your lookout has an echo",
	}, []string{"Gnat", "hull 9 to 6", "lookout (2d6)", "The Lantern's gunner", "wasp likes"})
	if s, _ := v.Ship("lantern"); len(s.Trail) != 3 {
		t.Errorf("trail %v", s.Trail)
	}
	if p := manual.Rules().Present(v); len(p.Shots) != 2 || len(p.Marks["lantern"].Shields) != 6 {
		t.Errorf("%d shots, marks %v", len(p.Shots), p.Marks)
	}
	_, wasp := viewOf(t, one, events, "wasp")
	expect(t, "Wasp", wasp, []string{"Wasp: hull 9 to 6, of 9", "To raiders: The Lantern's gunner", "Gnat moves 1405 -> 1306"}, []string{"lookout"})

	two, events := filed(t, one, string(example(t, "turn-2.txt")))
	_, lantern = viewOf(t, two, events, "lantern")
	expect(t, "Lantern", lantern, []string{"Gnat comes into sight of Lantern", "Gnat moves 1306 -> 1109", "Gnat is destroyed: her drive blew up", "Cinder Ore Company: 4 points"}, []string{"Two holds", "comes into sight of Marigold", "hull 15"})
	_, barge := viewOf(t, two, events, "marigold")
	expect(t, "Marigold", barge, []string{"hull 15 to 12, of 15", "has a new track: fire 2 of 6", "fire | 2 | 6", "Two holds"}, nil)
	if sd, _ := two.Side("company"); sd.Points != 4 || two.Result != nil {
		t.Errorf("points %d, result %v", sd.Points, two.Result)
	}

	three, events := filed(t, two, "#rulings\nmove Marigold 0901\nout Marigold left by north\n")
	if three.Result == nil || three.Result.Side != "company" {
		t.Errorf("result %+v", three.Result)
	}
	_, wasp = viewOf(t, three, events, "wasp")
	expect(t, "Wasp, when it is over", wasp, []string{"marigold does as marigold likes"}, nil)
}

// The same orders, filing and secret give the same events, and the value of a die does not depend on the text around
// it.
func TestDice(t *testing.T) {
	g := cinder(t)
	value := func(text string) int {
		_, events := filed(t, g, text)
		for _, e := range events {
			if r, ok := e.Body.(*engine.Roll); ok && r.Name.String() == "t1.wasp.guns" {
				return r.Value
			}
		}
		t.Fatal("no such roll")
		return 0
	}
	first := value(string(example(t, "turn-1.txt")))
	if again := value("#rulings\nroll wasp.guns d10 for wasp\n"); again != first {
		t.Errorf("the die is %d and %d", first, again)
	}
	want := dice.ForTurn(dice.FromSeed(7), "cinder", 1, nil).Roll("t1.wasp.guns", dice.D10)
	if first != want {
		t.Errorf("the die is %d, by the secret %d", first, want)
	}
}

// A trace leads to the captain's words and to the filing.
func TestStory(t *testing.T) {
	g := cinder(t)
	text := example(t, "turn-1.txt")
	after, events := filed(t, g, string(text))
	var causes engine.Causes
	if _, _, err := resolveFiled(manual.Rules().Tracing(&causes), g, sheets(t, g), text, dice.FromSeed(7)); err != nil {
		t.Fatal(err)
	}
	var sets []engine.OrderSet
	for _, s := range sheets(t, g) {
		ship, _ := g.Ship(s.Ship)
		sets = append(sets, engine.OrderSet{Name: ship.Name, Ship: s.Ship, Captain: ship.Captain, Block: *s.Block})
	}
	story, err := engine.NewStory(manual.Rules(), g, after, events, causes, sets)
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for i, e := range events {
		lines, a := story.Words(i), story.Account(i)
		if len(lines) == 0 || lines[0].Text == "" {
			t.Errorf("event %d (%s) has no words", e.Seq, e.Type.Name)
		}
		if e.Step == "filing" && (len(a.Why) == 0 || !strings.Contains(a.Why[0], "the referee filed it")) {
			t.Errorf("event %d (%s): %+v", e.Seq, e.Type.Name, a)
		}
		if _, ok := e.Body.(*engine.Move); ok && len(a.Orders) == 0 {
			t.Errorf("event %d (move): %+v", e.Seq, a)
		}
		told[lines[0].Text] = true
	}
	for _, want := range []string{"Wasp: hull 9 to 6, of 9", "Another part of the report: The first shots", "To raiders: The Lantern's gunner is good. Keep her off the Gnat until the barge is alone."} {
		if !told[want] {
			t.Errorf("%q is not told: %v", want, told)
		}
	}
}

func TestSight(t *testing.T) {
	g := cinder(t)
	one, events := filed(t, g, "#rulings\nsee Lantern Wasp no\nmove Wasp 0606\nout Wasp crippled\nsee lantern gnat yes\n")
	_, lantern := viewOf(t, one, events, "lantern")
	expect(t, "Lantern", lantern, []string{"Wasp is out of sight of Lantern", "Gnat comes into sight of Lantern", "Gnat (G)"}, []string{"0606", "Wasp (W)", "Wasp is crippled", "8 points"})
	_, barge := viewOf(t, one, events, "marigold")
	expect(t, "Marigold", barge, []string{"Wasp moves 0604 -> 0606", "Wasp is crippled"}, []string{"Gnat", "out of sight"})
	if sd, _ := one.Side("company"); sd.Quiet != 8 {
		t.Errorf("quiet points %d", sd.Quiet)
	}
	two, _ := filed(t, one, "#rulings\nenter Wasp 0607 A\nsee all Wasp yes\nsee all Gnat no\n")
	if s, _ := two.Ship("wasp"); s.Status != engine.Active || len(s.System.(*manual.System).Except) != 0 {
		t.Errorf("Wasp %+v %+v", s, s.System)
	}
	_, lantern = viewOf(t, two, nil, "lantern")
	expect(t, "Lantern", lantern, []string{"Wasp (W)"}, []string{"Gnat"})
	_, wasp := viewOf(t, two, nil, "wasp")
	expect(t, "Wasp", wasp, nil, []string{"Gnat"}) // her own side does not see her any more either
}

func TestEnd(t *testing.T) {
	g := cinder(t)
	for text, want := range map[string]string{
		"end draw":                             "draw the referee's ruling",
		"end side raiders for the ore is cold": "raiders the ore is cold",
	} {
		after, events := filed(t, g, "#rulings\n"+text+"\nmove Wasp 0605\n")
		got := "draw "
		if after.Result == nil {
			t.Fatal("the game goes on")
		}
		if !after.Result.Draw {
			got = after.Result.Side + " "
		}
		if got += after.Result.Why; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if last := events[len(events)-1].Type.Name; last != "victory" {
			t.Errorf("the last event is %s", last)
		}
	}
	alone := "#rulings\nout Wasp left\nout Gnat left\n"
	if after, _ := filed(t, g, alone); after.Result == nil {
		t.Error("a side that is alone has not won")
	}
	if after, _ := filed(t, cinder(t, `victory = "scenario"`, `victory = "referee"`), alone); after.Result != nil {
		t.Error("the game was ended by somebody else than the referee")
	}
}

func TestReinforcements(t *testing.T) {
	for _, victory := range []string{"scenario", "referee"} {
		g := cinder(t, `victory = "scenario"`, `victory = "`+victory+`"`, "name = \"Wasp\"\n", "name = \"Wasp\"\narrives = 2\n")
		after, _ := filed(t, g, "#all\nNothing.\n")
		if s, _ := after.Ship("wasp"); s.Status != engine.Active {
			t.Errorf("%s: Wasp is %s", victory, s.Status)
		}
	}
}

// Each mistake is found at its place, and nothing of the filing is played.
func TestFilingMistakes(t *testing.T) {
	g := cinder(t)
	for _, c := range []struct{ text, where, code, says string }{
		{"\x00", "1:1", "E301", "plain text"},
		{"#all\n" + strings.Repeat("x", 2001), "2:1", "E301", "2000 characters"},
		{"Hello", "1:1", "E304", "#all"},
		{"#all\nx\n#shipp Wasp\nsecret", "3:1", "E302", "did you mean #ship?"},
		{"#side", "1:1", "E303", "such as #side"},
		{"#all hello", "1:6", "E303", "on the lines below"},
		{"#end\nmore", "2:1", "E303", "above #end"},
		{"#ship Lantarn\nx", "1:7", "E305", `did you mean "Lantern"?`},
		{"#side pirates\nx", "1:7", "E305", "company, raiders"},
		{"#part One\nx", "2:1", "E304", "#all"},
		{"#rulings\nmove Wesp 0605", "2:6", "E305", `did you mean "Wasp"?`},
		{"#rulings\nmvoe Wasp 0605", "2:1", "E020", "did you mean move?"},
		{"#rulings\nmove Wasp 0605 G", "2:16", "E031", "HEADING"},
		{"#rulings\n; a remark\nmove Wasp 2117", "3:11", "E307", "outside the map"},
		{"#rulings\nset Wasp hul 3", "2:10", "E308", `did you mean "hull"?`},
		{"#rulings\nset Wasp hull -3", "2:15", "E032", ""},
		{"#rulings\ntrack Wasp hull 3", "2:12", "E308", "set Wasp hull 3"},
		{"#rulings\nchange Wasp hull -999999\nchange Wasp hull -999999", "3:18", "E309", "at most"},
		{"#rulings\nout Wasp left\nmove Wasp 0605", "3:1", "E306", "enter Wasp"},
		{"#rulings\nout Wasp destroyed by north", "2:23", "E306", "leave it out"},
		{"#rulings\nenter Wasp 0605 A", "2:1", "E306", "move Wasp 0605"},
		{"#rulings\nroll a d10\nroll A d6", "3:6", "E309", "a.2"},
		{"#rulings\nroll a d12", "2:8", "E031", "d100"},
		{"#rulings\nroll a d10 for nobdy", "2:16", "E305", `"nobody"`},
		{"#rulings\nshot Wasp Wasp hit", "2:11", "E306", "itself"},
		{"#rulings\nsee all Wasp perhaps", "2:14", "E031", "yes"},
		{"#rulings\nscore pirates 3", "2:7", "E305", "company"},
		{"#rulings\nunmark slagg", "2:8", "E305", "asteroid-01"},
		{"#rulings\nend draw\n#rulings\nend side raiders", "4:1", "E309", "twice"},
		{"", "1:1", "W301", "#all"},
		{"#all\n\n", "1:1", "W302", "no text"},
		{"#all\nx\n#rulings\n", "3:1", "W302", "no ruling"},
		{"#rulings\nmove Wasp 0604", "2:1", "W303", "already"},
		{"#rulings\nset Wasp hull 12", "2:15", "W304", "more than the 9"},
		{"#rulings\nout Wasp left\nout Wasp destroyed", "3:1", "W305", "was left"},
		{strings.Repeat("#all\n", 99), "99:1", "W306", "40 more"},
	} {
		ds := manual.Rules().Filing.Check(g, []byte(c.text))
		i := slices.IndexFunc(ds, func(d orders.Diagnostic) bool { return d.Code == c.code })
		if i < 0 || ds[i].Pos.String() != c.where || !strings.Contains(ds[i].Message+" "+ds[i].Hint, c.says) {
			t.Errorf("%q: %v, want %s %s %q", c.text, ds, c.where, c.code, c.says)
			continue
		}
		_, _, err := resolveFiled(manual.Rules(), g, sheets(t, g), []byte(c.text), dice.FromSeed(1))
		if (err != nil) != (c.code[0] == 'E') {
			t.Errorf("%q is played with: %v", c.text, err)
		}
	}
	if s, _ := g.Ship("wasp"); s.Hex.Label() != "0604" {
		t.Error("a look at a filing has changed the game")
	}
}

func TestScenarioMistakes(t *testing.T) {
	text := string(example(t, "cinder-reach.toml"))
	for _, c := range []struct{ from, to, says string }{
		{"state = { hull = 9,", "state = { \"1x\" = 9,", "cannot be called"},
		{"crew = \"5 of 6\"", "crew = 5.5", "not a number"},
		{"crew = \"5 of 6\"", "crew = \"5 or 6\"", "is not of the form"},
		{"crew = \"5 of 6\"", "crew = []", "1 to 60"},
		{"hidden = true", "hidden = 1", "true or false"},
		{"crew = \"5 of 6\"", "Hull = 3", "two tracks"},
		{"state = { hull = 4,", "repair = { hull = 3 }\nstate = { hull = 4,", "have no repair"},
	} {
		sc, ds := scenario.Parse([]byte(strings.Replace(text, c.from, c.to, 1)))
		if sc == nil {
			t.Fatal(ds)
		}
		_, ds = sc.NewGame(manual.Rules(), "cinder", nil)
		if len(ds) == 0 || !strings.Contains(ds[0].Message, c.says) || ds[0].Pos.Line < 20 {
			t.Errorf("%s: %v", c.to, ds)
		}
	}
}

func TestCheckOrders(t *testing.T) {
	g := cinder(t)
	r := manual.Rules()
	v, _ := viewOf(t, g, nil, "wasp")
	look := func(lines string) engine.Checked {
		blocks, ds := orders.Parse([]byte("#orders cinder turn 1 ship Wasp\n"+lines+"#end\n"), r.Language)
		if orders.HasErrors(ds) {
			t.Fatal(ds)
		}
		return r.Check(v, "wasp", blocks[0])
	}
	out := look("close with the barge; fire at will\nmesage Lantern\nfinal\n")
	if len(out.Effects) != 2 || !strings.Contains(out.Effects[0].Text, "referee") || !strings.Contains(out.Summary[0], "2 orders") {
		t.Errorf("%+v", out)
	}
	if len(out.Diagnostics) != 1 || out.Diagnostics[0].Code != "W321" || out.Diagnostics[0].Hint != "did you mean message?" {
		t.Errorf("%v", out.Diagnostics)
	}
	if out := look(r.Template(v, "wasp").String()); len(out.Diagnostics) != 1 || out.Diagnostics[0].Code != "E321" {
		t.Errorf("an unchanged template: %v", out.Diagnostics)
	}
	if out := look("final\n"); len(out.Diagnostics) != 0 || out.Summary[0] != "no order for the referee to read" {
		t.Errorf("%+v", out)
	}
}

// The filing offered contains the orders, and is a valid filing.
func TestBlank(t *testing.T) {
	g := cinder(t)
	r := manual.Rules()
	text := r.Filing.Blank(g, sheets(t, g))
	expect(t, "blank", text, []string{
		"; Lantern (Revenue cutter), at 1012 heading A; drive 4; guns 2; hull 10; shields 4 3 3 2 3 3\n;     lantern does as lantern likes; and no less\n",
		"crew 5/6", "\n; move Wasp 0604 D\n", "\n#ship Gnat\n",
	}, nil)
	if ds := r.Filing.Check(g, []byte(text)); orders.HasErrors(ds) {
		t.Error(ds)
	}
}
