package campaign

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/scenario"
)

const hash = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func roster(tb testing.TB) *Roster {
	tb.Helper()
	r, err := New("War", "", nil)
	for _, step := range []func() error{
		func() error { return err },
		func() error { return r.Commission("Hood", "constitution-ii", Rating{40, []int{5, 5, 5}}) },
		func() error { return r.Commission("Talon", "k-23f", Rating{50, nil}) },
		func() error { return r.Recruit("Samelson", Rating{60, []int{5, 5, 5}}, nil) },
		func() error { return r.Recruit("Kor", Rating{70, nil}, nil) },
		func() error { return r.Assign("samelson", "HOOD", "") },
		func() error { return r.Assign("Kor", "Talon", "") },
	} {
		if err := step(); err != nil {
			tb.Fatal(err)
		}
	}
	return r
}

var growth = &family.CampaignRules{
	Sets: map[string]family.RatingKeys{"stcs-advanced": {Skill: "skill", Efficiency: "efficiency"}, "stcs-command": {Skill: "tactics"}},
	Posts: []family.RatedPost{
		{Dexterity: "dexterity_captain"},
		{Post: "engineer", Skills: []string{"warp_drive", "astronautics"}, Dexterity: "dexterity_engineer"},
		{Post: "helm", Skills: []string{"helm", "weaponry"}, Dexterity: "dexterity_helm"},
		{Post: "weapons", Skills: []string{"weaponry"}},
	},
	SkillBase: 45, EfficiencyBase: 25, DexterityBase: 40,
	Equal: func(points, officers int) (captain, each int) {
		each = points / (1 + officers)
		return points - officers*each, each
	},
	Divide: func(points, percent int) (captain, crew int) {
		crew = points * (100 - percent) / 100
		return points - crew, crew
	},
	Grow: func(rating, points int) int { return min(99, rating+points) },
}

// wants checks that an error contains certain words; "" means no error.
func wants(t *testing.T, err error, part string) {
	t.Helper()
	if (err == nil) != (part == "") || err != nil && !strings.Contains(err.Error(), part) {
		t.Errorf("%v, expected %q", err, part)
	}
}

func TestAssign(t *testing.T) {
	r := roster(t)
	wants(t, r.Commission("hood", "x", Rating{40, nil}), "there is already a ship hood")
	wants(t, r.Commission("Big Hood", "x", Rating{40, nil}), "one word")
	wants(t, r.Commission("Kongo", "x", Rating{100, nil}), "efficiency is 100")
	wants(t, r.Recruit("kor", Rating{60, nil}, nil), "there is already a captain kor")
	wants(t, r.Recruit("A\nB", Rating{60, nil}, nil), "unprintable")
	wants(t, r.Recruit("Ann <ann@example.org>", Rating{60, nil}, nil), "contains < or >")
	if len(r.Ships) != 2 || len(r.Captains) != 2 {
		t.Errorf("refused and there: %+v", r)
	}
	err := r.Assign("Samelsen", "Hood", "")
	wants(t, err, `no captain "Samelsen"`)
	if e, ok := errors.AsType[*Error](err); !ok || e.Hint() != `did you mean "Samelson"?` {
		t.Error(err)
	}
	wants(t, r.Assign("Kor", "Hod", ""), `no ship "Hod"`)
	wants(t, r.Release("Kor"), "not a prisoner")
	// Kor takes over the Hood: Samelson and the Talon become free.
	wants(t, r.Assign("Kor", "Hood", ""), "")
	if r.Commander("Hood").Name != "Kor" || r.Commander("Talon") != nil || r.Captain("Samelson").Ship != "" {
		t.Errorf("%+v", r.Captains)
	}
	wants(t, r.check(), "")
}

// battle returns a game in which the Talon was lost to the Hood.
func battle() FinishedGame {
	return FinishedGame{ID: "duel", Hash: hash, Title: "A Duel", Result: "Federation wins", Turns: 3, Ships: []family.Served{
		{Name: "Hood", Class: "constitution-ii", Points: 5, Against: []string{"Talon"}, Fate: family.FateKept},
		{Name: "Talon", Class: "k-23f", Fate: family.FateTaken},
		{Name: "Merchant", Class: "merchantman", Fate: family.FateKept},
	}}
}

