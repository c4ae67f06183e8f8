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
	Cites                cites.Book // the paragraphs of the topics that code cites

	ship.Scheme
	Ratio   func(tactical.Ratio) tactical.Ratio // a ship's movement ratio, from that in the catalogue
	Sure    robot.Odds                          // hit chances from which robots fire
	Offers  []int                               // hit chances from which offered orders fire, by phase, in per cent; nil: they fire at once
	Hulks   bool                                // crippled ships take damage and orders (stcs 9.5, 9.8, 12.3)
	Ground  map[string]engine.Ground
	Opens   func(*Rules, *engine.View, *engine.ShipView, *ship.State) orders.Set // the order set offered for a ship's first turn; empty: as for any other turn
	Advice  []string                                                             // to captains before the first turn
	Captain robot.Captain                                                        // the robot's orders for a ship
	Aims    map[string]Aim                                                       // words that stand for a ship
	Dark    bool                                                                 // it can be played in the dark
	Later   []func() Book                                                        // the courses that extend this one, in order
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
	Begins  []func(*engine.Turn) // run as movement begins in a phase, and again as fire begins
}

// PowerRules is a book's rules of giving power out and taking it away.
type PowerRules struct {
	Bonus    boost                                                                        // what a crew may add to a plan of power
	OnPower  boost                                                                        // what a ship does as power is allotted, before others see how
	Sheds    bool                                                                         // power that the engines no longer give is cut from the systems that got it
	CutOrder func(l *Rules, t *engine.Turn, s *engine.Ship) []PowerCut                    // systems in the order in which power is cut
	OnShed   func(l *Rules, t *engine.Turn, s *engine.Ship, shed engine.Ref, c PowerLoss) // called after power was cut
}

// FireRules is a book's rules of fire.
type FireRules struct {
	Battery         []func(*Rules, *Salvo)         // the steps of a fire phase
	Evading         evading                        // what becomes of the fire of a ship that evades
	AsOne           bool                           // a bank fires as one weapon: all its armed mounts, whose damage is one hit
	Modifiers       []Modifier                     // of to-hit numbers
	Gates           []Gate                         // what may keep a ship from firing at all
	SlimTable       func(*tables.Library, int) int // the slim chance of a number of 0 or less (stcs 14.1)
	HideShotDetails bool                           // only the firer's captain sees what a shot took (stcs 15.14)
	ExtraCitations  func(*ship.Bank) []cites.Topic // further topics that a weapon's shots cite
	Kinds           []Gunnery                      // the kinds of weapon, in firing order; a weapon of another kind cannot be armed
}

// DamageRules is a book's rules of what hits do.
type DamageRules struct {
	Locate   func(*Rules, DamageBlock) Place                                 // where a hit that got through does its damage
	Vain     func(*DamageResolver) string                                    // resolves a hit that finds nothing to damage, and says so in words
	Effects  map[string]Effect                                               // what a hit does, by location
	Heavy    func(*DamageResolver, ship.Fault) int                           // boxes that a hit marks on a repair track
	Hurts    Effect                                                          // what damage does when all its points were taken off
	Collapse func(l *Rules, t *engine.Turn, s *engine.Ship, b *ship.Explode) // whether a ship explodes when her superstructure gives way
}

// sightRules is a book's rules of who sees what, and what sensors tell.
type sightRules struct {
	LockDie         func(l *Rules, t *engine.Turn, s *engine.Ship, target engine.ShipID) (need, roll int) // an attempt at a lock
	AskDie          func(l *Rules, t *engine.Turn, s *engine.Ship, question string) bool                  // whether a question finds an answer
	KeepWith        func(l *Rules, t *engine.Turn, s, other *engine.Ship)                                 // keeps a lock on a cloaked ship that no order of the phase has renewed
	ScanWith        func(l *Rules, t *engine.Turn, s *engine.Ship, shield int)                            // a scan for cloaked ships
	Unmanned        func(s *engine.Ship) string                                                           // why her sensors cannot be used
	Look            func(*Rules, *engine.Game, engine.Viewer, *engine.Ship) engine.Observation            // nil: every ship is seen
	Concealments    []Concealment                                                                         // what hides a ship from another
	LineOfFireRules []LineOfFireRule                                                                      // what may block a shot
	Insight         func(g *engine.Game, from engine.ShipID, target *engine.Ship) bool                    // whether a firer learns what the hits did
}

// postRules is a book's rules of officers at posts of their own.
type postRules struct {
	Posts      []string                                                                                                  // the posts besides the captain that may order for a ship
	Reply      func(l *Rules, t *engine.Turn, s *engine.Ship, held *InForce) (b *orders.Block, sent, ok bool)            // the orders that came, or hold, for a round after the first
	Sends      func(l *Rules, t *engine.Turn, from engine.Seat, st orders.Statement, to []engine.ShipID) []engine.ShipID // whom a message reaches; nil: all
	Gatekeeper func(l *Rules, t *engine.Turn, s *engine.Ship, all []FireOrder) []FireOrder                               // the fire orders that the captain lets through
}

