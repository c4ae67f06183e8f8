package conformance

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/orders"
)

// beside is the code of a warning about an order set as a whole. The sets in cases have only what the case is
// about, so a case may leave it out of its checks.
const beside = "W122"

// eventOf parses a line of then.
func eventOf(l Line) (expected, error) {
	x := expected{}
	ws, err := words(l.Text)
	if err != nil {
		return x, err
	}
	if ws[0] == "!" {
		x.None, ws = true, ws[1:]
	} else if n, ok := strings.CutSuffix(ws[0], "x"); ok && len(ws) > 1 {
		if count, err := strconv.Atoi(n); err == nil {
			x.Count, ws = &count, ws[1:]
		}
	}
	if len(ws) == 0 || strings.ContainsAny(ws[0], "=~") {
		return x, fmt.Errorf("name the type of the event first")
	}
	x.Of = ws[0]
	x.Fields, err = parseDemands(ws[1:])
	return x, err
}

// stateOf parses a line of state: "Hood hex=1010", "side klingon points=4", "game turn=1".
func stateOf(l Line) (expected, error) {
	x := expected{}
	ws, err := words(l.Text)
	if err != nil {
		return x, err
	}
	if ws[0] == "side" {
		if len(ws) < 2 {
			return x, fmt.Errorf("which side?")
		}
		ws = append([]string{"side " + ws[1]}, ws[2:]...)
	}
	x.Of = ws[0]
	x.Fields, err = parseDemands(ws[1:])
	return x, err
}

// seenOf parses a line of view: an event, or "ship ID ..." such as "ship hood hex=1010".
func seenOf(l Line) (expected, error) {
	rest, gone := strings.CutPrefix(l.Text, "! ship ")
	own, is := strings.CutPrefix(l.Text, "ship ")
	switch {
	case gone:
		return expected{None: true, Of: "ship " + strings.ToLower(strings.TrimSpace(rest))}, nil
	case !is:
		return eventOf(l)
	}
	id, demands, _ := strings.Cut(own, " ")
	x := expected{Of: "ship " + strings.ToLower(id)}
	ws, err := words(demands)
	if err == nil {
		x.Fields, err = parseDemands(ws)
	}
	return x, err
}

// textOf parses a line of report or template: a part of a line.
func textOf(l Line) (expected, error) {
	part, none := strings.CutPrefix(l.Text, "! ")
	return expected{None: none, Parts: []string{part}}, nil
}

// remarkOf parses a line of check: a code and parts of the message, or "says" and a part of the text.
func remarkOf(l Line) (expected, error) {
	if part, ok := strings.CutPrefix(l.Text, saysPrefix); ok {
		return expected{Of: strings.TrimSpace(saysPrefix), Parts: []string{part}}, nil
	}
	ws, err := words(l.Text)
	if err != nil {
		return expected{}, err
	}
	x := expected{Of: ws[0]}
	for _, w := range ws[1:] {
		part, err := unquote(w)
		if err != nil {
			return x, err
		}
		x.Parts = append(x.Parts, part)
	}
	return x, nil
}

const saysPrefix = "says "

// comparison compares what a case expects with an answer, and collects the differences.
type comparison struct {
	failures []Failure
	skipped  int // lines that the answer has nothing about
}

// Compare returns how an answer differs from the case, and how many lines of the case the answer has nothing about.
func (c *Case) Compare(a Answer) (failures []Failure, skipped int) {
	p := &comparison{}
	for _, f := range a.Faults {
		p.fail(c.givenAt, "%s", f)
	}
	switch {
	case c.Check != nil && a.Remarks == nil && len(a.Faults) == 0:
		p.skipped += len(c.Check)
	case c.Check != nil:
		p.remarks(c.givenAt, c.Check, a.Remarks, nil)
	case hasErrors(a.Remarks):
		p.fail(c.givenAt, "the scenario has mistakes: %s", list(a.Remarks))
	}
	broken := len(p.failures) > 0
	for i := range c.Turns {
		t := &c.Turns[i]
		if i >= len(a.Turns) {
			if !broken {
				p.fail(t.No, "the turn was not played")
			}
			break
		}
		p.turn(t, &a.Turns[i])
		broken = len(a.Turns[i].Faults) > 0
	}
	return p.failures, p.skipped
}

func (p *comparison) fail(line int, format string, args ...any) {
	p.failures = append(p.failures, Failure{line, fmt.Sprintf(format, args...)})
}

