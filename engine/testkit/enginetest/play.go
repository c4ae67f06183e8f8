package enginetest

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/scenario"
	"starpost/orders"
)

// Run plays every case (*.txt) of a folder and those below it, each as a subtest; beside is as for
// [Cases].
func Run(t *testing.T, rules *engine.Rules, fsys fs.FS, beside ...string) {
	t.Helper()
	cases, err := Cases(fsys, beside...)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		Report(t, c.Name, func() []Failure { return c.Play(rules) })
	}
}

// Cases reads every case (*.txt) of a folder and those below it. Warnings with the codes of beside
// are about an order set as a whole: cases, whose sets hold only what they are about, may leave
// them out of their checks.
func Cases(fsys fs.FS, beside ...string) ([]*Case, error) {
	var all []*Case
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".txt" {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		c, err := Parse(name, data)
		if err != nil {
			return err
		}
		c.beside = beside
		all = append(all, c)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the cases: %w", err)
	}
	if len(all) == 0 {
		return nil, errors.New("there are no cases")
	}
	return all, nil
}

// Report tells, in a subtest, what came out otherwise than a case says.
func Report(t *testing.T, name string, play func() []Failure) {
	t.Helper()
	t.Run(strings.TrimSuffix(name, ".txt"), func(t *testing.T) {
		for _, f := range play() {
			t.Errorf("%s:%d: %s", name, f.Line, f.Message)
		}
	})
}

// Play plays a case by a rule set and gives what came out otherwise than the
// case says. After a turn that cannot be resolved it stops.
func (c *Case) Play(rules *engine.Rules) []Failure {
	c.Events, c.Causes = nil, nil
	p := &player{c: c, rules: rules}
	if !p.setUp() {
		return p.failures
	}
	for i := range c.Turns {
		if !p.turn(&c.Turns[i]) {
			break
		}
	}
	return p.failures
}

type player struct {
	c        *Case
	rules    *engine.Rules
	game     *engine.Game
	events   []engine.Event
	failures []Failure
}

func (p *player) fail(line int, format string, args ...any) {
	p.failures = append(p.failures, Failure{line, fmt.Sprintf(format, args...)})
}

func (p *player) setUp() bool {
	text, crew, bad := p.c.scenario(p.rules.Name)
	if p.failures = append(p.failures, bad...); len(bad) > 0 {
		return false
	}
	sc, diags := scenario.Parse([]byte(text))
	if sc != nil {
		var more []orders.Diagnostic
		p.game, more = sc.NewGame(p.rules, "case", crew)
		diags = append(diags, more...)
	}
	if p.c.Check != nil {
		p.remarks(p.c.givenAt, p.c.Check, diags, nil)
	} else if orders.HasErrors(diags) {
		p.fail(p.c.givenAt, "the scenario has mistakes: %s", list(diags))
	}
	if p.game == nil && len(p.c.Turns) > 0 && p.c.Check != nil {
		p.fail(p.c.Turns[0].No, "there is no game to play a turn of")
	}
	return p.game != nil
}

func list(diags []orders.Diagnostic) string {
	parts := make([]string, len(diags))
	for i, d := range diags {
		parts[i] = fmt.Sprintf("%s %q (%s)", d.Code, d.Message, d.Hint)
	}
	return strings.Join(parts, ", ")
}

// remarks compares diagnostics and effects with the lines of a check section.
func (p *player) remarks(at int, lines []Line, diags []orders.Diagnostic, says []string) {
	next := 0
	pass := func(wanted string) { // what the case may leave out
		for next < len(diags) && diags[next].Code != wanted && diags[next].Severity == orders.Warning && slices.Contains(p.c.beside, diags[next].Code) {
			next++
		}
	}
	for _, l := range lines {
		if part, ok := strings.CutPrefix(l.Text, "says "); ok {
			if !slices.ContainsFunc(says, func(s string) bool { return strings.Contains(s, part) }) {
				p.fail(l.No, "nothing says %q; what is said:\n  %s", part, strings.Join(says, "\n  "))
			}
			continue
		}
		ws, err := words(l.Text)
		if err != nil {
			p.fail(l.No, "%v", err)
			continue
		}
		if pass(ws[0]); next == len(diags) {
			p.fail(l.No, "no such remark")
			continue
		}
		d := diags[next]
		next++
		if d.Code != ws[0] {
			p.fail(l.No, "the remark is %s", list(diags[next-1:next]))
			continue
		}
		for _, w := range ws[1:] {
			part, err := unquote(w)
			if err != nil {
				p.fail(l.No, "%v", err)
			} else if !strings.Contains(d.Message, part) && !strings.Contains(d.Hint, part) {
				p.fail(l.No, "the remark does not say %q: %s", part, list(diags[next-1:next]))
			}
		}
	}
	if pass(""); next < len(diags) {
		p.fail(at, "remarks that the case does not list: %s", list(diags[next:]))
	}
}

// seat finds a ship, or a post on her, by the name that a case uses: Hood, Hood.helm.
func (p *player) seat(line int, name string) (*engine.Ship, engine.Seat) {
	if s, post, ok := engine.FindSeat(p.game.Ships, name); ok && slices.Contains(p.rules.Seats(s), engine.Seat{Ship: s.ID, Post: post}) {
		return s, engine.Seat{Ship: s.ID, Post: post}
	}
	return p.ship(line, name), engine.Seat{}
}

