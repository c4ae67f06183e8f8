package dark

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/orders"
)

// What conditions may ask of a captain's contacts.
const (
	levelOf = "level of SHIP"
	ageOf   = "age of SHIP"
)

// ContactSubjects are what conditions may ask of what a captain's sensors have of a ship, for rule
// sets that can be played in the dark.
func ContactSubjects() []orders.Subject {
	return []orders.Subject{
		{Form: levelOf, Kind: orders.NumberSubject, Doc: "in the dark how much your sensors show of that contact now: 3 who it is, 2 its size, 1 that something is there, 0 a warp field alone, or nothing; 3 in a game in the open for what is in sight"},
		{Form: ageOf, Kind: orders.NumberSubject, Doc: "in the dark how many turns ago your sensors had that contact last: 0 for one that they have"},
	}
}

// AsksContact tells whether a condition is one of these.
func AsksContact(c *orders.Cond) bool { return c.Subject == levelOf || c.Subject == ageOf }

// HoldVerb is the standing order that keeps fire back, and LevelParam its parameter LEVEL.
func HoldVerb() orders.Verb {
	return orders.Verb{
		Name: "hold", Forms: []orders.Form{"hold fire below LEVEL"}, Once: true, Examples: []string{"hold fire below 2", "hold fire below 0"},
		Doc: "In the dark: fire at nothing of which your sensors show less than that, 1 a presence, 2 size and heading, 3 who it is; nor at a ship that you know for one of your own side. With 0 all fire is free again. In the open it changes nothing.",
	}
}

// LevelParam is a level of sensors as a number from 0 to 3.
func LevelParam() orders.Param {
	return orders.Param{Class: orders.Choice, Choices: []string{"0", "1", "2", "3"}, Doc: "0 to 3: what sensors show"}
}

// LevelOf is the number of a level that an order names.
func LevelOf(a orders.Arg) int { return strings.Index("0123", a.Text) }

// ContactFact answers such a condition for a ship's captain. Of is the ship that the condition means by
// a word such as nearest; nil if it names her by name, as her captain does. What he knows nothing of by
// that name cannot be known.
func (t *Turn) ContactFact(by *engine.Ship, name string, of *engine.Ship, c *orders.Cond) (value, known bool) {
	g := t.Game
	level, age := blind.Full, 0
	if g.Blind != nil && of == nil {
		s, own := g.Ship(engine.ShipID(name))
		own = own && commanderOf(g, s) == by.Captain
		switch entry := entryMeant(g, by.Captain, name); {
		case own:
		case entry == nil || !entry.Kept(t.Number(), *g.Blind.Memory):
			return false, false
		case entry.Lost:
			level, age = blind.Nothing, t.Number()-entry.Since.Turn
		default:
			if of, known = g.Ship(entry.Ship); !known {
				level = entry.Level // an echo
			}
		}
	}
	if g.Blind != nil && of != nil {
		level = finds(t.Rules, g, commandedBy(g, by.Captain), of)
	}
	if c.Subject == ageOf {
		return c.Holds(age), true
	}
	return c.Holds(level.Number()), true
}

// HoldsFire is why a captain's standing order keeps a ship of his from firing at another in a game in
// the dark: his sensors show too little of her, or he knows her for one of his own side. Blank if it does
// not. Below is a level's number.
func HoldsFire(r *engine.Rules, g *engine.Game, by, at *engine.Ship, below int) string {
	if g.Blind == nil || below == 0 {
		return ""
	}
	switch level, friend := Finds(r, g, by.Captain, at); {
	case friend:
		return "fire is held, and she is of your own side"
	case level.Number() < below:
		return fmt.Sprintf("fire is held below level %d", below)
	}
	return ""
}

// SureOfFriends is the level, as orders count it, below which a robot holds the fire of a ship, in
// a game in the dark in which what has no name may be a friend: at nothing whose name it does not
// know while a friend is about, until she is hit. 0: it fires.
func SureOfFriends(v *engine.View, s *engine.ShipView) int {
	mates := slices.ContainsFunc(v.Ships, func(o *engine.ShipView) bool {
		return o.ID != s.ID && o.Side == s.Side && !o.Kind.Small() && o.Status == engine.Active
	})
	if !v.Unnamed || !mates || slices.ContainsFunc(v.Events, func(e engine.Entry) bool {
		hit, ok := e.Body.(engine.Striking)
		return ok && hit.Strikes() == s.ID
	}) {
		return 0
	}
	return blind.Full.Number()
}
