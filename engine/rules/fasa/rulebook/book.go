package rulebook

import (
	"reflect"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/robot"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/tactical"
	"starpost/orders"
)

// Book is a rule book as a value: its sequence of events, what its weapons and hits do,
// and its parts. No code asks which book is played; it asks the book.
type Book struct {
	Name, Title, Version string
	Sources              []string
	Options              map[string][]string
	Cites                cites.Book // where it treats the topics that code cites

	ship.Scheme
	Ratio   func(tactical.Ratio) tactical.Ratio // a ship's movement ratio, of that in the catalogue
	Sure    robot.Odds                          // of a hit, as robots want to be
	Offers  []int                               // how sure of it an order set wants to be that is offered, by phase, in per cent; nil: it fires at once
	Hulks   bool                                // crippled ships take damage and orders (stcs 9.5, 9.8, 12.3)
	Ground  map[string]engine.Ground
	Opens   func(*Rules, *engine.View, *engine.ShipView, *ship.State) orders.Set // the order set offered for a ship's first turn; empty for one like any other
	Advice  []string                                                             // to captains before the first turn
	Captain robot.Captain                                                        // the robot's orders for a ship
	Aims    map[string]Aim                                                       // words that stand for a ship
	Dark    bool                                                                 // it can be played in the dark
	Later   []func() Book                                                        // the courses that go on from this one, in their order
	Parts   []Part

	Sequence
	PowerRules
	FireRules
	DamageRules
	sightRules
	postRules
	Movement
}

// Sequence is the sequence of events of a turn.
type Sequence struct {
	Opening []Stage              // once, at the beginning of a turn
	Each    []Stage              // in each of the phases
	Between []Stage              // at the end of each phase but the last
	Closing []Stage              // once, at the end, before victory is looked at
	Begins  []func(*engine.Turn) // as movement begins in a phase, and as fire does
}

// PowerRules is a book's rules of giving power out and taking it away.
type PowerRules struct {
	Bonus    boost                                                                        // what a crew may add to a plan of power
	OnPower  boost                                                                        // what a ship does when the power is given out, before others see how
	Sheds    bool                                                                         // power is cut from what it was allotted to when engines no longer give it
	CutOrder func(l *Rules, t *engine.Turn, s *engine.Ship) []PowerCut                    // systems in the order in which power is cut
	OnShed   func(l *Rules, t *engine.Turn, s *engine.Ship, shed engine.Ref, c PowerLoss) // power was cut
}

// FireRules is a book's rules of fire.
type FireRules struct {
	Battery         []func(*Rules, *Salvo)         // a fire phase, step by step
	Evading         evading                        // what becomes of the fire of a ship that evades
	AsOne           bool                           // a bank fires as one weapon: all its armed mounts, and their damage is one hit
	Modifiers       []Modifier                     // of to-hit numbers
	Gates           []Gate                         // what may keep a ship from firing at all
	SlimTable       func(*tables.Library, int) int // the slim chance of a number of 0 or less (stcs 14.1)
	HideShotDetails bool                           // what a shot took only its firer's captain sees (stcs 15.14)
	ExtraCitations  func(*ship.Bank) []cites.Topic // topics that shots of a weapon cite for its family
	Kinds           []Gunnery                      // what weapons of each kind do, in the order in which they are fired; one that is not here cannot be armed
}

// DamageRules are what hits do.
type DamageRules struct {
	Locate   func(*Rules, DamageBlock) Place                                 // where a hit that went through does its damage
	Vain     func(*DamageResolver) string                                    // what a hit does that finds nothing to damage, and that in words
	Effects  map[string]Effect                                               // what it does there
	Heavy    func(*DamageResolver, ship.Fault) int                           // boxes that a hit marks on a repair track
	Hurts    Effect                                                          // what damage does of which all points were taken off
	Collapse func(l *Rules, t *engine.Turn, s *engine.Ship, b *ship.Explode) // whether a ship explodes whose superstructure gives way
}

