package orders

import (
	"strings"
	"unicode"
)

// People and their programs draw something around the mark of a first line: a
// star, a bullet, the marks of bold type, a space behind the #.

// drawing tells what may stand around a mark.
func drawing(r rune) bool {
	return blank(r) || strings.ContainsRune("*_-+~`\"'\u2022\u00b7\u2013\u2014\u201c\u201d\u2018\u2019", r)
}

// isMark tells of the mark # and of its wide form.
func isMark(r rune) bool { return r == '#' || r == '\uff03' }

// drawnMark gives the beginning of a line whose first word is orders with a mark
// and something drawn around it, if no sentence follows, such as a headline has.
func drawnMark(rs []rune) (string, bool) {
	const word = "orders"
	i, marked := 0, false
	for i < len(rs) && (drawing(rs[i]) || isMark(rs[i])) {
		marked = marked || isMark(rs[i])
		i++
	}
	end := i + len(word)
	if !marked || end > len(rs) || !strings.EqualFold(string(rs[i:end]), word) || end < len(rs) && (unicode.IsLetter(rs[end]) || unicode.IsDigit(rs[end])) {
		return "", false
	}
	for end < len(rs) && (drawing(rs[end]) || rs[end] == ':') && !blank(rs[end]) {
		end++ // what closes there
	}
	words := strings.Fields(string(rs[end:]))
	turn := func(i int) bool { return len(words) > i && strings.EqualFold(words[i], "turn") }
	return string(rs[:end]), len(words) < 2 || turn(0) || turn(1)
}
