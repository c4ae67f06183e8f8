package templates

import (
	"strings"
)

// Free words of people stand behind bars, each line of them, and where such a line
// could be read as the beginning of an order block or as a command once the bar is
// gone, a guard stands before it. The recipient of such a mail answers it, and his
// mail program quotes, wraps and unmarks it as it likes.

// barWidth is the longest piece of a line behind a bar, in columns, with room for
// a guard: short enough that no mail program breaks it again.
const barWidth = 68

// pieces calls each piece of the lines of s that is to stand behind a bar; guarded
// tells that a guard is to stand before it. Long lines are broken at spaces, other
// lines are as they were, but that they are cleaned.
func (p *page) pieces(s string, free bool, each func(piece string, guarded bool)) {
	lines(s, func(line string) {
		if p.columns(line) <= barWidth {
			each(strings.TrimRight(line, " \t"), free && marksWords(line))
			return
		}
		for line != "" {
			front, rest := breakCell(p, line, barWidth)
			if front == "" && rest == line { // a rune that is wider than all
				return
			}
			if front != "" {
				each(strings.TrimRight(front, " "), free && marksWords(front))
			}
			line = rest
		}
	})
}

// quoted writes order text of the reader's own behind "| ", each line and each
// piece of a line that is too long, so that an answer does not hand it in again.
func (p *page) quoted(s string) { p.behindBars(s, false) }

// words of somebody else, behind bars and guarded.
func (p *page) foreign(s string) { p.behindBars(s, true) }

func (p *page) behindBars(s string, free bool) {
	p.pieces(s, free, func(piece string, guarded bool) {
		if p.columns(piece) == 0 {
			p.b = append(p.b, "  |"...)
		} else {
			p.b = append(p.b, "  | "...)
		}
		if guarded {
			p.b = append(p.b, guardSign, ' ')
		}
		p.put(piece)
		p.newline()
	})
}

// barred is another person's words as lines of HTML that are short enough for
// mail programs that make plain text of it to leave them whole.
func barred(s string) (all []string) {
	var scratch page
	scratch.pieces(s, true, func(piece string, guarded bool) {
		if guarded {
			piece = "; " + piece
		}
		all = append(all, "| "+piece)
	})
	return all
}

// prose is a line that may hold another person's words, such as those for luck,
// with a guard before each word that could begin something: a mail program that
// makes plain text of HTML breaks the line where it likes.
func prose(s string) string {
	var b []byte
	from, start := 0, true
	for i := range len(s) {
		switch c := s[i]; {
		case c <= ' ':
			start = true
		case start:
			start = false
			if mayMark(c) && marksBlock(s[i:]) {
				b = append(append(b, s[from:i]...), guardSign)
				from = i
			}
		}
	}
	if from == 0 && b == nil {
		return s
	}
	return string(append(b, s[from:]...))
}
