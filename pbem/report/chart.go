package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/templates"
)

// BuildMap returns the map of a view, centred on the focus: ships with their
// trails, the viewer's own shields and arcs, and the shots of the turn.
func BuildMap(r *engine.Rules, v *engine.View, p engine.Presentation) templates.Map {
	m := templates.Map{
		Public: v.Viewer.All || !slices.ContainsFunc(v.Ships, func(s *engine.ShipView) bool { return s.Own }),
		Focus:  string(v.Viewer.Focus), Bounds: bounds(v.Bounds), Step: r.Counted,
		Counters: make([]templates.Counter, 0, len(v.Ships)), Shots: make([]templates.Shot, 0, len(p.Shots)),
	}
	for _, s := range v.Ships {
		if c, ok := counter(v, s); ok {
			mark := p.Marks[s.ID]
			c.Fixed, c.Cloaked, c.Small, c.Note = mark.Fixed, mark.Cloaked, mark.Small, mark.Note
			c.Shields = slices.Grow(c.Shields, len(mark.Shields))
			c.Arcs = slices.Grow(c.Arcs, len(mark.Arcs))
			for _, sh := range mark.Shields {
				c.Shields = append(c.Shields, templates.Shield{Number: sh.Number, Side: sh.Side, Now: sh.Now, Max: sh.Max, Down: sh.Down})
			}
			for _, a := range mark.Arcs {
				c.Arcs = append(c.Arcs, templates.WeaponArc{Name: a.Name, From: a.From, To: a.To, Reach: a.Reach})
			}
			m.Counters = append(m.Counters, c)
		}
	}
	for _, f := range v.Terrain {
		for i, h := range f.Hexes {
			mark := templates.Mark{Kind: f.Kind, Joined: i > 0 && (f.Kind == templates.Planet || f.Kind == templates.Moon)}
			if i == 0 { // the legend names it once
				mark.Name = f.Name
			}
			mark.Col, mark.Row = h.ColRow()
			m.Terrain = append(m.Terrain, mark)
		}
	}
	for _, s := range p.Shots {
		from, ok := standing(v, s.From, s.Phase)
		if !ok {
			continue
		}
		to, ok := standing(v, s.To, s.Phase)
		if !ok {
			continue
		}
		shot := templates.Shot{Phase: s.Phase, Hit: s.Hit, Label: s.Label, Roll: s.Roll}
		shot.FromCol, shot.FromRow = from.ColRow()
		shot.ToCol, shot.ToRow = to.ColRow()
		m.Shots = append(m.Shots, shot)
	}
	return m
}

// forecastMap returns the map of a ship's plotted course, with the other ships
// where they are now. The ship is drawn at the end of the course, from which the
// legend counts ranges and bearings; her trail begins at her present hex.
func forecastMap(r *engine.Rules, v *engine.View, ship engine.ShipID, path []engine.Step) templates.Map {
	if len(path) == 0 {
		return templates.Map{}
	}
	m := BuildMap(r, v, engine.Presentation{Marks: r.Overlays(v)})
	m.Focus = string(ship)
	m.Caption = "your own course, if nothing interferes; ranges and bearings are from its end"
	for i := range m.Counters {
		c := &m.Counters[i]
		if c.Trail = nil; c.ID != string(ship) {
			continue
		}
		start := templates.Step{Col: c.Col, Row: c.Row, Heading: c.Heading}
		c.Trail = append(make([]templates.Step, 0, len(path)+1), start)
		for _, st := range path {
			t := step(st)
			if len(c.Trail) == 1 && t.Col == start.Col && t.Row == start.Row && t.Heading == start.Heading {
				continue
			}
			c.Trail = append(c.Trail, t)
		}
		end := path[len(path)-1].At
		c.Col, c.Row = end.Hex.ColRow()
		c.Heading, c.Hex = int(end.Heading), end.Hex.Label()
	}
	sight(m.Counters, m.Focus)
	return m
}

// sight sets the ranges and bearings of counters to those from a ship.
func sight(counters []templates.Counter, ship string) {
	at := slices.IndexFunc(counters, func(c templates.Counter) bool { return c.ID == ship })
	if at < 0 {
		return
	}
	counters[at].Range, counters[at].Bearing = 0, ""
	from := hex.At(counters[at].Col, counters[at].Row)
	for i := range counters {
		if i == at {
			continue
		}
		c, to := &counters[i], hex.At(counters[i].Col, counters[i].Row)
		c.Range, c.Bearing = hex.Distance(from, to), ""
		if b, ok := hex.Bearing(from, to); ok {
			c.Bearing = b.Relative(hex.Heading(counters[at].Heading)).String()
		}
	}
}

