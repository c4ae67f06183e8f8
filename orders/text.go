package orders

import (
	"fmt"
	"strings"
)

// text parses a message from the #text on lines[i] to its #endtext and returns the index of the last line used.
// Rest is what follows #text on its own line: the first line of the message, or all of it if it ends with #endtext.
func (p *parser) text(lines []Line, i int, rest segment, at Pos) int {
	var body []Line
	closed := false
	if ink := firstInk(rest.runes); ink < len(rest.runes) && rest.runes[ink] != ';' {
		one := string(rest.runes[ink:])
		const end = "#endtext"
		if cut := len(strings.TrimSpace(one)) - len(end); cut >= 0 && same(strings.TrimSpace(one)[cut:], end) {
			one, closed = strings.TrimSpace(one[:cut]), true
		}
		body = append(body, Line{N: rest.line, Text: one})
	}
	first := Pos{rest.line, rest.col}
	for !closed && i+1 < len(lines) {
		i++
		rs := []rune(lines[i].Text)
		if word, _, end := mark(rs); word == "#endtext" {
			closed = true
			if after := trailing(rs[end:]); after >= 0 {
				p.warn(Pos{lines[i].N, end + after + 1}, CodeAfterEnd, "the words after #endtext are ignored", "")
			}
			break
		}
		if len(body) == 0 {
			first = Pos{lines[i].N, 1}
		}
		body = append(body, lines[i])
	}
	if !closed {
		p.fail(at, CodeTextOpen, "the text that begins here has no #endtext before #end",
			"put #endtext on a separate line after the text")
	}
	p.keep(body, first, at)
	return i
}

// keep adds a message to the statement it belongs to.
func (p *parser) keep(body []Line, first, at Pos) {
	owner, last := p.body, p.last
	p.body, p.last = bodyNone, nil
	switch owner {
	case bodySpoilt:
		return
	case bodyNone:
		p.fail(at, CodeTextOwner, "no order above takes this text", "put the order, such as message, on the line above #text")
		return
	case bodyWanted: // below
	}
	ink := false
	var text []string
	for _, l := range body {
		rs := []rune(l.Text)
		text = append(text, l.Text)
		p.textRunes += len(rs)
		ink = ink || firstInk(rs) < len(rs)
		if len(rs) > MaxLineRunes {
			d := lineTooLong(l.N, len(rs))
			p.fail(d.Pos, d.Code, d.Message, "break it in two")
		}
	}
	p.textLines += len(text)
	switch {
	case !ink:
		p.fail(at, CodeTextMissing, "the text is empty", "put lines between #text and #endtext")
	case p.textLines > MaxTextLines || p.textRunes > MaxTextRunes:
		p.fail(at, CodeTextTooLong, fmt.Sprintf("the texts in a block can have at most %d lines and %d characters",
			MaxTextLines, MaxTextRunes), "shorten it")
	default:
		last.Text, last.TextPos = text, first
	}
}

// closeBody reports a statement without its required text.
func (p *parser) closeBody() {
	if p.body == bodyWanted {
		p.fail(p.last.Pos, CodeTextMissing, p.last.Verb+" needs a text",
			"put it on the lines below, between #text and #endtext")
	}
	p.body, p.last = bodyNone, nil
}