func TestRecord(t *testing.T) {
	r := roster(t)
	g, again, err := r.Record(battle(), FateRuling{}, growth)
	if err != nil || again || len(g.Ships) != 2 {
		t.Fatal(g, again, err)
	}
	if h, s := r.Ship("Hood"), r.Captain("Samelson"); h.Efficiency != 42 || h.Points != 2 || s.Skill != 63 || s.Points != 3 || s.Ship != "Hood" {
		t.Errorf("%+v %+v", h, s)
	}
	if k := r.Captain("Kor"); k.Status != Prisoner || k.Ship != "" || r.Ship("Talon").Status != Taken {
		t.Errorf("%+v", k)
	}
	// The same game again, and games that look like another.
	before := r.clone()
	if h, again, err := r.Record(battle(), FateRuling{Lost: []string{"Talon"}}, growth); err != nil || !again || !reflect.DeepEqual(h, g) {
		t.Error(h, again, err)
	}
	other := battle()
	other.Hash = strings.Repeat("0", 64)
	_, _, err = r.Record(other, FateRuling{}, growth)
	wants(t, err, "another game called duel")
	other = battle()
	other.ID = "rematch"
	_, _, err = r.Record(other, FateRuling{}, growth)
	wants(t, err, "already in War, as duel")
	other.Hash = strings.Repeat("1", 64)
	_, _, err = r.Record(other, FateRuling{}, growth)
	wants(t, err, "Talon is taken")
	if !reflect.DeepEqual(*r, before) {
		t.Errorf("refused and changed: %+v", r)
	}
	wants(t, r.Assign("Kor", "Hood", ""), "Kor is a prisoner")
	wants(t, r.Assign("Samelson", "Talon", ""), "Talon is taken")
	wants(t, r.Release("Kor"), "")
	wants(t, r.Assign("Kor", "Hood", ""), "")
}

// TestRecordSplit checks the agreed percentage of a ship's points for her captain; the captain's
// setting takes precedence over the campaign's.
func TestRecordSplit(t *testing.T) {
	all, none, most := 100, 0, 80
	for _, test := range []struct {
		campaign, captain *int
		skill, crew       int
	}{{nil, nil, 63, 42}, {&most, nil, 64, 41}, {&all, &none, 60, 45}, {nil, &all, 65, 40}} {
		r := roster(t)
		r.Split, r.Captain("Samelson").Split = test.campaign, test.captain
		if _, _, err := r.Record(battle(), FateRuling{}, growth); err != nil {
			t.Fatal(err)
		}
		if h, s := r.Ship("Hood"), r.Captain("Samelson"); h.Efficiency != test.crew || s.Skill != test.skill {
			t.Errorf("%+v: skill %d, efficiency %d", test, s.Skill, h.Efficiency)
		}
	}
	r := roster(t)
	over := 101
	r.Captain("Kor").Split = &over
	wants(t, r.check(), "captain Kor has split 101")
	_, err := New("War", "", &over)
	wants(t, err, "the campaign has split 101")
}

func TestRecordFates(t *testing.T) {
	for _, test := range []struct {
		fate   string
		order  FateRuling
		err    string
		status string
	}{
		{Lost, FateRuling{}, "", Dead},
		{Lost, FateRuling{Rescued: []string{"talon"}}, "", Serving},
		{Taken, FateRuling{Lost: []string{"Talon"}}, "", Dead},
		{InService, FateRuling{}, "", Serving},
		{InService, FateRuling{Lost: []string{"Talon"}}, "came back", ""},
		{Lost, FateRuling{Rescued: []string{"Bird"}}, "no ship Bird", ""},
		{Lost, FateRuling{Rescued: []string{"Talon"}, Lost: []string{"Talon"}}, "both", ""},
	} {
		r, p := roster(t), battle()
		p.Ships[1].Fate = family.Fate(test.fate)
		_, _, err := r.Record(p, test.order, growth)
		wants(t, err, test.err)
		if k := r.Captain("Kor"); err == nil && k.Status != test.status {
			t.Errorf("%s %+v: %+v", test.fate, test.order, k)
		} else if err != nil && (len(r.Games) != 0 || k.Ship != "Talon") {
			t.Errorf("%s %+v: refused and changed", test.fate, test.order)
		}
	}
	r, p := roster(t), battle()
	p.Ships[0].Class = "constitution-i"
	_, _, err := r.Record(p, FateRuling{}, growth)
	wants(t, err, "Hood is a constitution-i in the game")
	p.Ships = p.Ships[2:]
	_, _, err = r.Record(p, FateRuling{}, growth)
	wants(t, err, "no ship of game duel")
}

