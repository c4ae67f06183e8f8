package templates

import (
	"slices"
	"strings"
	"unicode"
)

// Free words of people stand behind bars, each line of them, and where such a line
// could be read as the beginning of an order block or as a command once the bar is
// gone, a guard stands before it. The recipient of such a mail answers it, and his
// mail program quotes, wraps and unmarks it as it likes.

// guardSign is what the order language takes for the beginning of a comment, so
// that nothing behind it is read.
const guardSign = ';'

// barWidth is the longest piece of a line behind a bar, in columns, with room for
// a guard: short enough that no mail program breaks it again.
const barWidth = 68

// drawnAround tells what people and mail programs draw around the mark of a block.
func drawnAround(r rune) bool {
	return r == '|' || unicode.IsSpace(r) || strings.ContainsRune("*_-+~`\"'\u2022\u00b7\u2013\u2014\u201c\u201d\u2018\u2019", r)
}

// unseen tells the runes that are not written.
func unseen(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && hidden(r)
}

// beginning looks at the front of s, once cleaned: what stands there behind
// spaces and drawings, and whether there was a mark, and something drawn.
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

// marksBlock tells whether s, once cleaned, starts like a command, with '#' and a
// letter, or like an order block whatever is drawn around its mark, or without.
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
	// "Orders for turn 2 are missing" is a sentence.
	return mark || len(words) > 3 && slices.Contains([]string{"ship", "captain", "phase", "key"}, strings.ToLower(words[3]))
}

// marksWords is marksBlock for free words: rather too much is guarded there.
func marksWords(s string) bool {
	rest, mark, _ := beginning(s)
	_, ok := afterOrders(rest)
	return ok || mark && rest != ""
}

// afterOrders is what follows the word orders, if s begins with it.
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

// narrow makes ASCII of the wide forms of letters and signs.
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

// mayMark is a cheap look at the first byte of a word.
func mayMark(c byte) bool {
	return c >= 0x80 || c|0x20 == 'o' || strings.IndexByte("#*_-+~`\"'|", c) >= 0
}
