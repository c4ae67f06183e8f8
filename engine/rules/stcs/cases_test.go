package stcs

import (
	"os"
	"testing"

	"starpost/engine/enginetest"
)

// TestCases plays the worked examples of the Basic Course.
func TestCases(t *testing.T) {
	enginetest.Run(t, basicRules(t), os.DirFS("testdata/cases"))
}
