package orders

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Scan finds the blocks of a source, from #orders to #end, and parses their heads. Everything outside is ignored.
// It reports quoted blocks (lines that begin with >) only if there is no other block, because a quoted template
// below an answer is common. A first line with something drawn around its mark, or before it, is reported but never
// parsed: others' words are printed to a captain with such guards, and come back in what the captain quotes. Every
// block found is returned, even with a broken head or without #end, so that the caller can tell its sender; a
// source that is not text or is too large gives none.
func Scan(src []byte) ([]Raw, []Diagnostic) { return ScanText(string(src)) }

// ScanText is Scan for a source that is already a string.
func ScanText(src string) ([]Raw, []Diagnostic) {
	if d, bad := refuse(src); bad {
		return nil, []Diagnostic{d}
	}
	rest := strings.TrimPrefix(src, "\ufeff")
	var s scanner
	cut := cutLine
	plain := strings.IndexByte(rest, '\r') < 0
	if plain {
		cut = cutPlain
	}
	for n := 1; rest != ""; n++ {
		if plain && s.cur == nil {
			// Most of a mail is not a block: skip to the next line that may begin one.
			mark := strings.IndexByte(rest, '#')
			if mark < 0 {
				break
			}
			n += strings.Count(rest[:mark], "\n")
			rest = rest[strings.LastIndexByte(rest[:mark], '\n')+1:]
		}
		var line string
		line, rest = cut(rest)
		s.line(n, line)
	}
	s.finish()
	return s.raws, bound(s.diags)
}

// refuse reports whether the source is not text of a mail or file.
func refuse(src string) (Diagnostic, bool) {
	d := Diagnostic{Pos: Pos{1, 1}}
	if len(src) > MaxBytes {
		d.Code = CodeTooLarge
		d.Message = fmt.Sprintf("the source has %d bytes or more; at most %d are read", len(src), MaxBytes)
		d.Hint = "send only the orders, without attachments or old mails"
		return d, true
	}
	odd := 0
	for i := 0; i < len(src); {
		if i+8 <= len(src) && printed(src[i:i+8]) {
			i += 8
			continue
		}
		if c := src[i]; c >= ' ' && c < 0x7f || c == '\n' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(src[i:])
		switch {
		case r == 0:
			odd += len(src) + 9
		case r == utf8.RuneError && size == 1, unicode.IsControl(r) && !unicode.IsSpace(r):
			odd++
		}
		i += size
	}
	// Any old mail program adds some stray bytes, but not one in eight.
	if odd > 8 && odd > utf8.RuneCountInString(src)/8 {
		d.Code = CodeNotText
		d.Message = "this is not plain text"
		d.Hint = "send the orders as plain text in UTF-8"
		return d, true
	}
	return d, false
}

// printed reports whether eight bytes are all printable ASCII.
func printed(s string) bool {
	const (
		each = 0x0101010101010101
		high = 0x80 * each
	)
	w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	// A high bit is set by a byte beyond ASCII, by one below a space, or by DEL.
	return (w|(w-' '*each)|(w+each))&high == 0
}

// cutLine cuts the first line off src; lines end in \n, \r\n or \r.
func cutLine(src string) (line, rest string) {
	i := strings.IndexAny(src, "\r\n")
	if i < 0 {
		return src, ""
	}
	if src[i] == '\r' && i+1 < len(src) && src[i+1] == '\n' {
		return src[:i], src[i+2:]
	}
	return src[:i], src[i+1:]
}

// cutPlain is cutLine for a source without \r.
func cutPlain(src string) (line, rest string) {
	line, rest, _ = strings.Cut(src, "\n")
	return line, rest
}

// scanner has the state of Scan between lines.
type scanner struct {
	raws  []Raw
	diags []Diagnostic
	runes []rune // of the line, or of all lines of an open head

	cur      *Raw     // the open block
	head     *logical // its head, while lines may still continue it
	count    int      // lines of the open block
	quoted   int      // quoted lines left out of it
	quotedAt Pos
	full     bool // no more blocks are accepted

	hiddenAt Pos  // first #orders after quote marks outside a block
	near     bool // a misspelt #orders was reported
}

func (s *scanner) report(sev Severity, at Pos, code, message, hint string) {
	s.diags = append(s.diags, Diagnostic{Pos: at, Severity: sev, Code: code, Message: message, Hint: hint})
}

