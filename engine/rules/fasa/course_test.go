package fasa

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// TestCoursesAreWhole checks that every course is complete.
func TestCoursesAreWhole(t *testing.T) {
	names := map[string]bool{}
	for _, book := range []course{basicCourse(), advancedCourse(), graduateCourse()} {
		if names[book.Name] || book.Title == "" || book.Version == "" || len(book.Sources) == 0 {
			t.Errorf("%q: %q %q %q", book.Name, book.Title, book.Version, book.Sources)
		}
		names[book.Name] = true
		if _, err := book.rules(&tables.Library{}); err != nil {
			t.Error(err)
		}
		for _, g := range book.Kinds {
			if g.Name == "" || g.Arm == nil || g.Deal == nil {
				t.Errorf("%s: %q weapons cannot be armed, fired or resolved", book.Name, g.Name)
			}
		}
		for _, p := range book.parts {
			for _, v := range p.Verbs {
				if !slices.Contains([]string{"power", "phase", "standing", ""}, v.Section) || v.Compile == nil {
					t.Errorf("%s: verb %s of section %q is not understood", book.Name, v.Name, v.Section)
				}
			}
			for _, s := range p.Subjects {
				if s.Fact == nil {
					t.Errorf("%s: nothing answers %q", book.Name, s.Form)
				}
			}
		}
	}
}

// TestEveryCourseIsPlayedToItsEnd has robots play The Big Bad Wolf in each course.
func TestEveryCourseIsPlayedToItsEnd(t *testing.T) {
	for _, course := range []func(*tables.Library) (*engine.Rules, error){Basic, advanced, Graduate} {
		r := rulesOf(t, course)
		for seed := range uint64(5) {
			g := playByRobots(t, r, wolfOf(t, r), seed, 60)
			if g.Result == nil {
				t.Errorf("%s, seed %d: no end after %d turns", r.Name, seed, g.Turn)
			}
		}
	}
}

// wolfOf returns The Big Bad Wolf as a game of a course.
func wolfOf(tb testing.TB, r *engine.Rules) *engine.Game {
	tb.Helper()
	all, err := Scenarios()
	if err != nil {
		tb.Fatal(err)
	}
	sc, diags := scenario.Parse(bytes.Replace(all["big-bad-wolf"], []byte("stcs-basic"), []byte(r.Name), 1))
	if sc == nil {
		tb.Fatal(diags)
	}
	g, diags := sc.NewGame(r, "game", nil)
	if g == nil {
		tb.Fatal(diags)
	}
	return g
}

// ghostly returns the Advanced Course with a Riskadh that no one ever sees.
func ghostly(t *testing.T) *engine.Rules {
	t.Helper()
	return averagePeople(rulesOf(t, func(lib *tables.Library) (*engine.Rules, error) {
		book := advancedCourse()
		book.Concealments = []rulebook.Concealment{func(_ *rulebook.Rules, _ *engine.Game, of *engine.Ship) rulebook.Hides {
			return func(*engine.Ship) bool { return of.ID == "riskadh" }
		}}
		book.Look = func(_ *rulebook.Rules, _ *engine.Game, _ engine.Viewer, s *engine.Ship) engine.Observation {
			if s.ID == "riskadh" {
				return engine.Observation{Sight: engine.Unseen}
			}
			return engine.Observation{Known: rulebook.Public(s)}
		}
		return book.rules(lib)
	}))
}

// TestHiddenShipsLeaveNoTrace plays a turn several times, with the hidden ship in different places
// and under different orders: the other captain is told the same, and nothing about it.
func TestHiddenShipsLeaveNoTrace(t *testing.T) {
	r := ghostly(t)
	var seen [][]byte
	for _, test := range []struct {
		at     hex.Hex
		orders string
	}{
		{hex.At(11, 1), "power\n move 8\nphase 1\n move F\nluck the owl\nphase 2\nphase 3\n move L\n"},
		{hex.At(3, 30), "power\n move 20\n shields 2:9\nphase 1\n move F FL\nphase 2\n move R\nphase 3\n pursue Hood\n"},
		{hex.At(11, 1), "warp +1\npower\n move 8\n"},
	} {
		g := wolfOf(t, r)
		s, _ := g.Ship("riskadh")
		s.Hex = test.at
		hood, diags := orders.Parse([]byte("#orders game turn 1 ship Hood\npower\n move 8\n arm bank-b 5 5\nphase 1\n move F\nphase 2\n fire all at Riskadh\nphase 3\n pursue Riskadh\n move F\n#end\n"), r.Language)
		if orders.HasErrors(diags) {
			t.Fatal(diags)
		}
		ghost, diags := orders.Parse([]byte("#orders game turn 1 ship Riskadh\n"+test.orders+"#end\n"), r.Language)
		if orders.HasErrors(diags) {
			t.Fatal(diags)
		}
		if c := r.Check(viewOf(t, r, g, nil, "hood"), "hood", hood[0]); !orders.HasErrors(c.Diagnostics) || strings.Contains(mustText(t, c), "did you mean") {
			t.Errorf("the check of orders at a ship that is not known: %v", c.Diagnostics)
		}
		after, events, err := enginetest.Resolve(r, g, []engine.Sheet{{Ship: "hood", Block: &hood[0]}, {Ship: "riskadh", Block: &ghost[0]}}, dice.FromSeed(3))
		if err != nil {
			t.Fatal(err)
		}
		if after.Result != nil {
			after.Result = nil // at the end all is revealed
			events = slices.DeleteFunc(events, func(e engine.Event) bool { return e.Type.Name == "victory" })
		}
		out, err := enginetest.Seen(r, after, events, engine.Captain{Name: "Hood", Ships: []engine.ShipID{"hood"}})
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, out)
	}
	for _, out := range seen {
		if !bytes.Equal(out, seen[0]) {
			t.Errorf("Hood sees a difference:\n%s", enginetest.Difference(seen[0], out))
		}
		// The captain of Hood may read their own orders.
		plain := strings.NewReplacer("fire all at Riskadh", "", "pursue Riskadh", "", `no ship \"Riskadh\" is known`, "").Replace(string(out))
		if i := strings.Index(strings.ToLower(plain), "riskadh"); i >= 0 {
			t.Errorf("Hood is told of the Riskadh: %s", plain[max(0, i-120):min(len(plain), i+80)])
		}
	}
}

func mustText(t *testing.T, c engine.Checked) string {
	t.Helper()
	var b strings.Builder
	for _, d := range c.Diagnostics {
		b.WriteString(d.Message + " " + d.Hint + "\n")
	}
	return b.String()
}
