package sfb

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// houseRows are the paragraphs of the house rules that a game in the open can play.
const houseRows = `5.111 6.01 6.02 6.03a 6.03b 6.04 6.05 7.55 7.56 7.57 7.58 7.59 12.3 14.1 14.3 14.4 19.25 19.41 19.5 19.51 21.31 21.32 21.33
	27.3 27.41 30.6 30.7 30.9 30.91 30.92 33.6 33.91 34.1 36.1 36.2 41.7 41.71 56.11 56.12 58.51 58.55 58.57 61.4 71.61 71.8
	103.0 103.1 103.11 103.12 103.2 103.21 103.22 103.23 103.3 200.1`

// TestEveryRowOfTheHouseRulesHasACase: each paragraph is shown by a case in plain text that cites
// it.
func TestEveryRowOfTheHouseRulesHasACase(t *testing.T) {
	cases := indexedCases(t, "house")
	for n := range strings.FieldsSeq(houseRows) {
		if len(cases[n]) == 0 {
			t.Errorf("paragraph %s of the house rules has no case", n)
		}
	}
}

// TestWorkedExamplesOfTheHouseRulesHaveCases: what was worked out by hand before the rules were
// written stands in a case.
func TestWorkedExamplesOfTheHouseRulesHaveCases(t *testing.T) {
	for file, words := range map[string]string{
		"7.56-block": "case C27", "71.61-tractor": "case C28", "103.23-split": "case C30", "6.04-turn-modes": "house 6.04",
		"5.111-moment-of-need": "fifth case", "6.03a-pool": "sixth case", "7.58-kinds": "eighth case", "19.25-tholian-plasma": "ninth case",
		"19.5-gorn-plasma": "tenth case", "19.51-plasma-k": "eleventh case", "30.6-scotty": "twelfth case", "33.91-raids": "thirteenth case",
		"34.1-brake": "fourteenth case", "36.1-aimed": "fifteenth case", "41.7-blind-fire": "sixteenth case", "58.51-hard-turns": "seventeenth case",
		"61.4-overload": "eighteenth case", "103.2-cannon": "twentieth case",
	} {
		text, err := os.ReadFile(filepath.Join("testdata", "cases-house", "house-"+file+".txt"))
		if err != nil || !strings.Contains(string(text), words) {
			t.Errorf("house-%s does not show the %s: %v", file, words, err)
		}
	}
}
