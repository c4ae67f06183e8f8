package orders

import (
	"slices"
	"strings"
	"unicode"
)

// People and their programs draw something around the mark of a first line: a
// star, a bullet, the marks of bold type, a space behind the #. Answers show sets
// behind bars, which are copied with them.

// unbar makes spaces of the bars that a line begins with, so that columns stay,
// and tells whether there were any.
func unbar(rs []rune) bool {
	found := false
	for i, r := range rs {
		switch {
		case r == '|':
			rs[i], found = ' ', true
		case !blank(r):
			return found
		}
	}
	return found
}

// excerpt tells whether a barred block that has just begun is no block but a line
// that an answer shows with what is wrong in it: below it something points there.
// It is forgotten then. rs is the line from its first letter on.
func (s *scanner) excerpt(bars bool, rs []rune) bool {
	if s.cur == nil || !s.cur.Barred || !bars || s.count > 0 || len(rs) == 0 || rs[0] != '^' {
		return false
	}
	s.cur, s.head = nil, nil
	return true
}

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

// drawnHead tells whether a line is without a doubt meant as the first of a block,
// for game and turn follow; end is where the word orders ends. Without a mark it
// is only when that is looked for.
func drawnHead(rs []rune, loose bool) (end int, ok bool) {
	end, marked, ok := drawnWord(rs, "orders")
	if !ok || !marked && !loose {
		return 0, false
	}
	words := strings.Fields(string(narrow(rs[end:])))
	if len(words) < 3 || !strings.EqualFold(words[1], "turn") || words[2] == "" {
		return 0, false
	}
	for _, r := range words[2] {
		if r < '0' || r > '9' {
			return 0, false
		}
	}
	if !marked { // "orders for turn 3 are attached" is a sentence
		return end, len(words) > 3 && slices.Contains([]string{"ship", "captain", "phase", "key"}, strings.ToLower(words[3]))
	}
	return end, true
}

// drawnEnd is a last line in the same manner.
func drawnEnd(rs []rune) bool {
	end, _, ok := drawnWord(rs, "end")
	if !ok {
		return false
	}
	for _, r := range rs[end:] {
		if !drawing(r) && r != '.' {
			return false
		}
	}
	return true
}

// narrow makes ASCII of the wide forms that keyboards of the far east have.
func narrow(rs []rune) []rune {
	out := make([]rune, len(rs))
	for i, r := range rs {
		switch {
		case r >= '\uff01' && r <= '\uff5e':
			r -= '\uff01' - '!'
		case r == '\u3000':
			r = ' '
		}
		out[i] = r
	}
	return out
}

// startsLoose is a cheap look at a line: could its first word be orders, or the
// wide mark?
func startsLoose(src string) bool {
	for i, r := range src {
		if !drawing(r) {
			return r == '\uff03' || len(src)-i >= 6 && strings.EqualFold(src[i:i+6], "orders")
		}
	}
	return false
}

// openDrawn begins a block with such a line.
func (s *scanner) openDrawn(at Pos, rs []rune, end int) {
	rest := narrow(rs)
	for len(rest) > end && drawing(rest[len(rest)-1]) {
		rest = rest[:len(rest)-1] // what closes bold type
	}
	s.open(at, segmentFrom(rest, "", at.Line, end))
	if s.cur == nil {
		return
	}
	s.drawn = true
	s.report(Warning, at, CodeNearOrders, quote(strings.TrimSpace(string(rs[at.Col-1:end])))+" is read as #orders", "write #orders at the beginning of the line")
}
