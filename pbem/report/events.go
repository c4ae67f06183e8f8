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

// EventLines tells all lines of the report of a view that begin with an event, each
// with its details behind the number that a protest names it by: "3.17, phase 2:
// Hood fires ...".
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

// EventLine tells the n-th event of a view, from 1, with its number: as the line of the
// report that begins with it, or by itself where the report tells it within another.
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

// whole joins the first line and its details.
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

// mostElsewhere is how many lines about others may stand among those that concern
// the reader.
const mostElsewhere = 20

// Told are the phases of a view as its report tells them, all in one.
func Told(r *engine.Rules, v *engine.View) []templates.Phase {
	phases, elsewhere := told(v, r.Present(v).Phases)
	return append(phases, elsewhere...)
}

// told are the phases of a turn. Lines that concern the reader are marked, and where
// there is much else they come first and the rest follows in elsewhere.
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
			if v.Round == 0 { // else it cannot be protested against yet
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

// tracked are chapters in which a captain in the dark is told once in a turn of each of his contacts, before all
// else, and no more phase by phase.
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

// reading tells what the marks and numbers before the lines are, and what stands behind them.
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

// concerns tells whether a line is about one of the ships, or about all.
func concerns(v *engine.View, l engine.Line, names []string) bool {
	if 0 < l.N && l.N <= len(v.Events) {
		switch v.Events[l.N-1].Body.(type) {
		case *engine.Won, *dark.SensorContact, *dark.ChartEntry:
			return true
		}
	}
	return slices.ContainsFunc(names, func(name string) bool { return mentions(l.Text, name) })
}

// mentions tells whether a name stands in a text, and not only within a longer word.
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