func TestFile(t *testing.T) {
	r := roster(t)
	if _, _, err := r.Record(battle(), FateRuling{}, growth); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "war.toml")
	for range 2 { // the second time over existing files
		if err := r.Write(path); err != nil {
			t.Fatal(err)
		}
	}
	back, err := Read(path, growth)
	if err != nil || !reflect.DeepEqual(back, r) {
		t.Errorf("%v\n got %+v\nwant %+v", err, back, r)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if _, err := Read(path+"x", growth); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if err := r.Write(filepath.Join(path, "below")); err == nil {
		t.Error("written below a file")
	}
}

func TestParseStrict(t *testing.T) {
	const ship = "[[ship]]\nname = \"Hood\"\nclass = \"c\"\nefficiency = 40\nstatus = \"in service\"\npoints = 0\n"
	const captain = "[[captain]]\nname = \"Kirk\"\nskill = 60\nstatus = \"serving\"\npoints = 0\nship = \"Hood\"\n"
	const game = "[[game]]\nid = \"g\"\nhash = \"" + hash + "\"\ntitle = \"T\"\nturns = 1\nresult = \"r\"\n"
	for text, want := range map[string]string{
		ship + captain + game:    "",
		"format = \"1\"":         "format",
		ship + "crew = 3\n":      `unknown key "ship.crew"`,
		"Captain = []\n":         `unknown key "Captain"`,
		captain:                  `no ship "Hood"`,
		ship + ship:              "twice",
		ship + captain + captain: "twice",
		ship + captain + strings.ReplaceAll(captain, "Kirk", "Spock"): "two captains",
		strings.ReplaceAll(ship, "in service", "lost") + captain:      "cannot have ship",
		strings.ReplaceAll(ship, "in service", "sunk"):                `status "sunk"`,
		strings.ReplaceAll(ship, "= 40", "= 0"):                       "efficiency is 0",
		strings.ReplaceAll(ship, "points = 0", "points = -1"):         "points are -1",
		strings.ReplaceAll(ship, "\"Hood\"", "\"\""):                  "no name",
		game + game:                           "twice",
		strings.ReplaceAll(game, hash, "abc"): "no valid hash",
		"[[ship]\n":                           "line 4",
		ship + "rolls = [1,1,1,1,1,1,1,1,1,1,1]\n":                "11 rolls",
		strings.ReplaceAll(ship, "Hood", strings.Repeat("x", 41)): "41 letters",
	} {
		if !strings.HasPrefix(text, "format") {
			text = "format = 1\nname = \"War\"\n" + text
		}
		_, err := Parse([]byte(text), growth)
		wants(t, err, want)
		if e, ok := errors.AsType[*Error](err); err != nil && (!ok || strings.Contains(e.Problem, "\n")) {
			t.Errorf("%q", err)
		}
	}
	_, err := Parse([]byte("format = 2\nname = \"War\"\n"), growth)
	wants(t, err, "format 2")
}

// FuzzParse checks that a parsed roster can be written and parsed again, and that nothing panics.
func FuzzParse(f *testing.F) {
	r := roster(f)
	if _, _, err := r.Record(battle(), FateRuling{}, growth); err != nil {
		f.Fatal(err)
	}
	text, err := r.Text()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("format = 1\nname = \"x\"\nship = [{}]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Parse(data, growth)
		if err != nil {
			return
		}
		text, err := r.Text()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(text, growth); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	})
}

// TestRecordLaws checks that after any battle the roster is valid, no rating falls or exceeds the
// maximum, and recording it twice has the effect of once.
func TestRecordLaws(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r, p := roster(t), battle()
		for i := range p.Ships {
			s := &p.Ships[i]
			s.Points = rapid.IntRange(0, 60).Draw(rt, "points")
			s.Fate = rapid.SampledFrom([]family.Fate{family.FateKept, family.FateLost, family.FateTaken}).Draw(rt, "fate")
		}
		before := r.clone()
		if _, _, err := r.Record(p, FateRuling{}, growth); err != nil {
			rt.Fatal(err)
		}
		if err := r.check(); err != nil {
			rt.Fatal(err)
		}
		for i, c := range r.Captains {
			if c.Skill < before.Captains[i].Skill || c.Skill > 99 || (c.Ship == "") != (p.Ships[i].Fate != family.FateKept) {
				rt.Fatalf("%+v", c)
			}
		}
		once := r.clone()
		if _, again, err := r.Record(p, FateRuling{}, growth); err != nil || !again || !reflect.DeepEqual(*r, once) {
			rt.Fatal(again, err)
		}
	})
}

