package manual

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/orders"
)

// Speed in hexes a turn, and turns of flight, of a probe (house 14.1).
const (
	probeSpeed = 8
	probeTurns = 3
)

// instrumentVerbs returns the orders for laboratories, codes, files and probes, which the program plays in games in
// the dark. Lines with other forms, and all lines in the open, are for the referee to read.
func instrumentVerbs() []orders.Verb {
	probe := dark.ProbeVerb("", fmt.Sprintf("(the scenario gives each ship a number of them). It leaves once the referee has moved all ships, and flies to a hex, %d hexes a turn for %d turns", probeSpeed, probeTurns))
	probe.When = false
	verbs := append(dark.LabVerbs(), probe)
	for i := range verbs {
		verbs[i].Strict = true
	}
	return verbs
}

// instrumental reports whether an order is one of them.
func instrumental(st orders.Statement) bool {
	return st.Verb == dark.VerbProbe || slices.Contains(dark.LabOrders(), st.Verb)
}

func instrumentParams() map[string]orders.Param {
	params := dark.LabParams()
	params["SHIP"] = orders.Param{Class: orders.Name, Doc: "a ship or a contact"}
	params["COUNT"] = orders.Param{Class: orders.Number, Doc: "boxes of laboratories"}
	params["HEX"] = orders.Param{Class: orders.HexLabel, Doc: "a hex, column and row: 0714"}
	return params
}

func instrumentDice() []engine.NamedDie {
	return []engine.NamedDie{{Name: "lab.SHIP.N", Example: "t3.lab.hood.1", Die: dice.D6, What: "what laboratories gather; N counts a ship's jobs in the turn"}, dark.NameDie()}
}

// labRules returns the rules for the laboratories and probes that the scenario gives ships. The sheets they draw are
// tracks.
func labRules() *dark.LabRules {
	given := func(into *int, boxes *int) {
		if boxes != nil {
			*into = *boxes
		}
	}
	return &dark.LabRules{
		Dark:  true,
		Fit:   func(s *engine.Ship, boxes *int) { given(&of(s).Labs, boxes) },
		Load:  func(s *engine.Ship, probes *int) { given(&of(s).Probes, probes) },
		Boxes: func(s *engine.Ship) int { return of(s).Labs },
		Last:  func(*engine.Ship) string { return "" },
		Sheet: func(s *engine.Ship) engine.Panel {
			p := engine.Panel{Columns: trackColumns()}
			for _, t := range of(s).Tracks {
				p.Rows = append(p.Rows, []string{trackWords(t.Name), itoa(t.Now), itoa(t.Of)})
			}
			return p
		},
		Nature: func(*engine.Ship, int) string { return "" },
	}
}

