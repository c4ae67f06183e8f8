package engine_test

import (
	_ "embed"
	"testing"

	"starpost/engine"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/scenario"
	"starpost/orders"
)

func basic(tb testing.TB) *engine.Rules {
	tb.Helper()
	lib, err := tables.Builtin()
	if err != nil {
		tb.Fatal(err)
	}
	r, err := fasa.Basic(lib)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// duel is a scenario without mistakes. Tests change one line of it.
//
//go:embed scenario/testdata/duel.toml
var duel string

func read(tb testing.TB, r *engine.Rules, text string) (*engine.Game, []orders.Diagnostic) {
	tb.Helper()
	sc, diags := scenario.Parse([]byte(text))
	if sc == nil {
		return nil, diags
	}
	return sc.NewGame(r, "duel", nil)
}
