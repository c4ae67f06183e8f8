package auth

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// maskPlainly is Mask in its simplest form: every pattern over the whole text.
func maskPlainly(text string, keys []string) string {
	for _, k := range keys {
		canon, ok := Normalise(k)
		if !ok {
			continue
		}
		var b strings.Builder
		for i, c := range strings.ReplaceAll(canon, "-", "") {
			if i > 0 {
				b.WriteString(`[ \t\x{a0}\x{2010}-\x{2014}\x{2212}-]*`)
			}
			switch {
			case c == '0':
				b.WriteString("[0oO]")
			case c == '1':
				b.WriteString("[1iIlL]")
			case c >= 'A':
				b.WriteString("[" + string(c) + string(c+'a'-'A') + "]")
			default:
				b.WriteRune(c)
			}
		}
		text = regexp.MustCompile(b.String()).ReplaceAllString(text, Redacted)
	}
	text = tagKey().ReplaceAllString(text, "+"+Redacted+"@")
	text = headKey().ReplaceAllString(text, "${1}"+Redacted)
	return maskLoose(text)
}

func TestMaskIsQuickAndTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := []string{drawKey(t, "a"), drawKey(t, "b"), "no key"}
		piece := rapid.OneOf(
			rapid.SampledFrom([]string{
				keys[0], keys[1][:6], "#orders wolf turn 3 key ", "> #Orders ", "key ", "KEY:", "\u212aey ", "\n", "\n", "\r\n", " ", "-", "+", "@x.org",
				"abcd1234", "ABCD-EFG1", "#order\u017f key ", "\u2013", "\xff", "they",
			}),
			rapid.Custom(func(t *rapid.T) string { return retype(t, keys[0]) }),
			rapid.StringMatching(`[ -~\n]{0,6}`), rapid.String(),
		)
		text := strings.Join(rapid.SliceOfN(piece, 0, 20).Draw(t, "pieces"), "")
		if got, want := Mask(text, keys), maskPlainly(text, keys); got != want {
			t.Fatalf("%q gives\n%q, want\n%q", text, got, want)
		}
	})
}

// BenchmarkMask masks a text as long as an answer's HTML form.
func BenchmarkMask(b *testing.B) {
	text := strings.Repeat("<tr><td>the shield of they-who-wait</td><td class=\"n\">16 of 16</td></tr>\n", 150)
	for b.Loop() {
		Mask(text, []string{"7K4Q-92FM"})
	}
}
