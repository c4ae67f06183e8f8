package fasa

import (
	"fmt"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/robots"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/scenario"
)

// played is a turn with recorded robots' orders.
type played struct {
	before *engine.Game
	sheets []engine.Sheet
}

// record plays a game by robots for some turns, or until it ends.
func record(tb testing.TB, r *engine.Rules, g *engine.Game, turns int, seed uint64) []played {
	tb.Helper()
	var out []played
	var events []engine.Event
	for g.Result == nil && len(out) < turns {
		sheets := robotSheets(tb, r, g, events)
		out = append(out, played{g, sheets})
		var err error
		if g, events, err = engine.Resolve(r, g, sheets, dice.FromSeed(seed)); err != nil {
			tb.Fatal(err)
		}
	}
	return out
}

// fleets returns a battle of some ships on two sides, in two lines abreast.
func fleets(tb testing.TB, r *engine.Rules, ships, apart int) *engine.Game {
	tb.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "format = 1\nname = \"fleets\"\ntitle = \"Fleets\"\nrules = %q\nside = [{id = \"a\"}, {id = \"b\"}]\n", r.Name)
	classes := [2][]string{{"constitution-iii", "durrett", "loknar-ii"}, {"d-7s", "l-9", "d-14"}}
	for i := range ships {
		side, n := i%2, i/2
		row, heading := 10, "D"
		if side == 1 {
			row, heading = 10+apart, "A"
		}
		fmt.Fprintf(&b, "[[ship]]\nname = \"S%d\"\nside = %q\nclass = %q\nhex = \"%02d%02d\"\nheading = %q\n",
			i, []string{"a", "b"}[side], classes[side][n%3], 1+n, row, heading)
	}
	return gameOf(tb, r, b.String())
}

// byCourse runs a benchmark with the rules of each course.
func byCourse(b *testing.B, bench func(*testing.B, *engine.Rules)) {
	b.Helper()
	lib, err := tables.Builtin()
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"stcs-basic", "stcs-advanced", "stcs-graduate", "stcs-command", "book-one"} {
		r, err := Courses()[name](lib)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(strings.TrimPrefix(name, "stcs-"), func(b *testing.B) {
			b.ReportAllocs()
			bench(b, r)
		})
	}
}

// wolf returns The Big Bad Wolf as a game of a course.
func wolf(tb testing.TB, r *engine.Rules) *engine.Game {
	tb.Helper()
	all, err := Scenarios()
	if err != nil {
		tb.Fatal(err)
	}
	return gameOf(tb, r, string(scenario.ForRules(all["big-bad-wolf"], r.Name)))
}

// BenchmarkTurnTwoShips resolves the third turn of The Big Bad Wolf, in which both ships move
// and fire, or the last one if the robots' battle is shorter.
func BenchmarkTurnTwoShips(b *testing.B) {
	byCourse(b, func(b *testing.B, r *engine.Rules) {
		b.Helper()
		turns := record(b, r, wolf(b, r), 3, 1)
		last := turns[len(turns)-1]
		for b.Loop() {
			if _, _, err := engine.Resolve(r, last.before, last.sheets, dice.FromSeed(1)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkBattle20x12 resolves twelve turns of battles of twenty ships: of one battle if it lasts
// that long, otherwise of several.
func BenchmarkBattle20x12(b *testing.B) {
	byCourse(b, func(b *testing.B, r *engine.Rules) {
		b.Helper()
		var turns []played
		for seed := uint64(1); len(turns) < 12 && seed <= 50; seed++ {
			turns = record(b, r, fleets(b, r, 20, 60), 12, seed)
		}
		for seed := uint64(1); len(turns) < 12; seed++ {
			turns = append(turns, record(b, r, fleets(b, r, 20, 60), 12-len(turns), seed)...)
		}
		for b.Loop() {
			for _, t := range turns {
				if _, _, err := engine.Resolve(r, t.before, t.sheets, dice.FromSeed(1)); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

func BenchmarkShips2(b *testing.B)   { benchmarkShips(b, 2) }
func BenchmarkShips5(b *testing.B)   { benchmarkShips(b, 5) }
func BenchmarkShips10(b *testing.B)  { benchmarkShips(b, 10) }
func BenchmarkShips20(b *testing.B)  { benchmarkShips(b, 20) }
func BenchmarkShips50(b *testing.B)  { benchmarkShips(b, 50) }
func BenchmarkShips100(b *testing.B) { benchmarkShips(b, 100) }

// benchmarkShips resolves a turn in which all ships are near enough to fire.
func benchmarkShips(b *testing.B, ships int) {
	b.Helper()
	byCourse(b, func(b *testing.B, r *engine.Rules) {
		b.Helper()
		turns := record(b, r, fleets(b, r, ships, 12), 1, 1)
		for b.Loop() {
			if _, _, err := engine.Resolve(r, turns[0].before, turns[0].sheets, dice.FromSeed(1)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkRobot has a robot write orders in the middle of the battle of twenty.
func BenchmarkRobot(b *testing.B) {
	byCourse(b, func(b *testing.B, r *engine.Rules) {
		b.Helper()
		turns := record(b, r, fleets(b, r, 20, 60), 4, 1)
		g := turns[len(turns)-1].before
		s, _ := g.Ship(g.InFight()[0])
		v, err := engine.BuildView(r, g, nil, g.Viewer(s))
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if r.Robot(v, s.ID).String() == "" {
				b.Fatal("no orders")
			}
		}
	})
}

// BenchmarkCrewedTurn resolves the turns of a duel of two ships with all posts filled.
func BenchmarkCrewedTurn(b *testing.B) {
	r := rulesOf(b, Command)
	g := wolf(b, r)
	for _, s := range g.Ships {
		s.Crew = map[string]engine.CaptainName{}
		for _, post := range rulebook.Posts() {
			s.Crew[post] = engine.CaptainName(s.Name + " " + post)
		}
	}
	type turn struct {
		before *engine.Game
		sheets []engine.Sheet
	}
	var turns []turn
	var events []engine.Event
	for g.Result == nil && len(turns) < 8 {
		sheets, err := robots.Orders(r, g, events)
		if err != nil {
			b.Fatal(err)
		}
		turns = append(turns, turn{g, sheets})
		if g, events, err = engine.Resolve(r, g, sheets, dice.FromSeed(1)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		t := turns[i%len(turns)]
		if _, _, err := engine.Resolve(r, t.before, t.sheets, dice.FromSeed(1)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCheck checks a robot's orders for a turn of The Big Bad Wolf, as is done to answer a captain's mail.
func BenchmarkCheck(b *testing.B) {
	byCourse(b, func(b *testing.B, r *engine.Rules) {
		b.Helper()
		turns := record(b, r, wolf(b, r), 3, 1)
		last := turns[len(turns)-1]
		s, _ := last.before.Ship(last.sheets[0].Ship)
		v, err := engine.BuildView(r, last.before, nil, last.before.Viewer(s))
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if checked := r.Check(v, s.ID, *last.sheets[0].Block); len(checked.Path) < 2 {
				b.Fatal(checked.Diagnostics)
			}
		}
	})
}
