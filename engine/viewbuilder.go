package engine

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Game returns the game.
func (c *ViewBuilder) Game() *Game { return c.game }

// Rules returns the rules of the game.
func (c *ViewBuilder) Rules() *Rules { return c.rules }

// NewViewBuilder prepares the views of a game and the events of its last turn.
func NewViewBuilder(r *Rules, g *Game, events []Event) *ViewBuilder {
	c := &ViewBuilder{
		rules: r, game: g, events: events, rest: make([]Body, len(events)), movers: make([]int, len(events)),
		moves: make([]int, len(g.Ships)), public: make([]any, len(g.Ships)), goals: goalLines(g),
	}
	if r.Look == nil { // what is known of a ship is the same for everyone
		for i, s := range g.Ships {
			c.public[i] = r.Public(s)
		}
	}
	for i, e := range events {
		if a := e.Type.audience; e.See.Rest {
			c.rest[i] = a.only(e.Body, a.rest(e.See.Also))
		}
		c.movers[i] = -1
		if m, ok := e.Body.(*Move); ok {
			if c.movers[i] = g.place(m.Ship); c.movers[i] >= 0 {
				c.moves[c.movers[i]]++
			}
		}
	}
	return c
}

// InRounds makes the views say that the turns of the game are played in n rounds, and returns the builder. The
// events may then be those of one round.
func (c *ViewBuilder) InRounds(n int) *ViewBuilder {
	if n > 1 {
		c.rounds = n
	}
	return c
}

// goalLines describes how the battle is won.
func goalLines(g *Game) []string {
	var out []string
	for _, goal := range g.Victory.Goals {
		out = append(out, g.SideName(goal.Side)+": "+goal.Describe(g))
	}
	if n := g.Victory.LastTurn; n > 0 {
		out = append(out, fmt.Sprintf("after turn %d the points decide", n))
	}
	return out
}

// View returns the view of one viewer.
func (c *ViewBuilder) View(who Viewer) (*View, error) {
	g := c.game
	own := make([]bool, len(g.Ships))
	for _, id := range who.Ships {
		i := g.place(id)
		if i < 0 {
			return nil, fmt.Errorf("view of %s: no ship %q", g.ID, id)
		}
		own[i] = true
	}
	if who.Focus != "" && g.place(who.Focus) < 0 {
		return nil, fmt.Errorf("view of %s: no ship %q", g.ID, who.Focus)
	}
	all := who.All || g.Result != nil
	v := &View{
		Format: Format, Game: g.ID, Title: g.Title, Rules: g.Rules, Version: g.Version, Turn: g.Turn,
		Options: g.Options, Viewer: who, Bounds: g.Bounds, Sides: c.sides(who.Ships, all), Goals: c.goals, Result: g.Result,
		Aims: g.Victory.Goals, Round: g.Round, Rounds: c.rounds,
	}
	switch {
	case g.Result != nil:
	case g.Round > 0:
		v.Due = g.Turn
	default:
		v.Due = g.Turn + 1
	}
	v.word(c.rules)
	v.Free = c.rules.free(g, who)
	trails := c.entries(v, all)
	if g.Blind != nil && !all {
		v.Ships = c.rules.Extension.Ships(c, v, own, trails)
	} else {
		v.Ships = c.ships(v, own, all, trails)
	}
	if c.rules.Extension != nil {
		c.rules.Extension.Share(c, v, all)
	}
	v.Terrain = c.terrain(v, all)
	v.measure()
	return v, nil
}

// sides returns the sides with their points. Without all, quiet points that the captain of these ships does not
// know of are left out.
func (c *ViewBuilder) sides(own []ShipID, all bool) []Side {
	sides := slices.Clone(c.game.Sides)
	for i := range sides {
		switch {
		case !all:
			sides[i] = c.game.heard(sides[i], own)
		case c.game.Blind != nil: // in the dark all points are quiet
			sides[i].Points, sides[i].Quiet = sides[i].Total(), 0
		}
	}
	return sides
}

// entries fills in the events that the viewer sees, and returns the tracks of the ships that follow from their
// moves.
func (c *ViewBuilder) entries(v *View, all bool) [][]Step {
	trails := make([][]Step, len(c.game.Ships))
	if len(c.events) == 0 {
		return trails
	}
	sees := c.witness(v.Viewer, all)
	bodies, seen := make([]Body, len(c.events)), 0
	for i := range c.events {
		if bodies[i] = sees(i); bodies[i] != nil {
			seen++
		}
	}
	v.Events = make([]Entry, 0, seen)
	for i := range c.events {
		e, body := &c.events[i], bodies[i]
		if body == nil {
			continue
		}
		if m, ok := body.(*Move); ok && c.movers[i] >= 0 {
			s := c.movers[i]
			if trails[s] == nil {
				trails[s] = append(make([]Step, 0, c.moves[s]+1), Step{Phase: 0, At: m.From})
			}
			trails[s] = append(trails[s], Step{Phase: e.Phase, At: m.To})
		}
		of := e.Type
		if told, again := e.Body.(*Retold); again {
			of = told.of
		}
		v.Events = append(v.Events, Entry{N: len(v.Events) + 1, Phase: e.Phase, Step: e.Step, Rule: e.Rule, Type: of, Body: body})
	}
	if len(v.Events) == 0 {
		v.Events = nil // as if nothing had happened
	}
	return trails
}

