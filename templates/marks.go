package templates

import (
	"slices"
	"strings"
	"unicode"

	"starpost/templates/clean"
)

// guardSign begins a comment in the order language, so that nothing after it is read.
const guardSign = ';'

// drawnAround reports whether people and mail programs put r around the mark of a block.
func drawnAround(r rune) bool {
	return r == '|' || unicode.IsSpace(r) || strings.ContainsRune("*_-+~`\"'\u2022\u00b7\u2013\u2014\u201c\u201d\u2018\u2019", r)
}

// unseen reports whether cleaning removes r.
func unseen(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && clean.Hidden(r)
}

// beginning looks at the front of s as if it were cleaned. It returns what follows spaces, marks and
// decoration, and whether there was a '#' (mark), and any decoration or a full-width '#' (drawn).
func beginning(s string) (rest string, mark, drawn bool) {
	for i, r := range s {
		switch {
		case unseen(r):
		case r == '#', r == '\uff03':
			mark = true
			drawn = drawn || r != '#'
		case unicode.IsSpace(r):
		case drawnAround(r):
			drawn = true
		default:
			return s[i:], mark, drawn
		}
	}
	return "", mark, drawn
}

// marksBlock reports whether s, once cleaned, starts like a command ('#' and a letter)
// or like an order block, which may have decoration around its mark, or no mark at all.
func marksBlock(s string) bool {
	rest, mark, drawn := beginning(s)
	if mark && !drawn {
		return rest != "" && 'a' <= rest[0]|0x20 && rest[0]|0x20 <= 'z'
	}
	rest, ok := afterOrders(rest)
	if !ok {
		return false
	}
	words := strings.Fields(narrow(strings.TrimLeft(rest, ":*_-+~`\"'\u2019\u201d")))
	if len(words) < 3 || !strings.EqualFold(words[1], "turn") || strings.Trim(words[2], "0123456789*_~`\"'") != "" {
		return false
	}
	// Without a mark, "Orders for turn 2 are missing" is a sentence.
	return mark || len(words) > 3 && slices.Contains([]string{"ship", "captain", "phase", "key"}, strings.ToLower(words[3]))
}

// marksWords is marksBlock for free text, where it is better to guard too much.
func marksWords(s string) bool {
	rest, mark, _ := beginning(s)
	_, ok := afterOrders(rest)
	return ok || mark && rest != ""
}

// afterOrders returns what follows the word "orders", if s begins with it.
func afterOrders(s string) (rest string, ok bool) {
	const word = "orders"
	n := 0
	for i, r := range s {
		if unseen(r) {
			continue
		}
		if n == len(word) {
			return s[i:], !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}
		if !strings.EqualFold(narrow(string(r)), word[n:n+1]) {
			return "", false
		}
		n++
	}
	return "", n == len(word)
}

// narrow replaces full-width letters and signs by ASCII, and removes unseen runes.
func narrow(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unseen(r):
			return -1
		case r >= '\uff01' && r <= '\uff5e':
			return r - '\uff01' + '!'
		}
		return r
	}, s)
}

// mayMark is a cheap test, before marksBlock, of a word's first byte.
func mayMark(c byte) bool {
	return c >= 0x7f || c|0x20 == 'o' || strings.IndexByte("#*_-+~`\"'|", c) >= 0
}
