package engine

import (
	"encoding/json"
	"fmt"

	"starpost/orders"
)

// Rules is a rule set as a value: what it is called, its phases in order, its
// order language, its event bodies, and the few functions the core asks of it.
// All functions are pure. Functions that get a *View know only what its viewer
// may know, which is how they cannot tell too much.
type Rules struct {
	Name    string // "stcs-basic"
	Version string // frozen into each game
	Title   string
	Sources []string // where rules and numbers come from

	Phases   []Phase
	Language *orders.Language
	Events   *EventTypes // beyond the core's
	Dice     []NamedDie  // all rolls that it makes

	// Commission makes a ship's system from its entry in a scenario.
	Commission func(entry ShipEntry) (Commissioned, []Problem)
	// DecodeSystem reads a System back from state.json.
	DecodeSystem func(data json.RawMessage) (System, error)
	// Options lists the game options and their allowed values, default first.
	Options map[string][]string
	// Public is what every captain may know of another's system; nil for nothing.
	Public func(s *Ship) any
	// NewPublic is an empty value of what Public, Look and the rules of the dark tell of another's system, for
	// [DecodeView] to fill. It is a [Knowledge] where turns can be rehearsed.
	NewPublic func() any
	// Look is what a viewer makes out of another captain's ship while the game is
	// on. Nil for rule sets in which every ship on the map is seen and Public is
	// all that is known of it; else it goes before Public.
	Look func(g *Game, who Viewer, s *Ship) Observation
	// Witness says who sees that a ship arrives, leaves the fight or wishes for
	// luck; nil for everybody.
	Witness func(g *Game, s *Ship) See
	// Due names the seats that owe orders for what comes next, by id of ship, of ships
	// that can be commanded; orders of others may come. Nil: all ships in the fight.
	Due func(g *Game) []Seat
	// Hears tells who hears what a ship's captain says in his orders, and, by what is open to others under
	// "sender" and "words", how much of it: to a ship, a side, "side" (his own) or "all", as he wrote it, in code or not.
	// He always hears himself. Nil: those to whom it is said, who see the ship.
	Hears func(g *Game, from *Ship, to string, coded bool) See
	// Sends gives those of the ships to which a message of one of a ship's officers gets
	// through in the game, and tells him why it does not reach the others. Nil: all of them.
	Sends func(t *Turn, from Seat, st orders.Statement, to []ShipID) []ShipID
	// Mates cut what a captain sees to what his officers do; nil for rule sets whose ships have no posts.
	Mates *Mates
	// Terrain lists the kinds of features that scenarios may have.
	Terrain map[string]Ground
	// Check diagnoses a ship's orders against what its captain may know. It,
	// Template and Robot get views of how things stand, which may lack the events.
	Check func(v *View, ship ShipID, b orders.Block) Checked
	// Choose tells what else could stand in an order set; nil for rule sets that cannot tell. The chooser is nil for a
	// ship that can be given no orders.
	Choose func(v *View, ship ShipID, b orders.Block) Chooser
	// Conn puts ordinary orders in the place of the plain commands of a ship's set, by what its captain may know, and tells
	// what each has become and which the ship cannot carry out; nil for rule sets that have no such commands.
	Conn func(v *View, ship ShipID, b orders.Block) (orders.Block, []Effect, []orders.Diagnostic)
	// Template is last turn's settings as a valid order set for the turn that is
	// due, without head and end.
	Template func(v *View, ship ShipID) string
	// First is the order set that a teacher would offer for a ship's first turn, with remarks
	// on what else may be said. It is "" where there is none to offer; nil: never is.
	First func(v *View, ship ShipID) string
	// Covers tells whether an order set says what its ship is to do in a later
	// round of the turn too, if nothing else is said by then. Nil: none does.
	Covers func(b orders.Block, round int) bool
	// Tell is what others on a ship are told at once of an order set for a seat on her, when
	// it is stored in time for the turn that is due: the engineer's totals, for helm. The view
	// is that of who sent the set, which is in order. Nil: nothing.
	Tell func(v *View, seat Seat, b orders.Block) []Word
	// Council are the posts, "" for the captain's, whose orders a game may want some hours
	// earlier than those of the others: its setting council says how many.
	Council []string
	// Robot writes an order set for a ship, without head and end.
	Robot func(v *View, ship ShipID) string
	// Tricks are simple ways to play, to try robots by; nil: the rule set has none.
	Tricks []Trick
	// Present turns a view into sentences, tables and map overlays.
	Present func(v *View) Presentation
	// Marks gives the map overlays of Present without the rest; nil where that
	// would save nothing. See [Rules.Overlays].
	Marks func(v *View) map[ShipID]Overlay
	// Counted is what the phases of moves and shots are called on maps; blank for phases.
	Counted string
	// Words puts one event of a view, the i-th, into sentences, and Why says what the
	// rules made of one of a story: tables, sums, choices. Nil for rule sets that have
	// nothing to say of their events one by one.
	Words func(v *View, i int) []Line
	Why   func(s *Story, i int) []string
	// CrippledMayAct is set if captains may still give orders to crippled ships. None are owed.
	CrippledMayAct bool
	// Spent tells whether a ship has nothing left that could be taken from it: a goal
	// to destroy it is reached then. Nil: only a ship that is destroyed is spent.
	Spent func(s *Ship) bool
	// Hull is how much of what holds a ship together is left, of how much: what anybody may
	// know of a seat that is offered while the battle is on. Nil: nothing.
	Hull func(s *Ship) (left, all int)
	// Referee is by whom what a referee rules of a turn is carried out; nil: nothing can be ruled.
	Referee Referee
	// Extension is for rule sets that can be played in the dark, or whose ships have laboratories; nil for others.
	Extension Extension
	// Filing is for rule sets whose turns a referee plays; nil for all others.
	Filing *Filing

	causes *Causes // see Tracing
}

