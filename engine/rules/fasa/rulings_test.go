package fasa_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/robots"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/ruling"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/engine/testkit/fasatest"
)

var ruledTurns = flag.Int("ruled", enginetest.Fewer(24), "how many turns are played with rulings")

// battle returns a course, and a built-in scenario as a new game of it.
func battle(tb testing.TB, name, course string) (*engine.Rules, *engine.Game) {
	tb.Helper()
	lib, err := tables.Builtin()
	if err != nil {
		tb.Fatal(err)
	}
	all, err := fasa.Scenarios()
	if err != nil {
		tb.Fatal(err)
	}
	r, err := fasa.Courses()[course](lib)
	if err != nil {
		tb.Fatal(err)
	}
	sc, diags := scenario.Parse(all[name])
	if sc == nil {
		tb.Fatal(diags)
	}
	sc.Rules = course
	g, diags := sc.NewGame(r, "game", nil)
	if g == nil {
		tb.Fatal(diags)
	}
	return r, g
}

// play plays a turn of robots with rulings, and checks all laws.
func play(tb testing.TB, r *engine.Rules, g *engine.Game, events []engine.Event, rulings ...ruling.Ruling) (*engine.Game, []engine.Event, error) {
	tb.Helper()
	sheets, err := robots.Orders(r, g, events)
	if err != nil {
		tb.Fatal(err)
	}
	with := ruling.Upon(r, rulings)
	after, es, err := enginetest.Resolve(with, g, sheets, dice.FromSeed(1))
	if err != nil {
		return nil, nil, err
	}
	if err := enginetest.CheckSecrets(r, after, es, fasatest.Blur); err != nil {
		tb.Fatal(err)
	}
	return after, es, nil
}

func byRita(what string) ruling.Ruling {
	return ruling.Ruling{By: "Rita", At: "2026-03-01T20:00:00Z", Why: "a mistake of mine", What: what}
}

// made returns a random ruling on a ship, which may be refused.
func made(luck *rand.Rand, g *engine.Game, events []engine.Event) ruling.Ruling {
	s := g.Ships[luck.IntN(len(g.Ships))]
	dials := s.System.(ruling.Editable).Fields()
	d := dials[luck.IntN(len(dials))]
	system := d.Name
	if d.System != "" {
		system = d.System
	}
	value := strconv.Itoa(d.Floor + luck.IntN(d.Ceiling-d.Floor+1))
	if d.Choices != nil {
		value = d.Choices[luck.IntN(len(d.Choices))]
	}
	var roll *engine.Roll
	for _, e := range events {
		if x, ok := e.Body.(*engine.Roll); ok && (roll == nil || luck.IntN(3) == 0) {
			roll = x
		}
	}
	ru := byRita("")
	ru.Force, ru.Before = luck.IntN(2) == 0, luck.IntN(3) == 0
	switch luck.IntN(9) {
	case 0:
		ru.What = fmt.Sprintf("move %s %s %s", s.Name, hex.At(1+luck.IntN(30), 1+luck.IntN(30)).Label(), hex.Heading(luck.IntN(6)))
	case 1:
		ru.What = fmt.Sprintf("repair %s %s", s.Name, system)
	case 2:
		ru.What = fmt.Sprintf("repair %s all", s.Name)
	case 3:
		ru.What = fmt.Sprintf("damage %s %s", s.Name, system)
		if d.Lost == "" {
			ru.What += " " + strconv.Itoa(1+luck.IntN(3))
		}
	case 4:
		ru.What = "kill " + s.Name
	case 5:
		ru.What = "revive " + s.Name
	case 6:
		if roll != nil {
			low, high := roll.Dice.Range()
			ru.What = fmt.Sprintf("roll %s %d", roll.Name, low+luck.IntN(high-low+1))
			break
		}
		fallthrough
	default:
		ru.What = fmt.Sprintf("set %s %s %s", s.Name, d.Name, value)
	}
	return ru
}