// sightRules is a book's rules of who sees what, and what sensors tell.
type sightRules struct {
	LockDie         func(l *Rules, t *engine.Turn, s *engine.Ship, target engine.ShipID) (need, roll int) // a try for a lock
	AskDie          func(l *Rules, t *engine.Turn, s *engine.Ship, question string) bool                  // whether a question finds an answer
	KeepWith        func(l *Rules, t *engine.Turn, s, other *engine.Ship)                                 // what keeps a lock on a cloaked ship that no order of the phase has renewed
	ScanWith        func(l *Rules, t *engine.Turn, s *engine.Ship, shield int)                            // a look for cloaked ships
	Unmanned        func(s *engine.Ship) string                                                           // why nothing can be done with her sensors
	Look            func(*Rules, *engine.Game, engine.Viewer, *engine.Ship) engine.Observation            // nil: every ship is seen
	Concealments    []Concealment                                                                         // what hides a ship from another
	LineOfFireRules []LineOfFireRule                                                                      // what stands between a gun and its target
	Insight         func(g *engine.Game, from engine.ShipID, target *engine.Ship) bool                    // whether a firer learns what his hits did
}

// postRules is a book's rules of officers at posts of their own.
type postRules struct {
	Posts      []string                                                                                                  // from which orders for a ship may come beside her captain's
	Reply      func(l *Rules, t *engine.Turn, s *engine.Ship, held *InForce) (b *orders.Block, sent, ok bool)            // what came, or holds, for a round after the first
	Sends      func(l *Rules, t *engine.Turn, from engine.Seat, st orders.Statement, to []engine.ShipID) []engine.ShipID // whom a message reaches; nil: all
	Gatekeeper func(l *Rules, t *engine.Turn, s *engine.Ship, all []FireOrder) []FireOrder                               // what her captain lets through of orders to fire
}

// Movement is a book's rules of it.
type Movement struct {
	OnHelmOut  helmFailure                                                 // what becomes of a word with the helm out of order
	Words      []string                                                    // movement words
	Steps      []string                                                    // those that reactive orders use, in the order in which they try them
	MoveRules  []MoveRule                                                  // what may stand in the way of a movement word
	AfterMoves []AfterMove                                                 // what may come of one
	Steers     AfterMove                                                   // what it does to the helm, last
	Strain     stress                                                      // what an emergency heading change costs
	Easing     func(l *Rules, t *engine.Turn, s *engine.Ship, c Toll) Toll // what the helm takes off an emergency heading change
}

// Part is a subject that a book adds: its verbs, its share of a ship, what is told of her.
// Each field may be nil.
type Part struct {
	Verbs    []Verb
	Params   map[string]orders.Param
	Subjects []Subject // one that the Basic Course has too goes in its place
	// Keeps are the part's shares of a ship, empty ones.
	Keeps []ship.Share
	// Commission gives a new ship its share of the part.
	Commission func(*Commissioning)
	// Bars tells why a ship cannot be given an order at all; blank when it can.
	Bars func(sys *ship.State, section string, st orders.Statement) string
	// Settle looks at an order set as a whole, after its verbs, before the power is added up.
	Settle func(*Compiler)
	// Orders are the keys of the part's standing orders in files.
	Orders []string
	// Standing puts the part's standing orders in force into words, one line each.
	Standing func(ship.Standing) []string
	// Robot adds to a robot's orders what they say of the part.
	Robot func(*robot.Commander)
	// Panels are the part's lines and tables in the report of an own ship.
	Panels func(*Rules, *engine.View, *engine.ShipView, *ship.State) []engine.Panel
	// Dice are the rolls that it adds to those of all books.
	Dice []engine.NamedDie
}

// Stage is one step in the sequence of a turn.
type Stage struct {
	Name, Step string
	Run        func(*Rules, *engine.Turn)
}

// Verb is an order and what it does to a plan. Section is "power", "phase",
// "standing" or, for the whole turn, "". A verb that the Basic Course has too goes
// in its place.
type Verb struct {
	orders.Verb
	Section string
	// Compile reads one statement; n is the index of the phase, 0 outside phases.
	Compile func(c *Compiler, n int, st orders.Statement)
	// Whose is the post that a statement belongs to where that depends on more than the verb; nil: as [orders.Verb.Post] says.
	Whose func(st orders.Statement) string
}

