package engine

import (
	"starpost/orders"
)

// An Extension is what a game may have beside the phases of its rule set: captains in the dark, laboratories
// and what they gather. The core asks it at the places that stand here and knows no more of it.
type Extension interface {
	// Events are the types of those that it adds.
	Events() *EventTypes
	// Begin gives its part in a turn of a game in the dark, or in rulings on a set-up.
	Begin(t *Turn) TurnExtension
	// Unheard is why no one hears what an order of a ship's captain says; blank for what is said.
	Unheard(g *Game, from *Ship, st orders.Statement) string
	// Observe is what of a ship a viewer may use in the orders of a game in the dark.
	Observe(r *Rules, g *Game, who Viewer, s *Ship) Observation
	// Ships cuts the view of a game in the dark to what its viewer may know, and gives its ships; own and
	// trails are those of the game's ships, by their places.
	Ships(c *ViewBuilder, v *View, own []bool, trails [][]Step) []*ShipView
	// Share adds to a view what its viewer's ships have by it; of all ships with all.
	Share(c *ViewBuilder, v *View, all bool)
	// Chart gives a feature as far as a viewer has found it, nil for nothing; secret tells of one that is hidden
	// from others and known to him. It is nil where the terrain is known.
	Chart(g *Game, who Viewer) func(f *Feature, secret bool) *Feature
}

// A TurnExtension is an extension's part in one turn.
type TurnExtension interface {
	// Announce is [Turn.Emit] for what some captain sees: it records the event, and what others are told of it.
	Announce(body Body, see See, rule []string) Ref
	// Recorded follows each event that has come about.
	Recorded(body Body)
	// Known is who of those who see an event know all ships in it.
	Known(body Body, see See) See
	// BeginRound comes before what is said in a round, with the order set of each seat; EndTalk after it.
	BeginRound(block func(Seat) *orders.Block)
	EndTalk()
	// Worded is an order to say something, with its words; Say carries it out.
	Worded(from *Ship, st orders.Statement) orders.Statement
	Say(from *Ship, st orders.Statement, body *Talk, order Ref)
	// EndPhase and EndRound come when the phases of a turn are over, and the rounds.
	EndPhase()
	EndRound()
}

// extend gives a turn what its rule set has beside its phases; nil in a game in the open.
func (r *Rules) extend(t *Turn) TurnExtension {
	if r.Extension == nil || t.Game.Blind == nil {
		return nil
	}
	return r.Extension.Begin(t)
}

// A Referee carries out what was ruled of turns: see package ruling.
type Referee interface {
	// Events are the types of those that it adds.
	Events() *EventTypes
	// Begin gives its part in a turn; nil where nothing was ruled.
	Begin(t *Turn) TurnReferee
}

// A TurnReferee is a referee's part in one turn.
type TurnReferee interface {
	// AtBeginning and AtEnd carry out what was ruled for then. AtEnd tells whether it did: what is over may not be so after it.
	AtBeginning()
	AtEnd() bool
	// Thrown may change what a die shows that was thrown, and gives the event by which it did to those who see the roll.
	Thrown(roll *Roll, see See) Ref
	// Over comes when all dice of the turn are thrown.
	Over()
}

// referee gives a turn what was ruled of it; nil for nothing.
func (r *Rules) referee(t *Turn) TurnReferee {
	if r.Referee == nil {
		return nil
	}
	return r.Referee.Begin(t)
}
