package engine_test

import (
	"strings"
	"testing"

	"starpost/engine"
)

func TestPersonName(t *testing.T) {
	for name, want := range map[string]string{
		"Kirk": "", "James T. Kirk": "", "T'Pel": "", "Kor (the elder)": "", "Ann & Bob, 2nd": "", "Zoë Müller": "", "艦長": "", "काका": "", "D’Arc": "", "7 of 9": "",
		"Zoe\u0308":            "", // a mark of its own
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

// A file that has a section of its own for the dark is not given another one, whatever else is wrong
// with it: its own mistake is told.
func TestDarkenedHidesNoMistake(t *testing.T) {
	good, err := engine.ParseScenario([]byte(duel))
	if good == nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"a section, and a bad value": {duel + "\n[blind]\nmemory = -1\n", "memory"},
		"a section, and a bad key":   {strings.Replace(duel, "title", "tittle", 1) + "\n[blind]\n", `unknown key "tittle"`},
		"a value":                    {"blind = {memory = -1}\n" + duel, "memory"},
		"no section, bad key":        {strings.Replace(duel, "title", "tittle", 1), `unknown key "tittle"`},
		"no TOML":                    {duel + "\nwhat is this\n", "not a scenario"},
	} {
		_, diags := engine.ParseScenario(engine.Darkened([]byte(c.text)))
		if len(diags) == 0 || !strings.Contains(diags[0].Message, c.want) || strings.Contains(diags[0].Message, "blind") {
			t.Errorf("%s: %v", name, diags)
		}
	}
}

func TestNamesOfANewGame(t *testing.T) {
	for line, want := range map[string]string{
		`captain = "Kirk"`:              "",
		`captain = "Ki\u202erk"`:        "U+202E",
		`crew = {engineer = "S\u200b"}`: "U+200B",
	} {
		s, diags := engine.ParseScenario([]byte(strings.Replace(duel, `captain = "Koloth"`, line, 1)))
		if s == nil {
			t.Fatal(diags)
		}
		odd := s.NewNames()
		if (len(odd) > 0) != (want != "") || len(odd) > 0 && (!strings.Contains(odd[0].Message, want) || odd[0].Pos.Line < 2 || odd[0].Hint == "") {
			t.Errorf("%s: %v", line, odd)
		}
	}
}
