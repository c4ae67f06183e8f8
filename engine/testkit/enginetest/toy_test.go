package enginetest_test

import (
	"encoding/json"
	"fmt"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/orders"
)

// toy is a rule set with two orders: a ship may say boo to another, which on a die of 4 or more loses heart; at no
// heart it surrenders. Hearts are secret.
func toy() *engine.Rules {
	r := &engine.Rules{
		Name: "toy", Version: "1", Title: "Toy",
		Language: &orders.Language{
			Rules: "toy",
			Params: map[string]orders.Param{
				"SHIP": {Class: orders.Name, Doc: "a ship"}, "TO": {Class: orders.Name, Doc: "who"}, "WORDS": {Class: orders.Text, Doc: "words"},
			},
			Sections: []orders.Section{
				{Name: "act", Doc: "Acts.", Verbs: []orders.Verb{{Name: "boo", Forms: []orders.Form{"boo SHIP"}, Doc: "Frighten.", Examples: []string{"boo Ann"}}}},
				engine.TurnLevel(),
			},
		},
		Events: engine.ListEvents(engine.EventOf[fright]("fright")),
		Commission: func(e engine.ShipEntry) (engine.Commissioned, []engine.Problem) {
			h := &heart{Heart: 2}
			if n, ok := e.Repair["heart"].(int64); ok {
				h.Heart = int(n)
			} else if len(e.Repair) > 0 {
				return engine.Commissioned{}, []engine.Problem{{Key: "heart", Message: "only the heart is known", Hint: "heart = 1"}}
			}
			return engine.Commissioned{System: h, Title: e.Class, Value: 3}, nil
		},
		DecodeSystem: func(data json.RawMessage) (engine.System, error) {
			h := new(heart)
			return h, json.Unmarshal(data, h)
		},
		Seeing: engine.Seeing{Public: func(*engine.Ship) any { return nil }},
		Ordering: engine.Ordering{
			Check:    toyCheck,
			Template: func(*engine.View, engine.ShipID) orders.Set { return boo("nobody") },
			Robot:    toyRobot,
		},
		Reporting: engine.Reporting{Present: func(v *engine.View) engine.Presentation {
			c := engine.Chapter{Title: "The turn"}
			for _, e := range v.Events {
				if b, ok := e.Body.(*fright); ok {
					c.Lines = append(c.Lines, engine.Line{Text: fmt.Sprintf("%s is frightened by %d", b.Ship, b.Points), Cite: "toy 1"})
				}
			}
			return engine.Presentation{Phases: []engine.Chapter{c}, Panels: []engine.Panel{{Title: "Panel", Notes: []string{"a note"}, Rows: [][]string{{"a", "row"}}}}}
		}},
	}
	r.Phases = []engine.Phase{{Name: "act", Step: "act", No: 1, Run: toyAct}, engine.EndPhase("toy 2")}
	return r
}

type heart struct {
	Heart int   `json:"heart"`
	Scars []int `json:"scars,omitempty"`
}

func (h *heart) Clone() engine.System {
	c := *h
	c.Scars = append([]int(nil), h.Scars...)
	return &c
}

type fright struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	By     engine.ShipID `json:"by" see:"all"`
	Points int           `json:"points" see:"all"`
}

func (b *fright) Apply(g *engine.Game) error {
	s, ok := g.Ship(b.Ship)
	if !ok {
		return fmt.Errorf("no ship %q", b.Ship)
	}
	h := s.System.(*heart)
	h.Heart -= b.Points
	h.Scars = append(h.Scars, b.Points)
	return nil
}

func toyAct(t *engine.Turn) {
	for _, s := range t.Game.Ships {
		b := t.Sheets[engine.Seat{Ship: s.ID}].Block
		if b == nil || s.Status != engine.Active {
			continue
		}
		acts, _ := b.Group("act", 0)
		for _, st := range acts.All("boo") {
			name, _ := st.Arg("SHIP")
			foe, _, ok := engine.FindShip(t.Game.Ships, name.Text)
			if !ok {
				t.Emit(&engine.Skip{Ship: s.ID, Line: st.Pos.Line, Order: orders.FormatStatement(st), Reason: "no such ship"}, engine.SeeOnly(s.ID), "D13")
				continue
			}
			if t.Roll(engine.NameRoll("boo", s.ID, foe.ID), dice.D6, engine.SeeAll(), "toy 1") >= 4 {
				t.Emit(&fright{Ship: foe.ID, By: s.ID, Points: 1}, engine.SeeOnly(foe.ID), "toy 1")
			}
			if foe.System.(*heart).Heart <= 0 && foe.Status == engine.Active {
				t.Out(foe, engine.Surrendered, "it has lost heart", nil, "toy 1")
			}
		}
	}
}

func toyCheck(v *engine.View, _ engine.ShipID, b orders.Block) engine.Checked {
	var c engine.Checked
	acts, _ := b.Group("act", 0)
	for _, st := range acts.All("boo") {
		name, _ := st.Arg("SHIP")
		known := false
		for _, s := range v.Ships {
			known = known || s.Name == name.Text
		}
		if !known {
			c.Diagnostics = append(c.Diagnostics, orders.Diagnostic{Pos: name.Pos, Code: "E102", Message: "no ship " + name.Text, Hint: "look again"})
		}
		c.Effects = append(c.Effects, engine.Effect{Line: st.Pos.Line, Text: "frightens " + name.Text})
	}
	c.Summary = []string{fmt.Sprintf("%d boos", len(acts.All("boo")))}
	return c
}

func toyRobot(v *engine.View, id engine.ShipID) orders.Set {
	for _, s := range v.Ships {
		if s.ID != id {
			return boo(s.Name)
		}
	}
	return nil
}

func boo(whom string) orders.Set {
	return orders.Set{{Name: "act", Orders: []orders.Order{orders.Say("boo", whom)}}}
}