// line handles the next source line.
func (s *scanner) line(n int, src string) {
	if s.cur == nil && strings.IndexByte(src, '#') < 0 {
		return // it neither begins a block nor resembles a line that does
	}
	rs, text := s.clean(src)
	word, start, end := mark(rs)
	at := Pos{n, start + 1}
	typed := ""
	if len(text) == len(rs) {
		typed = text
	}
	switch {
	case word == "#orders":
		s.open(at, segmentFrom(rs, typed, n, end))
	case s.cur == nil:
		s.outside(at, word, rs[start:])
	case word == "#end":
		s.closeHead()
		s.cur.Ended = true
		if i := trailing(rs[end:]); i >= 0 {
			s.report(Warning, Pos{n, end + i + 1}, CodeAfterEnd, "the words after #end are ignored",
				"put orders above #end, each on its own line")
		}
		s.close(at)
	default:
		s.inside(at, rs, text, typed, start)
	}
}

// clean returns a source line, as runes and as a string, without control characters: each becomes U+FFFD, as does
// each byte that is not UTF-8, so that columns stay the same. The runes are valid until the next line, those of a
// head until its end.
func (s *scanner) clean(line string) ([]rune, string) {
	if s.head == nil {
		s.runes = s.runes[:0]
	}
	first, same := len(s.runes), true
	for _, r := range line {
		if r != '\t' && unicode.IsControl(r) && !unicode.IsSpace(r) {
			r = unicode.ReplacementChar
		}
		same = same && r != unicode.ReplacementChar
		s.runes = append(s.runes, r)
	}
	rs := s.runes[first:len(s.runes):len(s.runes)]
	if !same {
		line = string(rs)
	}
	return rs, line
}

// trailing returns the index of the first letter or digit after a mark such as #end, -1 if there is none: full
// stops and comments are harmless.
func trailing(rs []rune) int {
	for i, r := range rs {
		switch {
		case r == ';':
			return -1
		case unicode.IsLetter(r), unicode.IsDigit(r):
			return i
		}
	}
	return -1
}

// outside checks a line outside all blocks for a block that was meant but cannot be read.
func (s *scanner) outside(at Pos, word string, rs []rune) {
	if len(rs) == 0 {
		return
	}
	if near, ok := drawnMark(rs); ok && !s.near {
		s.near = true
		s.report(Warning, at, CodeNearOrders, quote(near)+" does not begin a block", "write #orders, the game and the turn to begin one")
		return
	}
	if rs[0] == '>' {
		for len(rs) > 0 && (rs[0] == '>' || blank(rs[0])) {
			rs = rs[1:]
		}
		if w, _, _ := mark(rs); w == "#orders" && s.hiddenAt == (Pos{}) {
			s.hiddenAt = at
		}
		return
	}
	if !s.near && len(word) > 4 && Suggest(word, []string{"#orders"}) != "" {
		s.near = true
		s.report(Warning, at, CodeNearOrders, quote(word)+" does not begin a block", "write #orders to begin one")
	}
}

// tooLong reports whether a line is longer than the limit, without its comment. For lines in which a semicolon does
// not begin a comment, the parser checks again.
func tooLong(rs []rune) bool {
	return len(rs) > MaxLineRunes && !slices.Contains(rs[:MaxLineRunes+1], ';')
}

func lineTooLong(line, runes int) Diagnostic {
	return Diagnostic{
		Pos: Pos{line, MaxLineRunes + 1}, Severity: Error, Code: CodeLineTooLong,
		Message: fmt.Sprintf("this line has %d characters; at most %d are read", runes, MaxLineRunes),
		Hint:    "break it: a line that begins with & continues the line above",
	}
}

// inside handles a line of the open block. Typed is its text if it is ASCII, otherwise "".
func (s *scanner) inside(at Pos, rs []rune, text, typed string, start int) {
	s.count++
	if s.count > MaxLines {
		if s.count == MaxLines+1 {
			s.report(Error, at, CodeTooManyLines, fmt.Sprintf("a block can have at most %d lines; the rest is ignored", MaxLines),
				"send fewer orders")
		}
		return
	}
	if tooLong(rs) {
		s.diags = append(s.diags, lineTooLong(at.Line, len(rs)))
		return
	}
	if start < len(rs) && rs[start] == '>' {
		if s.quoted == 0 {
			s.quotedAt = at
		}
		s.quoted++
		return
	}
	if s.head != nil && start < len(rs) {
		if rs[start] == '&' {
			s.head.add(segmentFrom(rs, typed, at.Line, start+1))
			return
		}
		s.closeHead()
	}
	if s.cur.Lines == nil {
		s.cur.Lines = make([]Line, 0, 32)
	}
	s.cur.Lines = append(s.cur.Lines, Line{N: at.Line, Text: text})
	s.cur.End = Pos{at.Line, len(rs) + 1}
}

