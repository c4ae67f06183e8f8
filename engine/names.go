package engine

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"starpost/engine/blind"
)

// ShipID is what a ship or small craft is known by, all through a game. It is a type of its own so that no
// other word, be it a weapon or a phase, can ever be taken for one.
type ShipID = blind.ShipID

// CaptainName is what a captain or an officer is known by.
type CaptainName = blind.CaptainName

// NameLine tells whether words may be the title or the name of something: one line
// that can stand in a header of a mail beside an address, so without < and >.
func NameLine(words string) bool {
	return !strings.ContainsFunc(words, func(r rune) bool { return r == '<' || r == '>' || unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) })
}

// personSigns are what may stand in the name of a person beside letters, marks and digits.
const personSigns = " -.'’,&()"

// PersonName says why a captain or an officer cannot be called so; "" if he can: by letters with their marks,
// digits, spaces and some common signs, and nothing that cannot be seen, moves what stands beside it, or
// reaches into other lines.
func PersonName(name string) (problem string) { return NameOf(name, personSigns) }

// NameOf is PersonName with other signs, none of which may stand first.
func NameOf(name, signs string) (problem string) {
	marks := 0
	for i, r := range name {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			marks = 0
		case unicode.IsMark(r) && i > 0 && marks < 2: // piles of them reach into other lines
			marks++
		case i > 0 && strings.ContainsRune(signs, r):
			marks = 0
		default:
			return fmt.Sprintf("%s (U+%04X) cannot be in a name", strconv.QuoteRune(r), r)
		}
	}
	if NameKey(name) == "" {
		return "a name needs a letter or a digit"
	}
	return ""
}

// NameKey is what counts of a name, the same for names that would be taken for each other.
func NameKey(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}
