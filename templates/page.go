package templates

import (
	"strconv"
	"unicode/utf8"

	"starpost/templates/clean"
)

// pageWidth is the longest line of a map or a text mail, in columns.
const pageWidth = 78

// textWidth is the longest line of text, not counting the sign of a guard or a bracket.
// It is less than pageWidth because lines of mails should be.
const textWidth = pageWidth - 1

// page writes plain text of at most pageWidth columns. Text that is handed to
// it never starts a line with '#' and a letter: such a line could pass for an
// order block when the mail is quoted in an answer.
type page struct {
	b       []byte
	scratch []byte
	mode    clean.Mode
}

func (p *page) newline() { p.b = append(p.b, '\n') }

const blankLine = "                                                                              "

func (p *page) spaces(n int) {
	for n > len(blankLine) {
		p.b = append(p.b, blankLine...)
		n -= len(blankLine)
	}
	if n > 0 {
		p.b = append(p.b, blankLine[:n]...)
	}
}

// put writes untrusted text, cleaned.
func (p *page) put(s string) {
	if clean.Plain(s, p.mode) {
		p.b = append(p.b, s...)
	} else {
		p.b = clean.Append(p.b, s, p.mode)
	}
}

// rule starts a section with a title in a line across the page.
func (p *page) rule(title string) {
	const bar = "=============================================================================="
	p.b = append(p.b, "\n== "...)
	title = clean.Clip(title, textWidth-8)
	p.put(title)
	p.b = append(p.b, ' ')
	if n := textWidth - 4 - clean.Columns(title); n > 0 {
		p.b = append(p.b, bar[:n]...)
	}
	p.newline()
}

// ends writes left and right at the two ends of a line, or on two lines when
// they do not fit on one.
func (p *page) ends(left, right string) {
	l, r := p.columns(left), p.columns(right)
	if l+r+2 > textWidth || l == 0 || r == 0 {
		p.para("", 2, left)
		p.para("", 2, right)
		return
	}
	start := len(p.b)
	if p.guard(left) {
		l++
	}
	p.put(left)
	p.spaces(textWidth - l - r - 1)
	if !p.guardFrom(start, right) {
		p.b = append(p.b, ' ')
	}
	p.put(right)
	p.newline()
}

// columns returns the number of columns that s takes on this page.
func (p *page) columns(s string) int {
	if p.mode&clean.ASCII == 0 || clean.Plain(s, p.mode) {
		return clean.Columns(s)
	}
	n := 0
	for _, r := range s {
		if r == '\n' || r == '\t' || r >= ' ' && r < 0x7f || r >= 0x80 && !clean.Hidden(r) {
			n++
		}
	}
	return n
}

// para writes s after lead, broken at spaces; following lines are indented by hang. An
// empty s writes nothing.
func (p *page) para(lead string, hang int, s string) {
	if p.words(lead, hang, s) >= 0 {
		p.newline()
	}
}

// cited writes s like para, and the rule it came from in brackets at the right. If both
// are empty it writes nothing.
func (p *page) cited(lead string, hang int, s, cite string) {
	at := p.words(lead, hang, s)
	n := p.columns(cite)
	if at < 0 && n == 0 {
		return
	}
	at = max(at, 0)
	switch {
	case n == 0:
	case n > textWidth-12:
		p.newline()
		p.words(blankLine[:min(hang, 40)]+"[", min(hang, 40)+1, cite)
		p.b = append(p.b, ']')
	default:
		if at+n+4 > textWidth {
			p.newline()
			at = 0
		}
		p.spaces(textWidth - at - n - 2)
		p.b = append(p.b, '[')
		p.put(cite)
		p.b = append(p.b, ']')
	}
	p.newline()
}

