package dark

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dice"
	"starpost/engine/hex"
)

// plot is a hex of a feature.
type plot struct {
	feature string
	at      hex.Hex
}

// chart is what a captain knows of the terrain at a point in a turn.
type chart struct {
	has   map[plot]bool
	fresh []blind.Terrain           // found since the captain was last told, not in the captain's log yet
	from  map[engine.ShipID]vantage // by ship or craft: its last look; another look from there finds nothing more
}

// vantage is what terrain a ship or craft finds depends on.
type vantage struct {
	at     hex.Hex
	status engine.Status
	suite  blind.Suite
}

func chartOf(log *blind.Log) *chart {
	c := &chart{has: map[plot]bool{}, from: map[engine.ShipID]vantage{}}
	for _, f := range log.Chart {
		for _, h := range f.Hexes {
			c.has[plot{f.Feature, h}] = true
		}
	}
	return c
}

// add adds hexes of a feature to a chart, unless they are already there.
func (c *chart) add(f *engine.Feature, finds func(hex.Hex) bool) {
	var hexes []hex.Hex
	for _, h := range f.Hexes {
		if p := (plot{f.ID, h}); !c.has[p] && finds(h) {
			c.has[p] = true
			hexes = append(hexes, h)
		}
	}
	if len(hexes) > 0 {
		c.fresh = append(c.fresh, blind.Terrain{Feature: f.ID, Hexes: hexes})
	}
}

// surveyed adds to a captain's chart what some of the captain's ships and craft find. A feature does not hide parts
// of itself. No sensors find a feature that is its side's secret.
func surveyed(r *engine.Rules, g *engine.Game, eyes []*engine.Ship, c *chart) {
	for i := range g.Terrain {
		f := &g.Terrain[i]
		if f.Gone || f.Hidden && !f.Shown {
			continue
		}
		c.add(f, func(h hex.Hex) bool {
			return slices.ContainsFunc(eyes, func(o *engine.Ship) bool { return sounds(r, g, o, f, h) })
		})
	}
}

// sounds reports whether a ship or craft finds a hex of a feature: it does if it would detect the presence of a
// motionless ship there with the feature's signature. A craft without sensors finds what it passes closely.
func sounds(r *engine.Rules, g *engine.Game, by *engine.Ship, f *engine.Feature, at hex.Hex) bool {
	away, looks := hex.Distance(by.Hex, at), r.Terrain[f.Kind].Looks
	switch {
	case by.Status != engine.Active:
		return false
	case by.Small() && !by.Scouts():
		return away <= blind.SmallCraft
	}
	suite := suiteOf(r, g, by)
	if away > suite.Reach(blind.Presence, looks.Large) {
		return false
	}
	rocks := 0
	if Of(r).Dark.Rocks != nil {
		rocks = Of(r).Dark.Rocks(g, by.Hex, at)
	}
	return suite.Detect(away, rocks, looks) >= blind.Presence && engine.LineOfSight(by.Hex, at, func(h hex.Hex) bool {
		return slices.ContainsFunc(g.Terrain, func(o engine.Feature) bool {
			return o.ID != f.ID && !o.Gone && r.Terrain[o.Kind].Opaque && slices.Contains(o.Hexes, h)
		})
	})
}

// FirstLook gives each captain of a new game in the dark a log, and fills the lists of contacts before the first
// turn.
func FirstLook(r *engine.Rules, g *engine.Game, source dice.Source) {
	for _, c := range commanders(g) {
		g.Blind.Logs = append(g.Blind.Logs, blind.Log{Captain: c.Name})
	}
	for i := range g.Blind.Logs {
		log := &g.Blind.Logs[i]
		own := commandedBy(g, log.Captain)
		var found []blind.Fix
		for _, s := range g.Ships {
			if f, ok := fixOf(r, g, own, s); ok && s.Captain != log.Captain {
				found = append(found, f)
				if f.Level >= blind.Presence && s.Side != own[0].Side {
					noteFound(g, s.ID)
				}
			}
		}
		var w blind.Watch
		w.Look(found)
		w.Measure(func(id engine.ShipID) (string, int) { return roughOf(r, g, id) })
		w.Give(log, numbering(g, own, source, 0))
		for _, ch := range w.Changes(log, blind.When{}, false) {
			enter(g, log, ch.Contact)
		}
		firstChart(r, g, log, own)
	}
}