// Mates are what those see of a ship who hold posts on her and are not her captain.
type Mates struct {
	// Station is a ship's system as the holders of these posts see it.
	Station func(s *Ship, posts []string) any
	// Aboard is as whom they see an event that the ship's people are shown: the fields that its type has open to
	// those words, or with ok false no more than what strangers see.
	Aboard func(g *Game, e *Event, ship ShipID, posts []string) (open []string, ok bool)
}

// Trick is a simple way to play all turns of a battle alike: Orders is as [Rules.Robot].
type Trick struct {
	Name, Doc string
	Orders    func(v *View, ship ShipID) string
}

// Overlays are the map overlays of a view, by ship: those of Present.
func (r *Rules) Overlays(v *View) map[ShipID]Overlay {
	if r.Marks != nil {
		return r.Marks(v)
	}
	return r.Present(v).Marks
}

// Navigate is Conn, and leaves the sets of rule sets as they are that have none.
func (r *Rules) Navigate(v *View, ship ShipID, b orders.Block) (orders.Block, []Effect, []orders.Diagnostic) {
	if r.Conn == nil {
		return b, nil, nil
	}
	return r.Conn(v, ship, b)
}

// Phase is one named part of a turn. No is the number of the phase within the
// turn (0 for what belongs to the whole turn), Step its kind. Round is in which
// exchange of orders it happens when a turn is played in rounds, from 1 and never
// less than that of the phase before; 0 in rule sets whose turns cannot be cut.
type Phase struct {
	Name  string
	Step  string
	No    int
	Round int
	Run   func(t *Turn)
}

// Knowledge is what is known of another's system.
type Knowledge interface {
	// Assume is the system of a ship of a view as far as the viewer can tell, as the turn that is due begins: that of a ship
	// which her class has as new, made to fit what he knows of her. What is only assumed is told, a line each. It is nil of a
	// small craft of which too little is known; none has a class.
	Assume(v *View, s *ShipView, asNew System) (system System, assumed []string)
}

