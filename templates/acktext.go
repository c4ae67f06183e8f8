package templates

import (
	"strconv"
	"unicode/utf8"
)

// AckText writes an acknowledgement as plain text of at most 78 columns. The
// set in force stands behind bars, so that an answer that quotes it does not
// hand it in again.
func AckText(a Ack) string {
	p := &page{b: make([]byte, 0, 8192)}
	p.title(a.Game, a.Title, a.about())
	p.ends(named(a.Ship, a.ShipTitle), a.Captain)
	p.newline()
	p.para("", 2, a.headline())
	p.notices(a.Notices)
	if len(a.Diagnostics) > 0 {
		p.rule(countWords(a.Counts()))
		for i := range a.Diagnostics {
			if i > 0 {
				p.newline()
			}
			p.diagnostic(&a.Diagnostics[i])
		}
	}
	if len(a.Lines) > 0 {
		p.rule("Your orders, line by line")
		table(p, lineGrid{a.Lines})
	}
	for i := range a.Panels {
		p.panel(&a.Panels[i])
	}
	if a.InForce != "" || a.Set != "" || len(a.Sums) > 0 {
		p.rule(a.inForceTitle())
		p.para("  ", 2, a.InForce)
		for _, s := range a.Sums {
			p.para("  - ", 4, s)
		}
		if a.Set != "" {
			p.newline()
			p.quoted(a.Set)
		}
	}
	if !a.Forecast.Empty() {
		p.rule("Forecast")
		p.newline()
		p.b = appendASCII(p.b, &a.Forecast)
	}
	if a.Deadline != "" || a.Left != "" || len(a.Missing) > 0 {
		p.rule("Time")
		p.due(a.Deadline, a.Left)
		p.missing(a.Missing)
	}
	if len(a.Answer) > 0 {
		p.rule("What you may send")
		for _, s := range a.Answer {
			p.para("  - ", 4, s)
		}
	}
	return string(p.b)
}

// inForceTitle is the title of the part about what is in force.
func (a *Ack) inForceTitle() string {
	if a.Verdict == Checked {
		return "Checked, not in force"
	}
	return "In force"
}

// about is what the answer is about: no turn, if the first line named none.
func (a *Ack) about() string {
	if a.Turn == 0 {
		return "Orders"
	}
	return "Orders for " + turnWords(a.Turn, a.Phase)
}

// headline is what the verdict says in a line.
func (a *Ack) headline() string {
	if a.Headline != "" {
		return a.Headline
	}
	switch a.Verdict {
	case Accepted:
		return "Your orders are accepted."
	case Refused:
		return "Your orders are refused; no orders of yours are in force."
	case Kept:
		return "Your orders are refused; your earlier orders stay in force."
	case Checked:
		return "Your orders were checked; nothing was stored."
	case Canceled:
		return "Your orders are canceled."
	case Untrusted:
		return "Your orders are refused; nothing was changed."
	}
	return string(a.Verdict)
}

// countWords is "2 errors, 1 warning".
func countWords(errors, warnings int) string {
	var few [64]byte
	b := few[:0]
	count := func(n int, word string) {
		if n == 0 {
			return
		}
		if len(b) > 0 {
			b = append(b, ", "...)
		}
		b = append(appendInt(b, n), word...)
		if n > 1 {
			b = append(b, 's')
		}
	}
	count(errors, " error")
	count(warnings, " warning")
	return string(b)
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

func (p *page) diagnostic(d *Diagnostic) {
	p.para("  ", 4, d.where()+d.Text)
	if d.Source != "" {
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
	p.para("    Hint: ", 6, d.Hint)
}

// where is "Line 5, column 8, error E042: ".
func (d *Diagnostic) where() string {
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
		b = append(b, clip(d.Code, 12)...)
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

// excerptWidth is the room for an offending line.
const excerptWidth = 70

// excerpt gives the part of the source around the offending place that fits a
// line, and the column and width of the place in it; width 0 when the place
// lies outside the line.
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
		return clip(s, excerptWidth), 0, 0
	}
	end := start + skipRunes(s[start:], max(d.Width, 1))
	at = columns(s[:start])
	width = max(columns(s[start:end]), 1)
	front := ""
	if at > excerptWidth/2 {
		// Drop whole runes at the front until the place is near the left.
		drop := at - excerptWidth/4
		cut := 0
		for gone := 0; cut < start && gone < drop; {
			_, size := utf8.DecodeRuneInString(s[cut:])
			gone += columns(s[cut : cut+size])
			cut += size
		}
		front = ".. "
		at = len(front) + columns(s[cut:start])
		s = s[cut:]
	}
	line = clip(front+s, excerptWidth)
	return line, at, min(width, excerptWidth-at)
}

// skipRunes is the number of bytes of the first n runes of s.
func skipRunes(s string, n int) int {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return i
}
