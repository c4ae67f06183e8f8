package enginetest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/conformance"
	"starpost/engine/dice"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// good is a valid case. Tests change one line of it.
const good = `# a comment
title  A ship that is frightened twice surrenders
cite   toy 1; toy 2
note
  This is
  for readers.

given
  side  red The Reds
  ship  Ann red  tug 1010 A captain=Zoe
  ship  Bea blue tug 1012 D heart=1 title="The Bee"
  ship  Cat blue tug 1014 D heart=[1]

turn 1
orders Ann
  act
# a comment in between
    boo Bea
    boo Nob
check Ann
  E102 "no ship Nob" "look again"
  says frightens Bea
  says 2 boos
robot Bea
absent Cat standing
dice
  t1.p1.boo.ann.bea 4
then
  absent ship=cat policy=standing
  roll  name~boo.ann value=4 dice=d6 phase=1 rule="toy 1"
  fright ship=bea by=ann points=1 points!=2
  out   ship=bea why=surrendered how="it has lost heart" edge=none
  score side=red points=3
  skip  ship=ann order="boo Nob" line=19
  ! victory
  ! fright ship=cat
  1x fright ship=bea
state
  Ann heart=2 status=active hex=1010 captain=Zoe scars=none
  Bea heart=0 system.scars.1=1 title="The Bee"
  side red points=3 name="The Reds"
  game turn=1 result=none
view Ann
  roll value=4
  ! fright
  skip
  ship ann own=true heart=2
  ship bea own=false system=none status=surrendered
  ! ship dan
report Bea
  The turn
  bea is frightened by 1 [toy 1]
  Panel
  a row
  a note
  ! cat is
template Ann
  act
  boo nobody

turn
orders Ann
  act
    boo Cat
check Ann
  says frightens Cat
`

// TestGoodCaseHolds also shows that the example has every section and every kind of line.
func TestGoodCaseHolds(t *testing.T) {
	text := strings.Replace(good, "heart=[1]", "heart=2", 1)
	enginetest.Run(t, toy(), fstest.MapFS{"sub/toy-1.txt": {Data: []byte(text)}, "readme.md": {Data: []byte("no case")}})
}

