package fasa

import (
	"maps"
	"os"
	"sync"
	"testing"

	"starpost/engine"
	"starpost/engine/conformance"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/testkit/enginetest"
)

// suite is where the public cases are; foggyCases, from there, is a folder of cases of a rule set that tests alone have.
const (
	suite      = "../../../examples/cases/"
	foggyCases = "../../engine/rules/fasa/testdata/cases-fog"
)

// playedCase is a case of a course and what came out otherwise than it says, once it was played.
type playedCase struct {
	*enginetest.Case
	play func() []conformance.Failure
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
	case "stcs-basic":
		r = basicRules(t)
	case "stcs-advanced":
		r = rulesOf(t, advanced)
	case "stcs-graduate":
		r = rulesOf(t, Graduate)
	case "stcs-command":
		r = rulesOf(t, Command)
	case foggyCases:
		r = averagePeople(foggy(t))
	}
	cases, err := enginetest.Cases(os.DirFS(suite + dir))
	if err != nil {
		t.Fatal(err)
	}
	var all []playedCase
	for _, c := range cases {
		all = append(all, playedCase{c, sync.OnceValue(func() []conformance.Failure { return c.Play(r) })})
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

// TestCases plays the worked examples of the Basic Course, those in the dark among them.
func TestCases(t *testing.T) {
	playCases(t, "stcs-basic")
}

// TestBookOneCases plays the worked examples of Book One.
func TestBookOneCases(t *testing.T) {
	enginetest.Run(t, rulesOf(t, bookOneRules), os.DirFS(suite+"book-one"))
}

// TestAdvancedCases plays the worked examples of the Advanced Course.
func TestAdvancedCases(t *testing.T) {
	playCases(t, "stcs-advanced")
}

// averagePeople makes fixed ratings the default of rules, for cases that are about something else
// and do not say so themselves.
func averagePeople(r *engine.Rules) *engine.Rules {
	r.Options = maps.Clone(r.Options)
	r.Options[rulebook.OptionRatings] = []string{rulebook.RatingsFixed, rulebook.RatingsRolled}
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
	playCases(t, "stcs-graduate")
}