// TestRuledBattlesKeepTheLaws: after any ruling of a referee the turn replays, reveals
// no secret, and the battle can go on.
func TestRuledBattlesKeepTheLaws(t *testing.T) {
	luck := rand.New(rand.NewPCG(1, 2))
	places := [][2]string{{"three-on-three", "stcs-basic"}, {"three-on-three", "stcs-advanced"}, {"convoy", "stcs-graduate"}}
	taken, refused := map[string]int{}, 0
	for turns := 0; turns < *ruledTurns; {
		at := places[turns%len(places)]
		r, g := battle(t, at[0], at[1])
		var events []engine.Event
		for g.Result == nil && g.Turn < 8 && turns < *ruledTurns {
			// Rulings are about a turn that was played.
			_, once, err := play(t, r, g, events)
			if err != nil {
				t.Fatal(err)
			}
			var rulings []ruling.Ruling
			after, es := g, events
			for range 1 + luck.IntN(4) {
				more := append(slices.Clone(rulings), made(luck, g, once))
				a, e, err := play(t, r, g, events, more...)
				if err != nil {
					bad, ok := errors.AsType[*ruling.Error](err)
					if !ok || bad.Problem == "" || bad.No >= len(more) {
						t.Fatalf("%s turn %d, %+v: %v", at, g.Turn+1, more, err)
					}
					refused++
					continue
				}
				verb, _, _ := strings.Cut(more[len(more)-1].What, " ")
				taken[verb]++
				rulings, after, es = more, a, e
			}
			if len(rulings) == 0 {
				if after, es, err = play(t, r, g, events); err != nil {
					t.Fatal(err)
				}
			}
			turns++
			g, events = after, es
		}
	}
	t.Logf("%d turns; taken %v, refused %d", *ruledTurns, taken, refused)
	for _, verb := range []string{"set", "move", "repair", "damage", "kill", "roll"} {
		if taken[verb] == 0 && *ruledTurns >= 24 {
			t.Errorf("%s was never taken", verb)
		}
	}
}

func TestRulingsAreLookedAt(t *testing.T) {
	r, g := battle(t, "big-bad-wolf", "stcs-basic")
	_, events, err := play(t, r, g, nil)
	if err != nil {
		t.Fatal(err)
	}
	die := ""
	for _, e := range events {
		if roll, ok := e.Body.(*engine.Roll); ok {
			die = roll.Name.String()
			break
		}
	}
	for _, tc := range []struct{ what, problem, hint string }{
		{"", "it is empty", "set SHIP FIELD VALUE"},
		{"sett Hood superstructure 3", `"sett" is not a ruling`, `did you mean "set"?`},
		{"set Hood superstructure", "2 words follow set", "write: set SHIP FIELD VALUE"},
		{"set Hod superstructure 3", `no ship "Hod"`, `did you mean "Hood"?`},
		{"set Hood superstruture 3", `Hood has no "superstruture"`, `did you mean "superstructure"?`},
		{"set Hood superstructure many", `cannot be "many"`, "a number from 1 to"},
		{"set Hood superstructure 999", "cannot be 999 at all", "with --force from"},
		{"set Hood shield-1 20", "not 20", "--force"},
		{"set Hood superstructure 0", "not 0", "ruling kill Hood"},
		{"set Hood generator-1 gone", `cannot be "gone"`, "one of: works, down"},
		{"set Hood generator-1 works", "is already works", ""},
		{"set Hood hex 99x", `"99x" is not a hex`, "such as 0405"},
		{"move Hood 0405 G", `"G" is not a heading`, "A to F"},
		{"repair Hood all", "nothing on Hood is damaged", ""},
		{"repair Hood shield-1", "shield-1 of Hood is not damaged", ""},
		{"repair Hood shild-1", `Hood has no "shild-1"`, `did you mean "shield-1"?`},
		{"damage Hood superstructure", "how many points", "for example: damage Hood superstructure 3"},
		{"damage Hood shield-1 2", "it has no points", "leave the number out"},
		{"damage Hood superstructure none", `"none" is not a number`, "from 1"},
		{"revive Hood", "Hood is in the fight", ""},
		{"roll " + die + " 99", "99 is not a value of a", "from "},
		{"roll " + die + "x 2", "has no roll", "did you mean"},
		{"orders Hod", `no orders of "Hod"`, ""},
	} {
		_, _, err := play(t, r, g, nil, byRita(tc.what))
		bad, ok := errors.AsType[*ruling.Error](err)
		if !ok || !strings.Contains(bad.Problem, tc.problem) || !strings.Contains(bad.Hint(), tc.hint) {
			t.Errorf("%q: %v (%+v)", tc.what, err, bad)
		}
	}
}

