package orders

import (
	"slices"
	"strings"
	"unicode"
)

// token is one word of a statement or head, or one of ( ) : and the comparison signs. Text is normalised; seg and
// off give the position of its first rune, for Text placeholders, which need the source as typed.
type token struct {
	text     string
	pos      Pos
	seg, off int
}

// is compares a token with a lower-case word.
func (t token) is(word string) bool { return same(t.text, word) }

// sign reports whether the token is punctuation and cannot be a value.
func (t token) sign() bool {
	switch t.text {
	case "(", ")", ":", "<", "<=", "=", ">=", ">", "<>", "!=":
		return true
	}
	return false
}

// segment is the part of one source line that belongs to a statement, without comment and continuation mark. Col is
// the column of its first rune.
type segment struct {
	runes []rune
	line  int
	col   int
	src   string // the same as a string if ASCII, and maybe more after it; "" if unknown
}

// segmentFrom returns the part of a line from rune i on. Src is the line if it is ASCII, otherwise "".
func segmentFrom(rs []rune, src string, line, i int) segment {
	s := segment{runes: rs[i:], line: line, col: i + 1}
	if src != "" {
		s.src = src[i:]
	}
	return s
}

// logical is a statement, heading or head as written: a line and its continuation lines.
type logical struct {
	segs []segment
	toks []token
	end  Pos  // just after the last word
	free bool // a free line, in which a semicolon does not begin a comment
}

// add appends a segment and its tokens.
func (l *logical) add(s segment) {
	for i, r := range s.runes {
		if r == ';' && !l.free {
			s.runes = s.runes[:i]
			break
		}
	}
	l.segs = append(l.segs, s)
	l.toks = lex(l.toks, s, len(l.segs)-1)
	if i := lastInk(s.runes); i >= 0 {
		l.end = Pos{s.line, s.col + i + 1}
	}
}

// reset empties l for the next statement.
func (l *logical) reset() { l.segs, l.toks, l.end, l.free = l.segs[:0], l.toks[:0], Pos{}, false }

// rest returns the source from token i to the end, with white space reduced to single spaces.
func (l *logical) rest(i int) string {
	if i >= len(l.toks) {
		return ""
	}
	if len(l.segs) == 0 { // words from a program
		var b strings.Builder
		for k, t := range l.toks[i:] {
			if before := l.toks[max(i, i+k-1)]; k > 0 && before.pos.Col+len(before.text) < t.pos.Col {
				b.WriteByte(' ')
			}
			b.WriteString(t.text)
		}
		return b.String()
	}
	t := l.toks[i]
	words := strings.Fields(string(l.segs[t.seg].runes[t.off:]))
	for _, s := range l.segs[t.seg+1:] {
		words = append(words, strings.Fields(string(s.runes))...)
	}
	return strings.Join(words, " ")
}

// lastInk returns the index of the last visible rune, -1 if there is none.
func lastInk(rs []rune) int {
	for i, r := range slices.Backward(rs) {
		if !blank(r) {
			return i
		}
	}
	return -1
}

// firstInk returns the index of the first visible rune, len(rs) if there is none.
func firstInk(rs []rune) int {
	for i, r := range rs {
		if !blank(r) {
			return i
		}
	}
	return len(rs)
}

// blank reports whether r is any white space or a zero-width rune, which mail programs and web pages leave behind.
func blank(r rune) bool { return unicode.IsSpace(r) || unseen(r) }

func unseen(r rune) bool {
	switch r {
	case '\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff':
		return true
	}
	return false
}

// plain maps typographic runes to those of a plain keyboard; -1 drops the rune (quotation marks, zero-width runes).
func plain(r rune) rune {
	if r < 0x80 {
		if r == '"' {
			return -1
		}
		return r
	}
	switch r {
	case '\u201c', '\u201d', '\u201e', '\u201f', '\u00ab', '\u00bb', '\u2033':
		return -1
	case '\u2018', '\u2019', '\u201a', '\u201b', '\u2032', '\u00b4':
		return '\''
	case '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212':
		return '-'
	}
	if unseen(r) {
		return -1
	}
	return r
}

// lex splits a segment into tokens and appends them. Commas count as white space.
func lex(toks []token, s segment, seg int) []token {
	rs := s.runes
	for i := 0; i < len(rs); {
		if blank(rs[i]) || rs[i] == ',' {
			i++
			continue
		}
		start := i
		var text string
		if sign, n := signAt(rs[i:]); n > 0 {
			text, i = sign, i+n
		} else {
			text, i = s.wordAt(i)
		}
		if text != "" {
			toks = append(toks, token{text: text, pos: Pos{s.line, s.col + start}, seg: seg, off: start})
		}
	}
	return toks
}

// signAt parses punctuation at the start of rs. It returns its plain form and its length in runes, 0 if there is
// none.
func signAt(rs []rune) (string, int) {
	next := rune(0)
	if len(rs) > 1 {
		next = rs[1]
	}
	switch r := rs[0]; r {
	case '(', ')', ':':
		return string(r), 1
	case '\u2264':
		return "<=", 1
	case '\u2265':
		return ">=", 1
	case '\u2260':
		return "!=", 1
	case '<':
		switch next {
		case '=':
			return "<=", 2
		case '>':
			return "<>", 2
		}
		return "<", 1
	case '>':
		if next == '=' {
			return ">=", 2
		}
		return ">", 1
	case '=':
		switch next {
		case '=':
			return "=", 2
		case '<':
			return "<=", 2
		case '>':
			return ">=", 2
		}
		return "=", 1
	case '!':
		if next == '=' {
			return "!=", 2
		}
	}
	return "", 0
}

// wordAt returns the word that starts at rune i, and the index after it.
func (s *segment) wordAt(i int) (string, int) {
	rs, start, typed := s.runes, i, true
	for ; i < len(rs); i++ {
		r := rs[i]
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			continue // most runes of every word
		}
		if r == ',' || unicode.IsSpace(r) {
			break
		}
		if _, n := signAt(rs[i:]); n > 0 {
			break
		}
		typed = typed && plain(r) == r
	}
	var w string
	if typed && s.src != "" {
		w = s.src[start:i]
	} else {
		w = plainText(rs[start:i])
	}
	if len(w) > 2 && w[0] == '\'' && w[len(w)-1] == '\'' {
		w = w[1 : len(w)-1]
	}
	return w, i
}

// plainText returns the runes as typed on a plain keyboard.
func plainText(rs []rune) string {
	var b strings.Builder
	b.Grow(len(rs))
	for _, r := range rs {
		if p := plain(r); p >= 0 {
			b.WriteRune(p)
		}
	}
	return b.String()
}

// mark returns the word of a line that begins with #, in lower case ("#end"), the index of its # and the index
// after it; the word is "" if the line begins otherwise.
func mark(rs []rune) (word string, start, end int) {
	start = firstInk(rs)
	if start == len(rs) || rs[start] != '#' {
		return "", start, start
	}
	end = start + 1
	for end < len(rs) && (unicode.IsLetter(rs[end]) || unicode.IsDigit(rs[end])) {
		end++
	}
	return strings.ToLower(string(rs[start:end])), start, end
}
