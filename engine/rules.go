package engine

import (
	"encoding/json"
	"fmt"

	"starpost/engine/blind"
	"starpost/engine/dice"
	"starpost/engine/hex"
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
	// Terrain lists the kinds of features that scenarios may have.
	Terrain map[string]Ground

	Seeing
	Ordering
	Reporting

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

// Seeing is what a rule set says of who may know what.
type Seeing struct {
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
	// Hears tells who hears what a ship's captain says in his orders, and, by what is open to others under
	// "sender" and "words", how much of it: to a ship, a side, "side" (his own) or "all", as he wrote it, in code or not.
	// He always hears himself. Nil: those to whom it is said, who see the ship.
	Hears func(g *Game, from *Ship, to string, coded bool) See
	// Sends gives those of the ships to which a message of one of a ship's officers gets
	// through in the game, and tells him why it does not reach the others. Nil: all of them.
	Sends func(t *Turn, from Seat, st orders.Statement, to []ShipID) []ShipID
	// Mates cut what a captain sees to what his officers do; nil for rule sets whose ships have no posts.
	Mates *Mates
}

// Ordering is what a rule set says of order sets: which are owed, what is wrong with one, which it writes itself.
type Ordering struct {
	// Due names the seats that owe orders for what comes next, by id of ship, of ships
	// that can be commanded; orders of others may come. Nil: all ships in the fight.
	Due func(g *Game) []Seat
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
	// due.
	Template func(v *View, ship ShipID) orders.Set
	// First is the order set that a teacher would offer for a ship's first turn, with remarks
	// on what else may be said. It is empty where there is none to offer; nil: never is.
	First func(v *View, ship ShipID) orders.Set
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
	// Robot makes an order set for a ship.
	Robot func(v *View, ship ShipID) orders.Set
	// Tricks are simple ways to play, to try robots by; nil: the rule set has none.
	Tricks []Trick
}

// Reporting is what a rule set makes of views for people to read.
type Reporting struct {
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
	Orders    func(v *View, ship ShipID) orders.Set
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
		return nil, fmt.Errorf("turns under rule set %s are not filed", r.Name)
	}
	if ds := r.Filing.Check(before, filed); orders.HasErrors(ds) {
		return nil, &FilingError{ds}
	}
	with := *r
	with.Phases = r.Filing.Phases(filed)
	return &with, nil
}

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

// Turn is a turn being resolved: a working copy of the game and what came of it.
type Turn struct {
	Rules  *Rules
	Game   *Game
	Sheets map[Seat]Sheet
	Phase  Phase
	Memo   any // a rule set's own working notes, from phase to phase

	dice      dice.Source   // of the round that is played
	stages    []dice.Source // of each round; the last ones are for all after theirs
	no        int
	round     int           // that is played
	rehearsed bool          // for a captain to know what his orders would do: no event is kept
	extension TurnExtension // nil in a game in the open
	events    []Event
	referee   TurnReferee // nil where nothing was ruled

	causes    *Causes        // of the events so far; nil where causes are not recorded, and so is all below
	because   []Ref          // what the next event follows from
	following Ref            // ... if nothing is said of it
	rolled    []Ref          // dice that no event has used yet
	silent    map[ShipID]Ref // by ship: that no orders came from her captain
	given     []Sheet        // as they came, before a rule set puts those of a ship's posts together
}

// View is a game and a turn's events cut to what one viewer may know, by
// default nothing. It is the JSON report; all else is drawn from it.
type View struct {
	Format  int               `json:"format"`
	Game    string            `json:"game"`
	Title   string            `json:"title"`
	Rules   string            `json:"rules"`
	Version string            `json:"version"`
	Turn    int               `json:"turn"`
	Round   int               `json:"round,omitempty"`  // rounds of Turn that are played; 0: all of it
	Rounds  int               `json:"rounds,omitempty"` // that each turn is played in; absent: at once
	Due     int               `json:"due,omitempty"`    // the turn that orders are wanted for; 0 when the game is over
	Options map[string]string `json:"options,omitempty"`
	Viewer  Viewer            `json:"viewer"`
	Bounds  *hex.Bounds       `json:"bounds,omitempty"`
	Sides   []Side            `json:"sides"`
	Goals   []string          `json:"goals,omitempty"`
	Terrain []*Feature        `json:"terrain,omitempty"`
	Ships   []*ShipView       `json:"ships"`
	Events  []Entry           `json:"events"`
	Result  *Result           `json:"result,omitempty"`
	Files   []FileView        `json:"files,omitempty"`   // that the viewer knows of
	Sheets  []Panel           `json:"sheets,omitempty"`  // that the viewer's laboratories have drawn
	Code    *blind.Code       `json:"code,omitempty"`    // of the viewer's side, where there are laboratories to break it
	Unnamed bool              `json:"unnamed,omitempty"` // in the dark: ships of the own side do not tell each other who they are
	// Uncharted tells that Terrain is what the viewer's ships have found, and not all that is there.
	Uncharted bool     `json:"uncharted,omitempty"`
	Dark      bool     `json:"dark,omitempty"` // not all that is there is in the view
	Free      []string `json:"free,omitempty"` // own ships in the fight that owe no orders for the turn Due
	Mute      bool     `json:"mute,omitempty"` // in the dark no captain hears another
	Aims      []Goal   `json:"aims,omitempty"` // the goals of the sides, as far as the viewer knows them

	rules *Rules // whose words its sentences use
}

// ViewBuilder makes the views of a turn for one viewer after the other. What several
// viewers see alike is made once and shared between their views: a body as it
// is for those who may see all of it, and one with what is open to the
// rest. So views must not be changed. It may be used by several goroutines, as
// long as the game and the events stay unchanged.
type ViewBuilder struct {
	rules  *Rules
	game   *Game
	events []Event
	rest   []Body // by event: what others see of it, nil for nothing
	movers []int  // by event: the index of the ship that moves, -1 for none
	moves  []int  // by ship: how many moves there are of it
	public []any  // by ship: what is known of another's system, if that is the same for all
	goals  []string
	rounds int // that a turn of the game is played in; 0: at once
}

// Story is a resolved turn laid open for who asks why a thing happened: a
// referee. It shows everything, so nothing of it may go to a captain unchanged.
//
// What an event follows from no file tells: it is recorded as the turn is resolved again
// ([Rules.Tracing]). A Story is not changed and may be used by one goroutine at a time.
type Story struct {
	Rules  *Rules
	Before *Game // the game before the turn
	After  *Game
	Events []Event
	Sets   []OrderSet

	view     *View  // of all, with all events
	because  Causes // nil where they are not known
	accounts []*Account
}
