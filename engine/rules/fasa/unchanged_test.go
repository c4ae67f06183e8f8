package fasa

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

var update = flag.Bool("update", false, "write the golden files again")

// TestCoursesPlayAsRecorded plays battles of every course by captains of every sort and
// compares the checksums of the results with recorded ones: those of the battles, and
// separately those of the order templates and the robots' orders. Courses share code, and
// a rule of one must not affect another. The first differing line names the first turn
// that differs.
func TestCoursesPlayAsRecorded(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	type battle struct {
		scenario string
		seeds    uint64
		turns    int
	}
	for _, test := range []struct {
		course  string
		golden  string
		battles []battle
	}{
		{"stcs-basic", "basic", []battle{{"big-bad-wolf", 4, 12}, {"three-on-three", 3, 12}, {"convoy", 3, 12}, {"fleet-action", 1, 6}}},
		{"stcs-advanced", "advanced", []battle{
			{"big-bad-wolf", 2, 8}, {"romulan-gambit", 3, 10}, {"raiders", 2, 8}, {"needle", 2, 8}, {"ghost-hunt", 2, 8}, {"moonrise", 2, 8}, {"stern-chase", 2, 8},
		}},
		{"stcs-graduate", "graduate", []battle{
			{"three-on-three", 2, 8}, {"romulan-gambit", 3, 10}, {"raiders", 2, 8}, {"needle", 2, 6}, {"ghost-hunt", 2, 8}, {"moonrise", 2, 8}, {"outpost-raid", 3, 8},
		}},
	} {
		t.Run(test.course, func(t *testing.T) {
			r, err := Courses()[test.course](lib)
			if err != nil {
				t.Fatal(err)
			}
			var battles, texts bytes.Buffer
			for _, b := range test.battles {
				for seed := range b.seeds {
					g := scenarioGame(t, r, b.scenario)
					g.Options[rulebook.OptionBanks] = []string{rulebook.BanksOne, rulebook.BanksEach}[seed%2]
					var events []engine.Event
					for g.Result == nil && g.Turn < b.turns {
						fmt.Fprintf(&texts, "%s %d turn %d: %x\n", b.scenario, seed, g.Turn+1, sha256.Sum256(offeredTexts(t, r, g, events)))
						var err error
						if g, events, err = engine.Resolve(r, g, mixedSheets(t, r, g, events), dice.FromSeed(seed)); err != nil {
							t.Fatal(err)
						}
						fmt.Fprintf(&battles, "%s %d turn %d: %x\n", b.scenario, seed, g.Turn, sha256.Sum256(everything(t, r, g, events)))
					}
				}
			}
			sameAsGolden(t, "testdata/"+test.golden+".sum", battles.Bytes())
			sameAsGolden(t, "testdata/"+test.golden+"-orders.sum", texts.Bytes())
		})
	}
}

// sameAsGolden compares checksums with those in a file, or writes the file with -update.
func sameAsGolden(t *testing.T, golden string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil { //nolint:gosec // a golden file is for all to read
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s: plays otherwise than recorded:\n%s", golden, enginetest.Difference(want, got))
	}
}

// offeredTexts returns the order template and the robot's orders of every ship that is due.
func offeredTexts(tb testing.TB, r *engine.Rules, g *engine.Game, events []engine.Event) []byte {
	tb.Helper()
	var out bytes.Buffer
	for _, id := range g.InFight() {
		s, _ := g.Ship(id)
		v, err := engine.BuildView(r, g, events, g.Viewer(s))
		if err != nil {
			tb.Fatal(err)
		}
		fmt.Fprintf(&out, "%s\n%s\n%s\n", id, r.Template(v, id).String(), r.Robot(v, id).String())
	}
	return out.Bytes()
}

// mixedSheets has robots for most captains; in turn one sends the offered
// template and one nothing.
func mixedSheets(tb testing.TB, r *engine.Rules, g *engine.Game, events []engine.Event) []engine.Sheet {
	tb.Helper()
	sheets := robotSheets(tb, r, g, events)
	for i, s := range sheets {
		switch (g.Turn + i) % 5 {
		case 3:
			v, err := engine.BuildView(r, g, events, engine.Viewer{Ships: []engine.ShipID{s.Ship}, Focus: s.Ship})
			if err != nil {
				tb.Fatal(err)
			}
			name := v.Name(s.Ship)
			blocks, _ := orders.Parse([]byte(fmt.Sprintf("#orders %s turn %d ship %s\n%s\n#end\n", g.ID, g.Turn+1, name, r.Template(v, s.Ship).String())), r.Language)
			if len(blocks) == 1 {
				sheets[i].Block = &blocks[0]
			}
		case 4:
			sheets[i] = engine.Sheet{Ship: s.Ship, Policy: engine.PolicyStanding}
		}
	}
	return sheets
}

// everything returns the game, its events, and all that each captain gets to see.
func everything(tb testing.TB, r *engine.Rules, g *engine.Game, events []engine.Event) []byte {
	tb.Helper()
	state, err := engine.EncodeGame(g)
	if err != nil {
		tb.Fatal(err)
	}
	log, err := engine.EncodeEvents(events)
	if err != nil {
		tb.Fatal(err)
	}
	out := append(state, log...)
	for _, c := range g.Captains() {
		seen, err := enginetest.Seen(r, g, events, c)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, seen...)
	}
	return out
}