// words writes s after lead without the last line break and returns the column where it
// ends, or -1 if there was nothing to write. lead is our own text, or short and ASCII.
func (p *page) words(lead string, hang int, s string) int {
	const limit = textWidth
	text := s
	if !clean.Plain(s, p.mode) {
		p.scratch = clean.Append(p.scratch[:0], s, p.mode)
		text = string(p.scratch)
	} else if n := len(s); n > 0 && len(lead)+n <= limit && s[0] != ' ' && s[0] != '#' && s[n-1] != ' ' {
		p.b = append(p.b, lead...) // most lines need no breaking
		p.b = append(p.b, s...)
		return clean.Columns(lead) + n
	}
	at, started := 0, false
	last, lastText := 0, 0 // where the last word begins, in p.b and in text; 0 if it is the first of its line
	for i := 0; i < len(text); {
		if text[i] == ' ' {
			i++
			continue
		}
		end := i + 1
		for end < len(text) && text[end] != ' ' {
			end++
		}
		word := text[i:end]
		width := clean.Columns(word)
		i = end
		if !started {
			started = true
			p.b = append(p.b, lead...)
			at = clean.Columns(lead)
			if noWord(lead) && p.guard(text[end-len(word):]) {
				at++
			}
		} else if at+1+width <= limit {
			p.b = append(p.b, ' ')
			at++
			last, lastText = len(p.b), end-len(word)
		} else {
			rest := text[end-len(word):]
			if moved := len(p.b) - last; last > 0 && marksBlock(rest) && !marksBlock(text[lastText:]) && hang+moved+1+width <= limit {
				// With the word before it the line needs no guard, which readers might
				// take for part of what they should write.
				down := string(p.b[last:])
				p.b = p.b[:last-1]
				p.newline()
				p.spaces(hang)
				p.b = append(append(p.b, down...), ' ')
				at = hang + clean.Columns(down) + 1
			} else {
				at = p.turn(hang, rest)
			}
			last = 0
		}
		for at+width > limit { // a word longer than a line is cut
			last = 0
			cut, cutWidth := fitting(word, limit-at)
			if cut == 0 && at > hang+1 {
				at = p.turn(hang, text[end-len(word):])
				continue
			}
			if cut == 0 {
				_, cut = utf8.DecodeRuneInString(word)
				cutWidth = clean.Columns(word[:cut])
			}
			p.b = append(p.b, word[:cut]...)
			word, width = word[cut:], width-cutWidth
			if word != "" {
				at = p.turn(hang, text[end-len(word):])
			} else {
				at += cutWidth
			}
		}
		p.b = append(p.b, word...)
		at += width
	}
	if !started {
		return -1
	}
	return at
}

// noWord reports whether lead holds no word, so that an order block could begin after it.
func noWord(lead string) bool {
	for i := range len(lead) {
		if lead[i] != ' ' && lead[i] != '*' {
			return false
		}
	}
	return true
}

// turn starts the next line of a paragraph, guards rest if needed, and returns the column.
func (p *page) turn(hang int, rest string) int {
	p.newline()
	p.spaces(hang)
	if p.guard(rest) {
		return hang + 1
	}
	return hang
}

// fitting returns the bytes and columns of the longest front of word that fits in n columns.
func fitting(word string, n int) (bytes, width int) {
	for bytes < len(word) {
		r, size := utf8.DecodeRuneInString(word[bytes:])
		w := clean.RuneColumns(r)
		if r < utf8.RuneSelf {
			w = 1
		}
		if width+w > n {
			break
		}
		width += w
		bytes += size
	}
	return bytes, width
}

// lines calls each for every line of s, without its line break; an empty last line is
// left out.
func lines(s string, each func(string)) {
	for s != "" {
		n := 0
		for n < len(s) && s[n] != '\n' {
			n++
		}
		line := s[:n]
		if n < len(s) {
			n++
		}
		s = s[n:]
		if len(line) > 0 && line[len(line)-1] == '\r' {
			line = line[:len(line)-1]
		}
		each(line)
	}
}

// verbatim writes s as it is, without control characters, and makes it end in a line break.
func (p *page) verbatim(s string) {
	p.b = clean.Append(p.b, s, clean.Verbatim)
	if n := len(p.b); n > 0 && p.b[n-1] != '\n' {
		p.newline()
	}
}

// join returns the strings in one line: "a, b, c".
func join(list []string) string {
	switch len(list) {
	case 0:
		return ""
	case 1:
		return list[0]
	}
	n := 0
	for _, s := range list {
		n += len(s) + 2
	}
	b := make([]byte, 0, n)
	for i, s := range list {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, s...)
	}
	return string(b)
}

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

// guard writes guardSign if s starts like an order block or a command, and reports
// whether it did.
func (p *page) guard(s string) bool {
	if !marksBlock(s) {
		return false
	}
	p.b = append(p.b, guardSign)
	return true
}

// guardFrom guards s if only spaces were written since start.
func (p *page) guardFrom(start int, s string) bool {
	if !marksBlock(s) {
		return false
	}
	for _, c := range p.b[start:] {
		if c != ' ' {
			return false
		}
	}
	return p.guard(s)
}
