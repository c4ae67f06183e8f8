package auth

import (
	"regexp"
	"strings"
)

// Hidden stands where Mask removed a key.
const Hidden = "****-****"

var (
	// A head is masked whatever its key looks like: a mistyped key is most of
	// a key.
	headKey = regexp.MustCompile(`(?im)^([ \t>]*#orders\b.*?\bkey[ \t:=]+)([0-9A-Za-z]{4}[ \t]+[0-9A-Za-z]{4}\b|[^\s;]+)`)
	// Elsewhere only what has the shape of a key.
	looseKey = regexp.MustCompile(`(?i)(\bkey[ \t:=]+)([0-9A-Z]{4}-[0-9A-Z]{4}|[0-9A-Z]*[0-9][0-9A-Z]*)\b`)
	// A plus address of ours, with a key or a token.
	tagKey = regexp.MustCompile(`(?i)\+[0-9A-Z]{4}(?:-?[0-9A-Z]{4}){1,3}@`)
)

// Mask removes keys from text that is to be shown or logged: each of keys in
// every form that Normalise accepts, wherever it stands; whatever follows the
// word key in an #orders line; and, elsewhere, what looks like a key after the
// word key or in the plus tag of an address. Elements of keys that are no keys are ignored.
func Mask(text string, keys []string) string {
	for _, k := range keys {
		canon, ok := Normalise(k)
		if !ok {
			continue
		}
		text = typedForms(canon).ReplaceAllString(text, Hidden)
	}
	text = tagKey.ReplaceAllString(text, "+"+Hidden+"@")
	text = headKey.ReplaceAllString(text, "${1}"+Hidden)
	return maskLoose(text)
}

func maskLoose(text string) string {
	var b strings.Builder
	last := 0
	for _, m := range looseKey.FindAllStringSubmatchIndex(text, -1) {
		if _, ok := Normalise(text[m[4]:m[5]]); !ok {
			continue
		}
		b.WriteString(text[last:m[4]])
		b.WriteString(Hidden)
		last = m[5]
	}
	b.WriteString(text[last:])
	return b.String()
}

// typedForms matches every spelling that Normalise turns into key.
func typedForms(key string) *regexp.Regexp {
	var b strings.Builder
	for i, c := range strings.ReplaceAll(key, "-", "") {
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
	return regexp.MustCompile(b.String())
}
