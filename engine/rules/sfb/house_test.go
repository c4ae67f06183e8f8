package sfb

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/robots"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

func houseRules(tb testing.TB) *engine.Rules {
	tb.Helper()
	paths, err := filepath.Glob(suite + "sfb-house/ships/*.toml")
	if err != nil || len(paths) == 0 {
		tb.Fatal(paths, err)
	}
	files := map[string][]byte{}
	for _, p := range paths {
		if files[filepath.Base(p)], err = os.ReadFile(p); err != nil {
			tb.Fatal(err)
		}
	}
	classes, err := sheet.Classes(files)
	if err != nil {
		tb.Fatal(err)
	}
	r, err := rules(house(), classes)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// TestHouseCases plays the worked examples of the house rules.
func TestHouseCases(t *testing.T) {
	enginetest.Run(t, houseRules(t), os.DirFS(suite+"sfb-house"))
}

// TestHouseTurnModes: the hexes straight before a turn match the rules' table, by letter and speed (house 6.04).
func TestHouseTurnModes(t *testing.T) {
	b := house()
	want := map[string]string{"A": "1 2 3 5", "B": "1 2 4 6", "C": "1 2 5 6", "D": "1 3 5 6", "E": "1 3 6 7", "F": "1 3 7 8"}
	for letter, hexes := range want {
		s := sheet.Sheet{TurnMode: b.TurnModes[letter]}
		var got []string
		for _, q := range b.Quanta[1:] {
			got = append(got, strconv.Itoa(s.Straight(q.Hexes)))
		}
		if strings.Join(got, " ") != hexes {
			t.Errorf("%s turns after %s, want %s", letter, got, hexes)
		}
	}
}

const houseDuel = `
format = 1
name = "duel"
title = "Duel"
rules = "sfb-house"
last_turn = 6
side = [{id = "a"}, {id = "b"}]
ship = [
  {name = "Hood", side = "a", class = "trial-ca", hex = "1020", heading = "A", state = {speed = 8}},
  {name = "Gurkan", side = "b", class = "trial-f5", hex = "1008", heading = "D", state = {speed = 24}},
]
`

// TestHouseTurnsReplayAndTellNoSecret has robots play a duel: each turn equals its events, and only the captain knows
// what is in a pool.
func TestHouseTurnsReplayAndTellNoSecret(t *testing.T) {
	r := houseRules(t)
	sc, diags := scenario.Parse([]byte(houseDuel))
	if sc == nil {
		t.Fatal(diags)
	}
	pools := 0
	_, err := robots.Battle(r, sc, "duel", dice.FromSeed(1), func(turn robots.Turn) error {
		for _, e := range turn.Events {
			if _, is := e.Body.(*state.Pool); is {
				pools++
			}
		}
		if err := enginetest.CheckSecrets(r, turn.After, turn.Events, func(s *engine.Ship) {
			state.Of(s).Pool, state.Of(s).Reserve = state.Of(s).Pool+7*rulebook.BoolInt(!s.Small()), state.Of(s).Reserve+2*rulebook.BoolInt(!s.Small())
		}); err != nil {
			return err
		}
		story, err := engine.NewStory(r, turn.Before, turn.After, turn.Events, nil, nil)
		if err != nil {
			return err
		}
		for i, e := range turn.Events {
			switch why := story.Account(i).Why; e.Body.(type) {
			case *state.Damage, *state.Fire, *state.Strike:
				if len(why) == 0 || len(story.Words(i)) == 0 {
					t.Errorf("turn %d, event %d: of %s is told %q", turn.After.Turn, e.Seq, e.Type.Name, why)
				}
			}
		}
		return enginetest.CheckTurn(r, turn.Before, turn.After, turn.Events)
	})
	if err != nil || pools < 40 {
		t.Fatalf("%d pools told, %v", pools, err)
	}
}

// TestCadetGameRefusesTurnModesByLetter: a sheet of other rules is rejected with a hint.
func TestCadetGameRefusesTurnModesByLetter(t *testing.T) {
	text, err := os.ReadFile(suite + "sfb-house/ships/trial-ca.toml")
	if err != nil {
		t.Fatal(err)
	}
	r, err := over(cadet, map[string][]byte{"trial-ca.toml": text})
	if err != nil {
		t.Fatal(err)
	}
	sc, _ := scenario.Parse([]byte(strings.NewReplacer("sfb-house", "sfb-cadet", "trial-f5", "cadet-klingon", "speed = 24", "speed = 8").Replace(houseDuel)))
	if _, diags := sc.NewGame(r, "duel", nil); len(diags) != 1 || !strings.Contains(diags[0].Message, "turn mode D") || diags[0].Hint == "" {
		t.Errorf("told is %v", diags)
	}
}

// TestBlocksLoseNoPoint: for every roll and size of a block, each point takes a box or the ship is destroyed with no
// excess damage box left; cells printed for one box take one.
func TestBlocksLoseNoPoint(t *testing.T) {
	text, err := os.ReadFile(suite + "sfb-house/ships/trial-f5.toml")
	if err != nil {
		t.Fatal(err)
	}
	class, err := sheet.Read("f5", text)
	if err != nil {
		t.Fatal(err)
	}
	chart := house().Block
	for roll := 2; roll <= 12; roll++ {
		for points := range 60 {
			for _, single := range []bool{false, true} {
				hers := class.Sheet.Clone()
				d := &play.BlockDamage{Sheet: &hers, Left: points}
				if single {
					next := roll
					d.Single(chart, func() int { next = (next*5+3)%11 + 2; return next })
				} else {
					d.Bank(chart, roll)
				}
				lost, destroyed, once := 0, false, map[string]int{}
				for _, h := range d.Hits {
					lost, destroyed = lost+h.Boxes, destroyed || h.Bank < 0
					once[h.Cell] += h.Boxes
				}
				if destroyed != (lost < points) || destroyed && hers.Count(sheet.Excess).Left > 0 || d.Left != 0 {
					t.Fatalf("roll %d, single %v: %d points take %d boxes, destroyed %v, %d left", roll, single, points, lost, destroyed, d.Left)
				}
				for _, c := range chart[roll-2] {
					twice := slices.ContainsFunc(chart[roll-2], func(o rulebook.Cell) bool { return o.What == c.What && !o.Once })
					if !single && c.Once && !twice && once[c.What] > 1 {
						t.Fatalf("roll %d: %d boxes of %s", roll, once[c.What], c.What)
					}
				}
			}
		}
	}
}

// TestOverloadsByRange checks overloaded weapons at their shortest and longest ranges.
func TestOverloadsByRange(t *testing.T) {
	charts := houseCharts()
	for _, c := range []struct {
		kind           sheet.Kind
		over, rng, die int
		want           int // points; -1: cannot fire
	}{
		{sheet.Disruptor, 2, 0, 6, 10},
		{sheet.Disruptor, 2, 1, 5, 10},
		{sheet.Disruptor, 2, 1, 6, 0},
		{sheet.Disruptor, 2, 2, 5, 8},
		{sheet.Disruptor, 2, 8, 4, 6},
		{sheet.Disruptor, 2, 9, 1, -1},
		{sheet.Photon, 4, 0, 6, 16},
		{sheet.Photon, 1, 1, 6, 10},
		{sheet.Photon, 4, 2, 6, 0},
		{sheet.Photon, 4, 8, 3, 16},
		{sheet.Photon, 1, 9, 1, -1},
		{sheet.Phaser1, 1, 0, 1, 18},
		{sheet.Phaser2, 1, 8, 2, 4},
		{sheet.Phaser4, 2, 3, 6, 30},
		{sheet.Phaser1, 1, 9, 1, -1},
	} {
		chart, got := charts[c.kind], -1
		if r, ok := play.AtOver(&chart, c.over, c.rng); ok {
			got = r.PointsOf(c.die, 0)
		}
		if got != c.want {
			t.Errorf("%s overloaded by %d at range %d with die %d does %d, want %d", c.kind, c.over, c.rng, c.die, got, c.want)
		}
	}
}

// TestHouseCharts checks a few cells of each chart and its longest range against the charts of their edition.
func TestHouseCharts(t *testing.T) {
	charts := houseCharts()
	for _, c := range []struct {
		kind      sheet.Kind
		rng, die  int
		want      int // points; -1: cannot fire
		lastRange int
	}{
		{sheet.Phaser1, 0, 1, 9, 75},
		{sheet.Phaser1, 5, 4, 3, 75},
		{sheet.Phaser1, 26, 2, 1, 75},
		{sheet.Phaser1, 51, 2, 0, 75},
		{sheet.Phaser1, 76, 1, -1, 75},
		{sheet.Phaser2, 3, 6, 3, 50},
		{sheet.Phaser2, 15, 2, 1, 50},
		{sheet.Phaser2, 50, 1, 1, 50},
		{sheet.Phaser3, 2, 6, 1, 15},
		{sheet.Phaser3, 3, 2, 2, 15},
		{sheet.Phaser3, 8, 2, 1, 15},
		{sheet.Phaser3, 16, 1, -1, 15},
		{sheet.Phaser4, 3, 6, 15, 100},
		{sheet.Phaser4, 6, 2, 15, 100},
		{sheet.Phaser4, 9, 4, 8, 100},
		{sheet.Phaser4, 25, 4, 1, 100},
		{sheet.Phaser4, 71, 1, 1, 100},
		{sheet.Photon, 1, 1, -1, 30},
		{sheet.Photon, 12, 2, 8, 30},
		{sheet.Photon, 13, 2, 0, 30},
		{sheet.Photon, 31, 1, -1, 30},
		{sheet.Disruptor, 0, 1, -1, 40},
		{sheet.Disruptor, 15, 4, 3, 40},
		{sheet.Disruptor, 16, 4, 0, 40},
		{sheet.Disruptor, 30, 2, 2, 40},
		{sheet.Disruptor, 40, 2, 1, 40},
		{sheet.Disruptor, 41, 1, -1, 40},
	} {
		chart := charts[c.kind]
		got := -1
		if r, ok := chart.At(c.rng); ok {
			got = r.PointsOf(c.die, 0)
		}
		if got != c.want || chart.Reach(&sheet.Bank{}) != c.lastRange {
			t.Errorf("%s at range %d with die %d does %d, want %d; it reaches %d", c.kind, c.rng, c.die, got, c.want, chart.Reach(&sheet.Bank{}))
		}
	}
}

// TestWhatWasMendedIsNotOverloaded: a weapon repaired in battle can be armed, but an overload is rejected; the rest
// of the set holds (house 30.92).
func TestWhatWasMendedIsNotOverloaded(t *testing.T) {
	r := houseRules(t)
	sc, diags := scenario.Parse([]byte(strings.Replace(houseDuel, "trial-f5", "klingon-f5", 1)))
	if sc == nil {
		t.Fatal(diags)
	}
	g, diags := sc.NewGame(r, "duel", nil)
	if g == nil {
		t.Fatal(diags)
	}
	s, _ := g.Ship("gurkan")
	state.Of(s).Rigged = map[string]int{"disr-a": 1}
	v, err := engine.BuildView(r, g, nil, g.Viewer(s))
	if err != nil {
		t.Fatal(err)
	}
	blocks, diags := orders.Parse([]byte("#orders duel turn 1 ship Gurkan\npower\n  speed 2.5\n  arm disr-a overload\n  arm disr-b overload\n#end\n"), r.Language)
	if len(blocks) != 1 {
		t.Fatal(diags)
	}
	got := r.Check(v, "gurkan", blocks[0])
	if d := got.Diagnostics; len(d) != 1 || d[0].Code != "E222" || d[0].Pos.Line != 4 || d[0].Hint == "" || !strings.Contains(strings.Join(got.Summary, " "), "1 weapon armed") {
		t.Errorf("told is %v, %q", d, got.Summary)
	}
}

// TestHouseRulesInShortShowTheChart: the document shows the program's chart.
func TestHouseRulesInShortShowTheChart(t *testing.T) {
	const page, begin, end = "../../../docs/reference/rules-sfb-house.md", "<!-- begin house chart -->\n", "<!-- end house chart -->"
	text := "\n| dice | along the row |\n|--:|---|\n"
	for i, row := range house().Block {
		text += "| " + strconv.Itoa(i+2) + " |"
		for k, c := range row {
			sep := ","
			if k == 0 {
				sep = ""
			}
			star := ""
			if c.Once {
				star = "\\*"
			}
			text += sep + " " + c.What + star
		}
		text += " |\n"
	}
	text += "\n"
	doc, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(doc), begin)
	old, tail, ok2 := strings.Cut(rest, end)
	switch {
	case !ok || !ok2:
		t.Fatal("no place for the chart")
	case *update:
		if err := os.WriteFile(page, []byte(head+begin+text+end+tail), 0o600); err != nil {
			t.Fatal(err)
		}
	case old != text:
		t.Errorf("%s is out of date: go test ./engine/rules/sfb -run TestHouseRulesInShort -update", page)
	}
}