// TestARulingShows its effect to those who may see it, and to no one else.
func TestARulingShows(t *testing.T) {
	r, g := battle(t, "big-bad-wolf", "stcs-basic")
	_, once, err := play(t, r, g, nil)
	if err != nil {
		t.Fatal(err)
	}
	var die *engine.Roll
	for _, e := range once {
		if roll, ok := e.Body.(*engine.Roll); ok {
			die = roll
		}
	}
	value := die.Value%6 + 1
	forced := byRita("set Hood shield-1 20")
	forced.Force = true
	after, events, err := play(t, r, g, nil, byRita("set Hood superstructure 7"), byRita("move Hood 0303 D"), forced,
		byRita(fmt.Sprintf("roll %s %d", die.Name, value)), byRita("orders Hood"), byRita("kill Riskadh"))
	if err != nil {
		t.Fatal(err)
	}
	hood, _ := after.Ship("hood")
	if sys := hood.System.(*ship.State); sys.Superstructure != 7 || sys.Shields[0].Now != 20 || hood.Hex.Label() != "0303" || hood.Heading.String() != "D" {
		t.Errorf("%+v at %s", sys, hood.Hex.Label())
	}
	if after.Result == nil || after.Result.Side != hood.Side {
		t.Errorf("%+v", after.Result)
	}
	want := map[string]string{
		"set Hood superstructure 7": "hood", "set Hood shield-1 20": "hood", "orders Hood": "hood",
		"move Hood 0303 D": "*", "kill Riskadh": "*", fmt.Sprintf("roll %s %d", die.Name, value): "*",
	}
	for i, e := range events {
		b, ok := e.Body.(*ruling.Ruled)
		if !ok {
			continue
		}
		got := strings.Trim(fmt.Sprint(e.See.Whole), "[]")
		if e.See.Open() {
			got += "*"
		}
		if got != want[b.What] || b.By != "Rita" || b.Why == "" {
			t.Errorf("%s: %+v", b.What, e.See)
		}
		delete(want, b.What)
		if b.Roll != (engine.RollName{}) {
			roll, ok := events[i+1].Body.(*engine.Roll)
			if !ok || roll.Name != die.Name || roll.Value != value || roll.Was != die.Value {
				t.Errorf("after the ruling: %+v", roll)
			}
		}
		if b.Force != (b.What == "set Hood shield-1 20") {
			t.Errorf("%s: force %t", b.What, b.Force)
		}
		if words := b.Change(func(id engine.ShipID) string { return "the " + string(id) }); words == "" {
			t.Errorf("%s: no words", b.What)
		}
	}
	if len(want) > 0 {
		t.Errorf("not told: %v", want)
	}
}