// witness returns a function that returns what a viewer sees of the i-th event, nil for nothing. With all the
// viewer sees everything.
func (c *ViewBuilder) witness(who Viewer, all bool) func(i int) Body {
	eyes := c.rules.Eyes(who)
	mates := c.rules.Mates != nil && len(who.Seats) > 0
	return func(i int) Body {
		e := &c.events[i]
		if told, again := e.Body.(*Retold); again {
			switch {
			case all || told.As == nil: // a viewer who sees everything sees the original event
				return nil
			case mates:
				as := *e
				as.Type, as.Body = told.of, told.As
				return c.toMate(&as, who, eyes)
			case e.See.FullyBy(eyes):
				return told.As
			}
			return nil
		}
		switch {
		case all && !who.All && replaced(e, e.See.FullyBy(eyes)):
			return nil // only a referee also sees what each captain is shown
		case all:
			return e.Body
		case mates:
			return c.toMate(e, who, eyes)
		case e.See.FullyBy(eyes):
			return e.Body
		case c.rest[i] == nil || !e.See.IsAmong(who.Ships):
			return nil
		}
		return c.rest[i]
	}
}

// Numbers returns the numbers of the events in the view of a viewer; 0 for events that the viewer does not see.
func (c *ViewBuilder) Numbers(who Viewer) []int {
	sees := c.witness(who, who.All || c.game.Result != nil)
	out, n := make([]int, len(c.events)), 0
	for i := range c.events {
		if sees(i) != nil {
			n++
			out[i] = n
		}
	}
	return out
}

// toMate returns what a viewer who holds posts sees of an event, nil for nothing: as captain of a ship what she is
// shown, at a post what that post may know of it, and in any case what all strangers see.
func (c *ViewBuilder) toMate(e *Event, who Viewer, eyes []Seat) Body {
	if slices.ContainsFunc(e.See.Whole, func(seat Seat) bool { return seat.Post != "" && slices.Contains(eyes, seat) }) {
		return e.Body
	}
	a := e.Type.audience
	var open fieldSet // in any of the ways in which the viewer sees the event
	sees := e.See.Open()
	if sees {
		open = a.rest(e.See.Also)
	}
	for _, ship := range who.Ships {
		fields := a.whole
		switch {
		case e.See.Fully([]ShipID{ship}):
		case e.See.IsAmong([]ShipID{ship}):
			fields = a.rest(e.See.Also)
		default:
			continue
		}
		if posts, captain := who.PostsOn(ship); !captain {
			words, ok := c.rules.Mates.Aboard(c.game, e, ship, posts)
			if !ok {
				continue
			}
			fields &= a.posts(words)
		}
		open, sees = open|fields, true
	}
	if !sees {
		return nil
	}
	return a.only(e.Body, open)
}

// Hidden returns the JSON names of the non-empty fields of an event that only viewers of the whole event see.
func Hidden(e *Event) (names []string) {
	a, v := e.Type.audience, reflect.ValueOf(e.Body).Elem()
	for i := range v.NumField() {
		if (a.whole&^a.rest(e.See.Also))&(1<<i) != 0 && !v.Field(i).IsZero() {
			names = append(names, jsonName(v.Type().Field(i)))
		}
	}
	return names
}

// BuildView limits a game and the events of its last turn to what the viewer may know. When the game is over
// everybody may know everything. To make several views of one turn, a [ViewBuilder] is cheaper.
func BuildView(r *Rules, g *Game, events []Event, who Viewer) (*View, error) {
	return NewViewBuilder(r, g, events).View(who)
}

// KnownTo reports whether a viewer knows that a feature exists and what it is.
func (f *Feature) KnownTo(who Viewer, sides []string) bool {
	return who.All || !f.Hidden || slices.Contains(sides, f.Side) ||
		slices.ContainsFunc(who.Ships, func(id ShipID) bool { return slices.Contains(f.Found, id) })
}

