package scenario_test

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/scenario"
	"starpost/orders"
)

func basic(tb testing.TB) *engine.Rules {
	tb.Helper()
	lib, err := tables.Builtin()
	if err != nil {
		tb.Fatal(err)
	}
	r, err := fasa.Basic(lib)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// duel is a scenario without mistakes. Tests change one line of it.
//
//go:embed testdata/duel.toml
var duel string

func read(tb testing.TB, r *engine.Rules, text string) (*engine.Game, []orders.Diagnostic) {
	tb.Helper()
	sc, diags := scenario.Parse([]byte(text))
	if sc == nil {
		return nil, diags
	}
	return sc.NewGame(r, "duel", nil)
}

func TestDuelHasNoMistake(t *testing.T) {
	g, diags := read(t, basic(t), duel)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	for _, s := range g.Ships {
		if s.ID == "kang" && s.Captain != "Koloth" || s.ID == "hood" && s.Captain != "Hood" {
			t.Errorf("the captain of %s is %s", s.ID, s.Captain)
		}
	}
}

// TestScenarioMistakes changes the duel in one place. The message and its line must help the author.
func TestScenarioMistakes(t *testing.T) {
	r := basic(t)
	for _, test := range []struct {
		name     string
		from, to string // the change; to may hold several lines
		at       string // how the line of the diagnostic begins
		code     string
		says     string // part of the message
		hint     string // part of the hint
	}{
		{"broken", `name = "duel"`, `name = duel`, `name`, "E400", "not a scenario", ""},
		{"wrong type", `columns = 20`, `columns = "20"`, `columns`, "E400", "columns must be", ""},
		{"format", `format = 1`, `format = 2`, `format`, "E402", "format 2", "format = 1"},
		{"no rules", `rules = "stcs-basic"`, ``, `format`, "E402", "names no rule set", "starpost rules"},
		{"other rules", `rules = "stcs-basic"`, `rules = "stcs-basics"`, `rules`, "E402", `"stcs-basics"`, ""},
		{"unknown key at the top", `last_turn = 9`, `last_trun = 9`, `last_trun`, "E401", "last_trun", "last_turn"},
		{"unknown key of a ship", `heading = "D"`, "heading = \"D\"\nheadin = \"D\"", `headin =`, "E401", "headin", "heading"},
		{"known key in the wrong table", `columns = 20`, "columns = 20\nheading = \"A\"", `heading = "A"`, "E401", "bounds.heading", ""},
		{"unknown table", `[options]`, "[option]", `[option]`, "E401", "option", "options"},
		{"last turn", `last_turn = 9`, `last_turn = -1`, `last_turn`, "E402", "between 0", ""},
		{"bounds", `columns = 20`, `columns = 0`, `columns`, "E402", "1 to", ""},
		{"large bounds", `rows = 30`, `rows = 1000`, `columns`, "E402", "1 to", ""},
		{"unknown option", `banks = "one"`, `bank = "one"`, `bank`, "E408", `no option "bank"`, "banks"},
		{"unknown value of an option", `banks = "one"`, `banks = "two"`, `banks`, "E408", `"two"`, "one, each"},
		{"side without id", `id = "red"`, `id = ""`, `id = ""`, "E403", "needs a one-word id", ""},
		{"two sides alike", `id = "blue"`, `id = "RED"`, `id = "RED"`, "E403", "two sides", ""},
		{"ship of no side", `side = "blue"`, `side = "bleu"`, `side = "bleu"`, "E404", `side "bleu"`, "blue"},
		{"side without ships", `id = "blue"`, "id = \"blue\"\n[[side]]\nid = \"grey\"", `id = "grey"`, "E403", "has no ships", "[[ship]]"},
		{"name of two words", `name = "Kang"`, `name = "Kang II"`, `name = "Kang II"`, "E404", "one-word", "letters"},
		{"name of the language", `name = "Kang"`, `name = "All"`, `name = "All"`, "E404", "word of the order language", ""},
		{"name that ends an order's ship", `name = "Kang"`, `name = "when"`, `name = "when"`, "E404", "word of the order language", ""},
		{"name that breaks a head", `name = "Kang"`, `name = "turn"`, `name = "turn"`, "E404", "word of the order language", ""},
		{"name of a side", `name = "Kang"`, `name = "Red"`, `name = "Red"`, "E404", "side", ""},
		{"two ships alike", `name = "Kang"`, `name = "HOOD"`, `name = "HOOD"`, "E404", "two ships are called", ""},
		{"short name", `short = "H"`, `short = "Hoo"`, `short`, "E404", "one or two letters", ""},
		{"short name twice", `side = "blue"`, "short = \"h\"\nside = \"blue\"", `short = "h"`, "E404", "two ships have the short name", ""},
		{"short name of another ship", `short = "H"`, `short = "Ka"` + "\n" + `captain = "X"`, `short = "Ka"`, "", "", ""},
		{"class", `class = "d-10-wolf"`, `class = "d-10-wof"`, `class = "d-10-wof"`, "E407", "Kang", "starpost ships"},
		{"no class", `class = "d-10-wolf"`, ``, `[[ship]]`, "E407", "Kang", ""},
		{"hex", `hex = "1020"`, `hex = "102"`, `hex = "102"`, "E405", "four digits", ""},
		{"hex far away", `[bounds]` + "\n" + `columns = 20` + "\n" + `rows = 30`, ``, ``, "", "", ""},
		{"one hex", `hex = "1020"`, `hex = "1010"`, `hex = "1010"`, "E405", "same hex as Hood", "own"},
		{"off the map", `hex = "1020"`, `hex = "2120"`, `hex = "2120"`, "E405", "outside the map", ""},
		{"heading", `heading = "D"`, `heading = "G"`, `heading = "G"`, "E405", "Kang", "clockwise"},
		{"drawn places", `hex = "1020"`, `hex = ["1020", "1010"]`, `hex = ["1020"`, "E405", "Hood and Kang may both be drawn to start at 1010", "draw"},
		{"drawn place twice", `hex = "1020"`, `hex = ["1020", "1020"]`, `hex = ["1020"`, "E405", "1020 twice", "once"},
		{"drawn places of no text", `hex = "1020"`, `hex = [1020]`, `hex = [1020]`, "E400", "list of such texts", ""},
		{"drawn place off the map", `hex = "1020"`, `hex = ["1020", "2120"]`, `hex = ["1020"`, "E405", "starts at 2120, outside the map", ""},
		{"headings of drawn places", `hex = "1020"` + "\n" + `heading = "D"`, `hex = ["1020", "1022", "1024"]` + "\n" + `heading = ["D", "A"]`, `heading = ["D"`, "E405", "2 headings for 3 places", "each place"},
		{"too many places", `hex = "1020"`, `hex = ["0101"` + strings.Repeat(`, "0102"`, 12) + `]`, `hex = ["0101"`, "E405", "more than 12 places", ""},
		{"draw of two words", `hex = "1020"`, `hex = "1020"` + "\n" + `draw = "far west"`, `draw`, "E405", "one-word", "letters"},
		{"one draw of two lengths", "value = 4\n\n[[ship]]\nname = \"Kang\"\nside = \"blue\"\nclass = \"d-10-wolf\"\nhex = \"1020\"", "draw = \"west\"\n\n[[ship]]\nname = \"Kang\"\nside = \"blue\"\nclass = \"d-10-wolf\"\ndraw = \"WEST\"\nhex = [\"1020\", \"1022\"]", `hex = ["1020"`, "E405", "has 2 places to draw from, and Hood of the same draw 1", "same number"},
		{"arrives", `captain = "Koloth"`, `arrives = -2`, `arrives`, "E404", "arrives", ""},
		{"value", `value = 4`, `value = -4`, `value`, "E404", "value", ""},
		{"dark", `title = "Duel"`, "title = \"Duel\"\nblind = {memory = -1}", `blind`, "E402", "memory", ""},
		{"echoes", `title = "Duel"`, "title = \"Duel\"\nblind = {echoes = 10}", `blind`, "E402", "echoes must be from 0 to 9", ""},
		{"a chart of no kind", `title = "Duel"`, "title = \"Duel\"\nblind = {chart = \"maybe\"}", `blind`, "E402", `chart = "maybe"`, "known, unknown"},
		{"dark words", `title = "Duel"`, "title = \"Duel\"\nblind = {talk = \"loud\"}", `blind`, "E402", "loud", "side, range, none"},
		{"too many laboratories", `value = 4`, "value = 4\nblind = {labs = 21}", `blind`, "E402", "Hood", "[blind]"},
		{"no dark", `value = 4`, "value = 4\nblind = {uprated = true}", `blind`, "E402", "Hood", "[blind]"},
		{"repair", `power = 30`, `power = 300`, `power = 300`, "E407", "from 1 to 40", ""},
		{"unknown repair", `power = 30`, `powr = 30`, `powr`, "E407", "powr", "power"},
		{"goal of no side", "side = \"red\"\nwhen", "side = \"rde\"\nwhen", `side = "rde"`, "E406", `side "rde"`, ""},
		{"no such goal", `when = "drive-off"`, `when = "driveoff"`, `when`, "E406", `"driveoff"`, "drive-off"},
		{"goal of no ship", `ships = ["Kang"]`, `ships = ["Kan"]`, `ships`, "E406", `"Kan"`, ""},
		{"exit without edge", `when = "drive-off"`, `when = "exit"`, `[[victory]]`, "E406", "not an edge", "north"},
		{"exit of the enemy's ship", `when = "drive-off"`, "when = \"exit\"\nedge = \"north\"", `ships`, "E406", "Kang", ""},
		{"survive without turn", `when = "drive-off"`, `when = "survive"`, `[[victory]]`, "E406", "turn is missing", ""},
		{"points without points", `when = "drive-off"`, `when = "points"`, `[[victory]]`, "E406", "points are missing", ""},
		{"count", `count = 1`, `count = -1`, `count`, "E406", "count", ""},
		{"count of more than there are", `count = 1`, `count = 2`, `count`, "E406", "count", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if strings.Count(duel, test.from) != 1 {
				t.Fatalf("%q stands %d times in the duel", test.from, strings.Count(duel, test.from))
			}
			text := strings.Replace(duel, test.from, test.to, 1)
			g, diags := read(t, r, text)
			if test.code == "" {
				if len(diags) > 0 {
					t.Errorf("no mistake, but: %v", diags)
				}
				return
			}
			if g != nil {
				t.Fatal("a game came of it")
			}
			var said []string
			for _, d := range diags {
				line := strings.Split(text, "\n")[d.Pos.Line-1]
				said = append(said, fmt.Sprintf("%s at %q: %s (%s)", d, line, d.Message, d.Hint))
				if d.Code == test.code && strings.Contains(d.Message, test.says) && strings.Contains(d.Hint, test.hint) &&
					strings.HasPrefix(strings.TrimSpace(line), test.at) {
					return
				}
			}
			t.Errorf("expected %s at %q with %q and %q, got:\n%s", test.code, test.at, test.says, test.hint, strings.Join(said, "\n"))
		})
	}
}