// TestReviving reverses a ship's loss, with its points and the end of the game.
func TestReviving(t *testing.T) {
	r, g := battle(t, "big-bad-wolf", "stcs-basic")
	dead, _, err := play(t, r, g, nil, byRita("kill Hood"))
	if err != nil {
		t.Fatal(err)
	}
	if dead.Result == nil {
		t.Fatal("the game goes on")
	}
	back, _, err := play(t, r, g, nil, byRita("kill Hood"), byRita("revive Hood"))
	if err != nil {
		t.Fatal(err)
	}
	plain, _, err := play(t, r, g, nil)
	if err != nil {
		t.Fatal(err)
	}
	hood, _ := back.Ship("hood")
	if back.Result != nil || hood.Status != engine.Active || !reflect.DeepEqual(back.Sides, plain.Sides) {
		t.Errorf("%+v, %s, %v, not %v", back.Result, hood.Status, back.Sides, plain.Sides)
	}
	if _, _, err := play(t, r, back, nil); err != nil {
		t.Errorf("played on: %v", err)
	}
}

// TestRulingsOnTheSetUp need no turn that was played.
func TestRulingsOnTheSetUp(t *testing.T) {
	r, g := battle(t, "big-bad-wolf", "stcs-basic")
	after, events, err := ruling.Setup(r, g, []ruling.Ruling{byRita("move Hood 0303 D"), byRita("set Hood superstructure 7")})
	if err != nil {
		t.Fatal(err)
	}
	again, err := engine.Replay(g, events)
	if err != nil {
		t.Fatal(err)
	}
	want, werr := engine.EncodeGame(after)
	got, gerr := engine.EncodeGame(again)
	if err := errors.Join(werr, gerr); err != nil || !bytes.Equal(want, got) {
		t.Errorf("replayed: %v\n%s", err, enginetest.Difference(want, got))
	}
	if hood, _ := after.Ship("hood"); hood.Hex.Label() != "0303" || after.Turn != 0 || len(events) != 2 {
		t.Errorf("%s, turn %d, %d events", hood.Hex.Label(), after.Turn, len(events))
	}
	if _, _, err := ruling.Setup(r, g, []ruling.Ruling{byRita("roll t1.x 3")}); err == nil {
		t.Error("a die of the set-up")
	}
	if _, _, err := play(t, r, after, nil); err != nil {
		t.Error(err)
	}
}

// TestARulingComesBeforeTheEndOfTheGame: when a game would end in the middle of a
// turn, the rulings for the turn's end are applied first, once; if they revive the
// loser, the fight goes on in the phases that are left.
func TestARulingComesBeforeTheEndOfTheGame(t *testing.T) {
	r, g := battle(t, "big-bad-wolf", "stcs-basic")
	var before *engine.Game
	var events []engine.Event
	for g.Result == nil {
		before = g
		last := events
		var err error
		if g, events, err = play(t, r, g, last); err != nil {
			t.Fatal(err)
		}
		if g.Result == nil {
			continue
		}
		end := events[len(events)-1]
		if end.Step != "goals" || end.Phase == 0 {
			t.Fatalf("the battle ends at %s of phase %d; another seed shows more", end.Step, end.Phase)
		}
		loser := g.Ships[slices.IndexFunc(g.Ships, func(s *engine.Ship) bool { return s.Status == engine.Crippled })]
		for _, test := range []struct {
			rulings []ruling.Ruling
			over    bool
		}{
			{[]ruling.Ruling{byRita("set " + loser.Name + " superstructure 1")}, true},
			{[]ruling.Ruling{byRita("set " + loser.Name + " superstructure 20"), byRita("set " + loser.Name + " power 20"), byRita("revive " + loser.Name)}, false},
		} {
			after, es, err := play(t, r, before, last, test.rulings...)
			if err != nil {
				t.Fatal(err)
			}
			done, later := 0, false
			for _, e := range es {
				if _, ok := e.Body.(*ruling.Ruled); ok {
					done++
				}
				later = later || e.Phase > end.Phase || e.Step == "end"
			}
			if (after.Result != nil) != test.over || done < len(test.rulings) || later == test.over && end.Phase < r.Rounds() {
				t.Errorf("%v: result %+v, %d rulings carried out, later events: %t", test.rulings, after.Result, done, later)
			}
		}
	}
}
