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
