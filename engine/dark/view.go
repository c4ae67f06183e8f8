package dark

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/hex"
)

// looking is a game that views are made of, with its rules.
type looking struct {
	rules *engine.Rules
	game  *engine.Game
}

// darkShips returns the ships of a view of a game in the dark: the viewer's own, those of the same side, and those
// known by name, in order of id, then contacts in order of number. What is not on the viewer's list is left out.
func (c looking) darkShips(v *engine.View, own []bool, trails [][]engine.Step) []*engine.ShipView {
	g := c.game
	captain := captainOf(c.game, v.Viewer)
	log := g.Blind.Log(captain)
	mine := eyesOf(g, captain)
	called := func(system any) any { return system }
	if Of(c.rules).Dark.Called != nil {
		name := namesFor(c.rules, g, captain)
		called = func(system any) any { return Of(c.rules).Dark.Called(system, name) }
	}
	var out []*engine.ShipView
	for i, s := range g.Ships {
		whole := v.Viewer.Holds(s.ID, s.Parent, false)
		if whole && s.Gone(g) {
			continue // others are as the list of contacts has them, which does not know that they are gone
		}
		sv := &engine.ShipView{ID: s.ID, Name: s.Name, Title: s.Title, Short: s.Short, Side: s.Side, Class: s.Class, Kind: s.Kind, Own: own[i], Status: engine.Active}
		if whole {
			sv.Status, sv.System, sv.Captain, sv.Arrives, sv.Parent = s.Status, called(s.System), s.Captain, s.Arrives, s.Parent
			sv.Crew, sv.Relieved, sv.Trail = s.Crew, s.Relieved, trails[i]
			if posts, captains := v.Viewer.PostsOn(s.ID); own[i] && !captains && c.rules.Mates != nil {
				crewed := *s
				crewed.System, _ = sv.System.(engine.System)
				sv.System = c.rules.Mates.Station(&crewed, posts)
			}
			if s.OnMap() || s.Status == engine.Waiting {
				standAt(sv, engine.Place{Hex: s.Hex, Heading: s.Heading}, true)
			}
			if own[i] && s.Status == engine.Active {
				suite := suiteOf(c.rules, g, s)
				sv.Reach = &engine.Reach{
					Field: suite.Reach(blind.Field, false), Presence: suite.Reach(blind.Presence, false),
					Rough: suite.Reach(blind.Rough, false), Full: suite.Reach(blind.Full, false),
				}
				sv.Relays = slices.Contains(g.Blind.Relays, s.ID)
			}
			out = append(out, sv)
			continue
		}
		if s.Small() { // its title shows who launched it
			sv.Title = s.Class
		}
		mate := !s.Small() && slices.ContainsFunc(mine, func(o *engine.Ship) bool { return o.Side == s.Side })
		var entry *blind.Contact
		if log != nil {
			if entry = log.Held(s.ID); entry == nil || !entry.Named {
				entry = log.Remembered(s.ID)
			}
		}
		if entry != nil && (!entry.Kept(g.Turn, *g.Blind.Memory) || entry.Lost && s.Small()) { // drones come and go
			entry = nil
		}
		switch {
		case entry != nil:
			c.sense(sv, s, *entry, mine)
			if entry.Level >= blind.Full || mate && entry.Level >= blind.Presence {
				sv.Trail, sv.System = trails[i], called(c.publicInTheDark(s))
				if s.OnMap() {
					standAt(sv, engine.Place{Hex: s.Hex, Heading: s.Heading}, true)
				}
			}
		case mate:
			sv.Sight = engine.Lost
		default:
			continue
		}
		out = append(out, sv)
	}
	tellApart(out)
	if log == nil {
		return out
	}
	for _, entry := range log.Contacts {
		if entry.Named || !entry.Kept(g.Turn, *g.Blind.Memory) {
			continue
		}
		s, ok := g.Ship(entry.Ship)
		if !ok {
			s = &engine.Ship{Status: engine.Active} // an echo looks like any contact
		}
		name := entry.Name()
		sv := &engine.ShipView{
			ID: name, Name: string(name), Title: fmt.Sprintf("contact %d", entry.No), Short: shortNumber(entry.No),
			Class: contactWords(entry), Status: engine.Active,
		}
		c.sense(sv, s, entry, mine)
		out = append(out, sv)
	}
	return out
}

// tellApart replaces short names of other sides' ships that another ship of the view already has by their numbers
// on the list: in the dark short names are unique only within a side.
func tellApart(ships []*engine.ShipView) {
	sides, taken := map[string]bool{}, map[string]bool{}
	for _, s := range ships {
		if s.Own {
			sides[s.Side] = true
		}
	}
	for _, s := range ships {
		taken[s.Short] = taken[s.Short] || sides[s.Side]
	}
	for _, s := range ships {
		if s.Sensed == nil || sides[s.Side] {
			continue
		}
		if taken[s.Short] {
			s.Short = shortNumber(s.Sensed.No)
		}
		taken[s.Short] = true
	}
}