// firstChart sets what a captain's chart has before the first turn: the features of their own side, what lies among
// them, and what their ships find.
func firstChart(r *engine.Rules, g *engine.Game, log *blind.Log, own []*engine.Ship) {
	if !g.Blind.Uncharted() {
		return
	}
	c := chartOf(log)
	ours := map[hex.Hex]bool{}
	for _, f := range g.Terrain {
		for _, h := range f.Hexes {
			ours[h] = ours[h] || f.Side == own[0].Side
		}
	}
	for i := range g.Terrain {
		c.add(&g.Terrain[i], func(h hex.Hex) bool { return ours[h] && (!g.Terrain[i].Hidden || g.Terrain[i].Shown) })
	}
	surveyed(r, g, own, c)
	log.Find(c.fresh)
}

// survey makes some ships and craft of a captain look at the terrain; captain is an index of t.captains.
func (t *Turn) survey(captain int, eyes ...*engine.Ship) {
	c := t.charts[captain]
	if c == nil {
		return
	}
	surveyed(t.Rules, t.Game, slices.DeleteFunc(slices.Clone(eyes), func(o *engine.Ship) bool {
		now := vantage{o.Hex, o.Status, suiteOf(t.Rules, t.Game, o)}
		was, looked := c.from[o.ID]
		c.from[o.ID] = now
		return looked && was == now
	}), c)
}

// lookAnew makes all ships and craft look at the terrain again from where they are, because it has changed.
func (t *Turn) lookAnew() {
	for _, c := range t.charts {
		if c != nil {
			clear(c.from)
		}
	}
}

// Survey makes a ship look at the terrain from a place that she did not move to. It does nothing if the chart is
// known.
func (t *Turn) Survey(s *engine.Ship) {
	if i := t.surveyor(s); i >= 0 {
		t.survey(i, s)
	}
}

// ChartHex adds what a ship ran into to her captain's chart. It does nothing if the chart is known.
func (t *Turn) ChartHex(s *engine.Ship, at hex.Hex) {
	if i := t.surveyor(s); i >= 0 {
		for _, f := range t.Game.TerrainAt(at) {
			if !f.Hidden || f.Shown {
				t.charts[i].add(f, func(h hex.Hex) bool { return h == at })
			}
		}
	}
}

// surveyor returns the index of a ship's commander in t.captains, or -1 if the chart is known.
func (t *Turn) surveyor(s *engine.Ship) int {
	if !t.Game.Blind.Uncharted() || t.open() {
		return -1
	}
	name := commanderOf(t.Game, s)
	return slices.IndexFunc(t.captains, func(c engine.Captain) bool { return c.Name == name })
}

// EndRound tells captains what craft have found that were still flying after the last look.
func (t *Turn) EndRound() {
	for i := range t.charts {
		t.tellChart(i)
	}
}

// tellChart tells a captain what terrain was found since the last time; captain is an index of t.captains.
func (t *Turn) tellChart(captain int, causes ...engine.Ref) {
	if c := t.charts[captain]; c != nil && len(c.fresh) > 0 {
		found := c.fresh
		c.fresh = nil
		b := t.chartEntry(captain, found)
		t.Because(causes...)
		t.enterChart(captain, b, []string{"house 9.71", "D52"})
	}
}

func (t *Turn) enterChart(captain int, b *ChartEntry, rule []string) {
	t.Record(b, engine.SeeAmong(t.captains[captain].Ships...), rule)
}

func (t *Turn) chartEntry(captain int, found []blind.Terrain) *ChartEntry {
	b := &ChartEntry{Ship: t.captains[captain].Ships[0], Truth: found}
	for _, one := range found {
		if f, ok := t.Game.Feature(one.Feature); ok {
			b.Terrain = append(b.Terrain, chartedGround{f.Kind, f.Name, one.Hexes})
		}
	}
	return b
}

