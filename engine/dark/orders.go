package dark

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/orders"
)

// LabVerbs are the orders for laboratories and files, for rule sets that have them: they are for
// the whole turn.
func LabVerbs() []orders.Verb {
	return []orders.Verb{
		{
			Name: engine.JobStudy, Forms: []orders.Form{"study SHIP with COUNT"}, Examples: []string{"study c03 with 2"},
			Doc: fmt.Sprintf("Have boxes of laboratories gather data about a ship, as the turn ends: %d less a die and the closest range of the turn for each, within %d hexes. In the dark each %d points draw her sheet, each %d tell of one of her weapons.", labBest, labReach, SheetPoints, NaturePoints),
		},
		{
			Name: engine.JobReceive, Forms: []orders.Form{"receive FILE with COUNT"}, Examples: []string{"receive charts with 2"},
			Doc: "Have boxes of laboratories receive a file that a ship of your side sends in the turn, by the same points, from turn to turn until all of it is there.",
		},
		{
			Name: engine.JobSteal, Forms: []orders.Form{"steal FILE with COUNT"}, Examples: []string{"steal charts with 3"},
			Doc: "Have boxes of laboratories take in a file that an enemy sends in the turn, by the same points and the range to her.",
		},
		{
			Name: JobDecode, Forms: []orders.Form{"decode SIDE with COUNT"}, Dark: true, Examples: []string{"decode klingon with 3", "decode any with 3"},
			Doc: fmt.Sprintf("In the dark, have boxes of laboratories gather data on the code in which a side, or a contact, speaks within %d hexes in this turn, by the same points and the range at which that was heard; `any` is the nearest. %d points break it: what is said in it within %d hexes is read, in this turn too, until the side takes a new one. A code that is broken is a file, which can be sent.", labReach, codeUnits, labReach),
		},
		{
			Name: VerbNew, Forms: []orders.Form{"new code"}, Dark: true, Once: true, Examples: []string{"new code"},
			Doc: "In the dark, have your side talk by its next code book from the next turn on, which those who broke the last one cannot read. A scenario says how many it has: 2 if it says nothing.",
		},
		{
			Name: engine.VerbSend, Forms: []orders.Form{"send file FILE to SHIP"}, Examples: []string{"send file charts to Zephyr"},
			Doc: "Send a file that is aboard to a ship of your side in this turn, which must receive it. It stays aboard; enemies may steal it.",
		},
	}
}

// LabParams are the arguments of those that no other order has.
func LabParams() map[string]orders.Param {
	return map[string]orders.Param{
		"FILE": {Class: orders.Name, Doc: "a file, by its name"},
		"SIDE": {Class: orders.Name, Doc: "a side, or the contact that speaks, or `any`"},
	}
}

// What conditions may ask of a captain's contacts.
const (
	levelOf = "level of SHIP"
	ageOf   = "age of SHIP"
)

// ContactSubjects are what conditions may ask of what a captain's sensors have of a ship, for rule
// sets that can be played in the dark.
func ContactSubjects() []orders.Subject {
	return []orders.Subject{
		{Form: levelOf, Kind: orders.NumberSubject, Dark: true, Doc: "in the dark how much your sensors show of that contact now: 3 who it is, 2 its size, 1 that something is there, 0 a warp field alone, or nothing; 3 in a game in the open for what is in sight"},
		{Form: ageOf, Kind: orders.NumberSubject, Dark: true, Doc: "in the dark how many turns ago your sensors had that contact last: 0 for one that they have"},
	}
}

// AsksContact tells whether a condition is one of these.
func AsksContact(c *orders.Cond) bool { return c.Subject == levelOf || c.Subject == ageOf }

// HoldVerb is the standing order that keeps fire back, and LevelParam its parameter LEVEL.
func HoldVerb() orders.Verb {
	return orders.Verb{
		Name: "hold", Forms: []orders.Form{"hold fire below LEVEL"}, Dark: true, Once: true, Examples: []string{"hold fire below 2", "hold fire below 0"},
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

// A ship in the dark may leave unseen once no enemy has found her for two whole turns, if one had
// before: else who hides would be gone (house 6.62, F15). Warp fields do not count.

// unseenTurns is for how many turns running no enemy may have had her.
const unseenTurns = 2

// LeavesUnseen is the paragraph by which ships leave so.
const LeavesUnseen = "house 6.62"

// StillFound is why a ship cannot leave unseen: the same words whatever it is.
const StillFound = "two turns have not gone by in which no enemy found her, or none had found her before"

// DisengageVerb is the order to leave unseen, for rule sets that have no order of that name.
func DisengageVerb() orders.Verb {
	return orders.Verb{
		Name: "disengage", Forms: []orders.Form{"disengage"}, Dark: true, Once: true, Ends: "she leaves the battle", Examples: []string{"disengage"},
		Doc: "In the dark: leave the battle as the turn ends, without a word to anyone, if for two whole turns no enemy has found you, and one had before that. Warp fields do not count. The enemy gains half of what the ship is worth.",
	}
}

// Slipped tells whether a ship may leave unseen as the turn stands.
func (t *Turn) Slipped(s *engine.Ship) bool {
	if t.open() {
		return false
	}
	last, found := t.Game.Blind.Found[s.ID]
	return found && t.Number()-last >= unseenTurns && !slices.Contains(t.sighted, s.ID)
}

// TalkVerbs are the orders to talk that games in the dark have beside messages.
func TalkVerbs() []orders.Verb {
	return []orders.Verb{engine.SayVerb(), {
		Name: engine.VerbRelay, Forms: []orders.Form{"relay on", "relay off"}, Dark: true, Once: true, Examples: []string{"relay on"},
		Doc: "In a game in the dark in which your side hears you within range alone, say again as each turn or round begins what you have read of its talk in code, once each, until `relay off`. Those who overhear it have you for the speaker.",
	}, {
		Name: engine.VerbReport, Forms: []orders.Form{"report contacts"}, Dark: true, Once: true, Examples: []string{"report contacts"},
		Doc: "In a game in the dark, tell your own side in code what is on your list of contacts, as the turn or round begins. Those who read it have it on their lists as what you told, with its place and how old it is.",
	}}
}

// AboutHeard is the subject of conditions on what was heard.
const AboutHeard = "heard"

// HeardSubject is that subject, for languages.
func HeardSubject() orders.Subject {
	return orders.Subject{Form: AboutHeard, Kind: orders.FlagSubject, Doc: "words of others have reached you in this turn, or talk that you overhear, in code too"}
}
