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
	var b strings.Builder
	done := 0                   // up to here text is in b
	start, tag, head := 0, 0, 0 // of the line; behind the last @ and # in it
	loose := 0                  // behind the last word key in it
	for at := 0; at <= len(text); at++ {
		if at < len(text) && !tells[text[at]] {
			continue
		}
		switch {
		case at == len(text) || text[at] == '\n':
			line := text[start:at]
			masked := line
			if tag > start && strings.Contains(masked, "+") {
				masked = tagKey.ReplaceAllString(masked, "+"+Hidden+"@")
			}
			if head > start && loose > start {
				masked = headKey.ReplaceAllString(masked, "${1}"+Hidden)
			}
			if loose > start {
				masked = maskLoose(masked)
			}
			if masked != line {
				b.WriteString(text[done:start])
				b.WriteString(masked)
				done = at
			}
			start = at + 1
		case text[at] == '@':
			tag = at + 1
		case text[at] == '#':
			head = at + 1
		case isKey(text[start : at+1]):
			loose = at + 1
		}
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// tells are the bytes at which a line has to be looked at, its end included.
var tells = [256]bool{'\n': true, '@': true, '#': true, 'y': true, 'Y': true}

// isKey tells whether text ends in the word key. Its first letter has an odd
// form, the Kelvin sign, whose last byte is looked for; the others have none.
func isKey(text string) bool {
	n := len(text)
	return n > 2 && text[n-2]|0x20 == 'e' && (text[n-3]|0x20 == 'k' || text[n-3] == "\u212a"[2])
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