// Subject is something that a condition may ask, and its answer at the moment
// when it is needed.
type Subject struct {
	orders.Subject
	Fact func(q Question) (value, known bool)
}

// Question is a condition's test put in a turn.
type Question struct {
	Rules  *Rules
	Turn   *engine.Turn
	Ship   *engine.Ship
	Named  string       // id of the ship that the order names; blank for none
	Target *engine.Ship // that ship, as long as it is known where it is; nil for none
	Bank   *ship.Bank   // the bank to be fired; nil for none
	Test   *orders.Cond
}

// Concealment tells from which ships, of other captains, something hides a ship; nil: from none.
type Concealment func(l *Rules, g *engine.Game, of *engine.Ship) Hides

// Hides tells whether a ship is hidden from another.
type Hides func(by *engine.Ship) bool

// LineOfFireRule tells why one ship cannot fire at another or get a lock on it, wherever
// its weapons point; blank when it can.
type LineOfFireRule func(l *Rules, g *engine.Game, s, target *engine.Ship) (why string)

// Rules is a Book with tables, made ready for play.
type Rules struct {
	*tables.Library
	Book
	Names    func(*engine.Turn, *engine.Ship) []*engine.Ship // the ships that a captain may name in his orders
	Language *orders.Language
	Rows     map[[2]string]Verb // the verbs of parts, by section and name
	Facts    map[string]func(Question) (value, known bool)
	Self     *engine.Rules                                                       // what the book is as a rule set
	Bars     []func(sys *ship.State, section string, st orders.Statement) string // of all parts
}

// Usual sets a function that was left out.
func Usual[F any](f *F, otherwise F) {
	if reflect.ValueOf(*f).IsNil() {
		*f = otherwise
	}
}

// Vocabulary is the words with which a course's orders and conditions begin, those of its
// movement, and those that stand for ships, in lower case.
func (book Book) Vocabulary(lang *orders.Language) map[string]bool {
	words := map[string]bool{}
	for _, s := range lang.Sections {
		for _, v := range s.Verbs {
			words[v.Name] = true
		}
	}
	for _, s := range lang.Subjects {
		first, _, _ := strings.Cut(string(s.Form), " ")
		words[first] = true
	}
	for _, w := range book.Words {
		words[strings.ToLower(w)] = true
	}
	for w := range book.Aims {
		words[w] = true
	}
	return words
}

// Subtitle is the book's title without that of the game.
func (book *Book) Subtitle() string {
	_, name, found := strings.Cut(book.Title, ", ")
	if !found {
		return book.Title
	}
	if strings.HasSuffix(name, "Course") {
		name = "the " + name
	}
	return name
}

// Usable tells whether the course has rules for a bank's weapon.
func (l *Rules) Usable(b *ship.Bank) bool {
	return l.Kind(b) != nil
}

// Kind is what a bank's weapons do; nil where the course has no rules for them.
func (l *Rules) Kind(b *ship.Bank) *Gunnery {
	for i := range l.Kinds {
		if l.Kinds[i].Name == b.Kind {
			return &l.Kinds[i]
		}
	}
	return nil
}

// FirePhase counts the fire phases of a game from 1.
func (book Book) FirePhase(turn, phase int) int { return (turn-1)*book.Split.Phases() + phase }

// Cite gives the citations of topics in this book: see [cites.Book.Of].
func (book *Book) Cite(topics ...cites.Topic) []string { return book.Cites.Of(topics...) }

// Cited puts the book's paragraphs in the place of topics that a text refers to.
func (book *Book) Cited(text string) string { return book.Cites.In(text) }

// evading is what becomes of the declared fire of a ship that evades.
type evading func(l *Rules, sv *Salvo, s *engine.Ship)

// MoveRule tells why a ship may not carry out a movement word now, with the rules
// that say so; blank when it may.
type MoveRule func(l *Rules, t *engine.Turn, s *engine.Ship, word string) (why string, rule []cites.Topic)

// AfterMove is what follows a movement word that was carried out. The ship is at the end
// of it already.
type AfterMove func(l *Rules, t *engine.Turn, s *engine.Ship, word string, from engine.Place)

