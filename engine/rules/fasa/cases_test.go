package fasa

import (
	"maps"
	"os"
	"sync"
	"testing"

	"starpost/engine"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/testkit/enginetest"
)

// playedCase is a case of a course and what came out otherwise than it says, once it was played.
type playedCase struct {
	*enginetest.Case
	play func() []enginetest.Failure
}

// coursesCases are the cases of courses by their folders, each played once for all tests that look at what
// came of it.
var coursesCases struct {
	sync.Mutex
	in map[string][]playedCase
}

func casesIn(t *testing.T, dir string) []playedCase {
	t.Helper()
	coursesCases.Lock()
	defer coursesCases.Unlock()
	if all, known := coursesCases.in[dir]; known {
		return all
	}
	var r *engine.Rules
	switch dir {
	case "cases":
		r = basicRules(t)
	case "cases-advanced":
		r = averagePeople(rulesOf(t, advanced))
	case "cases-graduate":
		r = averagePeople(rulesOf(t, Graduate))
	case "cases-command":
		r = averagePeople(rulesOf(t, Command))
	case "cases-fog":
		r = averagePeople(foggy(t))
	}
	cases, err := enginetest.Cases(os.DirFS("testdata/"+dir), "W122")
	if err != nil {
		t.Fatal(err)
	}
	var all []playedCase
	for _, c := range cases {
		all = append(all, playedCase{c, sync.OnceValue(func() []enginetest.Failure { return c.Play(r) })})
	}
	if coursesCases.in == nil {
		coursesCases.in = map[string][]playedCase{}
	}
	coursesCases.in[dir] = all
	return all
}

// playCases tells what comes out otherwise than the cases of a folder say.
func playCases(t *testing.T, dir string) {
	t.Helper()
	for _, c := range casesIn(t, dir) {
		enginetest.Report(t, c.Name, c.play)
	}
}

// TestCases plays the worked examples of the Basic Course.
func TestCases(t *testing.T) {
	playCases(t, "cases")
}

// TestCasesInTheDark plays the worked examples of games in the dark.
func TestCasesInTheDark(t *testing.T) {
	enginetest.Run(t, basicRules(t), os.DirFS("testdata/dark"), "W122")
}

// TestBookOneCases plays the worked examples of Book One.
func TestBookOneCases(t *testing.T) {
	enginetest.Run(t, rulesOf(t, BookOne), os.DirFS("testdata/cases-book-one"), "W122")
}

// TestAdvancedCases plays the worked examples of the Advanced Course.
func TestAdvancedCases(t *testing.T) {
	playCases(t, "cases-advanced")
}

// averagePeople makes fixed ratings the default of rules: the cases script every die,
// and only those about ratings roll for them.
func averagePeople(r *engine.Rules) *engine.Rules {
	r.Options = maps.Clone(r.Options)
	r.Options[OptionRatings] = []string{RatingsFixed, RatingsRolled}
	return r
}

// rulesOf makes a course over the built-in tables.
func rulesOf(tb testing.TB, course func(*tables.Library) (*engine.Rules, error)) *engine.Rules {
	tb.Helper()
	lib, err := tables.Builtin()
	if err != nil {
		tb.Fatal(err)
	}
	r, err := course(lib)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// TestGraduateCases plays the worked examples of the Graduate Course.
func TestGraduateCases(t *testing.T) {
	playCases(t, "cases-graduate")
}
