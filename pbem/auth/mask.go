package auth

import (
	"regexp"
	"slices"
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
	for i, k := range keys {
		// The same key often comes from several places of a mail.
		if canon, ok := Normalise(k); ok && !slices.ContainsFunc(keys[:i], func(o string) bool { return Equal(o, k) }) {
			text = maskTyped(text, strings.ReplaceAll(canon, "-", ""))
		}
	}
	// No pattern goes over the end of a line, and few lines can hold one: to
	// look for the patterns only there costs a fiftieth.
	text = maskLines(text, func(line string) bool { return strings.Contains(line, "+") && strings.Contains(line, "@") },
		func(line string) string { return tagKey.ReplaceAllString(line, "+"+Hidden+"@") })
	text = maskLines(text, func(line string) bool { return strings.Contains(line, "#o") || strings.Contains(line, "#O") },
		func(line string) string { return headKey.ReplaceAllString(line, "${1}"+Hidden) })
	return maskLines(text, mayHoldKey, maskLoose)
}

// maskLines has mask change the lines that may need it.
func maskLines(text string, may func(line string) bool, mask func(line string) string) string {
	var b strings.Builder
	done := 0 // up to here text is in b
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if line := text[at:end]; may(line) {
			if masked := mask(line); masked != line {
				b.WriteString(text[done:at])
				b.WriteString(masked)
				done = end
			}
		}
		at = end
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// mayHoldKey tells whether a line may hold the word key. Its first letter has
// an odd form, the Kelvin sign, whose last byte is looked for; the others have
// none.
func mayHoldKey(line string) bool {
	for i := 2; i < len(line); i++ {
		if line[i]|0x20 == 'y' && line[i-1]|0x20 == 'e' && (line[i-2]|0x20 == 'k' || line[i-2] == "\u212a"[2]) {
			return true
		}
	}
	return false
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

// maskTyped hides every spelling that Normalise turns into key, which is given
// without its dash.
func maskTyped(text, key string) string {
	var begins [256]bool // the bytes that a spelling may begin with
	for i := range begins {
		c, ok := symbol(rune(i))
		begins[i] = ok && c == key[0]
	}
	var b strings.Builder
	done := 0
	for at := 0; at < len(text); at++ {
		if !begins[text[at]] {
			continue
		}
		if n := typedLength(text[at:], key); n > 0 {
			b.WriteString(text[done:at])
			b.WriteString(Hidden)
			done = at + n
			at = done - 1
		}
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// typedLength is how many bytes of text are a spelling of key, 0 if it does not
// begin with one.
func typedLength(text, key string) int {
	matched := 0
	for i, r := range text {
		c, ok := symbol(r)
		switch {
		case ok && c == key[matched]:
			if matched++; matched == len(key) {
				return i + 1
			}
		case matched == 0 || !separator(r) && r != '\n' && r != '\r': // whoever fills lines may break a key
			return 0
		}
	}
	return 0
}