const duel = `format = 1
name = "duel"
title = "A Duel"
rules = "stcs-advanced"
text = """
[[ship]]
# no ship"""

[[side]]
id = "a"
name = "A"

[[side]]
id = "b"
name = "B"

[[ship]]
name = "Hood" # the old one
side = "a"
class = 'constitution-i' # keep this
hex = "1010"
heading = "A"
`

func TestMuster(t *testing.T) {
	plain := strings.Replace(duel, "[[ship]]\n# no ship", "words", 1)
	second := "\n[[ship]]\nname = \"Talon\"\nside = \"b\"\nclass = \"x\"\nhex = \"1020\"\nheading = \"D\"\n"
	for name, test := range map[string]struct{ in, out, err string }{
		"one":          {plain + strings.ReplaceAll(second, "Talon", "Other"), "state = { skill = 60, efficiency = 40 }\nname = \"Hood\" # the old one", ""},
		"class":        {plain + second, "class = \"constitution-ii\" # keep this", ""},
		"table":        {plain + second + "[ship.state]\nfree = true\n[ship.repair]\npower = 3\n", "[ship.state]\nskill = 70\nefficiency = 50\nfree = true", ""},
		"inline":       {plain + second + "state = { free = true }\n", "state = { skill = 70, efficiency = 50, free = true }", ""},
		"blank inline": {plain + second + "state = {}\n", "state = { skill = 70, efficiency = 50}", ""},
		"said already": {plain + second + "state = { skill = 3 }\n", "", "the scenario already gives skill"},
		"dotted":       {plain + second + "state.free = true\n", "state.skill = 70\nstate.efficiency = 50\nstate.free = true", ""},
		"quoted key":   {plain + strings.Replace(second, "class", `"class"`, 1), "", "cannot be edited safely"},
		"misleading":   {duel + second, "", "on a separate line"},
		"nobody":       {strings.ReplaceAll(plain, "Hood", "Lamb") + strings.ReplaceAll(second, "Talon", "Wolf"), "", "none of the scenario"},
	} {
		t.Run(name, func(t *testing.T) {
			text, ships, diags, err := roster(t).Muster([]byte(test.in), growth)
			wants(t, err, test.err)
			if err != nil {
				return
			}
			if len(diags) > 0 || !strings.Contains(string(text), test.out) || len(ships) == 0 || ships[0].Aboard[0].Name != "Samelson" {
				t.Errorf("%v %+v\n%s", diags, ships, text)
			}
			if sc, _ := scenario.Parse(text); sc == nil || sc.Ships[0].State["skill"] != int64(60) {
				t.Errorf("%s", text)
			}
		})
	}
	if _, _, diags, err := roster(t).Muster([]byte("format = 1"), growth); err != nil || len(diags) == 0 {
		t.Error(diags, err)
	}
	r := roster(t)
	r.Captain("Kor").Ship = ""
	_, _, _, err := r.Muster([]byte(plain+second), growth)
	wants(t, err, "Talon has no captain")
	r.Ship("Talon").Status = Lost
	_, _, _, err = r.Muster([]byte(plain+second), growth)
	wants(t, err, "Talon is lost")
}

// crewed returns a roster with an engineer and a helm on Hood, and a helm on Reliant.
func crewed(t *testing.T) *Roster {
	t.Helper()
	r := roster(t)
	for _, c := range []Captain{
		{Name: "Scott", Post: "engineer", Ship: "Hood", Ratings: map[string]int{"warp_drive": 60, "astronautics": 50, dexterity: 55}},
		{Name: "Sulu", Post: "helm", Ship: "Hood", Ratings: map[string]int{"helm": 98, "weaponry": 62, dexterity: 57}},
		{Name: "Chekov", Post: "weapons", Ship: "Hood", Ratings: map[string]int{"weaponry": 71}},
	} {
		c.Skill, c.Status = 50, Serving
		r.Captains = append(r.Captains, c)
	}
	wants(t, r.check(), "")
	return r
}

