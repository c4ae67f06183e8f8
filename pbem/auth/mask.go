package auth

import (
	"slices"
	"strings"

	"starpost/pbem/pattern"
)

// Redacted replaces a key that Mask removed.
const Redacted = "****-****"

var (
	// In a head, mask the key whatever it looks like: a mistyped key reveals most of the key.
	headKey = pattern.New(`(?im)^([ \t>]*#orders\b.*?\bkey[ \t:=]+)([0-9A-Za-z]{4}[ \t]+[0-9A-Za-z]{4}\b|[^\s;]+)`)
	// Elsewhere, only text in the form of a key.
	looseKey = pattern.New(`(?i)(\bkey[ \t:=]+)([0-9A-Z]{4}-[0-9A-Z]{4}|[0-9A-Z]*[0-9][0-9A-Z]*)\b`)
	// One of our plus addresses, with a key or a token.
	tagKey = pattern.New(`(?i)\+[0-9A-Z]{4}(?:-?[0-9A-Z]{4}){1,3}@`)
)

// Mask removes keys from text before it is shown or logged: each of keys in every form that
// Normalise accepts, anywhere; whatever follows the word key in an #orders line; and, elsewhere,
// text in the form of a key after the word key or in the plus tag of an address. Invalid elements
// of keys are ignored.
func Mask(text string, keys []string) string {
	var done [][keyLength]byte
	for _, k := range keys {
		// The same key often comes from several places of a mail.
		if key, ok := symbols(k); ok && !slices.Contains(done, key) {
			done = append(done, key)
			text = maskTyped(text, string(key[:]))
		}
	}
	return maskLines(text)
}

// maskLines masks the patterns. None spans a line end, and few lines can match one: searching only
// these costs a fiftieth.
func maskLines(text string) string {
	var b strings.Builder
	done := 0 // text up to here is in b
	tells := spots{text: text, bytes: "@yY"}
	for at := tells.next(0); at < len(text); at = tells.next(at + 1) {
		if text[at] != '@' && !isKey(text[:at+1]) {
			continue
		}
		start := strings.LastIndexByte(text[:at], '\n') + 1
		end := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n
		}
		line := text[start:end]
		masked := line
		switch {
		case text[at] == '@':
			if !strings.Contains(line, "+") {
				continue // but a key may follow it
			}
		case !strings.Contains(line, "#") && !keyFollows(text[at+1:end]):
			continue
		}
		masked = tagKey().ReplaceAllString(masked, "+"+Redacted+"@")
		masked = headKey().ReplaceAllString(masked, "${1}"+Redacted)
		masked = maskLoose(masked)
		if masked != line {
			b.WriteString(text[done:start])
			b.WriteString(masked)
			done = end
		}
		at = end
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// spots finds the next occurrence of any of a few bytes. Queried at increasing offsets, it scans
// the text once for each byte, with the fast library search.
type spots struct {
	text  string
	bytes string // at most five
	at    [5]int // offset of the next of each
	begun bool
}

// next returns the first offset at or after from; the length of the text if there is none.
func (s *spots) next(from int) int {
	first := len(s.text)
	for i := range len(s.bytes) {
		if !s.begun || s.at[i] < from {
			s.at[i] = len(s.text)
			if from < len(s.text) {
				if n := strings.IndexByte(s.text[from:], s.bytes[i]); n >= 0 {
					s.at[i] = from + n
				}
			}
		}
		first = min(first, s.at[i])
	}
	s.begun = true
	return first
}

// isKey reports whether text ends in the word key. Its first letter may be the Kelvin sign, which
// is recognised by its last byte; the other letters have no such variants.
func isKey(text string) bool {
	n := len(text)
	return n > 2 && text[n-2]|0x20 == 'e' && (text[n-3]|0x20 == 'k' || text[n-3] == "\u212a"[2])
}

// keyFollows reports whether the text after the word key is long enough for a key and has only
// characters of one: for most words this is false.
func keyFollows(text string) bool {
	key := strings.TrimLeft(text, " \t:=")
	if len(key) < keyLength {
		return false
	}
	for _, c := range []byte(key[:keyLength]) {
		if c != '-' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}

func maskLoose(text string) string {
	var b strings.Builder
	last := 0
	for _, m := range looseKey().FindAllStringSubmatchIndex(text, -1) {
		if _, ok := Normalise(text[m[4]:m[5]]); !ok {
			continue
		}
		b.WriteString(text[last:m[4]])
		b.WriteString(Redacted)
		last = m[5]
	}
	b.WriteString(text[last:])
	return b.String()
}

// maskTyped hides every spelling that Normalise turns into key, which has no dash.
func maskTyped(text, key string) string {
	var b strings.Builder
	done := 0
	begins := spots{text: text, bytes: spellings(key[0])}
	for at := begins.next(0); at < len(text); at = begins.next(at + 1) {
		if n := typedLength(text[at:], key); n > 0 {
			b.WriteString(text[done:at])
			b.WriteString(Redacted)
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

// spellings returns the bytes that symbol maps to a symbol of the alphabet.
func spellings(of byte) string {
	switch {
	case of == '0':
		return "0oO"
	case of == '1':
		return "1iIlL"
	case of >= 'A':
		return string([]byte{of, of | 0x20})
	}
	return string(of)
}

// typedLength returns the number of bytes of text that spell key, 0 if it does not begin with one.
func typedLength(text, key string) int {
	matched := 0
	for i, r := range text {
		c, ok := symbol(r)
		switch {
		case ok && c == key[matched]:
			if matched++; matched == len(key) {
				return i + 1
			}
		case matched == 0 || !separator(r) && r != '\n' && r != '\r': // line wrapping may break a key
			return 0
		}
	}
	return 0
}
