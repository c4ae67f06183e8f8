package turn_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/orders"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// The toy rule set has two phases, each of which moves and then fires, and one die. A hit takes a
// point of hull, of which a tub has six. The content of the tank is secret.

type tub struct {
	Hull int    `json:"hull"`
	Tank int    `json:"tank"`
	Last string `json:"last,omitempty"`
}

func (s *tub) Clone() engine.System { c := *s; return &c }

type splash struct {
	Ship   string `json:"ship" see:"all"`
	Target string `json:"target" see:"all"`
	Need   int    `json:"need"`
	Roll   int    `json:"roll"`
	Hit    bool   `json:"hit" see:"all"`
}

func (b *splash) Apply(g *engine.Game) error {
	if s, ok := g.Ship(engine.ShipID(b.Target)); ok && b.Hit {
		s.System.(*tub).Hull--
	}
	return nil
}

type burn struct {
	Ship string `json:"ship" see:"all"`
	Left int    `json:"left" see:"all"`
}

func (b *burn) Apply(g *engine.Game) error {
	s, ok := g.Ship(engine.ShipID(b.Ship))
	if !ok {
		return fmt.Errorf("no ship %q", b.Ship)
	}
	s.System.(*tub).Tank = b.Left
	return nil
}

func toyLanguage() *orders.Language {
	return &orders.Language{
		Rules: "toy",
		Params: map[string]orders.Param{
			"WORD": {Class: orders.Choice, Choices: []string{"F", "L", "R", "H"}, Doc: "a step"},
			"SHIP": {Class: orders.Name, Doc: "a ship"}, "TO": {Class: orders.Name, Doc: "whom"}, "WORDS": {Class: orders.Text, Doc: "words"},
		},
		Sections: []orders.Section{
			{Name: "phase", Numbered: true, Max: 2, Doc: "A phase.", Verbs: []orders.Verb{
				{Name: "fire", Forms: []orders.Form{"fire at SHIP"}, When: true, Doc: "Fire.", Examples: []string{"fire at Bea"}},
				{Name: "move", Forms: []orders.Form{"move WORD..."}, Once: true, Doc: "Move.", Examples: []string{"move F L"}},
			}},
			engine.TurnLevel(),
		},
		Subjects: []orders.Subject{{Form: "range", Kind: orders.NumberSubject, Doc: "hexes"}},
		Foreign:  func() map[string]string { return map[string]string{"cloak": "another"} },
	}
}

func walk(at engine.Place, word string) engine.Place {
	switch word {
	case "F":
		at.Hex = at.Hex.Step(at.Heading)
	case "L":
		at.Heading = at.Heading.Turn(-1)
	case "R":
		at.Heading = at.Heading.Turn(1)
	}
	return at
}

func toyMove(no int) engine.Phase {
	return engine.Phase{Name: "move", Step: "movement", No: no, Run: func(t *engine.Turn) {
		for _, s := range t.Game.Ships {
			b := t.Sheets[engine.Seat{Ship: s.ID}].Block
			if s.Status != engine.Active || b == nil {
				continue
			}
			g, _ := b.Group("phase", no)
			for _, st := range g.All("move") {
				for _, w := range st.All("WORD") {
					from := engine.Place{Hex: s.Hex, Heading: s.Heading}
					t.Emit(&engine.Move{Ship: s.ID, Word: w.Text, Cost: 1, From: from, To: walk(from, w.Text)}, engine.SeeAll(), "toy 1")
					t.Emit(&burn{Ship: string(s.ID), Left: s.System.(*tub).Tank - 1}, engine.SeeOnly(s.ID), "toy 1")
				}
			}
		}
	}}
}

func toyFire(no int) engine.Phase {
	return engine.Phase{Name: "fire", Step: "fire", No: no, Run: func(t *engine.Turn) {
		var shots []*splash
		for _, s := range t.Game.Ships {
			b := t.Sheets[engine.Seat{Ship: s.ID}].Block
			if s.Status != engine.Active || b == nil {
				continue
			}
			g, _ := b.Group("phase", no)
			for _, st := range g.All("fire") {
				name, _ := st.Arg("SHIP")
				o, _, ok := engine.FindShip(t.Game.Ships, name.Text)
				if !ok || o.Status != engine.Active {
					t.Emit(&engine.Skip{Ship: s.ID, Line: st.Pos.Line, Order: orders.FormatStatement(st), Reason: "nothing there"}, engine.SeeOnly(s.ID), "D13")
					continue
				}
				far := hex.Distance(s.Hex, o.Hex)
				if !st.When.Eval(func(c *orders.Cond) bool { return c.Holds(far) }) {
					continue
				}
				shots = append(shots, &splash{Ship: string(s.ID), Target: string(o.ID), Need: max(1, 6-far/2)})
			}
		}
		for _, b := range shots {
			b.Roll = t.Roll(engine.NameRoll("fire", engine.ShipID(b.Ship), engine.ShipID(b.Target)), dice.D6, engine.SeeOnly(engine.ShipID(b.Ship), engine.ShipID(b.Target)), "toy 2")
			b.Hit = b.Roll <= b.Need
			t.Emit(b, engine.SeeAll(engine.ShipID(b.Ship)), "toy 2")
		}
		for _, s := range t.Game.Ships {
			if s.Status == engine.Active && s.System.(*tub).Hull <= 0 {
				t.Out(s, engine.Destroyed, "", nil, "toy 3")
			}
		}
	}}
}

