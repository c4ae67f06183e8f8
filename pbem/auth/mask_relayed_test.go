package auth

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMaskRelayed(t *testing.T) {
	keys := []string{"D5FC-XD9R", "no key", "2D7K-2D45", "0011-22AB"}
	for _, c := range []struct{ name, text, want string }{
		{"as Mask does", "key D5FC-XD9R, d5fcxd9r, ABCD-EFG1", "key ****-****, ****-****, ABCD-EFG1"},
		{"an unknown key", "my key ABCD-EFGH", "my key ****-****"},
		{"an underscore", "it is D5FC_XD9R.", "it is ****-****."},
		{"a stop", "it is D5FC.XD9R.", "it is ****-****."},
		{"a slash", "D5FC/XD9R", "****-****"},
		{"a sign of equality", "D5FC=XD9R", "****-****"},
		{"a tilde and a colon", "D5FC~XD9R d5fc:xd9r", "****-**** ****-****"},
		{"printable", "D5FC=2DXD9R and D5FC=2dXD9R", "****-**** and ****-****"},
		{"a printable long dash", "D5FC=E2=80=93XD9R", "****-****"},
		{"a printable line end", "D5FC=2D=\r\n> XD9R", "****-****"},
		{"of an address", "r+D5FC%2DXD9R@x.org", "r+****-****@x.org"},
		{"entities", "D5FC&#45;XD9R D5FC&#x2d;XD9R D5FC&#X2D;XD9R D5FC&ndash;XD9R D5FC&amp;#45;XD9R", "****-**** ****-**** ****-**** ****-**** ****-****"},
		{"halves that look like escapes", "key=2D7K=2D45 2D7K=2D=2D45 2D7K=2D2D45=2D7K2D45", "key=****-**** ****-**** ****-****=****-****"},
		{"wide letters", "Ｄ５ＦＣ－ＸＤ９Ｒ and ｄ５ｆｃ＿XD9R", "****-**** and ****-****"},
		{"other forms", "𝐃𝟓𝐅𝐂-𝐗𝐃𝟗𝐑, ⒟5FC-XD⁹R, ＯＯＩｌ－２２ＡＢ", "****-****, ****-****, ****-****"},
		{"marks on the letters", "D\u03325\u0332F\u0332C\u0332-\u0332X\u0332D\u03329\u0332R", "****-****"},
		{"nothing to be seen", "D5FC\u200b\u2060XD9R", "****-****"},
		{"two lines of a quote", "> #orders wolf turn 3 key D5FC-\n> XD9R\n> final", "> #orders wolf turn 3 key ****-****\n> final"},
		{"two lines of a quote in a quote", ">> my key D5FC-\r\n> > > XD9R", ">> my key ****-****"},
		{"two lines with bars", "| key D5FC-\n| XD9R", "| key ****-****"},
		{"a box", "D5FC |           | XD9R", "****-****"},
		{"in quotes and stars", `"D5FC" - "XD9R" *D5FC* ** *XD9R*`, `"****-****" *****-*****`},
		{"signs everywhere", "D.5.F.C.X.D.9.R.", "****-****."},
		{"two that overlap", "D5FC_XD9RD5FC_XD9R", "****-********-****"},
		{"at the end", "D5FC=", "D5FC="},
		{"half an escape", "D5FC&#45", "D5FC&#45"},
		{"half of it", "D5FC_XD9, D5FC", "D5FC_XD9, D5FC"},
		{"another letter between", "D5FC_u_XD9R D5FC and XD9R D5FCжXD9R", "D5FC_u_XD9R D5FC and XD9R D5FCжXD9R"},
		{"many signs between", "D5FC_________XD9R", "D5FC_________XD9R"},
		{"other words", "Fire at 0011.22 AA=2D; the key_question: 1/2\n> AB\xff ﬁne ½\n", "Fire at 0011.22 AA=2D; the key_question: 1/2\n> AB\xff ﬁne ½\n"},
		{"no words", "", ""},
	} {
		got := MaskRelayed(c.text, keys)
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if again := MaskRelayed(got, keys); again != got {
			t.Errorf("%s: again %q, first %q", c.name, again, got)
		}
	}
}

// A strewn key is always hidden, and words without a key stay as Mask leaves them.
func TestMaskRelayedLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := drawKey(t, "a")
		gap := rapid.SampledFrom([]string{"_", ".", "/", "=", "=2D", "%2D", "&#45;", "&#x2d;", "－", "-\n> ", "-\r\n>| ", " - ", "", "=2D=\n> > "}).Draw(t, "gap")
		typed := key[:4] + gap + key[5:]
		if rapid.Bool().Draw(t, "lower") {
			typed = strings.ToLower(typed)
		}
		text := rapid.OneOf(rapid.StringMatching(`[ -~\n]{0,40}`), rapid.String()).Draw(t, "text")
		masked := MaskRelayed(text+typed+text, []string{key})
		if strings.Contains(masked, typed) || !strings.Contains(masked, Redacted) {
			t.Fatalf("%q is left in %q", typed, masked)
		}
		if got, want := MaskRelayed(text, []string{key}), Mask(text, []string{key}); got != want {
			t.Fatalf("%q becomes %q, want %q", text, got, want)
		}
	})
}