func TestScenarioNeedsTwoSides(t *testing.T) {
	_, diags := scenario.Parse([]byte("format = 1\nrules = \"stcs-basic\"\n[[side]]\nid = \"red\"\n"))
	if !orders.HasErrors(diags) {
		t.Error("one side without ships is a battle")
	}
}

func TestScenarioWithManyShips(t *testing.T) {
	var b strings.Builder
	b.WriteString("format = 1\nname = \"many\"\ntitle = \"Many\"\nrules = \"stcs-basic\"\nside = [{id = \"red\"}, {id = \"blue\"}]\n")
	for i := range 200 {
		fmt.Fprintf(&b, "[[ship]]\nname = \"S%d\"\nside = %q\nclass = \"d-10-wolf\"\nhex = \"%02d%02d\"\nheading = \"A\"\n",
			i, []string{"red", "blue"}[i%2], 1+i%20, 1+i/20)
	}
	g, diags := read(t, basic(t), b.String())
	if g == nil {
		t.Fatal(diags)
	}
	shorts := map[string]bool{}
	for _, s := range g.Ships {
		if len(s.Short) > 2 || s.Short == "" || shorts[s.Short] {
			t.Errorf("%s has the short name %q", s.Name, s.Short)
		}
		shorts[s.Short] = true
	}
	fmt.Fprintf(&b, "[[ship]]\nname = \"Last\"\nside = \"red\"\nclass = \"d-10-wolf\"\nhex = \"3030\"\nheading = \"A\"\n")
	if g, _ := read(t, basic(t), b.String()); g != nil {
		t.Error("more than 200 ships are accepted")
	}
}

