package fasa

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/orders"
)

// TestOrdersThatEndTheFightInRounds plays a turn phase by phase. Two is within 6 hexes
// from phase 2 on. What a later set does not repeat is taken back, with a warning, and
// what it adds holds from then on; without a later set everything holds.
func TestOrdersThatEndTheFightInRounds(t *testing.T) {
	const near = "surrender when range to Two <= 6"
	for name, test := range map[string]struct {
		sets  []string // of One, one a round; blank: none comes
		taken string   // what the warnings say the set of round 2 takes back
		out   engine.Status
		phase int
	}{
		"kept":                  {[]string{near, "", ""}, "", engine.Surrendered, 2},
		"said again":            {[]string{near, near, ""}, "", engine.Surrendered, 2},
		"taken back":            {[]string{near, "final", ""}, "surrender", "", 0},
		"one for the other":     {[]string{near, "self-destruct 3", ""}, "surrender", engine.Destroyed, 3},
		"both taken back":       {[]string{near + "\nself-destruct 3", "final", ""}, "self-destruct surrender", "", 0},
		"said later":            {[]string{"final", "final", "surrender"}, "", engine.Surrendered, 3},
		"blown up before it":    {[]string{"self-destruct 2\n" + near, "self-destruct 2\n" + near, ""}, "", engine.Destroyed, 2},
		"a phase that was past": {[]string{"self-destruct 1 when damaged", "final", ""}, "", "", 0},
	} {
		for _, status := range []engine.Status{engine.Active, engine.Crippled} {
			t.Run(fmt.Sprintf("%s, %s", name, status), func(t *testing.T) {
				r := courseRules(t, "stcs-advanced")
				g := duel(t, r, "class = \"constitution-iii\"\nhex = \"1120\"\nheading = \"A\"", "class = \"d-7s\"\nhex = \"1110\"\nheading = \"D\"",
					"[[ship]]\nname = \"Three\"\nside = \"a\"\nclass = \"d-7s\"\nhex = \"2233\"\nheading = \"D\"")
				one, _ := g.Ship("one")
				one.Status = status
				sheets := []engine.Sheet{{Ship: "one"}, {Ship: "two", Block: blockOf(t, r, "two", "power\n  move 6 points\nphase 1\n  move F F\nphase 2\n  move F F\nphase 3\n  move F F")}, {Ship: "three", Policy: engine.PolicyStanding}}
				state, events := g, []engine.Event(nil)
				for i, text := range test.sets {
					var b *orders.Block
					if text != "" {
						b = blockOf(t, r, "one", text)
					}
					if i == 1 && b != nil {
						if got := takenBackBy(t, r, state, *b); got != test.taken {
							t.Errorf("taken back: %q, want %q", got, test.taken)
						}
					}
					if i == 0 {
						sheets[0].Block = b
					} else {
						for j := range sheets {
							sheets[j].Later = append(sheets[j].Later, engine.Reply{})
						}
						sheets[0].Later[i-1].Block = b
					}
					var err error
					if state, events, err = engine.ResolveRounds(r, g, sheets, engine.RoundLimit{Upto: i + 1, Told: events}, dice.FromSeed(1)); err != nil {
						t.Fatal(err)
					}
				}
				out, phase := engine.Status(""), 0
				for _, e := range events {
					if b, ok := e.Body.(*engine.Out); ok && b.Ship == "one" {
						out, phase = b.Why, e.Phase
					}
				}
				if out != test.out || phase != test.phase {
					t.Errorf("%q in phase %d, want %q in phase %d", out, phase, test.out, test.phase)
				}
			})
		}
	}
}

func blockOf(tb testing.TB, r *engine.Rules, ship, text string) *orders.Block {
	tb.Helper()
	blocks, diags := orders.Parse([]byte(fmt.Sprintf("#orders duel turn 1 ship %s\n%s\n#end\n", ship, text)), r.Language)
	if len(blocks) != 1 || orders.HasErrors(diags) {
		tb.Fatal(diags)
	}
	return &blocks[0]
}

// takenBackBy returns the orders that warnings on a later set of One say are taken back.
func takenBackBy(tb testing.TB, r *engine.Rules, g *engine.Game, b orders.Block) string {
	tb.Helper()
	one, _ := g.Ship("one")
	v, err := engine.NewViewBuilder(r, g, nil).InRounds(coursePhases).View(g.Viewer(one))
	if err != nil {
		tb.Fatal(err)
	}
	var out []string
	for _, d := range r.Check(v, "one", b).Diagnostics {
		if d.Code == "W132" {
			verb, _, _ := strings.Cut(d.Message, " ")
			out = append(out, verb)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}