// instruments checks a ship's orders for laboratories and probes against her captain's view.
func instruments(v *engine.View, s *engine.ShipView, b orders.Block) (out []orders.Diagnostic, effects []engine.Effect) {
	sys, ok := s.System.(*System)
	if !ok || !v.Dark {
		return nil, nil
	}
	fail := func(pos orders.Pos, code, hint, format string, args ...any) {
		out = append(out, orders.Diagnostic{Pos: pos, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	free, loaded := sys.Labs, sys.Probes
	g, _ := b.Group("", 0)
	for _, st := range g.Statements {
		if !instrumental(st) {
			continue
		}
		a, named := st.Arg("SHIP")
		n, boxes := st.Arg("COUNT")
		file, _ := st.Arg("FILE")
		i := slices.IndexFunc(v.Ships, func(o *engine.ShipView) bool {
			return strings.EqualFold(string(o.ID), a.Text) || strings.EqualFold(o.Name, a.Text) || o.Sensed != nil && strings.EqualFold(string(o.Sensed.No.Name()), a.Text)
		})
		switch {
		case named && i < 0:
			fail(a.Pos, "E102", "", "no ship %q is known", a.Text)
		case named && (v.Ships[i].Side == s.Side) != (st.Verb == engine.VerbSend):
			fail(a.Pos, "E256", "study enemies and contacts; send files to ships of your own side", "this cannot be done to %s", a.Text)
		case boxes && (n.Num < 1 || n.Num > free):
			fail(n.Pos, "E258", "use fewer: a box does one job a turn", "%d asked for, and %d free", n.Num, free)
		case boxes:
			free -= n.Num
			effects = append(effects, engine.Effect{Line: st.Pos.Line, Text: "at the end of the turn, by a die"})
		case st.Verb == engine.VerbSend && !slices.ContainsFunc(s.Files, func(f string) bool { return strings.EqualFold(f, file.Text) }):
			fail(file.Pos, "E257", "leave it out", "no file %q is aboard", file.Text)
		case st.Verb == dark.VerbNew && v.Code != nil && v.Code.Book == v.Code.Books:
			fail(st.Pos, "E261", "leave it out", "your side has no code book left: it speaks by the last of %d", v.Code.Books)
		case st.Verb == dark.VerbProbe && loaded == 0:
			fail(st.Pos, "E250", "leave it out", "no probe is loaded")
		case st.Verb == dark.VerbProbe:
			loaded--
			effects = append(effects, engine.Effect{Line: st.Pos.Line, Text: "once the referee has moved all ships"})
		}
	}
	return out, effects
}

// probing launches probes after the referee has moved all ships, and moves those on the map.
func probing(t *engine.Turn) {
	for _, s := range engine.Captained(t.Game.Ships) {
		for _, st := range engine.TurnLevelStatements(t.Sheets[engine.Seat{Ship: s.ID}].Block, dark.VerbProbe) {
			if s.Status == engine.Active {
				launchProbe(t, s, st)
			}
		}
	}
	for _, p := range t.Game.Ships {
		if p.Kind == engine.KindProbe && p.Status == engine.Active && t.Number()-of(p).Probe.Launched.Turn < probeTurns {
			flyProbe(t, p)
		}
	}
	dark.In(t).DeliverWords(dark.LaunchesProbes)
}

func launchProbe(t *engine.Turn, s *engine.Ship, st orders.Statement) {
	b := &probeLaunch{Ship: s.ID, At: engine.Place{Hex: s.Hex, Heading: s.Heading}, Turn: t.Number(), File: lower(argText(st, "FILE"))}
	b.To, _ = hex.ParseLabel(argText(st, "HEX"))
	words, why := dark.In(t).CourierWords(s), ""
	if a, named := st.Arg("SHIP"); named {
		o, _, _, known := dark.Means(t.Rules, t.Game, s.Captain, lower(a.Text))
		if o != nil {
			b.Study = o.ID
		}
		if !known {
			why = "that ship is nowhere in sight, nor was it seen"
		}
	}
	switch carry := st.Form == dark.ProbeCarries; {
	case of(s).Probes == 0:
		why = "no probe is loaded"
	case t.Game.Bounds != nil && !t.Game.Bounds.Contains(b.To):
		why = b.To.Label() + " is off the map"
	case carry && words == nil:
		why = "there are no words for it to carry: message " + dark.WordCourier
	case carry:
		b.Words = strings.Join(words, "\n")
	}
	order := t.Ordered(s.ID, st.Pos.Line, orders.FormatStatement(st))
	if why != "" {
		t.Because(order).Emit(&engine.Skip{Ship: s.ID, Line: st.Pos.Line, Order: orders.FormatStatement(st), Reason: why}, engine.SeeOnly(s.ID), dark.LaunchesProbes)
		return
	}
	b.Craft, b.Short = dark.In(t).CraftName(s, "r", dark.LaunchesProbes)
	t.Because(order).Emit(b, engine.SeeAll(s.ID), dark.LaunchesProbes)
}

// flyProbe moves a probe for a turn, straight to its destination.
func flyProbe(t *engine.Turn, p *engine.Ship) {
	for range min(probeSpeed, hex.Distance(p.Hex, of(p).Probe.To)) {
		from := engine.Place{Hex: p.Hex, Heading: p.Heading}
		to := engine.Place{Hex: p.Hex.Step(hex.A)}
		for h := hex.A; h <= hex.F; h++ {
			if next := p.Hex.Step(h); hex.Distance(next, of(p).Probe.To) < hex.Distance(to.Hex, of(p).Probe.To) {
				to = engine.Place{Hex: next, Heading: h}
			}
		}
		t.Emit(&engine.Move{Ship: p.ID, Word: "move", From: from, To: to}, engine.SeeAll(), dark.LaunchesProbes)
		dark.In(t).Look(p)
	}
}

// Probe is the state of a probe.
type Probe struct {
	To       hex.Hex       `json:"to"`
	Launched engine.Moment `json:"launched"`
	dark.Mission
}

// Sent implements engine.Sent.
func (s *System) Sent() (*dark.Mission, engine.Moment) { return &s.Probe.Mission, s.Probe.Launched }

// called returns what a captain may know of a system; a ship studied by a probe has the captain's name for her.
func called(system any, name func(id engine.ShipID, when engine.Moment) engine.ShipID) any {
	sys, ok := system.(*System)
	if !ok || sys.Probe == nil {
		return system
	}
	c, p := *sys, *sys.Probe
	if p.Given = nil; p.Study != "" {
		p.Study = name(p.Study, engine.Moment{})
	}
	c.Probe = &p
	return &c
}

// probeLaunch is the launch of a probe. Only the captain knows its destination and task.
type probeLaunch struct {
	Ship  engine.ShipID `json:"ship" see:"all"`
	Craft string        `json:"craft" see:"all"` // its name
	Short string        `json:"short" see:"all"`
	At    engine.Place  `json:"at" see:"all"`
	Turn  int           `json:"in" see:"all"`
	To    hex.Hex       `json:"to,omitzero"`
	Study engine.ShipID `json:"study,omitempty"`
	File  string        `json:"file,omitempty"`
	Words string        `json:"words,omitempty"`
}

// Apply implements engine.Body.
func (b *probeLaunch) Apply(g *engine.Game) error {
	s, ok := g.Ship(b.Ship)
	if !ok {
		return fmt.Errorf("no ship %q", b.Ship)
	}
	of(s).Probes--
	return g.Launch(&engine.Ship{
		ID: engine.ShipID(lower(b.Craft)), Name: b.Craft, Title: "probe of " + s.Name, Short: b.Short, Side: s.Side, Class: "probe", Kind: engine.KindProbe,
		Parent: s.ID, Hex: b.At.Hex, Heading: b.At.Heading, Status: engine.Active,
		System: &System{Size: sizeCraft, Cold: true, Probe: &Probe{b.To, engine.Moment{Turn: b.Turn}, dark.Mission{Study: b.Study, File: b.File, Words: b.Words}}},
	})
}