// Movement is a book's rules of movement.
type Movement struct {
	OnHelmOut  helmFailure                                                 // what becomes of a word while the helm is out of order
	Words      []string                                                    // movement words
	Steps      []string                                                    // the words that reactive orders use, in the order in which they are tried
	MoveRules  []MoveRule                                                  // what may forbid a movement word
	AfterMoves []AfterMove                                                 // what may follow a movement word
	Steers     AfterMove                                                   // its effect on the helm, last
	Strain     stress                                                      // what an emergency heading change costs
	Easing     func(l *Rules, t *engine.Turn, s *engine.Ship, c Toll) Toll // what the helm takes off the cost of an emergency heading change
}

// Part is a subject that a book adds: its verbs, its share of a ship, its panels and dice.
// Each field may be nil.
type Part struct {
	Verbs    []Verb
	Params   map[string]orders.Param
	Subjects []Subject // replace those of the Basic Course with the same form
	// Keeps lists the part's shares of a ship, as empty values.
	Keeps []ship.Share
	// Commission gives a new ship its share of the part.
	Commission func(*Commissioning)
	// Bars returns why a ship cannot be given an order at all; "" if she can.
	Bars func(sys *ship.State, section string, st orders.Statement) string
	// Settle checks an order set as a whole, after its verbs and before the power is added up.
	Settle func(*Compiler)
	// Orders are the keys of the part's standing orders in files.
	Orders []string
	// Standing returns the part's standing orders in force in words, one line each.
	Standing func(ship.Standing) []string
	// Robot adds the part's orders to those of a robot.
	Robot func(*robot.Commander)
	// Panels are the part's lines and tables in the report of an own ship.
	Panels func(*Rules, *engine.View, *engine.ShipView, *ship.State) []engine.Panel
	// Dice are the rolls that the part adds to those of all books.
	Dice []engine.NamedDie
}

// Stage is one step in the sequence of a turn.
type Stage struct {
	Name, Step string
	Run        func(*Rules, *engine.Turn)
}

// Verb is an order and its effect on a plan. Section is "power", "phase", "standing" or,
// for the whole turn, "". A verb replaces one of the Basic Course with the same name.
type Verb struct {
	orders.Verb
	Section string
	// Compile reads one statement; n is the index of the phase, 0 outside phases.
	Compile func(c *Compiler, n int, st orders.Statement)
	// Whose returns the post that a statement belongs to where that depends on more than the verb; nil: [orders.Verb.Post].
	Whose func(st orders.Statement) string
}

// Subject is something that a condition may ask, with a function that answers it when the
// condition is evaluated.
type Subject struct {
	orders.Subject
	Fact func(q Question) (value, known bool)
}

// Question is a test of a condition, asked during a turn.
type Question struct {
	Rules  *Rules
	Turn   *engine.Turn
	Ship   *engine.Ship
	Named  string       // id of the ship that the order names; "" for none
	Target *engine.Ship // that ship, while her place is known; nil otherwise
	Test   *orders.Cond
}

// Concealment returns which ships of other captains a ship is hidden from; nil for none.
type Concealment func(l *Rules, g *engine.Game, of *engine.Ship) Hides

// Hides reports whether a ship is hidden from another.
type Hides func(by *engine.Ship) bool

// LineOfFireRule returns why one ship cannot fire at another or get a lock on it, wherever
// its weapons point; "" if it can.
type LineOfFireRule func(l *Rules, g *engine.Game, s, target *engine.Ship) (why string)

// Rules is a Book with tables, ready for play.
type Rules struct {
	*tables.Library
	Book
	Names    func(*engine.Turn, *engine.Ship) []*engine.Ship // the ships that a captain may name in orders
	Language *orders.Language
	Rows     map[[2]string]Verb // the verbs of parts, by section and name
	Facts    map[string]func(Question) (value, known bool)
	Self     *engine.Rules                                                       // the book as a rule set
	Bars     []func(sys *ship.State, section string, st orders.Statement) string // of all parts
}

// Usual sets *f to otherwise if it is nil.
func Usual[F any](f *F, otherwise F) {
	if reflect.ValueOf(*f).IsNil() {
		*f = otherwise
	}
}

// Vocabulary returns, in lower case, the first words of a course's orders and conditions, its
// movement words, and its words that stand for ships.
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

// Subtitle returns the book's title without that of the game.
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

// Usable reports whether the course has rules for a bank's weapon.
func (l *Rules) Usable(b *ship.Bank) bool {
	return l.Kind(b) != nil
}

// Kind returns the rules for a bank's weapons; nil if the course has none.
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

// Cite returns the citations of topics in this book: see [cites.Book.Of].
func (book *Book) Cite(topics ...cites.Topic) []string { return book.Cites.Of(topics...) }

