package dark

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/orders"
)

// LabVerbs returns the orders for laboratories and files, for rule sets that have them. They are for the whole
// turn.
func LabVerbs() []orders.Verb {
	return []orders.Verb{
		{
			Name: engine.JobStudy, Forms: []orders.Form{"study SHIP with COUNT"}, Examples: []string{"study c03 with 2"},
			Doc: fmt.Sprintf("Have laboratory boxes gather data about a ship at the end of the turn: each yields %d points less a die and the closest range of the turn, within %d hexes. In the dark every %d points complete her sheet, and every %d reveal one of her weapons.", labBest, labReach, SheetPoints, NaturePoints),
		},
		{
			Name: engine.JobReceive, Forms: []orders.Form{"receive FILE with COUNT"}, Examples: []string{"receive charts with 2"},
			Doc: "Have laboratory boxes receive a file that a ship of your side sends in the turn, at the same rate, over as many turns as it takes.",
		},
		{
			Name: engine.JobSteal, Forms: []orders.Form{"steal FILE with COUNT"}, Examples: []string{"steal charts with 3"},
			Doc: "Have laboratory boxes intercept a file that an enemy sends in the turn, at the same rate, by the range to her.",
		},
		{
			Name: JobDecode, Forms: []orders.Form{"decode SIDE with COUNT"}, Dark: true, Examples: []string{"decode klingon with 3", "decode any with 3"},
			Doc: fmt.Sprintf("In the dark, have laboratory boxes work on the code in which a side, or a contact, speaks within %d hexes this turn, at the same rate, by the range at which it was heard; `any` is the nearest. %d points break it: whatever is said in it within %d hexes is read, in this turn too, until the side changes its code. A broken code is a file, which can be sent.", labReach, codeUnits, labReach),
		},
		{
			Name: VerbNew, Forms: []orders.Form{"new code"}, Dark: true, Once: true, Examples: []string{"new code"},
			Doc: "In the dark, switch your side to its next code book from the next turn on; those who broke the last one cannot read it. The scenario says how many there are (default 2).",
		},
		{
			Name: engine.VerbSend, Forms: []orders.Form{"send file FILE to SHIP"}, Examples: []string{"send file charts to Zephyr"},
			Doc: "Send a file that is aboard to a ship of your side this turn; she must receive it. A copy stays aboard; enemies may steal it.",
		},
	}
}

// LabParams returns the arguments that only those orders have.
func LabParams() map[string]orders.Param {
	return map[string]orders.Param{
		"FILE": {Class: orders.Name, Doc: "a file, by its name"},
		"SIDE": {Class: orders.Name, Doc: "a side, or the contact that speaks, or `any`"},
	}
}

// What conditions may ask about a captain's contacts.
const (
	levelOf = "level of SHIP"
	ageOf   = "age of SHIP"
)

// ContactSubjects returns what conditions may ask about what a captain's sensors show of a ship, for rule sets that
// can be played in the dark.
func ContactSubjects() []orders.Subject {
	return []orders.Subject{
		{Form: levelOf, Kind: orders.NumberSubject, Dark: true, Doc: "how much your sensors show of that contact now, in the dark: 3 who it is, 2 its size, 1 a presence, 0 a warp field alone, or nothing; in the open, 3 for what is in sight"},
		{Form: ageOf, Kind: orders.NumberSubject, Dark: true, Doc: "how many turns ago your sensors last had that contact, in the dark: 0 if they have it now"},
	}
}

// AsksContact reports whether a condition has one of these subjects.
func AsksContact(c *orders.Cond) bool { return c.Subject == levelOf || c.Subject == ageOf }

// HoldVerb returns the standing order that holds fire; LevelParam is its parameter LEVEL.
func HoldVerb() orders.Verb {
	return orders.Verb{
		Name: "hold", Forms: []orders.Form{"hold fire below LEVEL"}, Dark: true, Once: true, Examples: []string{"hold fire below 2", "hold fire below 0"},
		Doc: "In the dark: do not fire at anything of which your sensors show less than that (1 a presence, 2 size and heading, 3 who it is), nor at a ship known to be on your own side. 0 lifts this. In the open it has no effect.",
	}
}

// LevelParam returns the parameter for a sensor level: a number from 0 to 3.
func LevelParam() orders.Param {
	return orders.Param{Class: orders.Choice, Choices: []string{"0", "1", "2", "3"}, Doc: "0 to 3: how much sensors show"}
}

// LevelOf returns the number of a level that an order names.
func LevelOf(a orders.Arg) int { return strings.Index("0123", a.Text) }

// ContactFact answers such a condition for a ship's captain. Of is the ship that the condition means by a word such
// as nearest; it is nil if the condition has the captain's name for her. Known is false for a name that the captain
// does not know.
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

// HoldsFire returns why a captain's standing order keeps one of their ships from firing at another in a game in the
// dark: the captain's sensors show too little of her, or she is known to be on the own side. It is blank if nothing
// does. Below is a level's number.
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

// A ship in the dark may leave unseen once no enemy has found her for two whole turns, provided that one had found
// her before: otherwise hiding would be enough to leave (house 6.62, F15). Warp fields do not count.

// unseenTurns is the number of turns in a row in which no enemy may have found her.
const unseenTurns = 2

// LeavesUnseen is the rule for leaving so.
const LeavesUnseen = "house 6.62"

// StillFound is the reason why a ship cannot leave unseen, in the same words for every cause.
const StillFound = "two turns have not gone by in which no enemy found her, or none had found her before"

// DisengageVerb returns the order to leave unseen, for rule sets without an order of that name.
func DisengageVerb() orders.Verb {
	return orders.Verb{
		Name: "disengage", Forms: []orders.Form{"disengage"}, Dark: true, Once: true, Ends: "she leaves the battle", Examples: []string{"disengage"},
		Doc: "In the dark: leave the battle unannounced at the end of the turn, if an enemy once found you and none has for two whole turns. Warp fields do not count. The enemy scores half the ship's value.",
	}
}

// Slipped reports whether a ship may leave unseen at this point of the turn.
func (t *Turn) Slipped(s *engine.Ship) bool {
	if t.open() {
		return false
	}
	last, found := t.Game.Blind.Found[s.ID]
	return found && t.Number()-last >= unseenTurns && !slices.Contains(t.sighted, s.ID)
}

// TalkVerbs returns the orders to talk that games in the dark have in addition to messages.
func TalkVerbs() []orders.Verb {
	return []orders.Verb{engine.SayVerb(), {
		Name: engine.VerbRelay, Forms: []orders.Form{"relay on", "relay off"}, Dark: true, Once: true, Examples: []string{"relay on"},
		Doc: "In a game in the dark in which your side hears you only within range: repeat its coded talk that you have read, once each, as each turn or round begins, until `relay off`. Those who overhear it take you for the speaker.",
	}, {
		Name: engine.VerbReport, Forms: []orders.Form{"report contacts"}, Dark: true, Once: true, Examples: []string{"report contacts"},
		Doc: "In a game in the dark, report your list of contacts to your own side in code, as the turn or round begins. Those who read it get them on their lists, marked as yours, with place and age.",
	}}
}

// AboutHeard is the subject of conditions on what was heard.
const AboutHeard = "heard"

// HeardSubject returns that subject, for languages.
func HeardSubject() orders.Subject {
	return orders.Subject{Form: AboutHeard, Kind: orders.FlagSubject, Doc: "you have received or overheard a message this turn, coded or not"}
}