func hasErrors(rs []remark) bool {
	return slices.ContainsFunc(rs, func(r remark) bool { return strings.HasPrefix(r.Code, "E") })
}

func list(rs []remark) string {
	parts := make([]string, len(rs))
	for i, r := range rs {
		parts[i] = fmt.Sprintf("%s %q (%s)", r.Code, r.Message, r.Hint)
	}
	return strings.Join(parts, ", ")
}

func (p *comparison) turn(t *Turn, a *turnAnswer) {
	for _, f := range a.Faults {
		p.fail(t.No, "%s", f)
	}
	for _, c := range t.Ships {
		if c.Policy == "" {
			p.orders(t, c, a)
		}
	}
	for _, ch := range t.Checks {
		if !slices.ContainsFunc(t.Ships, func(c Captain) bool { return strings.EqualFold(c.Ship, ch.Ship) && c.Policy == "" }) {
			p.fail(ch.No, "%s has no orders here to check", ch.Ship)
		}
	}
	if !t.resolve || a.Game == nil && len(a.Faults) > 0 {
		return
	}
	if events, ok := p.taken(t.No, a.Events, len(t.Then)); ok {
		p.then(t.Then, events)
	}
	if game, ok := p.taken(t.No, a.Game, len(t.State)); ok && len(t.State) > 0 {
		for _, l := range t.State {
			p.state(l, game)
		}
	}
	for _, sec := range t.Views {
		if v, ok := p.taken(sec.No, a.Views[sec.Ship], len(sec.Lines)); ok {
			p.seen(sec, v)
		}
	}
	p.texts(t.Reports, a.Reports)
	p.texts(t.Template, a.Templates)
}

// taken returns a part of an answer as a generic JSON value. If there is none it returns false, and its lines are
// skipped.
func (p *comparison) taken(at int, v any, lines int) (any, bool) {
	if v == nil {
		p.skipped += lines
		return nil, false
	}
	f, err := fields(v)
	if err != nil {
		p.fail(at, "the answer: %v", err)
	}
	return f, err == nil
}

func (p *comparison) texts(sections []Section, got map[string][]string) {
	for _, sec := range sections {
		if lines, ok := got[sec.Ship]; ok {
			p.lines(sec.Lines, lines)
		} else {
			p.skipped += len(sec.Lines)
		}
	}
}

// orders compares the remarks on an order set.
func (p *comparison) orders(t *Turn, c Captain, a *turnAnswer) {
	remarks, told := a.Remarks[c.Ship]
	last := c.No + 1
	for _, l := range c.Lines {
		last = l.No + 1
	}
	for _, r := range remarks {
		if !c.Robot && r.Line != 0 && (r.Line < c.No || r.Line > last) {
			p.fail(c.No, "%s has no place in the orders: line %d", r.Code, r.Line)
		}
	}
	i := slices.IndexFunc(t.Checks, func(ch Section) bool { return strings.EqualFold(ch.Ship, c.Ship) })
	switch {
	case i < 0 && hasErrors(remarks):
		p.fail(c.No, "the orders have mistakes: %s", list(remarks))
	case i < 0:
	case !told:
		p.skipped += len(t.Checks[i].Lines)
	default:
		p.remarks(t.Checks[i].No, t.Checks[i].Lines, remarks, a.Says[c.Ship])
	}
}

// remarks compares remarks, and texts that say what orders do, with the lines of a check section.
func (p *comparison) remarks(at int, lines []Line, rs []remark, says []string) {
	next := 0
	pass := func(wanted string) { // skip what the case may leave out
		for next < len(rs) && rs[next].Code != wanted && rs[next].Code == beside {
			next++
		}
	}
	for _, l := range lines {
		x, err := remarkOf(l)
		if err != nil {
			p.fail(l.No, "%v", err)
			continue
		}
		if strings.HasPrefix(l.Text, saysPrefix) {
			switch {
			case says == nil:
				p.skipped++
			case !slices.ContainsFunc(says, func(s string) bool { return strings.Contains(s, x.Parts[0]) }):
				p.fail(l.No, "nothing says %q; what is said:\n  %s", x.Parts[0], strings.Join(says, "\n  "))
			}
			continue
		}
		if pass(x.Of); next == len(rs) {
			p.fail(l.No, "no such remark")
			continue
		}
		r := rs[next]
		next++
		if r.Code != x.Of {
			p.fail(l.No, "the remark is %s", list(rs[next-1:next]))
			continue
		}
		for _, part := range x.Parts {
			if r.Message != "" && !strings.Contains(r.Message, part) && !strings.Contains(r.Hint, part) {
				p.fail(l.No, "the remark does not say %q: %s", part, list(rs[next-1:next]))
			}
		}
	}
	if pass(""); next < len(rs) {
		p.fail(at, "remarks that the case does not list: %s", list(rs[next:]))
	}
}