// TestRecordCrews checks that points go in equal shares to captain and officers, each for a named
// skill up to its maximum, and none to the crew; all aboard share a fate unless a ruling says
// otherwise for one of them.
func TestRecordCrews(t *testing.T) {
	r, p := crewed(t), battle()
	p.Crewed = true
	p.Ships[0].Points, p.Ships[0].Fate = 11, family.FateLost
	p.Ships[0].Learns = map[string]string{"helm": "helm"}
	_, _, err := r.Record(p, FateRuling{Rescued: []string{"Hood/sience"}}, growth)
	wants(t, err, `no officer at "sience"`)
	g, _, err := r.Record(p, FateRuling{Rescued: []string{"Hood", "Hood/engineer"}, Lost: []string{"Hood/helm"}}, growth)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[engine.CaptainName]Captain{
		"Samelson": {Skill: 65, Points: 5, Status: Serving},
		"Scott":    {Skill: 50, Points: 2, Spare: 2, Status: Serving, Ratings: map[string]int{"warp_drive": 60, "astronautics": 50, dexterity: 55}},
		"Sulu":     {Skill: 50, Points: 2, Spare: 1, Status: Dead, Ratings: map[string]int{"helm": 99, "weaponry": 62, dexterity: 57}},
		"Chekov":   {Skill: 50, Points: 2, Status: Serving, Ratings: map[string]int{"weaponry": 73}},
	} {
		got := *r.Captain(name)
		want.Name, want.Rolls = name, got.Rolls
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	if h := r.Ship("Hood"); h.Efficiency != 40 || len(g.Ships[0].Officers) != 3 {
		t.Errorf("efficiency %d, officers %+v: got points for a crew, or lost an officer", h.Efficiency, g.Ships[0].Officers)
	}
	// Rescued people move to another ship together; a taken post is reported.
	wants(t, r.Commission("Essex", "c", Rating{40, nil}), "")
	wants(t, r.Assign("Kor", "Essex", "weapons"), "Kor is a prisoner")
	wants(t, r.Transfer("Hood", "Essex"), "")
	if c := r.Officer("Essex", "engineer"); c == nil || c.Name != "Scott" || r.Commander("Essex").Name != "Samelson" || r.Captain("Chekov").Ship != "Essex" {
		t.Errorf("%+v", r.Captains)
	}
	wants(t, r.Transfer("Hood", "Essex"), "no one from Hood is waiting")
	if n, err := r.Learn("Scott", "Warp-Drive", growth); err != nil || n != 62 || r.Captain("Scott").Spare != 0 {
		t.Error(n, err)
	}
	r.Captain("Scott").Ratings["warp_drive"] = 99
	_, err = r.Learn("Scott", "warp_drive", growth)
	wants(t, err, "warp_drive of Scott is 99, the highest rating")
}

// TestRotateRefusals checks that an impossible rotation changes nothing.
func TestRotateRefusals(t *testing.T) {
	r := crewed(t)
	before, _ := r.Text()
	for _, test := range []struct {
		to   []Posting
		want string
	}{
		{[]Posting{{"helm", "Scott"}}, "helm of Hood is taken, by Sulu"},
		{[]Posting{{"", "Sulu"}}, "captain of Hood is taken, by Samelson"},
		{[]Posting{{"science", "Kor"}}, "Kor serves on Talon, not on Hood"},
		{[]Posting{{"science", "Sulu"}, {"engineer", "Sulu"}}, "given two posts"},
		{[]Posting{{"science", "Uhura"}}, `no captain "Uhura"`},
	} {
		wants(t, r.Rotate("Hood", test.to), test.want)
	}
	if after, _ := r.Text(); string(after) != string(before) {
		t.Errorf("refused and changed: %s", after)
	}
	wants(t, r.Rotate("Hood", []Posting{{"helm", "Scott"}, {"engineer", "Sulu"}, {ashorePost, "Chekov"}}), "")
	if r.Officer("Hood", "helm").Name != "Scott" || r.Captain("Chekov").Ship != "" {
		t.Errorf("%+v", r.Captains)
	}
}

// TestMusterCrews checks that a ship's officers get their ratings into a scenario of rules with
// posts, weapons before helm; without posts only captain and crew do.
func TestMusterCrews(t *testing.T) {
	plain := strings.Replace(duel, "[[ship]]\n# no ship", "words", 1) + "\n[[ship]]\nname = \"Other\"\nside = \"b\"\nclass = \"x\"\nhex = \"1020\"\nheading = \"D\"\n"
	for rules, want := range map[string]string{
		"stcs-command":  "state = { tactics = 60, warp_drive = 60, astronautics = 50, dexterity_engineer = 55, helm = 98, weaponry = 71, dexterity_helm = 57 }\n",
		"stcs-advanced": "state = { skill = 60, efficiency = 40 }\n",
	} {
		text, _, _, err := crewed(t).Muster([]byte(strings.Replace(plain, "stcs-advanced", rules, 1)), growth)
		if err != nil || !strings.Contains(string(text), want) || strings.Contains(string(text), "captain = ") != (rules == "stcs-command") {
			t.Errorf("%s: %v, want %s in\n%s", rules, err, want, text)
		}
	}
}