func TestCaseThatDoesNotHold(t *testing.T) {
	base := strings.Replace(good, "heart=[1]", "heart=2", 1)
	for _, test := range []struct{ name, from, to, want string }{
		{"an event that did not happen", `score side=red points=3`, `score side=red points=4`, "points is 3, expected 4"},
		{"a field that is something else", `points!=2`, `points!=1`, "points is 1, expected !1"},
		{"a part that is not there", `name~boo.ann`, `name~moo`, "no such event"},
		{"an event of no kind", `score side=red points=3`, `scored side=red`, "there is none of that type"},
		{"the wrong order", "  roll  name~boo.ann value=4 dice=d6 phase=1 rule=\"toy 1\"\n", "  out\n  roll name~boo.ann\n", "before what the line above says"},
		{"an event that should not be", `! fright ship=cat`, `! fright ship=bea`, "there is one"},
		{"too few", `1x fright`, `2x fright`, "there are 1, expected 2"},
		{"state of a ship", `Ann heart=2`, `Ann heart=3`, "heart is 2, expected 3"},
		{"a field that is left out", `scars=none`, `scars=1`, "scars is none, expected 1"},
		{"state of a side", `side red points=3`, `side red points=2`, "points is 3"},
		{"state of the game", `game turn=1`, `game turn=2`, "turn is 1"},
		{"a ship that is not there", `Bea heart=0`, `Bae heart=0`, `there is no ship "Bae"; did you mean Bea?`},
		{"a side that is not there", `side red points=3`, `side grey points=3`, `there is no side "grey"`},
		{"no side", `side red points=3 name="The Reds"`, `side`, "which side?"},
		{"something unseen", "  ! fright\n  skip", "  fright\n  skip", "none of that type"},
		{"a ship in sight", `! ship dan`, `! ship bea`, "Ann sees bea"},
		{"a ship out of sight", `ship ann own=true`, `ship dan own=true`, "does not see dan"},
		{"a line of the report", `bea is frightened by 1`, `bea is frightened by 2`, "no such line"},
		{"a line that should not be", `! cat is`, `! bea is`, "there is such a line"},
		{"the template", "boo nobody", "boo somebody", "no such line"},
		{"another remark", `E102 "no ship Nob"`, `E103 "no ship Nob"`, "the remark is E102"},
		{"another word of a remark", `"look again"`, `"look twice"`, `does not say "look twice"`},
		{"a remark too many", `  E102 "no ship Nob" "look again"` + "\n", ``, "remarks that the case does not list"},
		{"a remark too few", `  says frightens Bea`, "  W100\n  says frightens Bea", "no such remark"},
		{"an effect", `says 2 boos`, `says 3 boos`, `nothing says "3 boos"`},
		{"a die too few", "  t1.p1.boo.ann.bea 4\n", "", "asked but not in the script"},
		{"a die too many", "  t1.p1.boo.ann.bea 4\n", "  t1.p1.boo.ann.bea 4\n  t1.p2.boo 1\n", "was never asked"},
		{"a die of no number", "t1.p1.boo.ann.bea 4", "t1.p1.boo.ann.bea six", "its value"},
		{"a die twice", "  t1.p1.boo.ann.bea 4\n", "  t1.p1.boo.ann.bea 4\n  t1.p1.boo.ann.bea 5\n", "a second value"},
		{"mistakes that are not expected", "check Ann\n  E102 \"no ship Nob\" \"look again\"\n  says frightens Bea\n  says 2 boos\n", "", "the orders have mistakes: E102"},
		{"a check of no orders", "check Ann\n  E102", "check Cat\n  E102", "Cat has no orders here to check"},
		{"an unknown policy", `absent Cat standing`, `absent Cat sitting`, `no policy "sitting"`},
		{"a scenario with mistakes", `heart=1 title`, `hart=1 title`, "the scenario has mistakes: E407"},
		{"no word of the given", `  ship  Cat`, `  shop  Cat`, "nothing that can be given"},
		{"a ship without place", "  ship  Cat blue tug 1014 D heart=2", "  ship Cat blue", "write: ship NAME SIDE"},
		{"a quote that is open", `title="The Bee"`, `title="The Bee`, "not closed"},
		{"no type", `  ! victory`, `  ! side=red`, "name the type"},
		{"no demand", `  score side=red points=3`, `  score side`, "no field=value"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(base, test.from, test.to, 1)
			if text == base {
				t.Fatalf("the case has no %q", test.from)
			}
			c, err := conformance.Parse("toy.txt", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			failures := (&enginetest.Case{Case: c}).Play(toy())
			if !slices.ContainsFunc(failures, func(f conformance.Failure) bool { return strings.Contains(f.Message, test.want) && f.Line > 0 }) {
				t.Errorf("expected %q, got %+v", test.want, failures)
			}
		})
	}
}

func TestCaseThatCannotBeRead(t *testing.T) {
	for _, test := range []struct{ name, from, to, want string }{
		{"no title", "title  A ship that is frightened twice surrenders", "", "toy.txt:1: the case has no title"},
		{"two titles", "cite   toy 1; toy 2", "cite toy\ntitle again", "toy.txt:4: a second title"},
		{"no cite", "cite   toy 1; toy 2", "", "toy.txt:1: the case cites no rule"},
		{"two givens", "turn 1\n", "given\n  last 3\nturn 1\n", "toy.txt:14: a second given"},
		{"no section", "cite   toy 1; toy 2", "cite toy\nsite toy", `toy.txt:4: "site" opens no section; did you mean cite?`},
		{"a line outside", "# a comment\n", "# a comment\n  hello\n", "toy.txt:2: an indented line outside"},
		{"orders before a turn", "turn 1\n", "", "toy.txt:14: orders before the first turn"},
		{"the wrong turn", "turn 1\n", "turn 2\n", "toy.txt:14: this is turn 1"},
		{"orders of nobody", "orders Ann\n", "orders\n", "toy.txt:15: orders needs the name"},
		{"orders twice", "robot Bea\n", "robot Ann\n", "Ann has spoken already"},
		{"an absence without policy", "absent Cat standing", "absent Cat", "absent NAME POLICY"},
		{"a robot with lines", "robot Bea\n", "robot Bea\n  boo\n", "robot has no lines"},
		{"then of somebody", "then\n", "then Ann\n", `"Ann" does not follow then`},
		{"then twice", "state\n", "then\n", "a second then section"},
		{"a view of nobody", "view Ann\n", "view\n", "view needs the name of one ship"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(good, test.from, test.to, 1)
			if text == good {
				t.Fatalf("the case has no %q", test.from)
			}
			_, err := conformance.Parse("toy.txt", []byte(text))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("expected %q, got %v", test.want, err)
			}
		})
	}
}

