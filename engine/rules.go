package engine

import (
	"encoding/json"
	"fmt"

	"starpost/engine/blind"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/orders"
)

// Rules is a rule set as a value: its name, its phases in order, its order language, its event bodies, and the few
// functions the core needs from it. All functions are pure. Functions that get a *View know only what its viewer
// may know, so they cannot give away more.
type Rules struct {
	Name    string // "stcs-basic"
	Version string // frozen into each game
	Title   string
	Sources []string // where rules and numbers come from

	Phases   []Phase
	Language *orders.Language
	Events   *EventTypes // beyond the core's
	Dice     []NamedDie  // all kinds of rolls that it makes

	// Commission makes a ship's system from the ship's entry in a scenario.
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
	// Spent reports whether a ship has nothing left that could be taken from it, which meets a goal to destroy it.
	// Nil: only a destroyed ship is spent.
	Spent func(s *Ship) bool
	// Hull returns how much of a ship's structure is left, and of how much: what anyone may know of a seat that is
	// offered during a battle. Nil: nothing.
	Hull func(s *Ship) (left, all int)
	// Referee carries out what a referee rules about turns; nil if nothing can be ruled.
	Referee Referee
	// Extension is for rule sets that can be played in the dark or have laboratories on ships; nil for others.
	Extension Extension
	// Filing is for rule sets with turns played by a referee; nil for all others.
	Filing *Filing

	causes *Causes // see Tracing
}

// Seeing is the part of a rule set that says who may know what.
type Seeing struct {
	// Public returns what every captain may know of another's system; nil for nothing.
	Public func(s *Ship) any
	// NewPublic returns an empty value of what Public, Look and the rules of the dark return for another's system,
	// for [DecodeView] to fill. It is a [Knowledge] if turns can be rehearsed.
	NewPublic func() any
	// Look returns what a viewer makes out of another captain's ship while the game is on. Nil for rule sets in
	// which every ship on the map is seen and Public is all that is known of it; otherwise it takes precedence over
	// Public.
	Look func(g *Game, who Viewer, s *Ship) Observation
	// Witness says who sees that a ship arrives, leaves the fight or sends words for luck; nil for everybody.
	Witness func(g *Game, s *Ship) See
	// Hears says who hears an order of a ship's captain to speak, in code or not. To is as the captain wrote it: a
	// ship, a side, "side" (their own) or "all". The words "sender" and "words" in Also say how much the rest hear.
	// The sender always hears it. Nil: all to whom it is said and who see the ship.
	Hears func(g *Game, from *Ship, to string, coded bool) See
	// Sends returns those of the ships that a message from one of a ship's officers reaches, and tells the officer
	// why it does not reach the others. Nil: all of them.
	Sends func(t *Turn, from Seat, st orders.Statement, to []ShipID) []ShipID
	// Mates limits what officers see of their ship; nil for rule sets without posts.
	Mates *Mates
}

// Ordering is the part of a rule set about order sets: which are owed, what is wrong with one, and those it writes
// itself.
type Ordering struct {
	// Due returns the seats that owe orders for what comes next, sorted by ship id, on ships that can be commanded.
	// Other seats may send orders too. Nil: the captains of all ships in the fight.
	Due func(g *Game) []Seat
	// Check diagnoses a ship's orders against what its captain may know. Check, Template and Robot get views of the
	// present state, which may lack events.
	Check func(v *View, ship ShipID, b orders.Block) Checked
	// Choose returns what else could be in an order set; nil for rule sets that cannot say. The Chooser is nil for
	// a ship that cannot be given orders.
	Choose func(v *View, ship ShipID, b orders.Block) Chooser
	// Conn replaces the plain commands in a ship's set by ordinary orders, using what its captain may know. It
	// reports what each has become and which the ship cannot carry out. Nil for rule sets without such commands.
	Conn func(v *View, ship ShipID, b orders.Block) (orders.Block, []Effect, []orders.Diagnostic)
	// Template returns last turn's settings as a valid order set for the turn that is due.
	Template func(v *View, ship ShipID) orders.Set
	// First returns the order set that a teacher would suggest for a ship's first turn, with remarks on what else
	// could be ordered. It is empty if there is nothing to suggest. Nil: there never is.
	First func(v *View, ship ShipID) orders.Set
	// Covers reports whether an order set also says what its ship does in a later round of the turn if no more
	// orders come. Nil: none does.
	Covers func(b orders.Block, round int) bool
	// Tell returns what others on a ship are told at once of an order set for one of her seats that is stored in
	// time for the turn that is due: the engineer's totals, for helm. The view is the sender's; the set has no
	// errors. Nil: nothing.
	Tell func(v *View, seat Seat, b orders.Block) []Word
	// Council lists the posts, "" for the captain, that a game may want orders from some hours earlier than from
	// the others; its setting council says how many.
	Council []string
	// Robot makes an order set for a ship.
	Robot func(v *View, ship ShipID) orders.Set
	// Tricks are simple ways to play, for testing robots; nil if there are none.
	Tricks []Trick
}