// ShipEntry is what a scenario says of one ship's make and state, in the rule
// set's own keys: its state of repair, and how else it is at the start. Options are
// the game's; those that are not there are as by default. A class may be named by its
// title instead, as ships of a game have it.
type ShipEntry struct {
	Class   string
	Title   string
	Repair  map[string]any
	State   map[string]any
	Options map[string]string
}

// Commissioned is a ship made ready by the rule set.
type Commissioned struct {
	System System
	Title  string // the class in words
	Value  int    // default points for defeating it
}

// Problem is a mistake in an entry: which key of it, and what is wrong.
type Problem struct {
	Key     string
	Message string
	Hint    string
}

// Word is what is told to posts of a ship at once, when an order set of another comes in.
type Word struct {
	Posts []string // who are told; "" for the captain
	Title string   // for the subject: "totals of the engineer"
	Lines []string
}

// Checked is what a look at an order set gives.
type Checked struct {
	Diagnostics []orders.Diagnostic
	Effects     []Effect // what each line does, in order of line
	Summary     []string // power left over, movement split, ...
	Path        []Step   // the ship's own plotted path
	Aimed       []Aimed  // what weapons that are to fire can do, as things stand
	Power       Power    // of a set that says how all of it is used
}

// Power is what a ship has of it in a turn, and what of it the lines of an order set take: perhaps more in all.
type Power struct {
	Have int
	Uses []Use
}

// Use is the power that a line takes; that of the set's first is what the ship takes of herself.
type Use struct{ Line, Power int }

// Aimed is what a weapon, or a bank of them, can do at a target as things stand when a line of orders fires it.
type Aimed struct {
	Line   int
	Weapon string
	Target ShipID
	Range  int
	Chance string // of a hit, or what it does; "" if it can do nothing
	Why    string // it can do nothing
}

// Chooser tells of an order set what else could stand in it.
type Chooser interface {
	// Names are what of the ship a placeholder of the language can stand for: her weapons, her shields. Nil for
	// placeholders of which that is not known.
	Names(placeholder string) []string
	// Reach is where the ship can be after the moves of a phase, if its movement were another.
	Reach(phase int) []Reached
}

// Reached is a place where a ship can be, the words of the movement order that leads there, and what they cost.
type Reached struct {
	At    Place
	Words []string
	Cost  int
}

// Effect is the meaning of one line of an order set.
type Effect struct {
	Line int
	Text string
}

// Commands tells whether a captain may give orders to a ship as it is.
func (r *Rules) Commands(s *Ship) bool {
	return !s.Small() && (s.Status == Active || r.CrippledMayAct && s.Status == Crippled)
}

// Filing is what a rule set says of the reports that a referee files, for rule
// sets whose turns a referee plays: a turn of theirs is not resolved from the
// orders alone, but from the orders and a filing.
type Filing struct {
	// Language is that of the rulings in a filing, for its reference.
	Language *orders.Language
	// Check diagnoses a filing for the turn that is due; g is not changed.
	Check func(g *Game, data []byte) []orders.Diagnostic
	// Phases are those of a turn that is played with a filing which has no errors.
	Phases func(data []byte) []Phase
	// Blank is a filing to be filled in for the turn that is due, with the orders
	// in it as remarks.
	Blank func(g *Game, sheets []Sheet) string
}

// FilingError says what is wrong with a filing; at least one of its diagnostics
// is an error.
type FilingError struct{ Diagnostics []orders.Diagnostic }

// Error gives the first remark.
func (e *FilingError) Error() string {
	if len(e.Diagnostics) == 0 {
		return "the filing cannot be used"
	}
	return "the filing cannot be used: " + e.Diagnostics[0].String()
}

// Filed is the rule set with the phases of a turn for which a referee filed that.
func (r *Rules) Filed(before *Game, filed []byte) (*Rules, error) {
	if r.Filing == nil {
		return nil, fmt.Errorf("turns of rule set %s are not filed", r.Name)
	}
	if ds := r.Filing.Check(before, filed); orders.HasErrors(ds) {
		return nil, &FilingError{ds}
	}
	with := *r
	with.Phases = r.Filing.Phases(filed)
	return &with, nil
}
