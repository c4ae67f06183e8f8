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
	"starpost/engine/enginetest"
	"starpost/orders"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestBasicIsAsItWas plays battles of the Basic Course by captains of every sort
// and compares what became of them, byte for byte by checksum, with what was
// recorded. Courses share their code; a rule of another must not reach this one.
// A line that differs tells the first turn that does.
func TestBasicIsAsItWas(t *testing.T) {
	r := basicRules(t)
	var out bytes.Buffer
	for _, test := range []struct {
		name  string
		seeds uint64
		turns int
	}{{"big-bad-wolf", 4, 12}, {"three-on-three", 3, 12}, {"convoy", 3, 12}, {"fleet-action", 1, 6}} {
		for seed := range test.seeds {
			g := scenarioGame(t, r, test.name)
			g.Options[OptionBanks] = []string{BanksOne, BanksEach}[seed%2]
			var events []engine.Event
			for g.Result == nil && g.Turn < test.turns {
				var err error
				if g, events, err = engine.Resolve(r, g, mixedSheets(t, r, g, events), dice.FromSeed(seed)); err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&out, "%s %d turn %d: %x\n", test.name, seed, g.Turn, sha256.Sum256(everything(t, r, g, events)))
			}
		}
	}
	const golden = "testdata/basic.sum"
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil { //nolint:gosec // a golden file is for all to read
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, out.Bytes()) {
		t.Errorf("the Basic Course plays otherwise than recorded:\n%s", enginetest.Difference(want, out.Bytes()))
	}
}

// mixedSheets lets most captains be robots; by turns one sends the offered
// template and one nothing.
func mixedSheets(tb testing.TB, r *engine.Rules, g *engine.Game, events []engine.Event) []engine.Sheet {
	tb.Helper()
	sheets := robotSheets(tb, r, g, events)
	for i, s := range sheets {
		switch (g.Turn + i) % 5 {
		case 3:
			v, err := engine.BuildView(r, g, events, engine.Viewer{Ships: []string{s.Ship}, Focus: s.Ship})
			if err != nil {
				tb.Fatal(err)
			}
			name := v.Name(s.Ship)
			blocks, _ := orders.Parse([]byte(fmt.Sprintf("#orders %s turn %d ship %s\n%s\n#end\n", g.ID, g.Turn+1, name, r.Template(v, s.Ship))), r.Language)
			if len(blocks) == 1 {
				sheets[i].Block = &blocks[0]
			}
		case 4:
			sheets[i] = engine.Sheet{Ship: s.Ship, Policy: engine.PolicyStanding}
		}
	}
	return sheets
}

// everything is the game, its events, and all that each captain gets to see.
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
