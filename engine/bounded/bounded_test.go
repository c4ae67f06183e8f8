package bounded

import (
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		line int // 0: accepted
	}{
		"plain":            {"a = 1\n[b]\nc = \"x.y\"\n", 0},
		"comment of dots":  {"# " + strings.Repeat(".", 500), 0},
		"deep key":         {"x = 1\n" + strings.Repeat("a.", 101) + "b = 1", 2},
		"deep inline":      {strings.Repeat("{a=", 201), 1},
		"deep arrays":      {"a = " + strings.Repeat("[", 3001), 1},
		"long":             {strings.Repeat("#", 4001), 1},
		"just short of it": {strings.Repeat("a.", MostDots) + "b = 1", 0},
	} {
		t.Run(name, func(t *testing.T) {
			err := check(c.text, 4000)
			switch {
			case c.line == 0 && err != nil:
				t.Errorf("turned away: %v", err)
			case c.line > 0 && (err == nil || err.Line != c.line):
				t.Errorf("got %v, want an error in line %d", err, c.line)
			}
		})
	}
}

func TestDecode(t *testing.T) {
	var v struct{ A int }
	if _, err := Decode("a = 3", 100, &v); err != nil || v.A != 3 {
		t.Errorf("got %d, %v", v.A, err)
	}
	if _, err := Decode(strings.Repeat("a.", 200)+"b = 1", 10_000, &v); err == nil {
		t.Error("a deep key was let through")
	}
	if _, err := Decode("a = ", 100, &v); err == nil {
		t.Error("broken TOML was let through")
	}
}

// TestWrongType: errors about values of the wrong type use words that authors of files know, and give the line.
func TestWrongType(t *testing.T) {
	type file struct {
		Text   string
		Count  int
		List   []string
		Counts map[string]int
		Table  *struct{ Deep int }
		Tables []struct{ Deep int }
		Switch bool
	}
	for text, want := range map[string]string{
		"Text = 1":               "line 1: Text must be a text in quotes, not a whole number",
		"Text = 1979-05-27":      "line 1: Text must be a text in quotes, not a date",
		"Text = {}":              "line 1: Text must be a text in quotes, not a table",
		"\n\nCount = 'x'":        "line 3: Count must be a whole number, not a text in quotes",
		"Count = 1.5":            "line 1: Count must be a whole number, not a number with a point",
		"List = true":            "line 1: List must be a list, not true or false",
		"List = [1]":             "line 1: List must be a text in quotes, not a whole number",
		"[Counts]\nx = 'y'":      "line 2: Counts.x must be a whole number, not a text in quotes",
		"Table = 3":              "line 1: Table must be a table, not a whole number",
		"[Table]\nDeep = [1]":    "line 2: Table.Deep must be a whole number, not a list",
		"Tables = 3":             "line 1: Tables must be a list, not a whole number",
		"[[Tables]]\nDeep = 'x'": "line 2: Tables.Deep must be a whole number, not a text in quotes",
		"Switch = 1":             "line 1: Switch must be true or false, not a whole number",
	} {
		var f file
		if _, err := Decode(text, 1000, &f); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}
