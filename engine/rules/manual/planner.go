package manual

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"starpost/engine"
	"starpost/orders"
)

// step is one step of a filed turn.
type step func(t *engine.Turn)

// planner plays a filing on a copy of the game, and keeps its steps.
type planner struct {
	g     *engine.Game
	steps []step
	last  step // ends the game
	rolls map[string]bool
	hexes map[engine.ShipID]int // moved by each ship
	lang  *orders.Language      // of rulings; nil until needed
	diags []orders.Diagnostic
}

func (p *planner) fail(pos orders.Pos, code, hint, format string, args ...any) {
	p.diags = append(p.diags, orders.Diagnostic{Pos: pos, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (p *planner) warn(pos orders.Pos, code, hint, format string, args ...any) {
	p.diags = append(p.diags, orders.Diagnostic{Pos: pos, Severity: orders.Warning, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// emit applies an event to the copy, and keeps it as a step.
func (p *planner) emit(pos orders.Pos, body engine.Body, see engine.See) {
	if err := engine.Change(p.g, body); err != nil {
		p.fail(pos, "E310", "", "this cannot be: %v", err)
		return
	}
	p.steps = append(p.steps, func(t *engine.Turn) {
		switch b := body.(type) {
		case *engine.Move:
			t.Because(t.OrderedIn(b.Ship, "", "do"))
		case *Shot:
			t.Because(t.OrderedIn(b.Ship, "", "do"))
		case *engine.Score:
			if t.Game.Blind != nil {
				t.Score(b.Side, b.Points, b.Why, see, cite)
				return
			}
		}
		t.Emit(body, see, cite)
		lookAfter(t, body)
	})
}

func (p *planner) finish() {
	if p.g.Blind != nil {
		p.lookRound()
	}
	if p.last != nil {
		p.steps = append(p.steps, p.last)
	}
}

// part begins a part of the report.
func (p *planner) part(s section) {
	if utf8.RuneCountInString(s.name) > maxTitle {
		p.fail(s.named, "E303", "", "the title has more than %d characters", maxTitle)
		return
	}
	if len(s.lines) > 0 && len(paragraphs(s.lines)) > 0 {
		p.fail(orders.Pos{Line: s.lines[0].N, Col: 1}, "E304", "put "+markAll+" above what everybody is to read", "nothing says for whom this is")
	}
	if s.name != "" {
		p.emit(s.pos, &Part{Title: s.name}, engine.SeeAll())
	}
}

// told keeps a text.
func (p *planner) told(s section, to string, see engine.See) {
	text := paragraphs(s.lines)
	if len(text) == 0 {
		p.warn(s.pos, "W302", "", "there is no text below %s", strings.TrimSpace(s.mark+" "+s.name))
		return
	}
	p.emit(s.pos, &Told{To: to, Text: text}, see)
}

// crew makes an event visible to the captains of a side.
func (p *planner) crew(side string) engine.See { return engine.SeeOnly(p.shipsOf(side)...) }

// shipsOf returns the ships of a side.
func (p *planner) shipsOf(side string) (ids []engine.ShipID) {
	for _, s := range p.g.Ships {
		if s.Side == side {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// ship finds a ship by name, id or short name.
func (p *planner) ship(name string, pos orders.Pos) (*engine.Ship, bool) {
	s, near, ok := engine.FindShip(p.g.Ships, name)
	if ok {
		return s, true
	}
	if name == "" {
		return nil, false // reported already
	}
	p.fail(pos, "E305", hint(near, "the ships", p.shipNames()), "there is no ship %q", name)
	return nil, false
}

func (p *planner) shipNames() []string {
	var out []string
	for _, s := range p.g.Ships {
		out = append(out, s.Name)
	}
	return out
}

// side finds a side by id or name.
func (p *planner) side(name string, pos orders.Pos) (*engine.Side, bool) {
	var ids []string
	for i := range p.g.Sides {
		sd := &p.g.Sides[i]
		if strings.EqualFold(sd.ID, name) || strings.EqualFold(sd.Name, name) {
			return sd, true
		}
		ids = append(ids, sd.ID)
	}
	if name != "" {
		p.fail(pos, "E305", hint(orders.Suggest(name, ids), "the sides", ids), "there is no side %q", name)
	}
	return nil, false
}

// who finds ships by the name of a ship or side, "all" or "nobody".
func (p *planner) who(a orders.Arg) (ids []engine.ShipID, all, ok bool) {
	switch lower(a.Text) {
	case "all":
		for _, s := range p.g.Ships {
			ids = append(ids, s.ID)
		}
		return ids, true, true
	case "nobody":
		return nil, false, true
	}
	for _, sd := range p.g.Sides {
		if strings.EqualFold(sd.ID, a.Text) || strings.EqualFold(sd.Name, a.Text) {
			return p.shipsOf(sd.ID), false, true
		}
	}
	s, near, found := engine.FindShip(p.g.Ships, a.Text)
	if !found {
		known := p.shipNames()
		for _, sd := range p.g.Sides {
			known = append(known, sd.ID)
		}
		if near == "" {
			near = orders.Suggest(a.Text, append(known, "all", "nobody"))
		}
		p.fail(a.Pos, "E305", hint(near, "ships and sides", append(known, "all", "nobody")), "there is no ship or side %q", a.Text)
		return nil, false, false
	}
	return []engine.ShipID{s.ID}, false, true
}

func hint(near, what string, known []string) string {
	switch {
	case near != "":
		return fmt.Sprintf("did you mean %q?", near)
	case len(known) > 12:
		return ""
	}
	return what + ": " + strings.Join(known, ", ")
}
