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
	Bodies   map[string]func() Body // event types beyond the core's
	Dice     []NamedDie             // all rolls that it makes

	// Commission makes a ship's system from its entry in a scenario.
	Commission func(entry ShipEntry) (Commissioned, []Problem)
	// DecodeSystem reads a System back from state.json.
	DecodeSystem func(data json.RawMessage) (System, error)
	// Options lists the game options and their allowed values, default first.
	Options map[string][]string
	// Public is what every captain may know of another's system; nil for nothing.
	Public func(s *Ship) any
	// NewPublic is an empty value of what Public, Look and the rules of the dark tell of another's system, for
	// [DecodeView] to fill.
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
	// Station is a ship's system as the holders of these posts on her see it, who are not
	// her captain, and Aboard as whom they see an event that the ship's people are shown: the fields that
	// its type has open to those words, or with ok false no more than what strangers
	// see. Nil: as her captain does.
	Station func(s *Ship, posts []string) any
	Aboard  func(g *Game, e *Event, ship ShipID, posts []string) (open []string, ok bool)
	// Terrain lists the kinds of features that scenarios may have.
	Terrain map[string]Ground
	// Check diagnoses a ship's orders against what its captain may know. It,
	// Template and Robot get views of how things stand, which may lack the events.
	Check func(v *View, ship ShipID, b orders.Block) Checked
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

// ShipEntry is what a scenario says of one ship's make and state, in the rule
// set's own keys: its state of repair, and how else it is at the start. Options are
// the game's; those that are not there are as by default.
type ShipEntry struct {
	Class   string
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
}

// Effect is the meaning of one line of an order set.
type Effect struct {
	Line int
	Text string
}

// Step is one step of a ship's way: the phase and where it ended.
type Step struct {
	Phase int   `json:"phase"`
	At    Place `json:"at"`
}

// Presentation is a view put into words, tables and overlays.
type Presentation struct {
	Phases []Chapter
	Panels []Panel
	Shots  []Shot
	Marks  map[ShipID]Overlay // own ships by id, others that stand still, small craft
	// Headline begins the turn in one line, where it is not the shots that do.
	Headline string `json:",omitempty"` // left out of what is compared with older records
}

// Chapter is what happened in one step of the turn.
type Chapter struct {
	Title string
	Lines []Line
}

// Line is one sentence of a report, with the rule it came from.
type Line struct {
	Depth int
	Text  string
	Cite  string
	// N is the number in the view of the event that the line begins with; 0 for
	// details of the line above.
	N int `json:"-"` // left out of what is compared with older records
}

// Panel is a table or a list of facts, and rows of boxes below it.
type Panel struct {
	Key     string
	Title   string
	Notes   []string
	Columns []Column
	Rows    [][]string
	Boxes   []BoxRow `json:",omitempty"`
}

// BoxRow is some boxes on a ship's sheet and how many of them are left. Rows of one
// group stand together under its name. Note is drawn behind the boxes.
type BoxRow struct {
	Group, Name, Note string
	All, Left         int
}

// Column heads a column of a panel.
type Column struct {
	Name  string
	Right bool
}

// Shot is one weapon's fire, for the map.
type Shot struct {
	Phase    int
	From, To ShipID // ships
	Hit      bool
	Label    string
	// Roll is what was thrown for it, as the view's event has it; 0 where the viewer does not know, or
	// nothing was. It is not in JSON, so that presentations compare as they did before there was one.
	Roll int `json:"-"`
}

// Overlay is what the map shows around an own ship, and of a thing that stands still.
type Overlay struct {
	Shields []ShieldMark
	Arcs    []ArcMark
	Fixed   bool   `json:",omitempty"` // it never moves: a station and no ship
	Cloaked bool   `json:",omitempty"` // it is there, but hidden from others
	Small   bool   `json:",omitempty"` // small craft, drawn smaller
	Note    string `json:",omitempty"` // what the list of the map says of it
}

// ShieldMark is one shield: Side is its hex side clockwise from the bow, 0..5.
type ShieldMark struct {
	Number, Side, Now, Max int
	Down                   bool
}

// ArcMark is a weapon's arc in degrees clockwise from the bow, and its reach in hexes.
type ArcMark struct {
	Name            string
	From, To, Reach int
}

// Commands tells whether a captain may give orders to a ship as it is.
func (r *Rules) Commands(s *Ship) bool {
	return !s.Small() && (s.Status == Active || r.CrippledMayAct && s.Status == Crippled)
}

func (r *Rules) newBody(kind string) (Body, bool) {
	for _, bodies := range r.AllBodies() {
		f, ok := bodies[kind]
		if !ok {
			continue
		}
		b := f()
		if told, again := b.(*Retold); again {
			told.rules = r
		}
		return b, true
	}
	return nil, false
}

// decodeBody reads the body of an event of a type.
func (r *Rules) decodeBody(kind string, data []byte) (Body, error) {
	body, ok := r.newBody(kind)
	if !ok {
		return nil, fmt.Errorf("unknown type %q", kind)
	}
	if err := json.Unmarshal(data, body); err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	return body, nil
}
