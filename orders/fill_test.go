package orders

import (
	"slices"
	"testing"
)

// TestFormsAreFilled: each form gives the statements for which there are values.
func TestFormsAreFilled(t *testing.T) {
	values := map[string][]string{"SHIP": {"Hood", "nearest"}, "RANGE": {"1", "2"}, "SHIELD": {"3"}, "POINTS": {"8"}}
	for form, want := range map[Form][]string{
		"final":                        {"final"},
		"flee SHIP":                    {"flee Hood", "flee nearest"},
		"pursue SHIP [to RANGE]":       {"pursue Hood", "pursue nearest"},
		"circle SHIP at RANGE":         {"circle Hood at 1", "circle Hood at 2", "circle nearest at 1"},
		"shields SHIELD:POINTS...":     {"shields 3:8"},
		"lose beams BANK...":           {},
		"a [b [c] SHIP] RANGE [SHIP]":  {"a 1", "a 2"},
		"fire WEAPON... at SHIP [on N": {},
	} {
		if got := form.Fill(3, func(p string) []string { return values[p] }); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", form, got, want)
		}
	}
}

// TestFiguresOfForms: the number of an order is found, and what it is for.
func TestFiguresOfForms(t *testing.T) {
	params := map[string]Param{"POWER": {Class: Number}, "SHIELD": {Class: Number}, "POINTS": {Class: Number}, "MOUNT": {Class: Name}, "WORD": {Class: Choice}}
	for form, want := range map[Form]Figure{
		"move POWER":                          {Number: "POWER"},
		"move POINTS points":                  {Number: "POINTS"},
		"shields SHIELD:POINTS...":            {Number: "POINTS", Of: "SHIELD", Pair: true},
		"arm MOUNT [POWER...] [shots POINTS]": {Number: "POWER", Of: "MOUNT"},
		"arm MOUNT...":                        {},
		"move WORD...":                        {},
		"circle POWER at POINTS":              {},
	} {
		if got, ok := form.Figure(params); got != want || ok != (want != Figure{}) {
			t.Errorf("%s: got %+v, %v", form, got, ok)
		}
	}
}
