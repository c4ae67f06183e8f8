package fasa

import (
	"maps"
	"os"
	"testing"

	"starpost/engine"
	"starpost/engine/enginetest"
	"starpost/engine/rules/fasa/tables"
)

// TestCases plays the worked examples of the Basic Course.
func TestCases(t *testing.T) {
	enginetest.Run(t, basicRules(t), os.DirFS("testdata/cases"), "W122")
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
	enginetest.Run(t, averagePeople(rulesOf(t, Advanced)), os.DirFS("testdata/cases-advanced"), "W122")
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
	enginetest.Run(t, averagePeople(rulesOf(t, Graduate)), os.DirFS("testdata/cases-graduate"), "W122")
}