// TestShortNamesAreUnique: a short name on the map must mean the same ship in orders.
func TestShortNamesAreUnique(t *testing.T) {
	r := basic(t)
	text := strings.Replace(strings.Replace(duel, `name = "Kang"`, `name = "B"`, 1), `ships = ["Kang"]`, `ships = ["B"]`, 1)
	text = strings.Replace(strings.Replace(text, `name = "Hood"`, `name = "Bold"`, 1), `short = "H"`+"\n", "", 1)
	g, diags := read(t, r, text)
	if g == nil {
		t.Fatal(diags)
	}
	for _, s := range g.Ships {
		if found, _, ok := engine.FindShip(g.Ships, s.Short); !ok || found != s {
			t.Errorf("%s on the map is %s, in orders %s", s.Short, s.Name, found.Name)
		}
	}
}

func TestCaptainsGoBeforeTheScenario(t *testing.T) {
	sc, _ := scenario.Parse([]byte(duel))
	g, diags := sc.NewGame(basic(t), "duel", map[string]engine.CaptainName{"kANG": "Kor", "Hood": ""})
	if g == nil {
		t.Fatal(diags)
	}
	want := []engine.Captain{
		{Name: "Hood", Ships: []engine.ShipID{"hood"}, Seats: []engine.Seat{{Ship: "hood"}}},
		{Name: "Kor", Ships: []engine.ShipID{"kang"}, Seats: []engine.Seat{{Ship: "kang"}}},
	}
	if got := g.Captains(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("captains are %v", got)
	}
}

