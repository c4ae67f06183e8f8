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

// Watch looks at each turn that is resolved; what it finds wrong is a fault of that turn. Nil looks at nothing.
type Watch func(before, after *engine.Game, events []engine.Event, causes engine.Causes) error

// Play has a rule set answer a question. After a turn that cannot be resolved it stops.
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

// seat finds a ship, or a post on her, by the name that a case uses: Hood, Hood.helm.
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

// view is what the holder of a seat sees, that ship in the middle; nil, and a fault, if there is none.
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

// turn answers what is asked of a turn; it is false when the next one cannot be played.
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

// told answers what is asked about what captains see.
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

// orders reads the orders of a ship, or of a post on her; nil, and a fault, when nothing can be read.
func (p *player) orders(o OrderSet, s *engine.Ship, seat engine.Seat) *orders.Block {
	v := p.view(seat)
	if v == nil {
		return nil
	}
	// The head stands in the line of the heading, so that every line of the orders
	// has the number that it has in the file.
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

// maxLines is how far down in a file orders may stand.
const maxLines = 10_000

// reportLines are the lines of a report, those of the panels after the story.
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
