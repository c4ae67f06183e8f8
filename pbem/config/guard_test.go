package config

import (
	"strings"
	"testing"
	"time"

	"starpost/pbem/clock"
)

func TestGuard(t *testing.T) {
	for _, c := range []struct {
		text string
		want Guard
		say  string // part of a problem; then want does not matter
	}{
		{"", DefaultGuard(), ""},
		{"[guard]\n", DefaultGuard(), ""},
		{"[guard]\noutage = \"2d\"\nskew = \"30s\"\nresume_after = \"never\"\n", Guard{2 * clock.Day, clock.Span(30 * time.Second), 0}, ""},
		{"[guard]\nresume_after = \"90m\"\n", Guard{clock.Span(6 * time.Hour), clock.Span(2 * time.Minute), ResumeAfter(90 * time.Minute)}, ""},
		{"[guard]\noutage = \"1m\"\n", Guard{}, "guard.outage is 1m; it must be between 10m and"},
		{"[guard]\nresume_after = \"0s\"\n", Guard{}, "guard.resume_after is 0s"},
		{"[guard]\nresume_after = \"newer\"\n", Guard{}, "guard.resume_after: \"newer\" is not a length of time"},
		{"[guard]\nskwe = \"1m\"\n", Guard{}, "did you mean \"skew\"?"},
		{"[guards]\n", Guard{}, "did you mean \"guard\"?"},
	} {
		got, err := Parse("x.toml", []byte(small+c.text), "/")
		switch {
		case c.say != "":
			if err == nil || !strings.Contains(err.Error(), c.say) {
				t.Errorf("%q: %v", c.text, err)
			}
		case err != nil:
			t.Errorf("%q: %v", c.text, err)
		case got.Guard != c.want:
			t.Errorf("%q: %+v", c.text, got.Guard)
		default:
			again, err := Parse("x.toml", []byte(got.Effective()), "/")
			if err != nil || again.Guard != got.Guard {
				t.Errorf("%q: what is in force reads as %+v, %v", c.text, again, err)
			}
		}
	}
}
