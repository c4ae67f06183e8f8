package manual

import (
	"maps"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/orders"
)

// ordersLanguage returns the captains' language: lines in their own words, and the orders that all rule sets share.
func ordersLanguage() *orders.Language {
	l := &orders.Language{
		Rules: Name, Free: "do",
		Params: map[string]orders.Param{
			"LINE":  {Class: orders.Text, Doc: "an order in your own words"},
			"TO":    {Class: orders.Name, Doc: "a ship, a side, `side` or `all`"},
			"WORDS": {Class: orders.Text, Doc: "any words"},
		},
		Sections: []orders.Section{engine.TurnLevel(append(instrumentVerbs(), engine.SayVerb(), orders.Verb{
			Name: "do", Forms: []orders.Form{"do LINE"}, Examples: []string{"do wait for the freighter, then turn to port"},
			Doc: "An order in your own words, for the referee to read. The word `do` may be left out, unless the line would begin with another order in this list.",
		})...)},
	}
	maps.Copy(l.Params, instrumentParams())
	return l
}

// rulingsLanguage returns the language of a referee's rulings.
func rulingsLanguage() *orders.Language {
	l := orders.Language{
		Rules: Name + " rulings",
		Params: map[string]orders.Param{
			"SHIP":    {Class: orders.Name, Doc: "a ship, by its name or its short name on the map"},
			"TARGET":  {Class: orders.Name, Doc: "a ship"},
			"SIDE":    {Class: orders.Name, Doc: "a side, by its id"},
			"WHO":     {Class: orders.Name, Doc: "a ship, a side, `all` or `nobody`"},
			"HEX":     {Class: orders.HexLabel, Doc: "a hex, column and row: 0714"},
			"HEADING": {Class: orders.Choice, Choices: []string{"A", "B", "C", "D", "E", "F"}, Doc: "a heading: A is up, then clockwise"},
			"TRACK":   {Class: orders.Name, Doc: "a track of the ship's sheet: hull, shields.1"},
			"VALUE":   {Class: orders.Number, Doc: "a number"},
			"MOST":    {Class: orders.Number, Doc: "the most that the track can hold"},
			"CHANGE":  {Class: orders.Signed, Doc: "a signed number: +2, -3"},
			"POINTS":  {Class: orders.Number, Doc: "points"},
			"STATUS":  {Class: orders.Choice, Choices: []string{"destroyed", "crippled", "left", "surrendered"}, Doc: "what became of the ship"},
			"EDGE":    {Class: orders.Choice, Choices: []string{"north", "south", "east", "west"}, Doc: "the edge of the map that it left by"},
			"NAME":    {Class: orders.Name, Doc: "a name for the roll, such as hood.beams, or for the mark"},
			"DIE":     {Class: orders.Choice, Choices: []string{"d6", "2d6", "d10", "d100"}, Doc: "the die"},
			"RESULT":  {Class: orders.Choice, Choices: []string{"hit", "miss"}, Doc: "hit or miss"},
			"SEEN":    {Class: orders.Choice, Choices: []string{"yes", "no", blind.WordField, blind.WordPresence, blind.WordRough, bySensors}, Doc: "yes or no, or in the dark how much of it"},
			"KIND":    {Class: orders.Choice, Choices: []string{"planet", "moon", "asteroid", "mine", "explosion", "other"}, Doc: "how it is drawn"},
			"WORDS":   {Class: orders.Text, Doc: "a few words for the report"},
		},
		Sections: []orders.Section{{Doc: "What the referee rules, in the order in which it happens.", Verbs: rulingVerbs()}},
	}
	return l.Compiled()
}

