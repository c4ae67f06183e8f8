package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/templates"
)

// EventLines returns all lines of the report of a view that begin with an event. Each
// starts with the number that a protest cites, and includes the line's details:
// "3.17, phase 2: Hood fires ...".
func EventLines(r *engine.Rules, v *engine.View) []string {
	var out []string
	for _, c := range r.Present(v).Phases {
		for i, l := range c.Lines {
			if l.N > 0 {
				out = append(out, number(v, l.N)+": "+whole(c.Lines[i:]))
			}
		}
	}
	return out
}

// EventLine describes the n-th event of a view, counted from 1, with its number. It is the
// report line that begins with the event or, if there is none, the event's own sentences.
func EventLine(r *engine.Rules, v *engine.View, n int) string {
	for _, c := range r.Present(v).Phases {
		for i, l := range c.Lines {
			if l.N == n {
				return number(v, n) + ": " + whole(c.Lines[i:])
			}
		}
	}
	return number(v, n) + ": " + whole(r.Sentences(v, n-1))
}

func number(v *engine.View, n int) string {
	s := fmt.Sprintf("%d.%d", v.Turn, n)
	if phase := v.Events[n-1].Phase; phase > 0 {
		s += fmt.Sprintf(", phase %d", phase)
	}
	return s
}

// whole joins the first line with its details.
func whole(lines []engine.Line) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 && l.N > 0 {
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(l.Text)
		if l.Cite != "" {
			b.WriteString(" [" + l.Cite + "]")
		}
	}
	return b.String()
}

// mostElsewhere is how many lines about others may be mixed with those that
// concern the reader.
const mostElsewhere = 20

// Told returns all phases of a view's report, those about others last if the report separates them.
func Told(r *engine.Rules, v *engine.View) []templates.Phase {
	phases, elsewhere := told(v, r.Present(v).Phases)
	return append(phases, elsewhere...)
}

// told returns the phases of a turn, with the lines that concern the reader marked. If
// more than mostElsewhere lines do not, these are returned separately in elsewhere.
func told(v *engine.View, chapters []engine.Chapter) (phases, elsewhere []templates.Phase) {
	var names []string
	for _, s := range v.Ships {
		if s.Own {
			names = append(names, s.Name)
		}
	}
	chapters = tracked(v, chapters)
	phases = make([]templates.Phase, 0, len(chapters))
	others := 0
	for _, c := range chapters {
		ph := templates.Phase{Title: c.Title, Lines: make([]templates.Line, len(c.Lines))}
		own := false
		for i, l := range c.Lines {
			if l.Depth == 0 {
				own = concerns(v, l, names)
				if !own {
					others++
				}
			}
			ph.Lines[i] = templates.Line{Text: l.Text, Cite: l.Cite, Depth: l.Depth, Own: own && l.Depth == 0}
			if v.Round == 0 { // no protests in the middle of a turn
				ph.Lines[i].N = l.N
			}
		}
		phases = append(phases, ph)
	}
	if others <= mostElsewhere || len(names) == 0 {
		return phases, nil
	}
	for i := range phases {
		ph := &phases[i]
		mine, rest := templates.Phase{Title: ph.Title}, templates.Phase{Title: ph.Title}
		to := &rest
		for _, l := range ph.Lines {
			switch {
			case l.Depth > 0:
			case l.Own:
				to = &mine
			default:
				to = &rest
			}
			to.Lines = append(to.Lines, l)
		}
		if *ph = mine; len(rest.Lines) > 0 {
			elsewhere = append(elsewhere, rest)
		}
	}
	phases = slices.DeleteFunc(phases, func(ph templates.Phase) bool { return len(ph.Lines) == 0 })
	if len(phases) == 0 {
		return elsewhere, nil
	}
	return phases, elsewhere
}

// tracked rearranges the chapters of a captain in a dark game: a first chapter describes each contact once, and the
// contact lines of the phases are removed.
func tracked(v *engine.View, chapters []engine.Chapter) []engine.Chapter {
	if !v.Dark || v.Viewer.All {
		return chapters
	}
	contact := func(l engine.Line) bool {
		if l.N == 0 {
			return false
		}
		_, is := v.Events[l.N-1].Body.(*dark.SensorContact)
		return is
	}
	out := make([]engine.Chapter, 1, len(chapters)+1)
	out[0] = engine.Chapter{Title: "Contacts", Lines: dark.Tracks(v)}
	for _, c := range chapters {
		c.Lines = slices.DeleteFunc(slices.Clone(c.Lines), contact)
		out = append(out, c)
	}
	return slices.DeleteFunc(out, func(c engine.Chapter) bool { return len(c.Lines) == 0 })
}

// reading explains the marks and numbers before lines, and the citations after them.
func reading(v *engine.View, f Meta, phases []templates.Phase) string {
	number, cite := 0, ""
	for _, ph := range phases {
		for _, l := range ph.Lines {
			if number == 0 {
				number = l.N
			}
			if cite == "" {
				cite, _, _ = strings.Cut(l.Cite, ", ")
			}
		}
	}
	if number == 0 {
		return ""
	}
	out := "An asterisk marks what concerns you."
	if f.Robot != "" && cite != "" {
		out += fmt.Sprintf(" For what the rules in brackets say, send for example: help %s.", cite)
	}
	if f.Robot != "" && !v.Viewer.All {
		out += fmt.Sprintf(" To dispute a line, send its number: protest %s %d.%d REASON", v.Game, v.Turn, number)
	}
	return out
}

// concerns reports whether a line is about one of the named ships, or concerns every reader.
func concerns(v *engine.View, l engine.Line, names []string) bool {
	if 0 < l.N && l.N <= len(v.Events) {
		switch v.Events[l.N-1].Body.(type) {
		case *engine.Won, *dark.SensorContact, *dark.ChartEntry:
			return true
		}
	}
	return slices.ContainsFunc(names, func(name string) bool { return mentions(l.Text, name) })
}

// mentions reports whether text contains name as a word of its own.
func mentions(text, name string) bool {
	for from := 0; name != ""; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			break
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(name):])
		if !inWord(before) && !inWord(after) {
			return true
		}
		from = i + len(name)
	}
	return false
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' }
