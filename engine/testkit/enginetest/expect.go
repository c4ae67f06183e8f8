package enginetest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
)

// results compares everything that the case says of a resolved turn.
func (p *player) results(t *Turn) {
	events := make([]any, len(p.events))
	for i, e := range p.events {
		events[i] = e
	}
	p.then(t.Then, events)
	for _, l := range t.State {
		p.state(l)
	}
	for _, sec := range t.Views {
		if v := p.viewOf(sec); v != nil {
			p.seen(sec, v)
		}
	}
	for _, sec := range t.Reports {
		if v := p.viewOf(sec); v != nil {
			p.lines(sec.Lines, reportLines(p.rules.Present(v)))
		}
	}
	for _, sec := range t.Template {
		if v := p.viewOf(sec); v != nil {
			p.lines(sec.Lines, strings.Split(p.rules.Template(v, v.Viewer.Focus), "\n"))
		}
	}
}

func (p *player) viewOf(sec Section) *engine.View {
	s, seat := p.seat(sec.No, sec.Ship)
	if s == nil {
		return nil
	}
	return p.view(sec.No, seat)
}

// expectation is a line of then or view.
type expectation struct {
	kind    string
	demands []demand
	none    bool // no such event
	count   int  // just so many; -1 for one, in order
}

func parseExpectation(text string) (expectation, error) {
	x := expectation{count: -1}
	ws, err := words(text)
	if err != nil {
		return x, err
	}
	if ws[0] == "!" {
		x.none, ws = true, ws[1:]
	} else if n, ok := strings.CutSuffix(ws[0], "x"); ok && len(ws) > 1 {
		if x.count, err = strconv.Atoi(n); err != nil {
			x.count = -1
		} else {
			ws = ws[1:]
		}
	}
	if len(ws) == 0 || strings.ContainsAny(ws[0], "=~") {
		return x, fmt.Errorf("name the type of the event first")
	}
	x.kind = ws[0]
	x.demands, err = parseDemands(ws[1:])
	return x, err
}

// then compares events, or entries of a view, with expectations.
func (p *player) then(lines []Line, events []any) {
	all := make([]any, len(events))
	for i, e := range events {
		f, err := fields(e)
		if err != nil {
			p.fail(1, "event %d: %v", i+1, err)
			return
		}
		all[i] = f
	}
	next := 0
	for _, l := range lines {
		x, err := parseExpectation(l.Text)
		if err != nil {
			p.fail(l.No, "%v", err)
			continue
		}
		var fits []int
		for i, e := range all {
			if x.fits(e) {
				fits = append(fits, i)
			}
		}
		switch {
		case x.none && len(fits) > 0:
			p.fail(l.No, "there is one: %s", say(all[fits[0]]))
		case x.none:
		case x.count >= 0 && len(fits) != x.count:
			p.fail(l.No, "there are %d, expected %d%s", len(fits), x.count, nearMisses(x, all))
		case x.count >= 0:
		default:
			i := slices.IndexFunc(fits, func(i int) bool { return i >= next })
			switch {
			case i >= 0:
				next = fits[i] + 1
			case len(fits) > 0:
				p.fail(l.No, "it happens, but before what the line above says: %s", say(all[fits[0]]))
			default:
				p.fail(l.No, "no such event%s", nearMisses(x, all))
			}
		}
	}
}

func (x expectation) fits(e any) bool {
	kind, _ := at(e, "type")
	return say(kind) == x.kind && len(allMet(e, x.demands)) == 0
}

// nearMisses shows the events of the type that was expected.
func nearMisses(x expectation, all []any) string {
	var out strings.Builder
	for _, e := range all {
		if kind, _ := at(e, "type"); say(kind) == x.kind {
			fmt.Fprintf(&out, "\n  %s\n    %s", say(e), strings.Join(allMet(e, x.demands), "; "))
		}
	}
	if out.Len() == 0 {
		return "; there is none of that type"
	}
	return out.String()
}

// state compares a ship, a side or the game itself.
func (p *player) state(l Line) {
	ws, err := words(l.Text)
	if err != nil {
		p.fail(l.No, "%v", err)
		return
	}
	var v any
	switch ws[0] {
	case "game":
		v = p.game
	case "side":
		if len(ws) < 2 {
			p.fail(l.No, "which side?")
			return
		}
		s, ok := p.game.Side(ws[1])
		if !ok {
			p.fail(l.No, "there is no side %q", ws[1])
			return
		}
		v, ws = s, ws[1:]
	default:
		s := p.ship(l.No, ws[0])
		if s == nil {
			return
		}
		v = s
	}
	p.compare(l, v, ws[1:])
}

func (p *player) compare(l Line, v any, ws []string) {
	f, err := fields(v)
	if err != nil {
		p.fail(l.No, "%v", err)
		return
	}
	demands, err := parseDemands(ws)
	if err != nil {
		p.fail(l.No, "%v", err)
		return
	}
	for i, d := range demands {
		head, _, _ := strings.Cut(d.path, ".")
		if _, own := at(f, head); own {
			continue
		}
		if _, ok := at(f, "system."+head); ok {
			demands[i].path = "system." + d.path
		}
	}
	for _, miss := range allMet(f, demands) {
		p.fail(l.No, "%s", miss)
	}
}

// seen compares a view: its ships and its events.
func (p *player) seen(sec Section, v *engine.View) {
	var events []Line
	for _, l := range sec.Lines {
		rest, isShip := strings.CutPrefix(l.Text, "ship ")
		gone, isGone := strings.CutPrefix(l.Text, "! ship ")
		switch {
		case isShip:
			id, demands, _ := strings.Cut(rest, " ")
			s, ok := v.Ship(engine.ShipID(strings.ToLower(id)))
			if !ok {
				p.fail(l.No, "%s does not see %s", sec.Ship, id)
				continue
			}
			ws, err := words(demands)
			if err != nil {
				p.fail(l.No, "%v", err)
				continue
			}
			p.compare(l, s, ws)
		case isGone:
			if _, ok := v.Ship(engine.ShipID(strings.ToLower(strings.TrimSpace(gone)))); ok {
				p.fail(l.No, "%s sees %s", sec.Ship, gone)
			}
		default:
			events = append(events, l)
		}
	}
	entries := make([]any, len(v.Events))
	for i, e := range v.Events {
		entries[i] = e
	}
	p.then(events, entries)
}

// reportLines are the lines of a report, those of the panels after the story.
func reportLines(pr engine.Presentation) []string {
	var out []string
	for _, c := range pr.Phases {
		out = append(out, c.Title)
		for _, l := range c.Lines {
			text := l.Text
			if l.Cite != "" {
				text += " [" + l.Cite + "]"
			}
			out = append(out, text)
		}
	}
	for _, panel := range pr.Panels {
		out = append(out, panel.Title)
		for _, row := range panel.Rows {
			out = append(out, strings.Join(row, " "))
		}
		out = append(out, panel.Notes...)
	}
	return out
}

// lines looks for parts of lines, in order; with ! nowhere.
func (p *player) lines(want []Line, got []string) {
	next := 0
	for _, l := range want {
		if part, none := strings.CutPrefix(l.Text, "! "); none {
			for _, g := range got {
				if strings.Contains(g, part) {
					p.fail(l.No, "there is such a line: %s", g)
				}
			}
			continue
		}
		i := slices.IndexFunc(got[next:], func(g string) bool { return strings.Contains(g, l.Text) })
		if i < 0 {
			p.fail(l.No, "no such line from line %d on:\n  %s", next+1, strings.Join(got, "\n  "))
			continue
		}
		next += i + 1
	}
}
