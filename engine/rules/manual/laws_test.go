package manual_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/manual"
	"starpost/engine/testkit/enginetest"
)

// filing is a made-up filing. Pieces are marked hidden if the captain of the Lantern, who does not see the Gnat and
// cannot read others' sheets or texts, learns nothing of them.
type filing []piece

type piece struct {
	text   string
	hidden bool
}

// text returns the filing with or without the pieces hidden from the Lantern.
func (f filing) text(all bool) string {
	var b strings.Builder
	for _, p := range f {
		if all || !p.hidden {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

func made(rng *rand.Rand, turn, n int) filing {
	ships := []string{"Lantern", "Marigold", "Wasp", "Gnat"}
	hexAt := func() string { return fmt.Sprintf("%02d%02d", 1+rng.IntN(20), 1+rng.IntN(16)) }
	heading := func() string { return string(rune('A' + rng.IntN(6))) }
	words := func() string { return strings.Repeat("word ", 1+rng.IntN(20)) }
	var f filing
	rule := func(hidden bool, format string, args ...any) {
		f = append(f, piece{"#rulings\n" + fmt.Sprintf(format, args...) + "\n", hidden})
	}
	for i := range n {
		who := ships[rng.IntN(len(ships))]
		secret := who == "Gnat"
		switch rng.IntN(13) {
		case 0, 1, 2:
			rule(secret, "move %s %s %s", who, hexAt(), heading())
		case 3:
			rule(secret, "turn %s %s", who, heading())
		case 4:
			rule(who != "Lantern", "set %s hull %d", who, rng.IntN(5))
		case 5:
			rule(who != "Lantern", "change %s hull %+d", who, rng.IntN(9)-4)
		case 6:
			rule(who != "Lantern", "track %s t%d-%d %d of 9", who, turn, i, rng.IntN(9))
		case 7:
			target := ships[rng.IntN(len(ships))]
			if target != who {
				rule(secret || target == "Gnat", "shot %s %s hit with guns", who, target)
			}
		case 8:
			to := []string{"nobody", "Wasp", "raiders", "Gnat", "Lantern", "all"}[rng.IntN(6)]
			rule(to != "Lantern" && to != "all", "roll r%d d10 for %s", i, to)
		case 9:
			rule(false, "score %s %d for %s", []string{"company", "raiders"}[rng.IntN(2)], rng.IntN(9), words())
		case 10:
			f = append(f, piece{"#ship " + who + "\n" + words() + "\n", who != "Lantern"})
		case 11:
			side := []string{"company", "raiders"}[rng.IntN(2)]
			f = append(f, piece{"#side " + side + "\n" + words() + "\n\n" + words() + "\n", side == "raiders"})
		case 12:
			if who == "Gnat" || who == "Wasp" {
				rule(secret, "see %s Gnat no", map[string]string{"Gnat": "Wasp", "Wasp": "Marigold"}[who])
				f[len(f)-1].hidden = true
			} else {
				rule(false, "mark other buoy%d %s", rng.IntN(3), hexAt())
			}
		}
	}
	return f
}

// For any filing, the invariants of turns hold, and what a captain gets does not depend on what the captain may not
// know.
func TestLawsOfFiledTurns(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range 100 {
		g := cinder(t)
		for n := range 3 {
			f := made(rng, n, rng.IntN(25))
			play := func(text string) (*engine.Game, []engine.Event) {
				r, err := manual.Rules().Filed(g, []byte(text))
				if err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				after, events, err := enginetest.Resolve(r, g, sheets(t, g), dice.FromSeed(uint64(round)))
				if err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				return after, events
			}
			after, events := play(f.text(true))
			other, others := play(f.text(false))
			got, want := jsonOf(t, after, events), jsonOf(t, other, others)
			if !bytes.Equal(got, want) {
				t.Fatalf("turn %d: the report of the Lantern depends on what is not hers to know\n%s\n\n%s", n+1, enginetest.Difference(want, got), f.text(true))
			}
			if after.Result != nil {
				break
			}
			g = after
		}
	}
}

// jsonOf returns everything that the captain of the Lantern gets.
func jsonOf(t *testing.T, g *engine.Game, events []engine.Event) []byte {
	t.Helper()
	v, text := viewOf(t, g, events, "lantern")
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return append(append(data, text...), manual.Rules().Template(v, "lantern").String()...)
}

// Any bytes can be read without panics, and filings without errors can be played.
func FuzzFiling(f *testing.F) {
	for _, s := range []string{
		"#all\nx\n#rulings\nmove Wasp 0605 A\nout Gnat left by north for good\nend draw", "#side raiders\n##x\n\n- y", "; r\n#part One\n#ship lantern\r\nx\r#end",
		"#rulings\nsee all gnat yes\nroll a.b 2d6 for company\ntrack W x.1 3 of 5\nchange w x.1 -9\nmark moon m 0101 0102\nunmark m\nenter wasp 0101 A\nscore raiders -3",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		g := cinder(t)
		after, events, err := resolveFiled(manual.Rules(), g, sheets(t, g), data, dice.FromSeed(1))
		if err != nil {
			if _, ok := err.(*engine.FilingError); !ok { //nolint:errorlint // nothing wraps it
				t.Fatal(err)
			}
			return
		}
		if err := enginetest.CheckTurn(manual.Rules(), g, after, events); err != nil {
			t.Fatal(err)
		}
		for _, ship := range []engine.ShipID{"lantern", "gnat"} {
			viewOf(t, after, events, ship)
		}
	})
}
