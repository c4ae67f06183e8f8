package templates

import (
	"bytes"
	"strings"
	"sync"

	"starpost/templates/clean"
)

// The output of a text template is laid out once it is complete: each line is broken and
// keeps its own indentation, blank lines in a row become one, and "== " starts a title.
// Lines that a function has already laid out are enclosed in laidFrom and laidTo;
// cleaning removes these signs from everything else.
const (
	laidFrom = '\x01'
	laidTo   = '\x02'
	ruleMark = "== "
)

// laid holds lines that need no further layout, between laidFrom and laidTo.
type laid string

var pages = sync.Pool{New: func() any { return &page{b: make([]byte, 0, 8<<10)} }}

// laidOut returns the lines that draw writes.
func laidOut(draw func(*page)) laid {
	p := pages.Get().(*page)
	defer pages.Put(p)
	p.b = append(p.b[:0], laidFrom)
	draw(p)
	return laid(append(p.b, laidTo))
}

// cleanString returns untrusted text as one line without control characters.
func cleanString(s string) string {
	if clean.Plain(s, 0) {
		return s
	}
	return string(clean.Append(nil, s, 0))
}

// lay lays out raw, the output of a text template, on an empty page.
func (p *page) lay(raw []byte) {
	gap := false // a blank line is due before the next text
	end := func() {
		if gap && len(p.b) > 0 {
			p.newline()
		}
		gap = false
	}
	for len(raw) > 0 {
		if raw[0] == laidFrom {
			to := bytes.IndexByte(raw, laidTo)
			if block := raw[1:to]; len(block) > 0 {
				if block[0] == '\n' && (gap || len(p.b) == 0) {
					block = block[1:]
				}
				end()
				p.b = append(p.b, block...)
			}
			raw = bytes.TrimPrefix(raw[to+1:], []byte{'\n'})
			continue
		}
		n := bytes.IndexAny(raw, "\n\x01")
		if n < 0 {
			n = len(raw)
		}
		line := string(raw[:n])
		raw = bytes.TrimPrefix(raw[n:], []byte{'\n'})
		text := strings.Trim(line, " \t\r")
		switch {
		case text == "":
			gap = true
			continue
		case strings.HasPrefix(line, ruleMark):
			at := len(p.b)
			if p.rule(line[len(ruleMark):]); at == 0 {
				p.b = p.b[1:]
			}
			gap = false
			continue
		}
		end()
		lead := blanks(min(len(line)-len(strings.TrimLeft(line, " ")), 20))
		hang := len(lead)
		if strings.HasPrefix(text, "- ") {
			hang += 2
		}
		p.para(lead, hang, text)
	}
}

// shown writes the output of a command with "| " before each line, at full width.
func (p *page) shown(s string) {
	lines(s, func(line string) {
		p.b = append(p.b, '|')
		if line = strings.TrimRight(line, " "); line != "" {
			p.b = append(p.b, ' ')
			p.put(line)
		}
		p.newline()
	})
}
