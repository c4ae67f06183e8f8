package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/scenario"
	"starpost/orders"
)

// Watch checks each turn that is resolved; its error becomes a fault of that turn. A nil Watch checks nothing.
type Watch func(before, after *engine.Game, events []engine.Event, causes engine.Causes) error

// Play answers a question with a rule set. It stops after a turn that cannot be resolved.
func Play(rules *engine.Rules, q Question, watch Watch) Answer {
	a := Answer{Case: q.Case}
	text, err := scenarioFile(q.Scenario)
	if err != nil {
		a.Faults = []string{err.Error()}
		return a
	}
	p := &player{rules: rules, watch: watch}
	sc, diags := scenario.Parse(text)
	if sc != nil {
		var more []orders.Diagnostic
		p.game, more = sc.NewGame(rules, "case", captains(q.Captains))
		diags = append(diags, more...)
	}
	a.Remarks = remarksOf(diags)
	if p.game == nil {
		return a
	}
	for _, t := range q.Turns {
		p.a = turnAnswer{Remarks: map[string][]remark{}, Says: map[string][]string{}}
		done := p.turn(t)
		if a.Turns = append(a.Turns, p.a); !done {
			break
		}
	}
	return a
}

func captains(names map[string]string) map[string]engine.CaptainName {
	out := map[string]engine.CaptainName{}
	for set, name := range names {
		out[set] = engine.CaptainName(name)
	}
	return out
}

type player struct {
	rules  *engine.Rules
	watch  Watch
	game   *engine.Game
	events []engine.Event
	a      turnAnswer
}

func (p *player) fault(format string, args ...any) {
	p.a.Faults = append(p.a.Faults, fmt.Sprintf(format, args...))
}

// seat finds a ship, or a post on her, by its name in a case: Hood, Hood.helm.
func (p *player) seat(name string) (*engine.Ship, engine.Seat) {
	if s, post, ok := engine.FindSeat(p.game.Ships, name); ok && slices.Contains(p.rules.Seats(s), engine.Seat{Ship: s.ID, Post: post}) {
		return s, engine.Seat{Ship: s.ID, Post: post}
	}
	s, near, ok := engine.FindShip(p.game.Ships, name)
	if !ok {
		if near != "" {
			near = fmt.Sprintf("; did you mean %s?", near)
		}
		p.fault("there is no ship %q%s", name, near)
		return nil, engine.Seat{}
	}
	return s, engine.Seat{}
}

// view returns what the holder of a seat sees, with that ship in the focus; if there is no such view it adds a
// fault and returns nil.
func (p *player) view(seat engine.Seat) *engine.View {
	who, err := p.rules.SeatViewer(p.game, seat)
	if err != nil {
		p.fault("%v", err)
		return nil
	}
	v, err := engine.BuildView(p.rules, p.game, p.events, who)
	if err != nil {
		p.fault("%v", err)
		return nil
	}
	return v
}

// turn answers the question about a turn. It returns false if the next turn cannot be played.
func (p *player) turn(t turnQuestion) bool {
	sheets := map[engine.Seat]engine.Sheet{}
	for _, o := range t.Orders {
		s, seat := p.seat(o.Ship)
		if s == nil {
			return false
		}
		sheet := engine.Sheet{Ship: s.ID, Post: seat.Post, Policy: o.Policy}
		if o.Policy == "" {
			if sheet.Block = p.orders(o, s, seat); sheet.Block == nil {
				return false
			}
		}
		sheets[seat] = sheet
	}
	if !t.Resolve {
		return true
	}
	for _, seat := range p.rules.Owed(p.game) {
		if _, given := sheets[seat]; !given {
			sheets[seat] = engine.Sheet{Ship: seat.Ship, Post: seat.Post, Block: &orders.Block{}}
		}
	}
	var all []engine.Sheet
	for _, s := range p.game.Ships {
		for _, seat := range p.rules.Seats(s) {
			if sheet, given := sheets[seat]; given {
				all = append(all, sheet)
			}
		}
	}
	dice := NewScript(t.Dice)
	var causes engine.Causes
	after, events, err := engine.ResolveWith(p.rules.Tracing(&causes), p.game, all, dice)
	if err != nil {
		p.fault("%v", err)
		return false
	}
	if err := dice.Err(); err != nil {
		p.fault("dice:\n%v", err)
	}
	if p.watch != nil {
		if err := p.watch(p.game, after, events, causes); err != nil {
			p.fault("%v", err)
		}
	}
	p.game, p.events = after, events
	p.a.Events, p.a.Game = events, after
	p.told(t)
	return true
}

// told answers the questions about what captains see.
func (p *player) told(t turnQuestion) {
	p.a.Views, p.a.Reports, p.a.Templates = map[string]any{}, map[string][]string{}, map[string][]string{}
	each := func(names []string, tell func(name string, v *engine.View)) {
		for _, name := range names {
			s, seat := p.seat(name)
			if s == nil {
				continue
			}
			if v := p.view(seat); v != nil {
				tell(name, v)
			}
		}
	}
	each(t.Views, func(name string, v *engine.View) { p.a.Views[name] = v })
	each(t.Reports, func(name string, v *engine.View) { p.a.Reports[name] = reportLines(p.rules.Present(v)) })
	each(t.Templates, func(name string, v *engine.View) {
		p.a.Templates[name] = strings.Split(p.rules.Template(v, v.Viewer.Focus).String(), "\n")
	})
}

// orders parses the orders of a ship, or of a post on her. If they cannot be parsed it adds a fault and returns
// nil.
func (p *player) orders(o OrderSet, s *engine.Ship, seat engine.Seat) *orders.Block {
	v := p.view(seat)
	if v == nil {
		return nil
	}
	// The head is on the line of the section's heading, so that lines of orders have their numbers in the file.
	var text strings.Builder
	text.WriteString(strings.Repeat("\n", max(0, min(o.Line-1, maxLines))))
	text.WriteString(orders.Head{Game: p.game.ID, Turn: p.game.Turn + 1, Kind: cmp.Or(seat.Post, "ship"), Name: s.Name}.String() + "\n")
	if o.Robot {
		text.WriteString(p.rules.Robot(v, s.ID).String())
	}
	for _, l := range o.Lines {
		text.WriteString(l + "\n")
	}
	text.WriteString("#end\n")
	blocks, diags := orders.Parse([]byte(text.String()), p.rules.Language)
	if len(blocks) != 1 {
		p.fault("the lines of %s are %d order sets", o.Ship, len(blocks))
		return nil
	}
	block, made, faults := p.rules.Navigate(v, s.ID, blocks[0])
	looked := p.rules.Check(v, s.ID, block)
	diags = append(diags, looked.Diagnostics...)
	diags = append(diags, faults...)
	orders.Sort(diags)
	p.a.Remarks[o.Ship] = remarksOf(diags)
	says := []string{}
	for _, e := range append(made, looked.Effects...) {
		says = append(says, e.Text)
	}
	p.a.Says[o.Ship] = append(says, looked.Summary...)
	return &block
}

// maxLines limits the line number of orders in a file.
const maxLines = 10_000

// reportLines returns the lines of a report: first the story, then the panels.
func reportLines(pr engine.Presentation) []string {
	out := []string{}
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