func TestCaseOfAScenarioWithMistakes(t *testing.T) {
	text := "title t\ncite c\ngiven\n  ship Ann red tug 1010 A hart=1\n  ship Bea blue tug 1011 A\ncheck\n  E407 \"only the heart\" \"heart = 1\"\n"
	enginetest.Run(t, toy(), fstest.MapFS{"bad.txt": {Data: []byte(text)}})
	c, err := conformance.Parse("bad.txt", []byte(text+"turn\nthen\n  victory\n"))
	if err != nil {
		t.Fatal(err)
	}
	if failures := (&enginetest.Case{Case: c}).Play(toy()); len(failures) != 1 || failures[0].Line != 8 {
		t.Errorf("a turn without a game: %+v", failures)
	}
}

// A rule set that violates an invariant must not pass.
func TestLawsNoticeBreaches(t *testing.T) {
	start := func(t *testing.T, r *engine.Rules) (*engine.Game, []engine.Sheet) {
		t.Helper()
		sc, diags := scenario.Parse([]byte("format = 1\nname = \"x\"\ntitle = \"x\"\nrules = \"toy\"\nside = [{id=\"a\"}, {id=\"b\"}]\n" +
			"ship = [{name=\"Ann\", side=\"a\", class=\"tug\", hex=\"1010\", heading=\"A\"}, {name=\"Bea\", side=\"b\", class=\"tug\", hex=\"1011\", heading=\"A\"}]\n"))
		if sc == nil {
			t.Fatal(diags)
		}
		g, diags := sc.NewGame(r, "x", nil)
		if g == nil {
			t.Fatal(diags)
		}
		var sheets []engine.Sheet
		for _, id := range g.InFight() {
			v, err := engine.BuildView(r, g, nil, engine.Viewer{Ships: []engine.ShipID{id}})
			if err != nil {
				t.Fatal(err)
			}
			blocks, diags := orders.Parse([]byte("#orders x turn 1 ship "+string(id)+"\n"+r.Robot(v, id).String()+"#end\n"), r.Language)
			if len(blocks) != 1 {
				t.Fatal(diags)
			}
			sheets = append(sheets, engine.Sheet{Ship: id, Block: &blocks[0]})
		}
		return g, sheets
	}
	calls := 0
	for _, test := range []struct {
		name   string
		breach func(r *engine.Rules)
		want   string
	}{
		{"none", func(*engine.Rules) {}, ""},
		{"change without an event", func(r *engine.Rules) {
			r.Phases[0].Run = func(t *engine.Turn) { t.Game.Ships[0].System.(*heart).Heart-- }
		}, "the game after a replay differs"},
		{"another turn each time", func(r *engine.Rules) {
			r.Phases[0].Run = func(t *engine.Turn) {
				calls++
				t.Emit(&fright{Ship: "ann", Points: calls}, engine.SeeAll(), "toy 1")
			}
		}, "differs"},
		{"an event without a rule", func(r *engine.Rules) {
			r.Phases[0].Run = func(t *engine.Turn) { t.Emit(&fright{Ship: "ann"}, engine.SeeAll()) }
		}, "cites no rule"},
		{"a roll twice", func(r *engine.Rules) {
			r.Phases[0].Run = func(t *engine.Turn) {
				t.Roll(engine.NameRoll("x"), dice.D6, engine.SeeAll(), "toy 1")
				t.Roll(engine.NameRoll("x"), dice.D6, engine.SeeAll(), "toy 1")
			}
		}, "two rolls are called t1.p1.x"},
		{"a state that is not written down", func(r *engine.Rules) {
			decode := r.DecodeSystem
			r.DecodeSystem = func(data json.RawMessage) (engine.System, error) {
				s, err := decode(data)
				s.(*heart).Heart = 7
				return s, err
			}
		}, "read back from JSON differs"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := toy()
			g, sheets := start(t, r)
			test.breach(r)
			_, _, err := enginetest.Resolve(r, g, sheets, dice.FromSeed(1))
			switch {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("expected %q, got %v", test.want, err)
			}
		})
	}

	t.Run("a secret told", func(t *testing.T) {
		blur := func(s *engine.Ship) { s.System.(*heart).Heart += 5 }
		r := toy()
		g, sheets := start(t, r)
		after, events, err := enginetest.Resolve(r, g, sheets, dice.FromSeed(1))
		if err != nil {
			t.Fatal(err)
		}
		if err := enginetest.CheckSecrets(r, after, events, blur); err != nil {
			t.Error(err)
		}
		r.Public = func(s *engine.Ship) any { return s.System }
		if err := enginetest.CheckSecrets(r, after, events, blur); err == nil {
			t.Error("hearts are open to all and nobody noticed")
		}
	})

	t.Run("dice that differ", func(t *testing.T) {
		one := []engine.Event{{Body: &engine.Roll{Name: engine.NameRoll("a"), Value: 1}}, {Body: &engine.Roll{Name: engine.NameRoll("b"), Value: 2}}}
		other := []engine.Event{{Body: &engine.Roll{Name: engine.NameRoll("b"), Value: 3}}}
		if enginetest.CheckDice(one, one) != nil || enginetest.CheckDice(one, other) == nil {
			t.Error("dice are not compared by name")
		}
	})
}