// Cited replaces the topics that a text refers to by the book's paragraphs.
func (book *Book) Cited(text string) string { return book.Cites.In(text) }

// evading decides what becomes of the declared fire of a ship that evades.
type evading func(l *Rules, sv *Salvo, s *engine.Ship)

// MoveRule returns why a ship may not carry out a movement word now, and by which rules;
// "" if she may.
type MoveRule func(l *Rules, t *engine.Turn, s *engine.Ship, word string) (why string, rule []cites.Topic)

// AfterMove is what follows a movement word that was carried out. The ship has already
// arrived.
type AfterMove func(l *Rules, t *engine.Turn, s *engine.Ship, word string, from engine.Place)

// boost is what a crew may add to a plan of power in the power phase.
type boost func(*Rules, *engine.Turn, *engine.Ship, *Plan)

// helmFailure returns the word that replaces a movement word while a ship cannot be steered.
type helmFailure func(l *Rules, t *engine.Turn, s *engine.Ship, word string) string

// Effect carries out a hit on a location.
type Effect func(*DamageResolver)

// DamageResolver carries out what a hit that got through does.
type DamageResolver struct {
	DamageBlock
	Rules  *Rules
	Turn   *engine.Turn
	Sys    *ship.State
	Damage *ship.Damage
	Topics []cites.Topic

	Cell   tables.Hit                // of a detailed chart
	Named  engine.RollName           // the roll for the location, within the phase
	Thrown []engine.Ref              // dice that other hits rolled first
	Rolled map[engine.RollName]Throw // dice of the hits resolved together with this one
}

// Cite adds topics to the event.
func (in *DamageResolver) Cite(topics ...cites.Topic) { in.Topics = append(in.Topics, topics...) }

// Gate returns why a ship may not fire at all in this phase, and by which rules; "" if she may.
type Gate func(l *Rules, t *engine.Turn, s *engine.Ship) (why string, rule []cites.Topic)

// Modifier changes to-hit numbers; name is what reports call it. A value of 0 is no change.
type Modifier func(l *Rules, t *engine.Turn, v *Volley) (name string, value int, rule []cites.Topic)

// stress returns the cost of an emergency heading change.
type stress func(l *Rules, sys *ship.State) Toll

// Gunnery is what weapons of a kind do. Which power they take, and which group they belong to, follows from a bank's
// figures: see [ship.Bank.AnyPower].
type Gunnery struct {
	Name string // as in tables and banks
	// Arm checks the power that an order gives a mount (want; -1 if none is named) and
	// returns how much the mount takes; false, with a diagnostic, if it cannot be armed.
	Arm func(c *Compiler, b *ship.Bank, m, want int, pos orders.Pos) (power int, ok bool)
	// Deal returns what a hit does: its base damage and the modifier for range.
	Deal func(b *ship.Bank, v *Volley, mount int, s ShotRoll) (base, bonus int)
	// After is called for each shot once it has been rolled.
	After func(l *Rules, t *engine.Turn, v *Volley, mount int)
	// Cite lists further topics that its shots cite.
	Cite []cites.Topic
	// Graze reports whether a hit does less than a full one.
	Graze func(s ShotRoll) bool
	// Spread: damage that gets through is divided into blocks (stcs 9.1).
	Spread bool
	// Dodged: a ship may evade its shots, which then cite the topics in Evaded too.
	Dodged bool
	Evaded []cites.Topic
	// Half: it may be armed with half of its power (stcs 14.4).
	Half bool
}

// Aim returns the id of the ship that a word stands for; "" for none.
type Aim func(l *Rules, g *engine.Game, s *engine.Ship) engine.ShipID

// Compiler compiles a block into a plan.
type Compiler struct {
	Rules *Rules
	Ship  engine.ShipID
	Side  string
	Sys   *ship.State
	Names Roster
	Sides []engine.Side
	Plan  Plan
	Left  int  // power not yet used
	Tell  bool // collect effects, and keep orders as written even where they are wrong
	Start orders.Pos

	Round  int    // the round that the set is for, from 1
	Post   string // the post that the set is of, where posts share a ship's orders; "" for a whole set
	Wants  Wants  // weapons and shields in the order written
	Block  *orders.Block
	counts []pointCount // phases with too many or too few movement words
	idle   []orders.Arg // weapons in fire orders that are not armed

	figures []figureWanted
}

// Commissioning is a ship being commissioned: her design, her systems so far, and the state
// that the scenario gives. Each part takes its own keys from the state; a key that no
// part takes is an error.
type Commissioning struct {
	Rules    *Rules
	Design   tables.Design
	Sys      *ship.State
	State    map[string]any
	Options  map[string]string // of the game
	Known    []string
	outposts bool // set by a part that knows what outposts cannot do
	problems []engine.Problem
}
