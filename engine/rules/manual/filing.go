package manual

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"starpost/engine"
	"starpost/orders"
)

// Marks that begin the sections of a filing.
const (
	markAll     = "#all"
	markSide    = "#side"
	markShip    = "#ship"
	markPart    = "#part"
	markRulings = "#rulings"
	markEnd     = "#end"
)

func marks() []string { return []string{markAll, markSide, markShip, markPart, markRulings, markEnd} }

// Limits of a filing.
const (
	maxFiling     = 256 << 10
	maxFiledLines = 5000
	maxFiledRunes = 2000 // in a line
	maxTitle      = 80
)

// section is a section of a filing: its mark, the name after it, and the lines below.
type section struct {
	pos   orders.Pos // of the mark
	mark  string
	name  string
	named orders.Pos
	lines []orders.Line
}

// sections splits a filing. Any line that begins with # must be a known mark: a misspelt one would show its text to
// the wrong people.
func sections(data []byte) (out []section, ds []orders.Diagnostic) {
	say := func(pos orders.Pos, code, hint, format string, args ...any) {
		ds = append(ds, orders.Diagnostic{Pos: pos, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	first := orders.Pos{Line: 1, Col: 1}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch {
	case len(data) > maxFiling:
		say(first, "E301", "", "the filing has more than %d bytes", maxFiling)
		return nil, ds
	case !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		say(first, "E301", "write it as plain text in UTF-8", "this is not plain text")
		return nil, ds
	}
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(string(data), "\r\n", "\n"), "\r", "\n"), "\n")
	if len(lines) > maxFiledLines {
		say(orders.Pos{Line: maxFiledLines + 1, Col: 1}, "E301", "", "the filing has more than %d lines", maxFiledLines)
		return nil, ds
	}
	ended := false
	for i, text := range lines {
		text = strings.TrimRight(strings.Map(shown, text), " \t")
		at := orders.Pos{Line: i + 1, Col: len([]rune(text)) - len([]rune(strings.TrimLeft(text, " \t"))) + 1}
		bare := strings.TrimSpace(text)
		word, rest, _ := strings.Cut(bare, " ")
		word = lower(word)
		switch {
		case utf8.RuneCountInString(text) > maxFiledRunes:
			say(orders.Pos{Line: i + 1, Col: 1}, "E301", "", "the line has more than %d characters", maxFiledRunes)
		case ended && bare != "":
			say(at, "E303", "put it above "+markEnd, "there is text after %s", markEnd)
			return out, ds
		case bare == "" && len(out) == 0, strings.HasPrefix(bare, ";") && (len(out) == 0 || out[len(out)-1].mark == markRulings):
			// a remark, or nothing
		case strings.HasPrefix(bare, "##"):
			out, ds = keep(out, ds, orders.Line{N: i + 1, Text: strings.Replace(text, "##", "#", 1)}, at)
		case !strings.HasPrefix(bare, "#"):
			out, ds = keep(out, ds, orders.Line{N: i + 1, Text: text}, at)
		case word == markEnd:
			ended = true
		case slices.Contains(marks(), word):
			s := section{pos: at, mark: word, name: strings.TrimSpace(rest)}
			s.named = orders.Pos{Line: i + 1, Col: at.Col + len([]rune(bare)) - len([]rune(s.name))}
			switch wants := word != markAll && word != markRulings; {
			case wants && s.name == "":
				say(at, "E303", "such as "+word+" "+map[string]string{markSide: "union", markShip: "Hood", markPart: "The chase"}[word], "%s needs a name", word)
			case !wants && s.name != "":
				say(s.named, "E303", "put it on the lines below", "%s must be alone on its line", word)
			}
			out = append(out, s)
		default:
			hint := orders.DidYouMean("%s", word, marks(), "one of: "+strings.Join(marks(), ", ")+"; in text, double a # that begins a line")
			say(at, "E302", hint, "%q is not the start of a section", word)
			out = append(out, section{pos: at, mark: word}) // so that its text belongs to no other section
		}
	}
	return out, ds
}

// shown drops control and zero-width characters.
func shown(r rune) rune {
	if r != '\t' && unicode.IsControl(r) || r == '\u200b' || r == '\ufeff' {
		return -1
	}
	return r
}

// keep adds a line to the current section.
func keep(out []section, ds []orders.Diagnostic, line orders.Line, at orders.Pos) ([]section, []orders.Diagnostic) {
	if len(out) == 0 {
		if len(ds) == 0 || ds[len(ds)-1].Code != "E304" {
			ds = append(ds, orders.Diagnostic{Pos: at, Code: "E304", Message: "nothing says who this is for", Hint: "put " + markAll + " above what everyone is to read"})
		}
		return out, ds
	}
	last := &out[len(out)-1]
	last.lines = append(last.lines, line)
	return out, ds
}

// paragraphs joins lines. A blank line ends a paragraph; white space or a bullet at the start of a line begins a new
// one.
func paragraphs(lines []orders.Line) []string {
	var out, open []string // open: the lines of the unfinished paragraph
	end := func() {
		if len(open) > 0 {
			out = append(out, strings.Join(open, " "))
			open = nil
		}
	}
	for _, l := range lines {
		text := strings.TrimSpace(l.Text)
		own := strings.TrimLeft(l.Text, " \t") != l.Text || strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "* ")
		if text == "" || own {
			end()
		}
		if text != "" {
			open = append(open, text)
		}
	}
	end()
	return out
}

// plan reads a filing for the turn that is due, and returns its steps. Steps must not be taken if the diagnostics
// contain errors.
func plan(before *engine.Game, data []byte) ([]step, []orders.Diagnostic) {
	found, ds := sections(data)
	p := &planner{g: before.Clone(), rolls: map[string]bool{}, hexes: map[engine.ShipID]int{}, diags: ds}
	p.g.Turn++
	for _, s := range found {
		switch s.mark {
		case markPart:
			p.part(s)
		case markAll:
			p.told(s, "all", engine.SeeAll())
		case markSide:
			if sd, ok := p.side(s.name, s.named); ok {
				p.told(s, sd.ID, p.crew(sd.ID))
			}
		case markShip:
			if sh, ok := p.ship(s.name, s.named); ok {
				p.told(s, string(sh.ID), engine.SeeOnly(sh.ID))
			}
		case markRulings:
			p.rulings(s)
		}
	}
	empty := len(p.steps) == 0 && p.last == nil
	p.finish()
	if empty && !orders.HasErrors(p.diags) {
		p.warn(orders.Pos{Line: 1, Col: 1}, "W301", "put "+markAll+" and your words, or "+markRulings, "the filing is empty: the turn would pass without an event")
	}
	orders.Sort(p.diags)
	return p.steps, bound(p.diags)
}

// bound limits the number of remarks; errors come before warnings.
func bound(ds []orders.Diagnostic) []orders.Diagnostic {
	most := orders.MaxDiagnostics
	if len(ds) <= most {
		return ds
	}
	last := orders.Diagnostic{Pos: ds[len(ds)-1].Pos, Severity: orders.Warning, Code: "W306", Message: fmt.Sprintf("%d more comments are not shown", len(ds)-most)}
	slices.SortStableFunc(ds, func(a, b orders.Diagnostic) int { return cmp.Compare(a.Severity, b.Severity) })
	ds = ds[:most]
	orders.Sort(ds)
	return append(ds, last)
}