// FuzzParse: no text makes the reader of cases or the player panic.
func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("title\ncite\ngiven\nturn\nthen\n  ! \n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := conformance.Parse("fuzz.txt", data); err == nil {
			(&enginetest.Case{Case: c}).Play(toy())
		}
	})
}

// toyQuestion returns a case of the toy rules, and its question for an engine.
func toyQuestion(tb testing.TB) (*conformance.Case, conformance.Question) {
	tb.Helper()
	c, err := conformance.Parse("toy/good.txt", []byte(strings.Replace(good, "heart=[1]", "heart=2", 1)))
	if err != nil {
		tb.Fatal(err)
	}
	q, bad := c.Question("toy")
	if len(bad) > 0 {
		tb.Fatal(bad)
	}
	return c, q
}

// FuzzAnswers: no input line makes an answering engine panic, or end without saying which question is wrong.
func FuzzAnswers(f *testing.F) {
	_, q := toyQuestion(f)
	seed, err := json.Marshal(q)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add([]byte(`{"format":1,"rules":"toy","scenario":{"ship":[null,1,{"hex":[{}]}],"options":[[],{"a":1e9}]},"turns":[{"orders":[{"line":-1}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		rules := func(string, map[string][]byte) (*engine.Rules, error) { return toy(), nil }
		if err := conformance.Answers(bytes.NewReader(data), io.Discard, rules); err != nil && !strings.Contains(err.Error(), "question") {
			t.Error(err)
		}
	})
}

// FuzzCompare: no answer of another engine makes the comparison panic.
func FuzzCompare(f *testing.F) {
	c, q := toyQuestion(f)
	seed, err := json.Marshal(conformance.Play(toy(), q, nil))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add([]byte(`{"turns":[{"events":[null,[],{"type":{}}],"game":{"ships":[{"id":[]}],"sides":{}},"views":{"Ann":[]}}]}`))
	f.Fuzz(func(_ *testing.T, data []byte) {
		var a conformance.Answer
		if json.Unmarshal(data, &a) == nil {
			c.Compare(a)
		}
	})
}

func TestDifferenceIsTheFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching(`[a-c]{0,3}`), 1, 6).Draw(t, "lines")
		other := slices.Clone(lines)
		i := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
		other[i] += "x"
		got := enginetest.Difference([]byte(strings.Join(lines, "\n")), []byte(strings.Join(other, "\n")))
		if want := "got  " + other[i]; !strings.HasSuffix(got, want) {
			t.Fatalf("%q does not end in %q", got, want)
		}
	})
}

func TestWithoutHashes(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "no hash": "no hash", "1234567": "1234567", "12345678": "(hash)", "seal 0a1b2c3d4e.": "seal (hash).",
		"ABCDEF0123": "ABCDEF0123", "x00112233 44556677y deadbee deadbeef0g": "x(hash) (hash)y deadbee (hash)g",
	} {
		if got := enginetest.WithoutHashes(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