// boost is what a crew may add to a plan of power in the power phase.
type boost func(*Rules, *engine.Turn, *engine.Ship, *Plan)

// helmFailure gives what becomes of a movement word while a ship cannot be steered.
type helmFailure func(l *Rules, t *engine.Turn, s *engine.Ship, word string) string

// Effect does what a hit on a location does.
type Effect func(*DamageResolver)

// DamageResolver carries out what a hit does that went through.
type DamageResolver struct {
	DamageBlock
	Rules  *Rules
	Turn   *engine.Turn
	Sys    *ship.State
	Damage *ship.Damage
	Topics []cites.Topic

	Cell   tables.Hit                // of a detailed chart
	Named  engine.RollName           // the roll for the location, within the phase
	Thrown []engine.Ref              // dice that it shares with them
	Rolled map[engine.RollName]Throw // dice of the hits that took effect with it
}

// Cite adds topics to the event.
func (in *DamageResolver) Cite(topics ...cites.Topic) { in.Topics = append(in.Topics, topics...) }

// Gate tells why a ship may not fire at all in this phase, with the rules that say
// so; blank when it may.
type Gate func(l *Rules, t *engine.Turn, s *engine.Ship) (why string, rule []cites.Topic)

// Modifier changes to-hit numbers; the name is what reports call it. A value of 0
// is no change.
type Modifier func(l *Rules, t *engine.Turn, v *Volley) (name string, value int, rule []cites.Topic)

// stress is the toll of an emergency heading change.
type stress func(l *Rules, sys *ship.State) Toll

// Gunnery is what weapons of a kind do. What they take, and what they count as, follows from the figures of a bank: see
// [ship.Bank.AnyPower].
type Gunnery struct {
	Name string // as tables and banks have it
	// Arm looks at the power that an order gives a mount, -1 for none named, and
	// tells how much it takes; false, with a diagnostic, if that cannot be.
	Arm func(c *Compiler, b *ship.Bank, m, want int, pos orders.Pos) (power int, ok bool)
	// Deal is what a hit does: its base damage and what the range adds or takes.
	Deal func(b *ship.Bank, v *Volley, mount int, s ShotRoll) (base, bonus int)
	// After is told of each shot when it has been rolled.
	After func(l *Rules, t *engine.Turn, v *Volley, mount int)
	// Cite are the topics that its shots cite as well.
	Cite []cites.Topic
	// Graze tells whether a hit does less than a full one.
	Graze func(s ShotRoll) bool
	// Spread tells that what gets through is divided into blocks (stcs 9.1).
	Spread bool
	// Dodged tells that a ship may evade its shots, and Evaded which topics that cites as well.
	Dodged bool
	Evaded []cites.Topic
	// Half tells that it may be armed with half of its power (stcs 14.4).
	Half bool
}

// Aim finds the id of the ship that a word stands for; blank for none.
type Aim func(l *Rules, g *engine.Game, s *engine.Ship) engine.ShipID

// Compiler turns a block into a plan.
type Compiler struct {
	Rules *Rules
	Ship  engine.ShipID
	Side  string
	Sys   *ship.State
	Names Roster
	Sides []engine.Side
	Plan  Plan
	Left  int  // power not yet used
	Tell  bool // effects are wanted, and the orders as they were written
	Start orders.Pos

	Round  int    // of which the set is, 1 for the first
	Post   string // of which the set is, where posts share a ship's orders; "" where it is the whole
	Wants  Wants  // weapons and shields in the order written
	Block  *orders.Block
	counts []pointCount // of the phases' movement words
	idle   []orders.Arg // weapons to be fired that are not armed

	figures []figureWanted
}

// Commissioning is a ship being commissioned: its design, its systems so far, and what
// the scenario says of its state. Each part takes its own keys from the state; a key that no
// part takes is an error.
type Commissioning struct {
	Rules    *Rules
	Design   tables.Design
	Sys      *ship.State
	State    map[string]any
	Options  map[string]string // of the game
	Known    []string
	outposts bool // a part knows what defence outposts cannot do
	problems []engine.Problem
}
