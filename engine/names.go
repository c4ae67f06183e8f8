package engine

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"starpost/engine/blind"
)

// ShipID identifies a ship or small craft throughout a game. It is a type of its own so that no other word, such as
// a weapon or a phase, can be mistaken for one.
type ShipID = blind.ShipID

// CaptainName identifies a captain or an officer.
type CaptainName = blind.CaptainName

// NameLine reports whether words may be a title or name: one line that can be beside an address in a mail header,
// so without < and >.
func NameLine(words string) bool {
	return !strings.ContainsFunc(words, func(r rune) bool { return r == '<' || r == '>' || unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) })
}

// personSigns are the characters allowed in the name of a person besides letters, marks and digits.
const personSigns = " -.'’,&()"

// PersonName returns what is wrong with the name of a captain or an officer, "" if nothing is. Letters with their
// marks, digits, spaces and some common signs are allowed, but nothing invisible, and nothing that moves the text
// beside it or reaches into other lines.
func PersonName(name string) (problem string) { return NameOf(name, personSigns) }

// NameOf is PersonName with other signs. None of them may come first.
func NameOf(name, signs string) (problem string) {
	marks := 0
	for i, r := range name {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			marks = 0
		case unicode.IsMark(r) && i > 0 && marks < 2: // stacks of them reach into other lines
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

// NameKey returns the letters and digits of a name in lower case: names that are easily confused have the same key.
func NameKey(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}
