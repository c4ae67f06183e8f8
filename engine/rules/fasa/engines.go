package fasa

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
)

// Engine is one engine of a ship and the power units that it still gives.
type Engine struct {
	Name string `json:"name"` // port, starboard, warp-3 ..., impulse
	Warp bool   `json:"warp,omitempty"`
	Max  int    `json:"max"`
	Now  int    `json:"now"`
}

// engineList is the engines of a ship; her power is their sum.
type engineList []Engine

// Engines are a ship's.
func (s *System) Engines() []Engine { return *shareOf[engineList](s) }

func (*engineList) key() string { return "engines" }

func (l *engineList) clone() Share {
	c := slices.Clone(*l)
	return &c
}

// EngineChange is an engine's power before and after.
type EngineChange struct {
	Engine string `json:"engine"`
	Change
}

// Impulse is the name of the engine that is none of the warp engines.
const Impulse = "impulse"

// engineNames are what the engines of a ship with so many warp engines are called.
// The one of a ship with one is "warp"; of two the first lies to port.
func engineNames(warp int) []string {
	switch warp {
	case 0:
		return nil
	case 1:
		return []string{"warp"}
	}
	names := []string{"port", "starboard"}
	for n := 3; n <= warp; n++ {
		names = append(names, fmt.Sprintf("warp-%d", n))
	}
	return names
}

// enginesPart gives ships engines one by one, of which the Basic Course knows only
// the sum, and lets captains say which of them a hit goes to first.
func enginesPart(sy *Book) part {
	lose := standingVerb(sy, "lose")
	lose.Forms = append(slices.Clone(lose.Forms), "lose engines ENGINE...")
	lose.Doc += " Engines lose power in the order you name; those you do not name come after, the one with most power left first."
	lose.Examples = append(slices.Clone(lose.Examples), "lose engines impulse port")
	return part{
		verbs: []verb{{Verb: lose, section: "standing", compile: func(c *compiler, _ int, st orders.Statement) {
			if st.Form != 2 {
				c.lose(st)
				return
			}
			var known []string
			for _, e := range c.sys.Engines() {
				known = append(known, e.Name)
			}
			c.p.standing.SetList("engines", c.named(st.All("ENGINE"), known, "engine")...)
		}}},
		params:     map[string]orders.Param{"ENGINE": {Class: orders.Name, Doc: "an engine as the report prints it"}},
		keeps:      []Share{&engineList{}},
		commission: builtEngines,
		orders:     []string{"engines"},
		standing: func(s Standing) []string {
			if len(s.List("engines")) == 0 {
				return nil
			}
			return []string{"lose engines " + strings.Join(s.List("engines"), " ")}
		},
		bodies: []func() engine.Body{func() engine.Body { return new(Strain) }},
		tell:   map[string]func(*narrator, engine.Body, string){"strain": tellStrain},
		panels: func(_ *rulebook, _ *engine.View, s *engine.ShipView, sys *System) []engine.Panel {
			p := engine.Panel{Key: "engines-" + s.ID, Title: s.Name + ": engines"}
			for _, e := range sys.Engines() {
				p.Notes = append(p.Notes, fmt.Sprintf("%s: %d of %d power", e.Name, e.Now, e.Max))
			}
			if mark := sys.Design.doubt("engines"); mark != "" {
				p.Notes = append(p.Notes, "split of the power over the engines"+mark)
			}
			return []engine.Panel{p}
		},
	}
}

// builtEngines are the engines of a new ship. One that the scenario gives less
// power has lost it evenly, the last engine first where it does not come out even.
func builtEngines(k *commissioning) {
	var all engineList
	for i, name := range engineNames(len(k.design.Warp)) {
		all = append(all, Engine{Name: name, Warp: true, Max: k.design.Warp[i], Now: k.design.Warp[i]})
	}
	if k.design.Impulse > 0 {
		all = append(all, Engine{Name: Impulse, Max: k.design.Impulse, Now: k.design.Impulse})
	}
	for gone := k.design.Power() - k.sys.Power; gone > 0; {
		for i := range slices.Backward(all) {
			if gone > 0 && all[i].Now > 0 {
				all[i].Now--
				gone--
			}
		}
	}
	if len(all) > 0 {
		k.sys.Put(&all)
	}
}

// engine finds an engine by name.
func (s *System) engine(name string) (*Engine, bool) {
	for i := range s.Engines() {
		if s.Engines()[i].Name == name {
			return &s.Engines()[i], true
		}
	}
	return nil, false
}

// setEngines puts changes of engines into effect; the total follows.
func (s *System) setEngines(changes []EngineChange) error {
	for _, c := range changes {
		e, ok := s.engine(c.Engine)
		if !ok || e.Now != c.Before || c.After < 0 || c.After > e.Max {
			return fmt.Errorf("engine %s does not go from %d to %d", c.Engine, c.Before, c.After)
		}
		s.Power += c.After - e.Now
		e.Now = c.After
	}
	s.Power = max(0, s.Power)
	return nil
}

// drain is what points of damage do to one engine, and the points that it cannot
// take. Nothing is changed yet.
func (s *System) drain(name string, points int) (change EngineChange, left int) {
	e, ok := s.engine(name)
	if !ok {
		return EngineChange{}, points
	}
	took := min(points, e.Now)
	return EngineChange{Engine: name, Change: Change{Before: e.Now, After: e.Now - took}}, points - took
}

// spill spreads points over the engines in the captain's order, the next when one
// gives no more. What none can take is lost.
func (s *System) spill(points int) []EngineChange {
	var changes []EngineChange
	order := slices.Clone(s.Engines())
	rank := func(e Engine) int {
		if i := slices.Index(s.Standing.List("engines"), e.Name); i >= 0 {
			return i
		}
		return len(s.Standing.List("engines"))
	}
	slices.SortStableFunc(order, func(a, b Engine) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Now, a.Now)) })
	for _, e := range order {
		if points == 0 {
			break
		}
		if e.Now > 0 {
			var c EngineChange
			c, points = s.drain(e.Name, points)
			changes = append(changes, c)
		}
	}
	return changes
}

// Strain is damage that a ship does to itself, or that comes of no hit: stress,
// a tactical heading change. It goes through no shield.
type Strain struct {
	Ship           string         `json:"ship"`
	Why            string         `json:"why"` // a few words
	Engines        []EngineChange `json:"engines,omitempty"`
	Superstructure *Change        `json:"superstructure,omitempty"`
}

// Type implements engine.Body.
func (*Strain) Type() string { return "strain" }

// Apply implements engine.Body.
func (b *Strain) Apply(g *engine.Game) error {
	s, err := system(g, b.Ship)
	if err != nil {
		return err
	}
	if b.Superstructure != nil {
		s.Superstructure = b.Superstructure.After
	}
	if err := s.setEngines(b.Engines); err != nil {
		return fmt.Errorf("%s: %w", b.Ship, err)
	}
	return nil
}

// engineTitle is an engine's name in words.
func engineTitle(name string) string {
	if name == generatorEngine {
		return name
	}
	return name + " engine"
}

func engineWords(changes []EngineChange) []string {
	var out []string
	for _, c := range changes {
		out = append(out, fmt.Sprintf("%s %d to %d", engineTitle(c.Engine), c.Before, c.After))
	}
	return out
}