// JoinForecasts draws the courses of a captain's ships in one game on a single map, the last
// of the acknowledgements, if all their maps have the same counters. The other acknowledgements
// lose their maps, and say in words how far everyone is from the end of their course.
func JoinForecasts(acks []templates.Ack) {
	var last *templates.Map
	var of *templates.Ack // of last
	var others []*templates.Ack
	for i := range slices.Backward(acks) {
		a, m := &acks[i], &acks[i].Forecast
		at := slices.IndexFunc(m.Counters, func(c templates.Counter) bool { return c.ID == m.Focus })
		switch {
		case at < 0:
		case last == nil:
			last, of = m, a
		case a.Game == of.Game && a.Captain == of.Captain && a.Turn == of.Turn && a.Phase == of.Phase && m.Focus != last.Focus &&
			slices.EqualFunc(m.Counters, last.Counters, func(a, b templates.Counter) bool { return a.ID == b.ID }):
			last.Counters[at] = m.Counters[at]
			others = append(others, a)
		}
	}
	if len(others) == 0 {
		return
	}
	for _, a := range others {
		sight(last.Counters, a.Forecast.Focus)
		var words []string
		for _, c := range last.Counters {
			if c.ID != a.Forecast.Focus {
				words = append(words, strings.TrimSpace(fmt.Sprintf("%s %d %s", cmp.Or(c.Name, c.ID), c.Range, c.Bearing)))
			}
		}
		a.Sums = append(a.Sums, "From there, by range and bearing: "+strings.Join(words, ", ")+". The course is on the map below.")
		a.Forecast = templates.Map{}
	}
	sight(last.Counters, last.Focus)
	for _, c := range last.Counters {
		if c.ID == last.Focus {
			last.Caption = "your own courses, if nothing interferes; ranges and bearings are from " + c.Name
		}
	}
}

func counter(v *engine.View, s *engine.ShipView) (templates.Counter, bool) {
	if s.Hex == nil || s.Heading == nil && s.Sensed == nil || !s.Status.OnMap() {
		return templates.Counter{}, false
	}
	heading, sensed := -1, byte('?')
	switch {
	case s.Heading != nil:
		heading, sensed = int(*s.Heading), 0
	case s.Sight == engine.Contact:
		sensed = '~'
	}
	c := templates.Counter{
		ID: string(s.ID), Name: s.Name, Short: s.Short, SideName: v.SideName(s.Side), Own: s.Own && !v.Viewer.All,
		Foe: s.Side != viewerSide(v), Dead: s.Status != engine.Active, Heading: heading, Sensed: sensed, Range: s.Range, Bearing: s.Bearing,
		Hex: s.Hex.Label(),
	}
	if s.Sensed != nil && s.Side == "" { // not identified
		c.SideName, c.Foe, c.Note = "unknown", true, s.Class
		c.Side = templates.NoSide
	}
	if s.Since != nil {
		c.Ghost, c.Age = s.Sight == engine.Lost, v.Turn-s.Since.Turn
	}
	c.Col, c.Row = s.Hex.ColRow()
	for i, sd := range v.Sides {
		if sd.ID == s.Side {
			c.Side = i
		}
	}
	if len(s.Trail) > 0 {
		c.Trail = make([]templates.Step, len(s.Trail))
		for i, st := range s.Trail {
			c.Trail[i] = step(st)
		}
	}
	return c, true
}

// viewerSide returns the side of the ship in focus, else of the viewer's first ship, else the first side.
func viewerSide(v *engine.View) string {
	if s, ok := v.Ship(v.Viewer.Focus); ok {
		return s.Side
	}
	for _, s := range v.Ships {
		if s.Own {
			return s.Side
		}
	}
	if len(v.Sides) > 0 {
		return v.Sides[0].ID
	}
	return ""
}

func step(s engine.Step) templates.Step {
	t := templates.Step{Phase: s.Phase, Heading: int(s.At.Heading)}
	t.Col, t.Row = s.At.Hex.ColRow()
	return t
}

func bounds(b *hex.Bounds) *templates.Bounds {
	if b == nil {
		return nil
	}
	return &templates.Bounds{Cols: b.Cols, Rows: b.Rows}
}

// standing returns where a ship was in a phase; false if the viewer does not know.
func standing(v *engine.View, ship engine.ShipID, phase int) (hex.Hex, bool) {
	s, ok := v.Ship(ship)
	if !ok {
		return hex.Hex{}, false
	}
	at, ok := s.At(phase)
	return at.Hex, ok
}