// rechart adds or changes a feature in a game with an unknown chart. Captains who would see that are told what on
// their charts is no longer there; new terrain their ships have to find.
func (t *Turn) rechart(next *engine.Charted, see engine.See, rule []string) engine.Ref {
	gone := make([]*ChartEntry, len(t.charts))
	for i, c := range t.charts {
		var lost []hex.Hex
		for p := range c.has {
			if p.feature == next.Feature.ID && (next.Feature.Gone || !slices.Contains(next.Feature.Hexes, p.at)) {
				lost = append(lost, p.at)
			}
		}
		if len(lost) == 0 || !see.To(t.captains[i].Ships) {
			continue
		}
		t.tellChart(i) // what is not yet in the captain's log
		slices.SortFunc(lost, hex.Compare)
		for _, h := range lost {
			delete(c.has, plot{next.Feature.ID, h})
		}
		gone[i] = t.chartEntry(i, []blind.Terrain{{Feature: next.Feature.ID, Hexes: lost}})
		gone[i].Gone = true
	}
	event := t.Record(next, engine.See{}, rule)
	for i, b := range gone {
		if b != nil {
			t.Because(event)
			t.enterChart(i, b, rule)
		}
	}
	return event
}

// Chart returns the terrain as known at this point of the turn to the commander of a ship or craft, or all terrain
// if the chart is known.
func (t *Turn) Chart(s *engine.Ship) (out []*engine.Feature) {
	var log blind.Log
	i := t.surveyor(s)
	if i >= 0 {
		log = t.Game.Blind.Log(t.captains[i].Name).Clone()
		log.Find(t.charts[i].fresh)
	}
	for k := range t.Game.Terrain {
		f := &t.Game.Terrain[k]
		if t.Game.Blind.Uncharted() {
			f = onChart(f, &log, i >= 0 && f.KnownTo(engine.Viewer{Ships: t.captains[i].Ships}, []string{s.Side}))
		}
		if f != nil {
			out = append(out, f)
		}
	}
	return out
}

// onChart returns a feature as far as a captain knows it if the chart is unknown; nil for nothing. Secret says that
// the captain is one of those who know of a hidden one.
func onChart(f *engine.Feature, log *blind.Log, secret bool) *engine.Feature {
	if f.Hidden && secret {
		return f
	}
	if log == nil {
		return nil
	}
	i := slices.IndexFunc(log.Chart, func(had blind.Terrain) bool { return had.Feature == f.ID })
	if i < 0 {
		return nil
	}
	cut := f.Clone()
	cut.Hexes = slices.DeleteFunc(slices.Clone(log.Chart[i].Hexes), func(h hex.Hex) bool { return !slices.Contains(f.Hexes, h) })
	if len(cut.Hexes) == 0 {
		return nil
	}
	return &cut
}

// ChartEntry is terrain that a captain's ships have found, or that a referee has taken off the map. Truth is for
// the game only.
type ChartEntry struct {
	Ship    engine.ShipID   `json:"ship" see:"all"` // one of the captain's
	Terrain []chartedGround `json:"terrain" see:"all"`
	Gone    bool            `json:"gone,omitempty" see:"all"`
	Truth   []blind.Terrain `json:"truth,omitempty"`
}

// chartedGround is hexes of a feature that were found together.
type chartedGround struct {
	Kind  string    `json:"kind"`
	Name  string    `json:"name,omitempty"`
	Hexes []hex.Hex `json:"hexes"`
}

// Apply implements Body.
func (b *ChartEntry) Apply(g *engine.Game) error {
	s, ok := g.Ship(b.Ship)
	if !ok {
		return engine.UnknownShip(b.Ship)
	}
	if !g.Blind.Uncharted() || g.Blind.Log(s.Captain) == nil {
		return fmt.Errorf("the game has no such chart")
	}
	if log := g.Blind.Log(s.Captain); b.Gone {
		log.Lose(b.Truth)
	} else {
		log.Find(b.Truth)
	}
	return nil
}

// Sentence implements [engine.Telling].
func (b *ChartEntry) Sentence(v *engine.View) string {
	var parts []string
	for _, f := range b.Terrain {
		parts = append(parts, (&engine.Feature{Kind: f.Kind, Name: f.Name, Hexes: f.Hexes}).Where())
	}
	what := "found: "
	if b.Gone {
		what = "no longer there: "
	}
	if v.Viewer.All { // a viewer of everything is told on which chart
		what = v.Name(b.Ship) + ", " + what
	}
	return what + strings.Join(parts, "; ")
}
