package engine

import (
	"errors"
	"fmt"
	"slices"

	"starpost/engine/blind"
	"starpost/engine/hex"
)

var errNoContact = errors.New("the game has no such list of contacts")

// looking is a game to be looked at, by its rules.
type looking struct {
	rules *Rules
	game  *Game
}

// darkShips are the ships of a view of a game in the dark: the viewer's own and those of
// his side, then those that he knows by name, all in order of id, then contacts in order of
// number. What is not on his list is not there.
func (c looking) darkShips(v *View, own []bool, trails [][]Step) []*ShipView {
	g := c.game
	captain := captainOf(c.game, v.Viewer)
	log := g.Blind.Log(captain)
	mine := eyes(g, captain)
	called := func(system any) any { return system }
	if DarkOf(c.rules).Dark.Called != nil {
		name := c.rules.names(g, captain)
		called = func(system any) any { return DarkOf(c.rules).Dark.Called(system, name) }
	}
	var out []*ShipView
	for i, s := range g.Ships {
		whole := v.Viewer.Holds(s.ID, s.Parent, false)
		if whole && s.Gone(g) {
			continue // of others the list of contacts tells, which does not know of their end
		}
		sv := &ShipView{ID: s.ID, Name: s.Name, Title: s.Title, Short: s.Short, Side: s.Side, Class: s.Class, Kind: s.Kind, Own: own[i], Status: Active}
		if whole {
			sv.Status, sv.System, sv.Captain, sv.Arrives, sv.Parent = s.Status, called(s.System), s.Captain, s.Arrives, s.Parent
			sv.Crew, sv.Relieved, sv.Trail = s.Crew, s.Relieved, trails[i]
			if posts, captains := v.Viewer.PostsOn(s.ID); own[i] && !captains && c.rules.Station != nil {
				crewed := *s
				crewed.System, _ = sv.System.(System)
				sv.System = c.rules.Station(&crewed, posts)
			}
			if s.OnMap() || s.Status == Waiting {
				sv.stand(Place{s.Hex, s.Heading}, true)
			}
			if own[i] && s.Status == Active {
				suite := c.rules.suite(g, s)
				sv.Reach = &Reach{suite.Reach(blind.Field, false), suite.Reach(blind.Presence, false), suite.Reach(blind.Rough, false), suite.Reach(blind.Full, false)}
				sv.Relays = slices.Contains(g.Blind.Relays, s.ID)
			}
			out = append(out, sv)
			continue
		}
		if s.Small() { // its title tells who launched it
			sv.Title = s.Class
		}
		mate := !s.Small() && slices.ContainsFunc(mine, func(o *Ship) bool { return o.Side == s.Side })
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
					sv.stand(Place{s.Hex, s.Heading}, true)
				}
			}
		case mate:
			sv.Sight = Lost
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
			s = &Ship{Status: Active} // an echo looks like others
		}
		name := entry.Name()
		sv := &ShipView{
			ID: name, Name: string(name), Title: fmt.Sprintf("contact %d", entry.No), Short: shortNumber(entry.No),
			Class: contactWords(entry), Status: Active,
		}
		c.sense(sv, s, entry, mine)
		out = append(out, sv)
	}
	return out
}