// shortNumber returns the number of a contact as a map shows it.
func shortNumber(no blind.ContactNo) string { return fmt.Sprintf("%02d", no%100) }

// publicInTheDark returns what is known of the system of another's ship that is seen whole.
func (c looking) publicInTheDark(s *engine.Ship) any {
	if Of(c.rules).Dark.Public != nil {
		return Of(c.rules).Dark.Public(c.game, s)
	}
	return c.rules.Public(s)
}

// sense adds a list entry to a ship of a view.
func (c looking) sense(sv *engine.ShipView, s *engine.Ship, entry blind.Contact, mine []*engine.Ship) {
	known := &engine.SensorView{No: entry.No, Level: entry.Level.String(), Size: entry.Size, Told: entry.Told, As: entry.As}
	for _, t := range entry.Tellers() {
		known.By = append(known.By, engine.ToldBy{Ship: t.Ship, As: t.As})
	}
	if entry.Size != "" {
		learnt := struct { // one allocation for all, because there are many
			speed   int
			heading hex.Heading
			at      engine.Moment
		}{entry.Speed, entry.Heading, engine.Moment(entry.Learnt)}
		known.Speed, known.Heading, known.Learnt = &learnt.speed, &learnt.heading, &learnt.at
	}
	sv.Sensed = known
	switch {
	case entry.Lost:
		known.Level = ""
		sv.Sight, sv.Since = engine.Lost, &engine.Moment{Turn: entry.Since.Turn, Phase: entry.Since.Phase}
	case entry.Level < blind.Presence:
		sv.Sight = engine.Contact
	case s.Status.OnMap():
		sv.Status = s.Status
	default: // a viewer who does not detect the place does not know that she is gone
		there := *s
		there.Status, there.System = engine.Active, s.System
		if level := finds(c.rules, c.game, mine, &there); level >= blind.Presence {
			sv.Status = s.Status
		}
	}
	standAt(sv, engine.Place{Hex: entry.Hex, Heading: entry.Heading}, entry.Level >= blind.Rough)
}

// standAt sets the place of a ship of a view, with its heading if that is known.
func standAt(s *engine.ShipView, at engine.Place, headed bool) {
	s.Hex = &at.Hex
	if headed {
		s.Heading = &at.Heading
	}
}

// contactWords describes what a contact is as far as that is known.
func contactWords(c blind.Contact) string {
	switch {
	case c.Size != "":
		return c.Size
	case c.Level == blind.Field:
		return "warp field"
	}
	return "something"
}

// darkGoals returns what a viewer knows of how the battle is won: what their own side wants, without ships that
// they may not have met.
func (c looking) darkGoals(side string) (goals []engine.Goal, lines []string) {
	for _, goal := range c.game.Victory.Goals {
		if goal.Side != side {
			continue
		}
		words := goal.Describe(c.game)
		if !goal.OfOwn() && len(goal.Ships) > 0 {
			goal.Ships = nil
			words = goal.DescribeBy(c.game, "the enemy ships that count for it")
			goal.Count = max(goal.Count, 1)
		}
		goals = append(goals, goal)
		lines = append(lines, c.game.SideName(side)+": "+words)
	}
	if n := c.game.Victory.LastTurn; n > 0 {
		lines = append(lines, fmt.Sprintf("after turn %d the points decide", n))
	}
	return goals, lines
}

func (c looking) darken(v *engine.View) {
	side := ""
	if s, ok := c.game.Ship(firstOf(v.Viewer.Ships)); ok {
		side = s.Side
	}
	log := c.game.Blind.Log(captainOf(c.game, v.Viewer))
	v.Sides = slices.DeleteFunc(v.Sides, func(s engine.Side) bool { return s.ID != side && (log == nil || !slices.Contains(log.Met, s.ID)) })
	v.Aims, v.Goals = c.darkGoals(side)
	v.Dark, v.Unnamed, v.Uncharted = true, c.game.Blind.Recognition == blind.Anonymous, c.game.Blind.Uncharted()
	v.Mute = c.game.Blind.Talk == blind.TalkNone
	if Of(c.rules).Labs != nil && side != "" {
		code := c.game.Blind.Code(side)
		v.Code = &code
	}
}

func firstOf(ids []engine.ShipID) engine.ShipID {
	if len(ids) == 0 {
		return ""
	}
	return ids[0]
}

// Ships returns the ships that a captain may name in a game in the dark, as in a view, at any point of a turn.
func Ships(r *engine.Rules, g *engine.Game, who engine.Viewer) []*engine.ShipView {
	own := make([]bool, len(g.Ships))
	for i, s := range g.Ships {
		own[i] = slices.Contains(who.Ships, s.ID)
	}
	return looking{r, g}.darkShips(&engine.View{Viewer: who}, own, make([][]engine.Step, len(g.Ships)))
}