func rulingVerbs() []orders.Verb {
	verbs := []orders.Verb{
		{
			Name: "move", Forms: []orders.Form{"move SHIP HEX [HEADING]"}, Examples: []string{"move Hood 1204 B", "move Hood 1205"},
			Doc: "The ship moves to a hex, with the heading given or its own. Several moves of one ship draw its path on the map. Whoever sees the ship sees the move.",
		},
		{
			Name: "turn", Forms: []orders.Form{"turn SHIP HEADING"}, Examples: []string{"turn Hood C"},
			Doc: "The ship turns in place.",
		},
		{
			Name: "set", Forms: []orders.Form{"set SHIP TRACK VALUE"}, Examples: []string{"set Hood shields.1 8"},
			Doc: "A track of the ship's sheet gets a new value.",
		},
		{
			Name: "change", Forms: []orders.Form{"change SHIP TRACK CHANGE"}, Examples: []string{"change Hood hull -3"},
			Doc: "A track of the ship's sheet goes up or down by this amount.",
		},
		{
			Name: "track", Forms: []orders.Form{"track SHIP TRACK VALUE [of MOST]"}, Examples: []string{"track Hood fire 2 of 6"},
			Doc: "The ship's sheet gets a new track.",
		},
		{
			Name: "out", Forms: []orders.Form{"out SHIP STATUS [by EDGE] [for WORDS]"},
			Examples: []string{"out Riskadh destroyed", "out Riskadh left by north", "out Riskadh surrendered for her colours were struck"},
			Doc:      "The ship is out of the fight: it needs no more orders, and the other sides score its value. A destroyed or crippled ship stays on the map as a hulk.",
		},
		{
			Name: "enter", Forms: []orders.Form{"enter SHIP HEX HEADING"}, Examples: []string{"enter Riskadh 0110 C"},
			Doc: "The ship joins the fight: a reinforcement, or a ship that was out of it.",
		},
		{
			Name: "see", Forms: []orders.Form{"see WHO SHIP SEEN"}, Examples: []string{"see Hood Riskadh no", "see all Riskadh yes", "see Hood Riskadh rough"},
			Doc: "Who sees a ship from now on. For anyone else it is neither on the map nor in the report. In a game in the dark this overrides the sensors, until `sensors` leaves it to them again; `field`, `presence` and `rough` show that much of it.",
		},
		{
			Name: "roll", Forms: []orders.Form{"roll NAME DIE [for WHO]"}, Examples: []string{"roll hood.beams d10", "roll search 2d6 for nobody"},
			Doc: "A die from the game's secret. Its value depends only on its name and the turn; a dry run shows it. Everyone is told, or those named; in a game in the dark, only those named.",
		},
		{
			Name: "shot", Forms: []orders.Form{"shot SHIP TARGET RESULT [with WORDS]"}, Examples: []string{"shot Hood Riskadh hit with beams"},
			Doc: "Fire, drawn on the map for viewers who see both ships. State its effects in other rulings.",
		},
		{
			Name: "score", Forms: []orders.Form{"score SIDE POINTS [for WORDS]", "score SIDE CHANGE [for WORDS]"}, Examples: []string{"score union 5 for the convoy", "score union -2"},
			Doc: "Points for a side. In a game in the dark only that side is told.",
		},
		{
			Name: "mark", Forms: []orders.Form{"mark KIND NAME HEX..."}, Examples: []string{"mark asteroid belt 0505 0506"},
			Doc: "A feature on the map, for everyone; an existing mark of that name is moved.",
		},
		{
			Name: "unmark", Forms: []orders.Form{"unmark NAME"}, Examples: []string{"unmark belt"},
			Doc: "Removes a feature from the map, by the name that mark gave it or by its id.",
		},
		{
			Name: "end", Forms: []orders.Form{"end side SIDE [for WORDS]", "end draw [for WORDS]"}, Once: true, Examples: []string{"end side union for the convoy is through", "end draw"},
			Doc: "The game is over after this turn: a side has won, or it is a draw.",
		},
	}
	slices.SortFunc(verbs, func(a, b orders.Verb) int { return strings.Compare(a.Name, b.Name) })
	return verbs
}