func toyCheck(v *engine.View, ship engine.ShipID, b orders.Block) engine.Checked {
	var c engine.Checked
	s, _ := v.Ship(ship)
	at, spent := engine.Place{Hex: *s.Hex, Heading: *s.Heading}, 0
	for _, g := range b.Groups {
		for _, st := range g.Statements {
			switch st.Verb {
			case "move":
				for _, w := range st.All("WORD") {
					at = walk(at, w.Text)
					spent++
				}
				c.Path = append(c.Path, engine.Step{Phase: g.N, At: at})
				c.Effects = append(c.Effects, engine.Effect{Line: st.Pos.Line, Text: "ends at " + at.Hex.Label()})
			case "fire":
				name, _ := st.Arg("SHIP")
				if _, ok := v.Ship(engine.ShipID(strings.ToLower(name.Text))); !ok {
					c.Diagnostics = append(c.Diagnostics, orders.Diagnostic{Pos: name.Pos, Code: "E101", Message: fmt.Sprintf("no ship %q", name.Text)})
				}
			}
		}
	}
	tank := s.System.(*tub).Tank
	if spent > tank {
		c.Diagnostics = append(c.Diagnostics, orders.Diagnostic{Pos: b.Head.Pos, Code: "E102", Message: fmt.Sprintf("%d steps, %d in the tank", spent, tank)})
	}
	if spent == 0 {
		c.Diagnostics = append(c.Diagnostics, orders.Diagnostic{Pos: b.Head.Pos, Severity: orders.Warning, Code: "W101", Message: "the tub lies still"})
	}
	c.Summary = []string{fmt.Sprintf("%d of %d in the tank left", tank-spent, tank)}
	return c
}

func toyPresent(v *engine.View) engine.Presentation {
	p := engine.Presentation{Marks: map[engine.ShipID]engine.Overlay{}}
	c := engine.Chapter{Title: "All of it"}
	for _, e := range v.Events {
		line, ok := v.Tell(e)
		if b, is := e.Body.(*splash); is {
			line, ok = engine.Line{Text: fmt.Sprintf("%s splashes %s (%d, needs %d)", v.Name(engine.ShipID(b.Ship)), v.Name(engine.ShipID(b.Target)), b.Roll, b.Need), Cite: "toy 2"}, true
			p.Shots = append(p.Shots, engine.Shot{Phase: e.Phase, From: engine.ShipID(b.Ship), To: engine.ShipID(b.Target), Hit: b.Hit})
		}
		if ok {
			c.Lines = append(c.Lines, line)
		}
	}
	p.Phases = append(p.Phases, c)
	for _, s := range v.Ships {
		if t, ok := s.System.(*tub); ok {
			p.Panels = append(p.Panels, engine.Panel{Key: "own-" + string(s.ID), Title: s.Name, Notes: []string{fmt.Sprintf("hull %d, tank %d", t.Hull, t.Tank)}})
		}
	}
	return p
}

func toyBody(v *engine.View, ship engine.ShipID) (set orders.Set) {
	for _, o := range v.Ships {
		if s, _ := v.Ship(ship); o.Side != s.Side && o.Status == engine.Active {
			set.Add("phase", 1, orders.Say("move F"), orders.Say("fire at", o.Name))
			set.Add("phase", 2, orders.Say("move H"), orders.Say("fire at", o.Name, "when range <= 4"))
			return set
		}
	}
	set.Say("phase", 1, "move F")
	return set
}