// TestLasersNeedAScenariosFigures: a ship with lasers or particle beams is rejected until the scenario says how they
// hit; figures out of order are reported with a hint (house 56.11).
func TestLasersNeedAScenariosFigures(t *testing.T) {
	r := houseRules(t)
	for text, want := range map[string]string{
		`{speed = 8}`: "the scenario has no figures",
		`{laser = "5 to 4", particle = "4 to 8, 2 to 12"}`: "",
		`{laser = "5 to 4, 6 to 8", particle = "4 to 8"}`:  "laser: expected the die",
		`{laser = "5 to 4, 3 to 4", particle = "4 to 8"}`:  "laser: expected the die",
		`{laser = "7 to 4", particle = "4 to 8"}`:          "laser: expected the die",
		`{laser = 5, particle = "4 to 8"}`:                 "laser: expected the die",
		`{laser = "5 to 4", particle = "4"}`:               "particle: expected the die",
	} {
		sc, diags := scenario.Parse([]byte(strings.NewReplacer("trial-f5", "trial-laser", "{speed = 24}", text).Replace(houseDuel)))
		if sc == nil {
			t.Fatal(diags)
		}
		_, diags = sc.NewGame(r, "duel", nil)
		told := ""
		for _, d := range diags {
			if told += d.Message; d.Hint == "" || d.Pos.Line == 0 {
				t.Errorf("%s: %v has no line or no way out", text, d)
			}
		}
		if want == "" && told != "" || !strings.Contains(told, want) {
			t.Errorf("%s: told is %q, want %q", text, told, want)
		}
	}
}
