package conformance

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/orders"
)

// Case is one file of the suite, parsed but not yet played.
type Case struct {
	Name  string // of the file
	Title string
	Cite  []string
	Given []Line
	Check []Line // expected remarks on the scenario; nil if the case has no such section
	Turns []Turn

	givenAt int
}

// Line is a line of a case's section, without its indentation.
type Line struct {
	No   int
	Text string
}

// Turn is a turn of a case.
type Turn struct {
	No       int // line of its heading
	Ships    []Captain
	Checks   []Section
	Dice     []Line
	Then     []Line
	State    []Line
	Views    []Section
	Reports  []Section
	Template []Section

	resolve bool
}

// Section is a section about a ship.
type Section struct {
	No    int
	Ship  string
	Lines []Line
}

// Captain is what one ship's captain sends: orders, an absence or, with Robot, orders written by the rule set's
// robot.
type Captain struct {
	Section
	Policy string // of an absence; otherwise ""
	Robot  bool
}

// Failure is something that a case expects but does not find.
type Failure struct {
	Line    int
	Message string
}

// Parse parses a case. Its errors are joined, and have the form file:line: message.
func Parse(name string, data []byte) (*Case, error) {
	r := &reader{c: &Case{Name: name}}
	for i, text := range strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n") {
		r.line(i+1, text)
	}
	r.close()
	switch {
	case r.c.Title == "":
		r.fail(1, "the case has no title")
	case len(r.c.Cite) == 0:
		r.fail(1, "the case cites no rule")
	case r.c.Given == nil:
		r.fail(1, "the case has no given section")
	}
	if err := errors.Join(r.errs...); err != nil {
		return nil, err
	}
	return r.c, nil
}

type reader struct {
	c    *Case
	errs []error

	// The current section: end gets its body when the next one starts.
	lines []Line
	end   func([]Line)
}

func (r *reader) fail(line int, format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf("%s:%d: %s", r.c.Name, line, fmt.Sprintf(format, args...)))
}

func (r *reader) line(n int, text string) {
	switch {
	case strings.HasPrefix(text, "#"):
	case strings.TrimSpace(text) == "":
		if r.end != nil {
			r.lines = append(r.lines, Line{No: n})
		}
	case text[0] == ' ' || text[0] == '\t':
		if r.end == nil {
			r.fail(n, "an indented line outside every section")
			return
		}
		// Two columns are the section's indentation; any more belongs to the line.
		body := strings.TrimPrefix(strings.ReplaceAll(text, "\t", "  "), "  ")
		r.lines = append(r.lines, Line{No: n, Text: strings.TrimRight(body, " ")})
	default:
		r.close()
		word, rest, _ := strings.Cut(text, " ")
		r.heading(n, word, strings.TrimSpace(rest))
	}
}

func (r *reader) close() {
	if r.end != nil {
		for len(r.lines) > 0 && r.lines[len(r.lines)-1].Text == "" {
			r.lines = r.lines[:len(r.lines)-1]
		}
		r.end(r.lines)
	}
	r.end, r.lines = nil, nil
}

// solid drops blank lines, which matter only in orders.
func solid(lines []Line) []Line {
	out := []Line{}
	for _, l := range lines {
		if l.Text = strings.TrimSpace(l.Text); l.Text != "" {
			out = append(out, l)
		}
	}
	return out
}

func (r *reader) heading(n int, word, rest string) {
	switch word {
	case "title":
		if r.c.Title != "" {
			r.fail(n, "a second title")
		}
		r.c.Title = rest
	case "cite":
		for c := range strings.SplitSeq(rest, ";") {
			if c = strings.TrimSpace(c); c != "" {
				r.c.Cite = append(r.c.Cite, c)
			}
		}
	case "note":
		r.end = func([]Line) {}
	case "given":
		if r.c.Given != nil {
			r.fail(n, "a second given section")
		}
		r.c.givenAt = n
		r.end = func(ls []Line) { r.c.Given = solid(ls) }
	case "turn":
		r.c.Turns = append(r.c.Turns, Turn{No: n})
		if rest != "" && rest != strconv.Itoa(len(r.c.Turns)) {
			r.fail(n, "this is turn %d", len(r.c.Turns))
		}
	case "check":
		if len(r.c.Turns) == 0 && rest == "" {
			r.end = func(ls []Line) { r.c.Check = solid(ls) }
			return
		}
		r.about(n, word, rest, func(t *Turn, s Section) { t.Checks = append(t.Checks, s) })
	case "orders", "robot", "absent":
		r.captain(n, word, rest)
	case "dice", "then", "state":
		r.result(n, word, rest)
	case "view":
		r.about(n, word, rest, func(t *Turn, s Section) { t.Views, t.resolve = append(t.Views, s), true })
	case "report":
		r.about(n, word, rest, func(t *Turn, s Section) { t.Reports, t.resolve = append(t.Reports, s), true })
	case "template":
		r.about(n, word, rest, func(t *Turn, s Section) { t.Template, t.resolve = append(t.Template, s), true })
	default:
		known := []string{
			"title", "cite", "note", "given", "turn", "check", "orders", "robot", "absent", "dice", "then", "state",
			"view", "report", "template",
		}
		hint := ""
		if near := orders.Suggest(word, known); near != "" {
			hint = fmt.Sprintf("; did you mean %s?", near)
		}
		r.fail(n, "%q opens no section%s", word, hint)
		r.end = func([]Line) {} // one complaint is enough
	}
}

// turn returns the turn that a section belongs to.
func (r *reader) turn(n int, word string) *Turn {
	if len(r.c.Turns) == 0 {
		r.fail(n, "%s before the first turn", word)
		r.c.Turns = append(r.c.Turns, Turn{No: n})
	}
	return &r.c.Turns[len(r.c.Turns)-1]
}

func (r *reader) about(n int, word, ship string, add func(*Turn, Section)) {
	t := r.turn(n, word)
	if ship == "" || strings.Contains(ship, " ") {
		r.fail(n, "%s needs the name of one ship", word)
	}
	r.end = func(ls []Line) { add(t, Section{No: n, Ship: ship, Lines: solid(ls)}) }
}

func (r *reader) captain(n int, word, rest string) {
	t := r.turn(n, word)
	ship, policy, _ := strings.Cut(rest, " ")
	c := Captain{Section: Section{No: n, Ship: ship}, Policy: strings.TrimSpace(policy), Robot: word == "robot"}
	switch {
	case ship == "":
		r.fail(n, "%s needs the name of a ship", word)
	case (word == "absent") != (policy != ""):
		r.fail(n, "write orders NAME, robot NAME or absent NAME POLICY")
	case slices.ContainsFunc(t.Ships, func(o Captain) bool { return strings.EqualFold(o.Ship, ship) }):
		r.fail(n, "%s has spoken already in this turn", ship)
	}
	t.Ships = append(t.Ships, c)
	i := len(t.Ships) - 1
	r.end = func(ls []Line) {
		if word != "orders" && len(solid(ls)) > 0 {
			r.fail(n, "%s has no lines", word)
		}
		t.Ships[i].Lines = ls
	}
}

func (r *reader) result(n int, word, rest string) {
	t := r.turn(n, word)
	t.resolve = true
	if rest != "" {
		r.fail(n, "%q does not follow %s", rest, word)
	}
	into := map[string]*[]Line{"dice": &t.Dice, "then": &t.Then, "state": &t.State}[word]
	if *into != nil {
		r.fail(n, "a second %s section in this turn", word)
	}
	r.end = func(ls []Line) { *into = solid(ls) }
}
