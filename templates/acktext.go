package templates

import (
	"strconv"
	"unicode/utf8"

	"starpost/templates/clean"
)

// countWords returns text such as "2 errors, 1 warning".
func countWords(errors, warnings int) string {
	var words []string
	for _, of := range []struct {
		n    int
		word string
	}{{errors, "error"}, {warnings, "warning"}} {
		switch {
		case of.n == 1:
			words = append(words, "1 "+of.word)
		case of.n > 1:
			words = append(words, strconv.Itoa(of.n)+" "+of.word+"s")
		}
	}
	return join(words)
}

// lineGrid lists the lines of an order set with their effects.
type lineGrid struct{ lines []AckLine }

var lineHead = [...]Column{{Right: true}, {}, {}}

func (g lineGrid) rows() int      { return len(g.lines) }
func (g lineGrid) head() []Column { return lineHead[:] }
func (g lineGrid) cell(row, col int) string {
	l := &g.lines[row]
	switch col {
	case 0:
		if l.No > 0 {
			return strconv.Itoa(l.No)
		}
		return ""
	case 1:
		return l.Text
	}
	return l.Effect
}

// excerpt writes the offending line and underlines the place.
func (p *page) excerpt(d *Diagnostic) {
	if d.Source == "" {
		return
	}
	line, at, n := d.excerpt()
	p.b = append(p.b, "    | "...)
	p.put(line)
	p.newline()
	if n > 0 {
		p.b = append(p.b, "    | "...)
		p.b = appendCaret(p.b, at, n)
		p.newline()
	}
}

// Where returns the beginning of a message, such as "line 5, column 8: error E042: ".
func (d Diagnostic) Where() string {
	var few [96]byte
	b := few[:0]
	if d.Line > 0 {
		b = appendInt(append(b, "line "...), d.Line)
		if d.Col > 0 {
			b = appendInt(append(b, ", column "...), d.Col)
		}
		b = append(b, ": "...)
	}
	if d.Severity == Warning {
		b = append(b, "warning"...)
	} else {
		b = append(b, "error"...)
	}
	if d.Code != "" {
		b = append(b, ' ')
		b = append(b, clean.Clip(d.Code, 12)...)
	}
	return string(append(b, ": "...))
}

func appendCaret(b []byte, at, n int) []byte {
	b = append(append(b, blankLine[:min(at, len(blankLine))]...), '^')
	for range n - 1 {
		b = append(b, '~')
	}
	return b
}

// excerptWidth is the width of an excerpt of an offending line.
const excerptWidth = 70

// excerpt returns the part of the source line around the offending place that fits
// excerptWidth, and the column and width of the place in it. The width is 0 if the
// place lies outside the line.
func (d *Diagnostic) excerpt() (line string, at, width int) {
	s := d.Source
	for i := range len(s) {
		if s[i] == '\n' || s[i] == '\r' {
			s = s[:i]
			break
		}
	}
	start := skipRunes(s, d.Col-1)
	if d.Col < 1 || start > len(s) || d.Col-1 > len(s) {
		return clean.Clip(s, excerptWidth), 0, 0
	}
	end := start + skipRunes(s[start:], max(d.Width, 1))
	at = clean.Columns(s[:start])
	width = max(clean.Columns(s[start:end]), 1)
	front := ""
	if at > excerptWidth/2 {
		// Drop whole runes at the front until the place is near the left.
		drop := at - excerptWidth/4
		cut := 0
		for gone := 0; cut < start && gone < drop; {
			_, size := utf8.DecodeRuneInString(s[cut:])
			gone += clean.Columns(s[cut : cut+size])
			cut += size
		}
		front = ".. "
		at = len(front) + clean.Columns(s[cut:start])
		s = s[cut:]
	}
	line = clean.Clip(front+s, excerptWidth)
	return line, at, min(width, excerptWidth-at)
}

// skipRunes returns the number of bytes in the first n runes of s.
func skipRunes(s string, n int) int {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return i
}
