package fasa

import (
	"os"
	"slices"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/enginetest"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// TestCommandCases plays the worked examples of Command & Control.
func TestCommandCases(t *testing.T) {
	enginetest.Run(t, averagePeople(rulesOf(t, Command)), os.DirFS("testdata/cases-command"), "W122")
}

// postSet reads one order set without a head.
func postSet(t *testing.T, r *engine.Rules, kind, text string) *orders.Block {
	t.Helper()
	blocks, diags := orders.Parse([]byte("#orders game turn 1 "+kind+" Hood\n"+text+"\n#end\n"), r.Language)
	if len(blocks) != 1 || orders.HasErrors(diags) {
		t.Fatal(diags)
	}
	return &blocks[0]
}

// TestFourSetsAreOne: the sets of four posts give the battle that one captain's gives with
// the same contents, where no skill is used.
func TestFourSetsAreOne(t *testing.T) {
	r := averagePeople(rulesOf(t, Command))
	alone, crewed := wolfOf(t, r), wolfOf(t, r)
	hood, _ := crewed.Ship("hood")
	hood.Crew = map[string]string{ship.PostEngineer: "Bob", ship.PostHelm: "Cleo", ship.PostScience: "Dan"}
	whole := "power\n move 12\n shields 2:14 1:6\n arm bank-b 5 5\n arm bank-a 4\nphase 1\n move F\n fire all at Riskadh\nphase 2\n pursue Riskadh to 5\n lock Riskadh\nphase 3\n move F\n fire all at Riskadh when chance >= 10%\nstanding\n shed shields weapons\n choose shield weakest\n"
	single := postSet(t, r, "ship", whole)
	sets := map[string]string{
		"ship":     "final\n",
		"engineer": "totals move 12 weapons 20 shields 10\nstanding\n shed shields weapons\n",
		"helm":     "power\n arm bank-b 5 5\n arm bank-a 4\nphase 1\n move F\n fire all at Riskadh\nphase 2\n pursue Riskadh to 5\nphase 3\n move F\n fire all at Riskadh when chance >= 10%\n",
		"science":  "power\n shields 2:14 1:6\nphase 2\n lock Riskadh\nstanding\n choose shield weakest\n",
	}
	foe := postSet(t, r, "ship", "power\n move 8\n shields 2:10\n arm bank-a 3\nphase 1\n move F\n fire all at Hood\n")
	one, told, err := enginetest.Resolve(r, alone, []engine.Sheet{{Ship: "hood", Block: single}, {Ship: "riskadh", Block: foe}}, dice.FromSeed(7))
	if err != nil {
		t.Fatal(err)
	}
	sheets := []engine.Sheet{{Ship: "riskadh", Block: foe}}
	for kind, text := range sets {
		post := kind
		if kind == "ship" {
			post = ""
		}
		sheets = append(sheets, engine.Sheet{Ship: "hood", Post: post, Block: postSet(t, r, kind, text)})
	}
	four, events, err := enginetest.Resolve(r, crewed, sheets, dice.FromSeed(7))
	if err != nil {
		t.Fatal(err)
	}
	for i := range four.Ships {
		four.Ships[i].Crew = nil
		ship.Of(four.Ships[i]).Standing.Last, ship.Of(one.Ships[i]).Standing.Last = "", ""
	}
	want, err := engine.EncodeGame(one)
	if err != nil {
		t.Fatal(err)
	}
	got, err := engine.EncodeGame(four)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != string(got) {
		t.Errorf("another game comes of four sets:\n%s", enginetest.Difference(want, got))
	}
	quiet := func(all []engine.Event) []string {
		var out []string
		for _, e := range all {
			if b, ok := e.Body.(*engine.Skip); ok {
				b.Line = 0 // each set has lines of its own
			}
			if e.Body.Type() != "standing" {
				text, err := engine.EncodeEvents([]engine.Event{{Turn: e.Turn, Phase: e.Phase, Step: e.Step, Rule: e.Rule, See: e.See, Body: e.Body}})
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, string(text))
			}
		}
		return out
	}
	if a, b := quiet(told), quiet(events); !slices.Equal(a, b) {
		for i := range a {
			if i >= len(b) || a[i] != b[i] {
				t.Fatalf("event %d is another one with four sets:\n%s%s", i, a[i], b[min(i, len(b)-1)])
			}
		}
	}
}