// Reporting is the part of a rule set that describes views for people.
type Reporting struct {
	// Present turns a view into sentences, tables and map overlays.
	Present func(v *View) Presentation
	// Marks returns only the map overlays of Present; nil if that would save nothing. See [Rules.Overlays].
	Marks func(v *View) map[ShipID]Overlay
	// Counted is what maps call the phases of moves and shots; blank for phases.
	Counted string
	// Words describes one event of a view, the i-th. Why says what the rules did in one event of a story: tables,
	// sums, choices. Nil for rule sets that have nothing to say of single events.
	Words func(v *View, i int) []Line
	Why   func(s *Story, i int) []string
}

// Mates says what is seen of a ship by people who hold posts on her and are not her captain.
type Mates struct {
	// Station returns a ship's system as the holders of these posts see it.
	Station func(s *Ship, posts []string) any
	// Aboard returns the audiences that holders of posts belong to when the people aboard are shown an event: they
	// see the fields that are open to those words. If ok is false they see no more than strangers do.
	Aboard func(g *Game, e *Event, ship ShipID, posts []string) (open []string, ok bool)
}

// Trick is one simple way to play all turns of a battle. Orders is like [Rules.Robot].
type Trick struct {
	Name, Doc string
	Orders    func(v *View, ship ShipID) orders.Set
}

// Overlays returns the map overlays of a view by ship: those of Present.
func (r *Rules) Overlays(v *View) map[ShipID]Overlay {
	if r.Marks != nil {
		return r.Marks(v)
	}
	return r.Present(v).Marks
}

// Navigate is Conn, but leaves order sets unchanged if the rule set has no Conn.
func (r *Rules) Navigate(v *View, ship ShipID, b orders.Block) (orders.Block, []Effect, []orders.Diagnostic) {
	if r.Conn == nil {
		return b, nil, nil
	}
	return r.Conn(v, ship, b)
}

// Phase is one named part of a turn. No is the number of the phase within the turn (0 for what belongs to the whole
// turn), Step its kind. Round is the exchange of orders that it belongs to when a turn is played in rounds: it
// starts at 1 and never falls from phase to phase; 0 in rule sets whose turns cannot be split.
type Phase struct {
	Name  string
	Step  string
	No    int
	Round int
	Run   func(t *Turn)
}

// Knowledge is what is known of another captain's system.
type Knowledge interface {
	// Assume returns the system of a ship of a view as the turn that is due begins: that of a new ship of her
	// class, changed to fit what the viewer knows. It also lists what is only assumed, a line each. The system is
	// nil for a small craft of which too little is known: small craft have no class.
	Assume(v *View, s *ShipView, asNew System) (system System, assumed []string)
}

// ShipEntry is what a scenario says of one ship's class and state, in the rule set's own keys: its state of repair,
// and how else it starts. Options are the game's; missing ones have their defaults. The class may be given by its
// title instead, as the ships of a game have it.
type ShipEntry struct {
	Class   string
	Title   string
	Repair  map[string]any
	State   map[string]any
	Options map[string]string
}

// Commissioned is a ship as the rule set made it from its entry.
type Commissioned struct {
	System System
	Title  string // the class in words
	Value  int    // default points for defeating it
}

// Problem is a mistake in an entry: the key, and what is wrong with it.
type Problem struct {
	Key     string
	Message string
	Hint    string
}