// ship finds a ship by the name that a case uses.
func (p *player) ship(line int, name string) *engine.Ship {
	s, near, ok := engine.FindShip(p.game.Ships, name)
	if !ok {
		if near != "" {
			near = fmt.Sprintf("; did you mean %s?", near)
		}
		p.fail(line, "there is no ship %q%s", name, near)
		return nil
	}
	return s
}

// view is what the holder of a seat sees, that ship in the middle.
func (p *player) view(line int, seat engine.Seat) *engine.View {
	who, err := p.rules.SeatViewer(p.game, seat)
	if err != nil {
		p.fail(line, "%v", err)
		return nil
	}
	v, err := engine.BuildView(p.rules, p.game, p.events, who)
	if err != nil {
		p.fail(line, "%v", err)
		return nil
	}
	return v
}

func (p *player) turn(t *Turn) bool {
	sheets := map[engine.Seat]engine.Sheet{}
	ok := true
	for _, c := range t.Ships {
		s, seat := p.seat(c.No, c.Ship)
		if s == nil {
			return false
		}
		sheet := engine.Sheet{Ship: s.ID, Post: seat.Post, Policy: c.Policy}
		if c.Policy == "" {
			block, good := p.orders(t, c, s, seat)
			ok = ok && good
			sheet.Block = block
		}
		sheets[seat] = sheet
	}
	for _, ch := range t.Checks {
		if !slices.ContainsFunc(t.Ships, func(c Captain) bool { return strings.EqualFold(c.Ship, ch.Ship) && c.Policy == "" }) {
			p.fail(ch.No, "%s has no orders here to check", ch.Ship)
		}
	}
	if !ok || !t.resolve {
		return ok
	}
	var all []engine.Sheet
	for _, seat := range p.rules.Owed(p.game) {
		if _, given := sheets[seat]; !given {
			sheets[seat] = engine.Sheet{Ship: seat.Ship, Post: seat.Post, Block: &orders.Block{}}
		}
	}
	for _, s := range p.game.Ships {
		for _, seat := range p.rules.Seats(s) {
			if sheet, given := sheets[seat]; given {
				all = append(all, sheet)
			}
		}
	}
	script := p.script(t)
	var causes engine.Causes
	after, events, err := engine.ResolveWith(p.rules.Tracing(&causes), p.game, all, script)
	if err != nil {
		p.fail(t.No, "%v", err)
		return false
	}
	if err := script.Err(); err != nil {
		p.fail(t.No, "dice:\n%v", err)
	}
	if err := CheckTurn(p.rules, p.game, after, events); err != nil {
		p.fail(t.No, "%v", err)
	}
	p.game, p.events = after, events
	p.c.Events = append(p.c.Events, events...)
	p.c.Causes = append(p.c.Causes, causes...)
	p.results(t)
	return true
}

// orders reads the orders of a ship, or of a post on her, and compares what is remarked on them. It is
// false when they have errors that the case does not expect.
func (p *player) orders(t *Turn, c Captain, s *engine.Ship, seat engine.Seat) (*orders.Block, bool) {
	v := p.view(c.No, seat)
	if v == nil {
		return nil, false
	}
	// The head stands in the line of the heading, so that every line of the orders
	// has the number that it has in the file.
	var text strings.Builder
	text.WriteString(strings.Repeat("\n", c.No-1))
	fmt.Fprintf(&text, "#orders %s turn %d %s %s\n", p.game.ID, p.game.Turn+1, cmp.Or(seat.Post, "ship"), s.Name)
	if c.Robot {
		text.WriteString(p.rules.Robot(v, s.ID))
	}
	at := c.No
	for _, l := range c.Lines {
		for at++; at < l.No; at++ {
			text.WriteString("\n") // a comment of the case
		}
		text.WriteString(l.Text + "\n")
	}
	text.WriteString("#end\n")
	blocks, diags := orders.Parse([]byte(text.String()), p.rules.Language)
	if len(blocks) != 1 {
		p.fail(c.No, "%d order sets: %s", len(blocks), list(diags))
		return nil, false
	}
	block, made, faults := p.rules.Navigate(v, s.ID, blocks[0])
	looked := p.rules.Check(v, s.ID, block)
	looked.Effects = append(made, looked.Effects...)
	diags = append(diags, looked.Diagnostics...)
	diags = append(diags, faults...)
	orders.Sort(diags)
	last := at + 1
	for _, d := range diags {
		if !c.Robot && (d.Pos.Line < c.No || d.Pos.Line > last) {
			p.fail(c.No, "%s has no place in the orders: %s", d.Code, d.Pos)
		}
	}
	i := slices.IndexFunc(t.Checks, func(ch Section) bool { return strings.EqualFold(ch.Ship, c.Ship) })
	if i < 0 {
		if orders.HasErrors(diags) {
			p.fail(c.No, "the orders have mistakes: %s", list(diags))
			return nil, false
		}
		return &block, true
	}
	var says []string
	for _, e := range looked.Effects {
		says = append(says, e.Text)
	}
	p.remarks(t.Checks[i].No, t.Checks[i].Lines, diags, append(says, looked.Summary...))
	return &block, true
}

func (p *player) script(t *Turn) *Script {
	values := map[string]int{}
	for _, l := range t.Dice {
		name, value, _ := strings.Cut(l.Text, " ")
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil {
			p.fail(l.No, "write the name of a roll and its value")
		}
		if _, twice := values[name]; twice {
			p.fail(l.No, "a second value for %s", name)
		}
		values[name] = n
	}
	return NewScript(values)
}