// open starts a block, ending one that is still open.
func (s *scanner) open(at Pos, rest segment) {
	if s.cur != nil {
		s.closeHead()
		s.report(Error, at, CodeOrdersInside,
			fmt.Sprintf("#orders before the #end of the block that began on line %d", s.cur.Start.Line),
			"put #end on a separate line after each block")
		s.close(Pos{})
	}
	if len(s.raws) == MaxBlocks {
		if !s.full {
			s.report(Error, at, CodeTooManyBlocks, fmt.Sprintf("at most %d blocks are read from one source", MaxBlocks),
				"send the rest in another mail")
		}
		s.full = true
		return
	}
	s.cur = &Raw{Start: at, End: Pos{at.Line, rest.col + len(rest.runes)}}
	s.head = &logical{end: Pos{at.Line, rest.col}}
	s.count, s.quoted = 0, 0
	if tooLong(rest.runes) {
		s.report(Error, Pos{at.Line, MaxLineRunes + 1}, CodeLineTooLong,
			fmt.Sprintf("a head can have at most %d characters in a line", MaxLineRunes), "")
		return
	}
	s.head.add(rest)
}

// closeHead parses the head once it is complete.
func (s *scanner) closeHead() {
	if s.head == nil {
		return
	}
	var ds []Diagnostic
	s.cur.Head, ds = readHead(s.cur.Start, s.head)
	s.diags = append(s.diags, ds...)
	s.head = nil
}

// close ends the open block; at is the position of #end, zero if it is missing.
func (s *scanner) close(at Pos) {
	if at != (Pos{}) {
		s.cur.End = at
	}
	if s.quoted > 0 {
		s.report(Warning, s.quotedAt, CodeQuotedLines,
			plural(s.quoted, "line that begins with > is", "lines that begin with > are")+" left out of this block",
			"remove the quote marks from lines that are meant as orders")
	}
	s.raws = append(s.raws, *s.cur)
	s.cur = nil
}

// finish handles the end of the source.
func (s *scanner) finish() {
	if s.cur != nil {
		s.closeHead()
		s.report(Error, s.cur.Start, CodeNoEnd, "the block that begins here has no #end",
			"put #end on a separate line after the last order")
		s.leaveQuotation()
		s.close(Pos{})
	}
	if len(s.raws) == 0 && s.hiddenAt != (Pos{}) {
		s.report(Error, s.hiddenAt, CodeQuoted, "the orders have quote marks (>) in front of them and are ignored",
			"remove the > in front of every line from #orders to #end and send again")
	}
}

// leaveQuotation removes from a block without #end the mail that is quoted below it up to the end of the text, and
// the lines right above the quotation that introduce it: they end in a colon.
func (s *scanner) leaveQuotation() {
	lines := s.cur.Lines
	full := func() bool { return strings.TrimSpace(lines[len(lines)-1].Text) != "" }
	for len(lines) > 0 && !full() {
		lines = lines[:len(lines)-1]
	}
	if s.quoted == 0 || len(lines) > 0 && lines[len(lines)-1].N > s.quotedAt.Line {
		return
	}
	if s.quoted = 0; len(lines) > 0 && strings.HasSuffix(strings.TrimSpace(lines[len(lines)-1].Text), ":") {
		for len(lines) > 0 && full() {
			lines = lines[:len(lines)-1]
		}
	}
	if s.cur.Lines = lines; len(lines) > 0 {
		s.cur.End = Pos{lines[len(lines)-1].N, len([]rune(lines[len(lines)-1].Text)) + 1}
	}
}

// drawing reports whether r is something that people and their programs draw around the mark of a first line: a
// star, a bullet, the marks of bold type, a space after the #.
func drawing(r rune) bool {
	return blank(r) || strings.ContainsRune("*_-+~`\"'\u2022\u00b7\u2013\u2014\u201c\u201d\u2018\u2019", r)
}

// isMark reports whether r is the mark # or its full-width form.
func isMark(r rune) bool { return r == '#' || r == '\uff03' }

// drawnMark returns the beginning of a line whose first word is orders with a mark and something drawn around it,
// unless a sentence follows, as in a headline.
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
		end++ // closing part of the drawing
	}
	words := strings.Fields(string(rs[end:]))
	turn := func(i int) bool { return len(words) > i && strings.EqualFold(words[i], "turn") }
	return string(rs[:end]), len(words) < 2 || turn(0) || turn(1)
}
