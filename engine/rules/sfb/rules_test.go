package sfb

import (
	"os"
	"testing"

	"starpost/engine"
	"starpost/engine/enginetest"
)

func cadetRules(tb testing.TB) *engine.Rules {
	tb.Helper()
	r, err := cadetOver(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// TestCases plays the worked examples of the cadet game.
func TestCases(t *testing.T) {
	enginetest.Run(t, cadetRules(t), os.DirFS("testdata/cases"), "W122")
}
