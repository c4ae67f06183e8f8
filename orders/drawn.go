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

// drawnWord finds a word behind drawings and marks. end is where it ends, with the
// drawings that close there; marked tells of a mark.
func drawnWord(rs []rune, word string) (end int, marked, ok bool) {
	i := 0
	for i < len(rs) && (drawing(rs[i]) || isMark(rs[i])) {
		marked = marked || isMark(rs[i])
		i++
	}
	end = i + len(word)
	if end > len(rs) || !strings.EqualFold(string(rs[i:end]), word) || end < len(rs) && (unicode.IsLetter(rs[end]) || unicode.IsDigit(rs[end])) {
		return 0, false, false
	}
	for end < len(rs) && (drawing(rs[end]) || rs[end] == ':') && !blank(rs[end]) {
		end++
	}
	return end, marked, true
}

// drawnMark gives the beginning of a line whose first word is orders with a mark
// and something drawn around it, if no sentence follows, such as a headline has.
func drawnMark(rs []rune) (string, bool) {
	end, marked, ok := drawnWord(rs, "orders")
	if !ok || !marked {
		return "", false
	}
	words := strings.Fields(string(rs[end:]))
	turn := func(i int) bool { return len(words) > i && strings.EqualFold(words[i], "turn") }
	return string(rs[:end]), len(words) < 2 || turn(0) || turn(1)
}
