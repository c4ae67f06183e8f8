package engine_test

import (
	"strings"
	"testing"

	"starpost/engine"
)

func TestPersonName(t *testing.T) {
	for name, want := range map[string]string{
		"Kirk": "", "James T. Kirk": "", "T'Pel": "", "Kor (the elder)": "", "Ann & Bob, 2nd": "", "Zoë Müller": "", "艦長": "", "काका": "", "D’Arc": "", "7 of 9": "",
		"Zoe\u0308":            "", // a combining mark
		"":                     "a letter or a digit",
		"...":                  "U+002E",
		"Kirk\u202e":           "U+202E",
		"Ki\u200brk":           "U+200B",
		"\ufeffKirk":           "U+FEFF",
		"Ki\x07rk":             "U+0007",
		"Ki\nrk":               "U+000A",
		"Ki\u2028rk":           "U+2028",
		"Ki\u00a0rk":           "U+00A0",
		"Ki\u00adrk":           "U+00AD",
		"K\u0300\u0301\u0302k": "U+0302",
		"<Kirk>":               "U+003C",
		"#orders":              "U+0023",
		"Kirk: Kor":            "U+003A",
		"Kirk 😀":               "U+1F600",
		"\xffKirk":             "U+FFFD",
		" Kirk":                "U+0020",
	} {
		if got := engine.PersonName(name); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
