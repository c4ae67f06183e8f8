package vault

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"starpost/engine"
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
	if problem := engine.NameOf(name, " -.'"); problem != "" {
		return problem
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
func SameName(a, b string) bool { return NameKey(a) == NameKey(b) }

// NameKey is what counts of a name, the same for names that would be taken for each other.
func NameKey(name string) string { return engine.NameKey(name) }

// Person is what the person who holds a seat is called, for those who may know it: until the end of
// an anonymous game no one may. "" where that is not known. While a game hides who plays it takes
// any name, so when it is over a number tells apart those that would be taken for each other: the game's
// own seats and ships go first, then persons in the order of their seats.
func (s *Settings) Person(c Captain, over bool) string {
	if c.Player == "" || s.Mail.Anonymous && !over {
		return ""
	}
	if !over {
		return c.Player
	}
	own, n, passed := false, 1, false
	for _, o := range s.Captains {
		own = own || o.Name != c.Name && SameName(string(o.Name), c.Player) || slices.ContainsFunc(o.Ships, func(ship string) bool { return SameName(ship, c.Player) })
		passed = passed || o.Name == c.Name
		if !passed && SameName(o.Player, c.Player) && !strings.EqualFold(o.Address, c.Address) {
			n++
		}
	}
	if own {
		n++
	}
	if n == 1 {
		return c.Player
	}
	return fmt.Sprintf("%s (%d)", c.Player, n)
}