// FuzzParse: no text makes the parser panic or report a mistake without a position, and every accepted scenario can
// be set up, written, read back and viewed.
func FuzzParse(f *testing.F) {
	all, err := fasa.Scenarios()
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range all {
		f.Add(text)
	}
	f.Add([]byte(duel))
	f.Add([]byte("format = 1\n[[ship]]\nname='''\n[[side]]\nx'''"))
	f.Add([]byte("side = [{id=\"a\", id=\"b\"}]"))
	f.Add([]byte("[ship]\nname = 1"))
	f.Add([]byte(strings.NewReplacer(`hex = "1020"`, `hex = ["1020", "1022"]`+"\ndraw = \"a\"", `heading = "D"`, `heading = ["A", "D"]`).Replace(duel)))
	r := basic(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		g, diags := read(t, r, string(data))
		lines := strings.Count(string(data), "\n") + 1
		for _, d := range diags {
			if d.Pos.Line < 1 || d.Pos.Line > lines || d.Pos.Col < 1 || d.Code == "" || d.Message == "" {
				t.Fatalf("%d lines, %+v", lines, d)
			}
		}
		if g == nil {
			if !orders.HasErrors(diags) {
				t.Fatal("refused without a word")
			}
			return
		}
		out, err := engine.EncodeGame(g)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := engine.DecodeGame(out, r); err != nil {
			t.Fatal(err)
		}
		for _, c := range g.Captains() {
			v, err := engine.BuildView(r, g, nil, engine.Viewer{Captain: c.Name, Ships: c.Ships, Focus: c.Ships[0]})
			if err != nil {
				t.Fatal(err)
			}
			r.Present(v)
		}
	})
}

// A file with a [blind] section does not get another one, whatever else is wrong with it: its own mistake is
// reported.
func TestDarkenedHidesNoMistake(t *testing.T) {
	good, err := scenario.Parse([]byte(duel))
	if good == nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"a section, and a bad value": {duel + "\n[blind]\nmemory = -1\n", "memory"},
		"a section, and a bad key":   {strings.Replace(duel, "title", "tittle", 1) + "\n[blind]\n", `unknown key "tittle"`},
		"a value":                    {"blind = {memory = -1}\n" + duel, "memory"},
		"no section, bad key":        {strings.Replace(duel, "title", "tittle", 1), `unknown key "tittle"`},
		"no TOML":                    {duel + "\nwhat is this\n", "not a scenario"},
	} {
		_, diags := scenario.Parse(scenario.Darkened([]byte(c.text)))
		if len(diags) == 0 || !strings.Contains(diags[0].Message, c.want) || strings.Contains(diags[0].Message, "blind") {
			t.Errorf("%s: %v", name, diags)
		}
	}
}

func TestNamesOfANewGame(t *testing.T) {
	for line, want := range map[string]string{
		`captain = "Kirk"`:              "",
		`captain = "Ki\u202erk"`:        "U+202E",
		`crew = {engineer = "S\u200b"}`: "U+200B",
	} {
		s, diags := scenario.Parse([]byte(strings.Replace(duel, `captain = "Koloth"`, line, 1)))
		if s == nil {
			t.Fatal(diags)
		}
		odd := s.NewNames()
		if (len(odd) > 0) != (want != "") || len(odd) > 0 && (!strings.Contains(odd[0].Message, want) || odd[0].Pos.Line < 2 || odd[0].Hint == "") {
			t.Errorf("%s: %v", line, odd)
		}
	}
}

// TestForRules replaces a scenario's rule set: only that line changes.
func TestForRules(t *testing.T) {
	file := []byte("# rules = \"toy\" in a remark\nformat = 1\nname = \"x\"\nrules = \"toy\" # its own\nside = [{id = \"a\"}, {id = \"b\"}]\n" +
		"[[ship]]\nname = \"One\"\nside = \"a\"\nclass = \"c\"\nhex = \"0101\"\nheading = \"A\"\n" +
		"[[ship]]\nname = \"Two\"\nside = \"b\"\nclass = \"c\"\nhex = \"0201\"\nheading = \"A\"\n")
	want := bytes.Replace(file, []byte("rules = \"toy\" # its own"), []byte("rules = \"other\""), 1)
	if got := scenario.ForRules(file, "other"); !bytes.Equal(got, want) {
		t.Errorf("got:\n%s", got)
	}
	if got := scenario.ForRules(file, "toy"); !bytes.Equal(got, file) {
		t.Errorf("for its own rule set:\n%s", got)
	}
	if got := scenario.ForRules([]byte("rules ="), "other"); string(got) != "rules =" {
		t.Errorf("what is no scenario became:\n%s", got)
	}
}
