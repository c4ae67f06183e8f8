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

// suite is the folder of the public cases; foggyCases, relative to it, that of cases of a rule set used only in tests.
const (
	suite      = "../../../examples/cases/"
	foggyCases = "../../engine/rules/fasa/testdata/cases-fog"
)

// playedCase is a case of a course, and a function that plays it once and returns its failures.
type playedCase struct {
	*enginetest.Case
	play func() []conformance.Failure
}

// coursesCases holds the cases of courses by their folders, each played once for all tests that need the
// result.
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

// playCases reports the failures of the cases in a folder.
func playCases(t *testing.T, dir string) {
	t.Helper()
	for _, c := range casesIn(t, dir) {
		enginetest.Report(t, c.Name, c.play)
	}
}

// TestCases plays the worked examples of the Basic Course, including those in the dark.
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

// averagePeople makes fixed ratings the default of rules, for cases about something else that do not
// set the option.
func averagePeople(r *engine.Rules) *engine.Rules {
	r.Options = maps.Clone(r.Options)
	r.Options[rulebook.OptionRatings] = []string{rulebook.RatingsFixed, rulebook.RatingsRolled}
	return r
}

// rulesOf returns a course over the built-in tables.
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