func toyRules(map[string][]byte) (*engine.Rules, error) {
	l := toyLanguage()
	if err := l.Validate(); err != nil {
		return nil, err
	}
	return &engine.Rules{
		Name: "toy", Version: "1", Title: "Tubs", Language: l,
		Phases: []engine.Phase{toyMove(1), toyFire(1), toyMove(2), toyFire(2), engine.EndPhase("toy 4")},
		Events: engine.ListEvents(engine.EventOf[splash]("splash"), engine.EventOf[burn]("burn")),
		Commission: func(engine.ShipEntry) (engine.Commissioned, []engine.Problem) {
			return engine.Commissioned{System: &tub{Hull: 6, Tank: 100}, Title: "Tub", Value: 10}, nil
		},
		DecodeSystem: func(data json.RawMessage) (engine.System, error) {
			s := new(tub)
			return s, json.Unmarshal(data, s)
		},
		Options: map[string][]string{}, Seeing: engine.Seeing{Public: func(*engine.Ship) any { return nil }},
		Ordering: engine.Ordering{Check: toyCheck, Template: toyBody, Robot: toyBody}, Reporting: engine.Reporting{Present: toyPresent},
	}, nil
}

var toyCatalogue = vault.Catalogue{"toy": toyRules}

const pond = `format = 1
name = "pond"
title = "The Pond"
rules = "toy"
[[side]]
id = "north"
name = "The North"
[[side]]
id = "south"
[[ship]]
name = "Ada"
side = "north"
class = "tub"
captain = "Ann Lee"
hex = "0505"
heading = "D"
[[ship]]
name = "Abe"
side = "north"
class = "tub"
captain = "Ann Lee"
hex = "0705"
heading = "D"
[[ship]]
name = "Bea"
side = "south"
class = "tub"
captain = "Bob"
hex = "0509"
heading = "A"
[[ship]]
name = "Cyd"
side = "south"
class = "tub"
captain = "Bob"
hex = "0809"
heading = "A"
arrives = 3
`

func pondSetup(seed uint64) turn.Setup {
	mail := vault.DefaultMail()
	mail.Replay = true
	return turn.Setup{
		Scenario: []byte(pond), Mail: mail, Secret: dice.FromSeed(seed),
		Captains: []vault.Captain{{Address: "ann@example.org", Ships: []string{"Ada"}}, {Name: "Bob", Address: "bob@example.org", Ships: []string{"Bea", "cyd"}}},
		Options:  turn.Options{Now: at(0), Keep: true},
	}
}

func at(day int) time.Time { return time.Date(2026, 5, 1+day, 18, 30, 0, 0, time.UTC) }

// newPond creates a game of four tubs and two captains.
func newPond(tb testing.TB, seed uint64) *vault.Game {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "pond")
	if _, err := turn.Create(dir, toyCatalogue, pondSetup(seed)); err != nil {
		tb.Fatal(err)
	}
	return openPond(tb, dir)
}

func openPond(tb testing.TB, dir string) *vault.Game {
	tb.Helper()
	g, err := vault.Open(directory.At(dir), toyCatalogue)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

func load(tb testing.TB, g *vault.Game) *turn.Position {
	tb.Helper()
	p, err := turn.Load(g)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// send checks a text as a captain's and stores the sets in it.
func send(tb testing.TB, g *vault.Game, text string) {
	tb.Helper()
	read := load(tb, g).Check([]byte(text))
	for _, d := range read.Diagnostics {
		if d.Severity == orders.Error {
			tb.Fatalf("%s in\n%s", d, text)
		}
	}
	for _, s := range read.Sets {
		if err := g.Orders.Put(vault.At(s.Turn), s.Name, []byte(s.Text), time.Time{}); err != nil {
			tb.Fatal(err)
		}
	}
}

// sendAll sends the templates of all captains.
func sendAll(tb testing.TB, g *vault.Game) {
	tb.Helper()
	p := load(tb, g)
	for _, c := range p.State().Captains() {
		text, err := p.Template(c.Name, true)
		if err != nil {
			tb.Fatal(err)
		}
		if text != "" {
			send(tb, g, text)
		}
	}
}

// posted returns a mail of a stage as it is sent.
func posted(tb testing.TB, g *vault.Game, at vault.Stage, name string) []byte {
	tb.Helper()
	d, err := turn.Draw(g, at)
	if err != nil {
		tb.Fatal(err)
	}
	raw, without, err := d.Mail(name)
	if err != nil || without != nil {
		tb.Fatal(err, without)
	}
	return raw
}

func resolve(tb testing.TB, g *vault.Game, missing string) *turn.Outcome {
	tb.Helper()
	out, err := turn.Resolve(g, turn.Options{Missing: missing, Now: at(g.Turn() + 1), Keep: true})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}