// tellApart gives those ships of others whose short names the viewer knows for another ship's already the number
// that they have on his list: in the dark short names differ within a side only.
func tellApart(ships []*ShipView) {
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

// shortNumber is the number of a contact as a map shows it.
func shortNumber(no blind.ContactNo) string { return fmt.Sprintf("%02d", no%100) }

// publicInTheDark is what is known of the system of another's ship that is seen whole.
func (c looking) publicInTheDark(s *Ship) any {
	if DarkOf(c.rules).Dark.Public != nil {
		return DarkOf(c.rules).Dark.Public(c.game, s)
	}
	return c.rules.Public(s)
}

// names gives what a captain calls ships that he detects now, blank for others, or, with a
// moment, what he called them then.
func (r *Rules) names(g *Game, captain CaptainName) func(id ShipID, when Moment) ShipID {
	o := &Observer{Captain: captain, rules: r, game: g, own: eyes(g, captain)}
	log := g.Blind.Log(captain)
	return func(id ShipID, when Moment) ShipID {
		if log == nil || when == (Moment{}) || o.Own(id) {
			return o.Name(id)
		}
		switch c := log.At(id, blind.When{Turn: when.Turn, Phase: when.Phase}); {
		case c == nil:
			return ""
		case c.Named:
			return id
		default:
			return c.Name()
		}
	}
}

// observeInTheDark is what of a ship a viewer may use in orders: its name, if he knows that.
func (r *Rules) observeInTheDark(g *Game, who Viewer, s *Ship) Observation {
	for _, id := range who.Ships {
		own, ok := g.Ship(id)
		if !ok {
			continue
		}
		if own.Side == s.Side {
			return Observation{}
		}
		if _, _, _, known := r.Means(g, own.Captain, string(s.ID)); known {
			return Observation{}
		}
	}
	return Observation{Sight: Unseen}
}

// captainOf is whose list of contacts a viewer has.
func captainOf(g *Game, who Viewer) CaptainName {
	for _, id := range who.Ships {
		if s, ok := g.Ship(id); ok {
			return s.Captain
		}
	}
	return ""
}

// sense puts an entry of the list into a ship of a view.
func (c looking) sense(sv *ShipView, s *Ship, entry blind.Contact, mine []*Ship) {
	known := &SensorView{No: entry.No, Level: entry.Level.String(), Size: entry.Size, Told: entry.Told, As: entry.As}
	for _, t := range entry.Tellers() {
		known.By = append(known.By, ToldBy{t.Ship, t.As})
	}
	if entry.Size != "" {
		learnt := struct { // there are many of them
			speed   int
			heading hex.Heading
			at      Moment
		}{entry.Speed, entry.Heading, Moment{entry.Learnt.Turn, entry.Learnt.Phase}}
		known.Speed, known.Heading, known.Learnt = &learnt.speed, &learnt.heading, &learnt.at
	}
	sv.Sensed = known
	switch {
	case entry.Lost:
		known.Level = ""
		sv.Sight, sv.Since = Lost, &Moment{entry.Since.Turn, entry.Since.Phase}
	case entry.Level < blind.Presence:
		sv.Sight = Contact
	case s.Status.OnMap():
		sv.Status = s.Status
	default: // who does not detect the place does not know that she is gone
		there := *s
		there.Status, there.System = Active, s.System
		if level := c.rules.finds(c.game, mine, &there); level >= blind.Presence {
			sv.Status = s.Status
		}
	}
	sv.stand(Place{entry.Hex, entry.Heading}, entry.Level >= blind.Rough)
}

// stand puts a ship of a view at a place, with its heading if that is known.
func (s *ShipView) stand(at Place, headed bool) {
	s.Hex = &at.Hex
	if headed {
		s.Heading = &at.Heading
	}
}

// contactWords say what a contact is as far as that is known.
func contactWords(c blind.Contact) string {
	switch {
	case c.Size != "":
		return c.Size
	case c.Level == blind.Field:
		return "warp field"
	}
	return "something"
}

// darkGoals and darkSides are what a viewer knows of how the battle is won: what his own
// side wants, and nothing of ships that he need not have met; and the sides that he knows.
func (c looking) darkGoals(side string) (goals []Goal, lines []string) {
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

func (c looking) darken(v *View) {
	side := ""
	if s, ok := c.game.Ship(firstOf(v.Viewer.Ships)); ok {
		side = s.Side
	}
	log := c.game.Blind.Log(captainOf(c.game, v.Viewer))
	v.Sides = slices.DeleteFunc(v.Sides, func(s Side) bool { return s.ID != side && (log == nil || !slices.Contains(log.Met, s.ID)) })
	v.Aims, v.Goals = c.darkGoals(side)
	v.Dark, v.Unnamed, v.Uncharted = true, c.game.Blind.Recognition == blind.Anonymous, c.game.Blind.Uncharted()
	v.Mute = c.game.Blind.Talk == blind.TalkNone
	if DarkOf(c.rules).Labs != nil && side != "" {
		code := c.game.Blind.Code(side)
		v.Code = &code
	}
}

func firstOf(ids []ShipID) ShipID {
	if len(ids) == 0 {
		return ""
	}
	return ids[0]
}

// ShipsInTheDark are the ships of a captain's view of a game in the dark as it stands, in
// the middle of a turn too: those that he may name.
func ShipsInTheDark(r *Rules, g *Game, who Viewer) []*ShipView {
	own := make([]bool, len(g.Ships))
	for i, s := range g.Ships {
		own[i] = slices.Contains(who.Ships, s.ID)
	}
	return looking{r, g}.darkShips(&View{Viewer: who}, own, make([][]Step, len(g.Ships)))
}
