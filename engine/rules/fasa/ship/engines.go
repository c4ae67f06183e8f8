package ship

import (
	"cmp"
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/tables"
)

// Engine is one engine of a ship and the power units that it still gives.
type Engine struct {
	Name string `json:"name"` // port, starboard, warp-3 ..., impulse
	Warp bool   `json:"warp,omitempty"`
	Max  int    `json:"max"`
	Now  int    `json:"now"`
}

// EngineList holds the engines of a ship; her power is their sum.
type EngineList []Engine

// Engines returns the engines of a ship, whose power adds up to [State.Power]. The caller may change the elements. It
// is empty where a book knows only the sum (the Basic Course).
func (s *State) Engines() EngineList { return *ShareOf[EngineList](s) }

// Key implements Share.
func (*EngineList) Key() string { return "engines" }

// Clone implements Share.
func (l *EngineList) Clone() Share {
	c := slices.Clone(*l)
	return &c
}

// EngineChange is the power of an engine before and after.
type EngineChange struct {
	Engine string `json:"engine"`
	Change
}

// Impulse is the name of the impulse engine.
const Impulse = "impulse"

// engineNames returns the names of a ship's warp engines. A single one is "warp"; of several
// the first is "port".
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

// FitEngines gives a new ship the engines of her design. If she has less power than the
// design, the loss is spread evenly, the last engine losing first.
func (s *State) FitEngines(d *tables.Design) {
	var all EngineList
	for i, name := range engineNames(len(d.Warp)) {
		all = append(all, Engine{Name: name, Warp: true, Max: d.Warp[i], Now: d.Warp[i]})
	}
	if d.Impulse > 0 {
		all = append(all, Engine{Name: Impulse, Max: d.Impulse, Now: d.Impulse})
	}
	for gone := d.Power() - s.Power; gone > 0; {
		for i := range slices.Backward(all) {
			if gone > 0 && all[i].Now > 0 {
				all[i].Now--
				gone--
			}
		}
	}
	if len(all) > 0 {
		s.Put(&all)
	}
}

// Engine returns the engine with a name in orders, such as port, starboard, warp-3 or impulse, which the caller may
// change. It reports false if the ship has none of that name.
func (s *State) Engine(name string) (*Engine, bool) {
	for i := range s.Engines() {
		if s.Engines()[i].Name == name {
			return &s.Engines()[i], true
		}
	}
	return nil, false
}

// setEngines applies changes of engines, and updates the total.
func (s *State) setEngines(changes []EngineChange) error {
	for _, c := range changes {
		e, ok := s.Engine(c.Engine)
		if !ok || e.Now != c.Before || c.After < 0 || c.After > e.Max {
			return fmt.Errorf("engine %s does not go from %d to %d", c.Engine, c.Before, c.After)
		}
		s.Power += c.After - e.Now
		e.Now = c.After
	}
	s.Power = max(0, s.Power)
	return nil
}

// wear applies changes of the superstructure, if there is one, and of engines.
func wear(s *State, of engine.ShipID, structure *Change, engines []EngineChange) error {
	if structure != nil {
		s.Superstructure = structure.After
	}
	if err := s.setEngines(engines); err != nil {
		return fmt.Errorf("%s: %w", of, err)
	}
	return nil
}

// Drain returns what points of damage would do to one engine, and the points that it cannot
// take. It changes nothing.
func (l EngineList) Drain(name string, points int) (change EngineChange, left int) {
	i := slices.IndexFunc(l, func(e Engine) bool { return e.Name == name })
	if i < 0 {
		return EngineChange{}, points
	}
	e := l[i]
	took := min(points, e.Now)
	return EngineChange{Engine: name, Change: Change{Before: e.Now, After: e.Now - took}}, points - took
}

// Spill spreads points of damage over the engines in the captain's order, each taking what it
// can. Points that none can take are lost. It changes nothing.
func (s *State) Spill(points int) []EngineChange {
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
			c, points = order.Drain(e.Name, points)
			changes = append(changes, c)
		}
	}
	return changes
}

// Strain is damage that a ship does to itself, without a hit and through no shield: stress, or
// a tactical heading change.
type Strain struct {
	Ship           engine.ShipID  `json:"ship" see:"crew"`
	Why            string         `json:"why" see:"crew"` // a few words
	Engines        []EngineChange `json:"engines,omitempty" see:"engineer"`
	Superstructure *Change        `json:"superstructure,omitempty" see:"science"`
}

// Apply implements engine.Body.
func (b *Strain) Apply(g *engine.Game) error {
	s, err := Lookup(g, b.Ship)
	if err != nil {
		return err
	}
	return wear(s, b.Ship, b.Superstructure, b.Engines)
}

// Warp returns the warp engines that still give power.
func (l EngineList) Warp() EngineList {
	var out EngineList
	for _, e := range l {
		if e.Warp && e.Now > 0 {
			out = append(out, e)
		}
	}
	return out
}

// OnlyWarp returns the name of the warp engine if there is just one.
func (l EngineList) OnlyWarp() (name string, only bool) {
	for _, e := range l {
		if e.Warp {
			only, name = name == "", e.Name
		}
	}
	return name, only
}