// Commands reports whether a captain may give orders to a ship in its present state.
func (r *Rules) Commands(s *Ship) bool {
	return !s.Small() && (s.Status == Active || r.CrippledMayAct && s.Status == Crippled)
}

// Filing is the part of a rule set about the reports that a referee files, if the referee plays the turns: such a
// turn is resolved from the orders and a filing together.
type Filing struct {
	// Language is the language of the rulings in a filing, for the reference.
	Language *orders.Language
	// Check diagnoses a filing for the turn that is due. It does not change g.
	Check func(g *Game, data []byte) []orders.Diagnostic
	// Phases returns the phases of a turn that is played with a filing without errors.
	Phases func(data []byte) []Phase
	// Blank returns a filing to be filled in for the turn that is due, with the orders as remarks.
	Blank func(g *Game, sheets []Sheet) string
}

// FilingError says what is wrong with a filing. At least one of its diagnostics is an error.
type FilingError struct{ Diagnostics []orders.Diagnostic }

// Error returns the first diagnostic.
func (e *FilingError) Error() string {
	if len(e.Diagnostics) == 0 {
		return "the filing cannot be used"
	}
	return "the filing cannot be used: " + e.Diagnostics[0].String()
}

// Filed returns the rule set with the phases of a turn for which this was filed. Errors in the filing are a
// *FilingError.
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

// An Extension is what a game may have in addition to the phases of its rule set: captains in the dark,
// laboratories and their results. The core uses it only through these methods.
type Extension interface {
	// Events returns the event types that it adds.
	Events() *EventTypes
	// Begin returns its part in a turn of a game in the dark, or in rulings on a set-up.
	Begin(t *Turn) TurnExtension
	// Unheard returns why the words of a captain's order to speak reach no one; blank if they are said.
	Unheard(g *Game, from *Ship, st orders.Statement) string
	// Observe returns what a viewer may use of a ship in the orders of a game in the dark.
	Observe(r *Rules, g *Game, who Viewer, s *Ship) Observation
	// Ships limits the view of a game in the dark to what its viewer may know, and returns its ships. Own and
	// trails have an element for each ship of the game.
	Ships(c *ViewBuilder, v *View, own []bool, trails [][]Step) []*ShipView
	// Share adds to a view what the viewer's ships got through the extension; with all, that of all ships.
	Share(c *ViewBuilder, v *View, all bool)
	// Chart returns a function that returns a feature as far as a viewer has found it, nil for nothing; secret says
	// that it is hidden from others but known to the viewer. Chart returns nil if the terrain is known.
	Chart(g *Game, who Viewer) func(f *Feature, secret bool) *Feature
}

// A TurnExtension is an extension's part in one turn.
type TurnExtension interface {
	// Announce is [Turn.Emit] for events that a captain sees. It records the event, and what others are told of it.
	Announce(body Body, see See, rule []string) Ref
	// Recorded is called after each event.
	Recorded(body Body)
	// Known limits the viewers of an event to those who know all ships in it.
	Known(body Body, see See) See
	// BeginRound is called before anything is said in a round, with the order set of each seat; EndTalk after it.
	BeginRound(block func(Seat) *orders.Block)
	EndTalk()
	// Worded returns an order to speak with its words filled in; Say carries it out.
	Worded(from *Ship, st orders.Statement) orders.Statement
	Say(from *Ship, st orders.Statement, body *Talk, order Ref)
	// EndPhase and EndRound are called at the end of each phase and each round.
	EndPhase()
	EndRound()
}

// A Referee carries out rulings on turns: see package ruling.
type Referee interface {
	// Events returns the event types that it adds.
	Events() *EventTypes
	// Begin returns its part in a turn; nil if nothing was ruled.
	Begin(t *Turn) TurnReferee
}

// A TurnReferee is a referee's part in one turn.
type TurnReferee interface {
	// AtBeginning and AtEnd carry out the rulings for those moments. AtEnd reports whether it did: the game may
	// then go on.
	AtBeginning()
	AtEnd() bool
	// Thrown may change what a die shows. It returns the event by which it did so, for those who see the roll.
	Thrown(roll *Roll, see See) Ref
	// Over is called when all dice of the turn are thrown.
	Over()
}

