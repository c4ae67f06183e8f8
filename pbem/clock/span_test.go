package clock

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseSpan(t *testing.T) {
	for _, c := range []struct {
		text string
		want Span
	}{
		{"0", 0},
		{"0s", 0},
		{"30m", Span(30 * time.Minute)},
		{"48h", 2 * Day},
		{"72H", 3 * Day},
		{" 3d ", 3 * Day},
		{"1w", Week},
		{"1d12h", Day + Span(12*time.Hour)},
		{"1w2d3h4m5s", Week + 2*Day + Span(3*time.Hour+4*time.Minute+5*time.Second)},
		{"3660d", MaxSpan},
	} {
		got, err := ParseSpan(c.text)
		if err != nil || got != c.want {
			t.Errorf("ParseSpan(%q) = %v, %v; want %v", c.text, got, err, c.want)
		}
	}
}

func TestParseSpanRefuses(t *testing.T) {
	for _, c := range []struct{ text, say string }{
		{"", "30m"},
		{"48", "30m"},
		{"h", "30m"},
		{"-1h", "30m"},
		{"1.5h", "30m"},
		{"1h 30m", "30m"},
		{"30m1h", "30m"},
		{"1h1h", "30m"},
		{"1y", "30m"},
		{"1ms", "30m"},
		{"3661d", "ten years"},
		{"9999999999999999999d", "ten years"},
		{"3660d1s", "ten years"},
	} {
		got, err := ParseSpan(c.text)
		if err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("ParseSpan(%q) = %v, %v; want an error with %q", c.text, got, err, c.say)
		}
	}
}

func TestSpanRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Span(rapid.Int64Range(0, int64(MaxSpan/Span(time.Second))).Draw(t, "seconds")) * Span(time.Second)
		text, err := want.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var got Span
		if err := got.UnmarshalText(text); err != nil || got != want {
			t.Fatalf("%d seconds as %q read back as %v, %v", want/Span(time.Second), text, got, err)
		}
	})
}

func FuzzParseSpan(f *testing.F) {
	f.Add("1w2d3h4m5s")
	f.Add("99999999999999999999999h")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSpan(text)
		if err != nil {
			return
		}
		if s < 0 || s > MaxSpan {
			t.Errorf("ParseSpan(%q) = %d, out of bounds", text, s)
		}
		if again, err := ParseSpan(s.String()); err != nil || again != s {
			t.Errorf("%q: %v reads back as %v, %v", text, s, again, err)
		}
	})
}
