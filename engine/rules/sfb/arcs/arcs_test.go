package arcs

import (
	"slices"
	"strings"
	"testing"

	"starpost/engine/hex"
)

func TestArcsHoldTheirSextantsAndBothLines(t *testing.T) {
	for text, want := range map[string][]hex.Point{
		"FA":      {20, 21, 22, 23, 0, 1, 2, 3, 4},
		"LS":      {12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 0},
		"FX":      {16, 17, 18, 19, 20, 21, 22, 23, 0, 1, 2, 3, 4, 5, 6, 7, 8},
		"L+LR":    {12, 13, 14, 15, 16, 17, 18, 19, 20},
		"R+RR":    {4, 5, 6, 7, 8, 9, 10, 11, 12},
		"RA":      {8, 9, 10, 11, 12, 13, 14, 15, 16},
		"LF+L+LR": {12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 0},
		"FH":      {18, 19, 20, 21, 22, 23, 0, 1, 2, 3, 4, 5, 6},
		"FX+13":   {16, 17, 18, 19, 20, 21, 22, 23, 0, 1, 2, 3, 4, 5, 6, 7, 8, 12},
		"LF+5":    {20, 21, 22, 23, 0, 4},
		"R+RR+21": {4, 5, 6, 7, 8, 9, 10, 11, 12, 20},
	} {
		a, err := Parse(text)
		if err != nil {
			t.Error(err)
		}
		for p := range hex.Point(24) {
			if got := a.Bear(p); got != slices.Contains(want, p) {
				t.Errorf("%s bears on %v: %t", text, p, got)
			}
		}
		if again, err := Parse(a.String()); err != nil || again != a || len(a.String()) > len(text) {
			t.Errorf("%s is written %s", text, a)
		}
	}
	if _, err := Parse("FA+XX"); err == nil || !strings.Contains(err.Error(), `"XX"`) {
		t.Error(err)
	}
}