// Turn is a turn being resolved: a working copy of the game and the events so far.
type Turn struct {
	Rules  *Rules
	Game   *Game
	Sheets map[Seat]Sheet
	Phase  Phase
	Memo   any // a rule set's own working notes, from phase to phase

	dice      dice.Source   // of the current round
	stages    []dice.Source // of each round; the last ones serve all later rounds
	no        int
	round     int           // the current round
	rehearsed bool          // to show a captain what orders would do: no event is kept
	extension TurnExtension // nil in a game in the open
	events    []Event
	referee   TurnReferee // nil if nothing was ruled

	causes    *Causes        // of the events so far; nil if causes are not recorded, and then everything below is unused
	because   []Ref          // what the next event follows from
	following Ref            // ... if Because was not called for it
	rolled    []Ref          // dice that no event has used yet
	silent    map[ShipID]Ref // by ship: the event that no orders came from her captain
	given     []Sheet        // as they came, before the rule set combines those of a ship's posts
}

// View is a game and a turn's events limited to what one viewer may know, by default nothing. It is the JSON
// report; everything else is drawn from it.
type View struct {
	Format  int               `json:"format"`
	Game    string            `json:"game"`
	Title   string            `json:"title"`
	Rules   string            `json:"rules"`
	Version string            `json:"version"`
	Turn    int               `json:"turn"`
	Round   int               `json:"round,omitempty"`  // rounds of Turn that have been played; 0: all of it
	Rounds  int               `json:"rounds,omitempty"` // per turn; absent: turns are played at once
	Due     int               `json:"due,omitempty"`    // the turn that orders are due for; 0 when the game is over
	Options map[string]string `json:"options,omitempty"`
	Viewer  Viewer            `json:"viewer"`
	Bounds  *hex.Bounds       `json:"bounds,omitempty"`
	Sides   []Side            `json:"sides"`
	Goals   []string          `json:"goals,omitempty"`
	Terrain []*Feature        `json:"terrain,omitempty"`
	Ships   []*ShipView       `json:"ships"`
	Events  []Entry           `json:"events"`
	Result  *Result           `json:"result,omitempty"`
	Files   []FileView        `json:"files,omitempty"`   // known to the viewer
	Sheets  []Panel           `json:"sheets,omitempty"`  // drawn by the viewer's laboratories
	Code    *blind.Code       `json:"code,omitempty"`    // of the viewer's side, if there are laboratories that could break it
	Unnamed bool              `json:"unnamed,omitempty"` // in the dark: ships of the own side do not identify themselves to each other
	// Uncharted says that Terrain is only what the viewer's ships have found.
	Uncharted bool     `json:"uncharted,omitempty"`
	Dark      bool     `json:"dark,omitempty"` // the view does not have everything that is there
	Free      []string `json:"free,omitempty"` // own seats on ships in the fight that owe no orders for the turn Due
	Mute      bool     `json:"mute,omitempty"` // in the dark no captain hears another
	Aims      []Goal   `json:"aims,omitempty"` // the goals of the sides, as far as the viewer knows them

	rules *Rules // the rule set that words its sentences
}

// ViewBuilder makes the views of a turn for one viewer after the other. What several viewers see alike is made once
// and shared between their views: each body as those see it who may see all of it, and as the rest sees it. So
// views must not be changed. A ViewBuilder may be used by several goroutines as long as the game and the events
// stay unchanged.
type ViewBuilder struct {
	rules  *Rules
	game   *Game
	events []Event
	rest   []Body // by event: what the rest sees of it, nil for nothing
	movers []int  // by event: the index of the ship that moves, -1 for none
	moves  []int  // by ship: its number of moves
	public []any  // by ship: what is known of its system, if that is the same for all
	goals  []string
	rounds int // per turn of the game; 0: turns are played at once
}

// Story is a resolved turn for a referee who asks why something happened. It shows everything, so nothing in it may
// go to a captain unchanged.
//
// No file records what an event follows from; that is recorded while the turn is resolved again ([Rules.Tracing]).
// A Story is not changed, and may be used by one goroutine at a time.
type Story struct {
	Rules  *Rules
	Before *Game // the game before the turn
	After  *Game
	Events []Event
	Sets   []OrderSet

	view     *View  // of everything, with all events
	because  Causes // nil if unknown
	accounts []*Account
}