// terrain returns what a viewer knows of the map.
func (c *ViewBuilder) terrain(v *View, all bool) []*Feature {
	if len(c.game.Terrain) == 0 {
		return nil
	}
	var sides []string
	for _, id := range v.Viewer.Ships {
		if s, ok := c.game.Ship(id); ok {
			sides = append(sides, s.Side)
		}
	}
	var found func(f *Feature, secret bool) *Feature // nil: everything is known
	if !all && c.rules.Extension != nil {
		found = c.rules.Extension.Chart(c.game, v.Viewer)
	}
	var out []*Feature
	for i := range c.game.Terrain {
		f := &c.game.Terrain[i]
		missed := !all && slices.ContainsFunc(v.Viewer.Ships, func(id ShipID) bool { return slices.Contains(f.Missed, id) })
		whole := all || f.KnownTo(v.Viewer, sides)
		if f.Gone && !missed || !whole && !f.Shown {
			continue
		}
		if found != nil {
			if f = found(f, whole); f == nil {
				continue
			}
		}
		known := f.Clone()
		if !whole {
			known.Figure = nil
		}
		if !all { // a viewer may not know who else has found it or knows that it is gone
			known.Found, known.Missed, known.Gone, known.Facts = nil, nil, false, nil
		}
		out = append(out, &known)
	}
	if found != nil {
		byPlace(out)
	}
	return out
}

// byPlace renames features of a view after the first hex of each: their own names would show how many there are.
func byPlace(features []*Feature) {
	count := map[string]int{}
	for _, f := range features {
		f.ID = fmt.Sprintf("%s-%s", f.Kind, f.Hexes[0].Label())
		if count[f.ID]++; count[f.ID] > 1 {
			f.ID += fmt.Sprintf("-%02d", count[f.ID])
		}
	}
	slices.SortFunc(features, func(a, b *Feature) int { return strings.Compare(a.ID, b.ID) })
}

// observe returns what a viewer makes out of another captain's ship.
func (r *Rules) observe(g *Game, who Viewer, s *Ship) Observation {
	switch {
	case g.Blind != nil && g.Result == nil:
		return r.Extension.Observe(r, g, who, s)
	case s.Status == Waiting:
		return Observation{Sight: Unseen}
	case r.Look != nil:
		return r.Look(g, who, s)
	}
	return Observation{Known: r.Public(s)}
}

// Knows reports whether a viewer knows of a ship at all, and so may name it in orders: an own ship, or one that the
// viewer sees or has seen.
func (r *Rules) Knows(g *Game, who Viewer, s *Ship) bool {
	return slices.Contains(who.Ships, s.ID) || r.observe(g, who, s).Sight != Unseen
}

// ships returns the ships of a view. A contact is shown under the alias that the rule set gives it.
func (c *ViewBuilder) ships(v *View, own []bool, all bool, trails [][]Step) []*ShipView {
	g := c.game
	seen := make([]ShipView, 0, len(g.Ships))
	places := make([]Place, 0, len(g.Ships))
	stand := func(sv *ShipView, at Place) {
		places = append(places, at)
		p := &places[len(places)-1]
		sv.Hex, sv.Heading = &p.Hex, &p.Heading
	}
	for i, s := range g.Ships {
		if s.Gone(g) {
			continue
		}
		whole := v.Viewer.Holds(s.ID, s.Parent, all)
		gl := Observation{}
		switch {
		case whole:
		case c.rules.Look == nil && s.Status != Waiting:
			gl.Known = c.public[i]
		default:
			gl = c.rules.observe(g, v.Viewer, s)
		}
		if gl.Sight == Unseen {
			continue
		}
		sv := ShipView{
			ID: s.ID, Name: s.Name, Title: s.Title, Short: s.Short, Side: s.Side, Class: s.Class, Kind: s.Kind,
			Own: own[i], Status: s.Status, Sight: gl.Sight, Trail: trails[i], System: gl.Known,
		}
		if a := gl.As; a != nil {
			sv.ID, sv.Name, sv.Title, sv.Short, sv.Side, sv.Class, sv.Kind = a.ID, string(a.Name), string(a.Title), string(a.Short), string(a.Side), string(a.Class), a.Kind
			if gl.Sight != Seen {
				sv.Trail = nil
			}
		}
		switch {
		case gl.Sight == Seen:
			if whole {
				sv.System, sv.Captain, sv.Arrives, sv.Parent = s.System, s.Captain, s.Arrives, s.Parent
			}
			if own[i] {
				sv.Crew, sv.Relieved = s.Crew, s.Relieved
				if posts, captain := v.Viewer.PostsOn(s.ID); !captain && !all && c.rules.Mates != nil {
					sv.System = c.rules.Mates.Station(s, posts)
				}
			}
			if s.OnMap() || s.Status == Waiting {
				stand(&sv, Place{s.Hex, s.Heading})
			}
		case gl.Sight == Contact && gl.As == nil:
			continue // no name to show it under
		default:
			sv.Status = Active // whatever has happened to it since
			sv.Since = &Moment{gl.Since.Turn, gl.Since.Phase}
			if gl.At != nil {
				stand(&sv, *gl.At)
			}
		}
		seen = append(seen, sv)
	}
	out := make([]*ShipView, len(seen))
	for i := range seen {
		out[i] = &seen[i]
	}
	return out
}
