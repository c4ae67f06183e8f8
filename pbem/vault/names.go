package vault

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxPerson is how many characters the name of a person may have.
const maxPerson = 40

// ProperName tells whether a person may be called so: letters, digits and spaces, and - . ' between,
// so that it is only a name in every mail and on every page. problem says what is wrong; "" for
// nothing.
func ProperName(name string) (problem string) {
	if name == "" || !utf8.ValidString(name) || name != strings.TrimSpace(name) {
		return "a name has a letter first and last, or a digit"
	}
	if utf8.RuneCountInString(name) > maxPerson {
		return fmt.Sprintf("a name has at most %d characters", maxPerson)
	}
	marks := 0
	for i, r := range name {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			marks = 0
		case unicode.IsMark(r) && i > 0 && marks < 2: // piles of them reach into other lines
			marks++
		case i > 0 && strings.ContainsRune(" -.'", r):
			marks = 0
		default:
			return fmt.Sprintf("%q cannot be in a name", r)
		}
	}
	alphabets := 0
	for _, alphabet := range []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek} {
		if strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(alphabet, r) }) {
			alphabets++
		}
	}
	if alphabets > 1 { // some of their letters look alike
		return "a name has letters of one alphabet"
	}
	return ""
}

// SameName tells whether two names would be taken for each other: only their letters and digits
// count, upper and lower case alike.
func SameName(a, b string) bool {
	bare := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, s)
	}
	return bare(a) == bare(b)
}

// Person is what the person who holds a seat is called, for those who may know it: until the end of
// an anonymous game no one may. "" where that is not known.
func (s *Settings) Person(c Captain, over bool) string {
	if s.Mail.Anonymous && !over {
		return ""
	}
	return c.Player
}
