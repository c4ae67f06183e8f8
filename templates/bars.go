package templates

import (
	"strings"
)

// Each line of free text that people wrote goes after a bar ("| "). A line that could
// be read as an order block or a command without the bar also gets a guard. The reason:
// the recipient answers such a mail, and mail programs quote, rewrap and unquote it as
// they like.

// barWidth is the longest piece of a line after a bar, in columns, with room for a
// guard: short enough that no mail program breaks it again.
const barWidth = 68

// pieces calls each for every piece of the lines of s that goes after a bar; guarded is
// set if the text is free and the piece needs a guard. Long lines are broken at spaces;
// others only lose the spaces at their end.
func (p *page) pieces(s string, free bool, each func(piece string, guarded bool)) {
	lines(s, func(line string) {
		if p.columns(line) <= barWidth {
			each(strings.TrimRight(line, " \t"), free && marksWords(line))
			return
		}
		for line != "" {
			front, rest := breakCell(p, line, barWidth)
			if front == "" && rest == line { // a rune wider than a line
				return
			}
			if front != "" {
				each(strings.TrimRight(front, " "), free && marksWords(front))
			}
			line = rest
		}
	})
}

// quoted writes the reader's own order text with "| " before each line and each piece
// of a long line, so that an answer that quotes it does not submit it again.
func (p *page) quoted(s string) { p.behindBars(s, false) }

// foreign writes another person's words after bars and guards.
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

// barred returns another person's words as lines of HTML, short enough that mail
// programs that convert them to plain text do not break them.
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

// prose returns a line that may hold another person's words, such as those after luck,
// with a guard before each word that could begin an order block or a command: mail
// programs that convert HTML to plain text break lines anywhere.
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