// then compares events, or entries of a view, with the lines of a section.
func (p *comparison) then(lines []Line, events any) {
	all, _ := events.([]any)
	next := 0
	for _, l := range lines {
		x, err := eventOf(l)
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
		case x.None && len(fits) > 0:
			p.fail(l.No, "there is one: %s", say(all[fits[0]]))
		case x.None:
		case x.Count != nil && len(fits) != *x.Count:
			p.fail(l.No, "there are %d, expected %d%s", len(fits), *x.Count, nearMisses(x, all))
		case x.Count != nil:
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

func (x expected) fits(e any) bool {
	kind, _ := at(e, "type")
	return say(kind) == x.Of && len(allMet(e, x.Fields)) == 0
}

// nearMisses lists the events of the expected type.
func nearMisses(x expected, all []any) string {
	var out strings.Builder
	for _, e := range all {
		if kind, _ := at(e, "type"); say(kind) == x.Of {
			fmt.Fprintf(&out, "\n  %s\n    %s", say(e), strings.Join(allMet(e, x.Fields), "; "))
		}
	}
	if out.Len() == 0 {
		return "; there is none of that type"
	}
	return out.String()
}

// state compares a ship, a side or the game itself.
func (p *comparison) state(l Line, game any) {
	x, err := stateOf(l)
	if err != nil {
		p.fail(l.No, "%v", err)
		return
	}
	v, which := game, "ship"
	name := x.Of
	if id, side := strings.CutPrefix(x.Of, "side "); side {
		which, name = "side", id
	}
	if x.Of != "game" {
		if v = entry(game, which+"s", name); v == nil {
			p.fail(l.No, "there is no %s %q%s", which, name, near(game, which+"s", name))
			return
		}
	}
	p.compare(l, v, x.Fields)
}

// entry finds an element with an id or a name in a list of the game or of a view; nil if there is none.
func entry(of any, key, name string) any {
	found, _ := at(of, key)
	all, _ := found.([]any)
	for _, field := range []string{"id", "name", "short"} {
		for _, e := range all {
			if v, ok := at(e, field); ok && strings.EqualFold(say(v), name) {
				return e
			}
		}
	}
	return nil
}

// near returns a hint with the name that was probably meant.
func near(of any, key, name string) string {
	found, _ := at(of, key)
	all, _ := found.([]any)
	var names []string
	for _, e := range all {
		v, _ := at(e, "name")
		names = append(names, say(v))
	}
	if meant := orders.Suggest(name, names); meant != "" {
		return fmt.Sprintf("; did you mean %s?", meant)
	}
	return ""
}

func (p *comparison) compare(l Line, v any, demands []demand) {
	for i, d := range demands {
		head, _, _ := strings.Cut(d.Path, ".")
		if _, own := at(v, head); own {
			continue
		}
		if _, ok := at(v, "system."+head); ok {
			demands[i].Path = "system." + d.Path
		}
	}
	for _, miss := range allMet(v, demands) {
		p.fail(l.No, "%s", miss)
	}
}

// seen compares a view: its ships and its events.
func (p *comparison) seen(sec Section, v any) {
	var events []Line
	for _, l := range sec.Lines {
		x, err := seenOf(l)
		if err != nil {
			p.fail(l.No, "%v", err)
			continue
		}
		id, isShip := strings.CutPrefix(x.Of, "ship ")
		if !isShip {
			events = append(events, l)
			continue
		}
		switch s := entry(v, "ships", id); {
		case x.None && s != nil:
			p.fail(l.No, "%s sees %s", sec.Ship, id)
		case x.None:
		case s == nil:
			p.fail(l.No, "%s does not see %s", sec.Ship, id)
		default:
			p.compare(l, s, x.Fields)
		}
	}
	entries, _ := at(v, "events")
	p.then(events, entries)
}

// lines checks that parts of lines occur in order or, after "! ", nowhere.
func (p *comparison) lines(want []Line, got []string) {
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
