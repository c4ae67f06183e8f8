package fasa

import (
	"reflect"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
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
	name, title, version string
	sources              []string
	options              map[string][]string
	cites                cites.Book // where it treats the topics that code cites

	ship.Scheme
	ratio   func(tactical.Ratio) tactical.Ratio // a ship's movement ratio, of that in the catalogue
	sure    robot.Odds                          // of a hit, as robots want to be
	offers  []int                               // how sure of it an order set wants to be that is offered, by phase, in per cent; nil: it fires at once
	hulks   bool                                // crippled ships take damage and orders (stcs 9.5, 9.8, 12.3)
	ground  map[string]engine.Ground
	opens   func(*rulebook, *engine.View, *engine.ShipView, *ship.State) string // the order set offered for a ship's first turn; blank for one like any other
	advice  []string                                                            // to captains before the first turn
	captain robot.Captain                                                       // the robot's orders for a ship
	aims    map[string]aim                                                      // words that stand for a ship
	dark    bool                                                                // it can be played in the dark
	later   []func() Book                                                       // the courses that go on from this one, in their order
	Parts   []Part

	sequence
	powerRules
	fireRules
	damageRules
	sightRules
	postRules
	movement
}

// sequence is the sequence of events of a turn.
type sequence struct {
	opening []stage              // once, at the beginning of a turn
	each    []stage              // in each of the phases
	between []stage              // at the end of each phase but the last
	closing []stage              // once, at the end, before victory is looked at
	begins  []func(*engine.Turn) // as movement begins in a phase, and as fire does
}

// powerRules is a book's rules of giving power out and taking it away.
type powerRules struct {
	bonus    boost                                                                               // what a crew may add to a plan of power
	onPower  boost                                                                               // what a ship does when the power is given out, before others see how
	sheds    bool                                                                                // power is cut from what it was allotted to when engines no longer give it
	cutOrder func(l *rulebook, t *engine.Turn, s *engine.Ship) []powerCut                        // systems in the order in which power is cut
	onShed   func(l *rulebook, t *engine.Turn, s *engine.Ship, shed engine.Ref, c powerLoss) // power was cut
}

// fireRules is a book's rules of fire.
type fireRules struct {
	battery         []func(*rulebook, *salvo)      // a fire phase, step by step
	evading         evading                        // what becomes of the fire of a ship that evades
	asOne           bool                           // a bank fires as one weapon: all its armed mounts, and their damage is one hit
	modifiers       []modifier                     // of to-hit numbers
	gates           []gate                         // what may keep a ship from firing at all
	slimChance      func(*tables.Library, int) int // the slim chance of a number of 0 or less (stcs 14.1)
	hideShotDetails bool                           // what a shot took only its firer's captain sees (stcs 15.14)
	order           []string                       // weapon kinds in the order in which they are resolved
	extraCitations  func(*ship.Bank) []cites.Topic // topics that shots of a weapon cite for its family
	kinds           map[string]gunnery             // what weapons of a kind do; one that is not here cannot be armed
}

// damageRules are what hits do.
type damageRules struct {
	locate   func(*rulebook, damageBlock) place                                 // where a hit that went through does its damage
	vain     func(*damageResolver) string                                       // what a hit does that finds nothing to damage, and that in words
	effects  map[string]effect                                                  // what it does there
	heavy    func(*damageResolver, ship.Fault) int                              // boxes that a hit marks on a repair track
	hurts    effect                                                             // what damage does of which all points were taken off
	collapse func(l *rulebook, t *engine.Turn, s *engine.Ship, b *ship.Explode) // whether a ship explodes whose superstructure gives way
}

// sightRules is a book's rules of who sees what, and what sensors tell.
type sightRules struct {
	lockDie         func(l *rulebook, t *engine.Turn, s *engine.Ship, target engine.ShipID) (need, roll int) // a try for a lock
	askDie          func(l *rulebook, t *engine.Turn, s *engine.Ship, question string) bool                  // whether a question finds an answer
	keepWith        func(l *rulebook, t *engine.Turn, s, other *engine.Ship)                                 // what keeps a lock on a cloaked ship that no order of the phase has renewed
	scanWith        func(l *rulebook, t *engine.Turn, s *engine.Ship, shield int)                            // a look for cloaked ships
	unmanned        func(s *engine.Ship) string                                                              // why nothing can be done with her sensors
	look            func(*rulebook, *engine.Game, engine.Viewer, *engine.Ship) engine.Observation            // nil: every ship is seen
	concealments    []concealment                                                                            // what hides a ship from another
	lineOfFireRules []lineOfFireRule                                                                         // what stands between a gun and its target
	insight         func(g *engine.Game, from engine.ShipID, target *engine.Ship) bool                       // whether a firer learns what his hits did
}

// postRules is a book's rules of officers at posts of their own.
type postRules struct {
	posts      []string                                                                                                     // from which orders for a ship may come beside her captain's
	reply      func(l *rulebook, t *engine.Turn, s *engine.Ship, held *inForce) (b *orders.Block, sent, ok bool)            // what came, or holds, for a round after the first
	sends      func(l *rulebook, t *engine.Turn, from engine.Seat, st orders.Statement, to []engine.ShipID) []engine.ShipID // whom a message reaches; nil: all
	gatekeeper func(l *rulebook, t *engine.Turn, s *engine.Ship, all []fireOrder) []fireOrder                               // what her captain lets through of orders to fire
}

// movement is a book's rules of it.
type movement struct {
	onHelmOut  helmFailure                                                    // what becomes of a word with the helm out of order
	words      []string                                                       // movement words
	steps      []string                                                       // those that reactive orders use, in the order in which they try them
	moveRules  []moveRule                                                     // what may stand in the way of a movement word
	afterMoves []afterMove                                                    // what may come of one
	steers     afterMove                                                      // what it does to the helm, last
	stress     stress                                                         // what an emergency heading change costs
	easing     func(l *rulebook, t *engine.Turn, s *engine.Ship, c toll) toll // what the helm takes off an emergency heading change
}

// Part is a subject that a book adds: its verbs, its share of a ship, what is told of her.
// Each field may be nil.
type Part struct {
	verbs    []verb
	params   map[string]orders.Param
	subjects []subject // one that the Basic Course has too goes in its place
	// keeps are the part's shares of a ship, empty ones.
	keeps []ship.Share
	// commission gives a new ship its share of the part.
	commission func(*commissioning)
	// bars tells why a ship cannot be given an order at all; blank when it can.
	bars func(sys *ship.State, section string, st orders.Statement) string
	// settle looks at an order set as a whole, after its verbs, before the power is added up.
	settle func(*compiler)
	// orders are the keys of the part's standing orders in files.
	orders []string
	// standing puts the part's standing orders in force into words, one line each.
	standing func(ship.Standing) []string
	// robot adds to a robot's orders what they say of the part.
	robot func(*robot.Commander)
	// panels are the part's lines and tables in the report of an own ship.
	panels func(*rulebook, *engine.View, *engine.ShipView, *ship.State) []engine.Panel
	// dice are the rolls that it adds to those of all books.
	dice []engine.NamedDie
}

// stage is one step in the sequence of a turn.
type stage struct {
	name, step string
	run        func(*rulebook, *engine.Turn)
}

// verb is an order and what it does to a plan. Section is "power", "phase",
// "standing" or, for the whole turn, "". A verb that the Basic Course has too goes
// in its place.
type verb struct {
	orders.Verb
	section string
	// compile reads one statement; n is the index of the phase, 0 outside phases.
	compile func(c *compiler, n int, st orders.Statement)
}

// subject is something that a condition may ask, and its answer at the moment
// when it is needed.
type subject struct {
	orders.Subject
	fact func(q question) (value, known bool)
}

// question is a condition's test put in a turn.
type question struct {
	l      *rulebook
	t      *engine.Turn
	ship   *engine.Ship
	named  string       // id of the ship that the order names; blank for none
	target *engine.Ship // that ship, as long as it is known where it is; nil for none
	bank   *ship.Bank   // the bank to be fired; nil for none
	test   *orders.Cond
}

// concealment tells from which ships, of other captains, something hides a ship; nil: from none.
type concealment func(l *rulebook, g *engine.Game, of *engine.Ship) hides

// hides tells whether a ship is hidden from another.
type hides func(by *engine.Ship) bool

// lineOfFireRule tells why one ship cannot fire at another or get a lock on it, wherever
// its weapons point; blank when it can.
type lineOfFireRule func(l *rulebook, g *engine.Game, s, target *engine.Ship) (why string)

// rulebook is a Book with tables, made ready for play.
type rulebook struct {
	*tables.Library
	Book
	names    func(*engine.Turn, *engine.Ship) []*engine.Ship // the ships that a captain may name in his orders
	language *orders.Language
	compiles map[[2]string]func(*compiler, int, orders.Statement)
	facts    map[string]func(question) (value, known bool)
	self     *engine.Rules                                                       // what the book is as a rule set
	bars     []func(sys *ship.State, section string, st orders.Statement) string // of all parts
}

// usual sets a function that was left out.
func usual[F any](f *F, otherwise F) {
	if reflect.ValueOf(*f).IsNil() {
		*f = otherwise
	}
}

// vocabulary is the words with which a course's orders and conditions begin, those of its
// movement, and those that stand for ships, in lower case.
func (book Book) vocabulary(lang *orders.Language) map[string]bool {
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
	for _, w := range book.words {
		words[strings.ToLower(w)] = true
	}
	for w := range book.aims {
		words[w] = true
	}
	return words
}

// subtitle is the book's title without that of the game.
func (book *Book) subtitle() string {
	_, name, found := strings.Cut(book.title, ", ")
	if !found {
		return book.title
	}
	if strings.HasSuffix(name, "Course") {
		name = "the " + name
	}
	return name
}

// Usable tells whether the course has rules for a bank's weapon.
func (l *rulebook) Usable(b *ship.Bank) bool {
	_, ok := l.kinds[b.Kind]
	return ok
}

// firePhase counts the fire phases of a game from 1.
func (book Book) firePhase(turn, phase int) int { return (turn-1)*book.Split.Phases() + phase }

// cite gives the citations of topics in this book: see [cites.Book.Of].
func (book *Book) cite(topics ...cites.Topic) []string { return book.cites.Of(topics...) }

// cited puts the book's paragraphs in the place of topics that a text refers to.
func (book *Book) cited(text string) string { return book.cites.In(text) }

// evading is what becomes of the declared fire of a ship that evades.
type evading func(l *rulebook, sv *salvo, s *engine.Ship)

// moveRule tells why a ship may not carry out a movement word now, with the rules
// that say so; blank when it may.
type moveRule func(l *rulebook, t *engine.Turn, s *engine.Ship, word string) (why string, rule []cites.Topic)

// afterMove is what follows a movement word that was carried out. The ship is at the end
// of it already.
type afterMove func(l *rulebook, t *engine.Turn, s *engine.Ship, word string, from engine.Place)

// powerCut is a system that power is cut from, and how much of it at first; 0 for all.
type powerCut struct {
	system string
	most   int
}

// powerLoss is what was cut of the power of a ship.
type powerLoss struct {
	was, alloc ship.Alloc // before and after
	detail     []string   // each cut in words
	from       []string   // by detail: the system it was cut from
}

// boost is what a crew may add to a plan of power in the power phase.
type boost func(*rulebook, *engine.Turn, *engine.Ship, *plan)

// helmFailure gives what becomes of a movement word while a ship cannot be steered.
type helmFailure func(l *rulebook, t *engine.Turn, s *engine.Ship, word string) string

// damageBlock is damage that got through, on its way to the location that takes it.
type damageBlock struct {
	penetration
	part, points int // the block's number from 1, and what it holds
	roll         int
}

// place is a location and the table that gave it, with the cell of a detailed one.
type place struct {
	table, location string
	cell            tables.Hit
}

// effect does what a hit on a location does.
type effect func(*damageResolver)

// damageResolver carries out what a hit does that went through.
type damageResolver struct {
	damageBlock
	l      *rulebook
	t      *engine.Turn
	sys    *ship.State
	d      *ship.Damage
	topics []cites.Topic

	cell   tables.Hit                // of a detailed chart
	named  engine.RollName           // the roll for the location, within the phase
	thrown []engine.Ref              // dice that it shares with them
	rolled map[engine.RollName]throw // dice of the hits that took effect with it
}

// throw is a die that several events follow from.
type throw struct {
	value int
	event engine.Ref
}

// cite adds topics to the event.
func (in *damageResolver) cite(topics ...cites.Topic) { in.topics = append(in.topics, topics...) }

// volley is the mounts of one bank that one ship fires at one target in one
// phase, and so (unless every mount rolls) one to-hit roll (stcs 4.4).
type volley struct {
	ship   *engine.Ship
	target *engine.Ship
	bank   int
	mounts []int
	power  []int       // of each mount's shot
	orders []fireOrder // by which each mount fires
	rng    int
	arc    string

	declared engine.Ref
}

// hit is something that does damage to a ship, and where it comes from.
type hit struct {
	target *engine.Ship
	from   engine.ShipID // id of the ship or the thing that does it
	at     hex.Hex       // where it comes from
	stood  engine.Place  // where the target was struck, and how it stood to what struck it
	weapon string
	mount  int  // from 1; 0 for what has none
	spread bool // what gets through is divided into blocks
	cause  engine.Ref
}

// penetration is a hit that got through a shield.
type penetration struct {
	hit
	shield  int // number
	through int
	group   engine.RollName // hits of one group share their location
	again   bool            // another hit of its group got through before
	spared  int             // points that were taken off, but not off casualties
	pierced engine.Ref
}

// salvo is a fire phase under way.
type salvo struct {
	t       *engine.Turn
	volleys [][]volley // ship by ship
	through []penetration
}

// gate tells why a ship may not fire at all in this phase, with the rules that say
// so; blank when it may.
type gate func(l *rulebook, t *engine.Turn, s *engine.Ship) (why string, rule []cites.Topic)

// modifier changes to-hit numbers; the name is what reports call it. A value of 0
// is no change.
type modifier func(l *rulebook, t *engine.Turn, v *volley) (name string, value int, rule []cites.Topic)

// toll is what a manoeuvre costs a ship: power of engines, and superstructure.
type toll struct {
	engines        []ship.EngineChange
	superstructure int
	rule           []cites.Topic
}

// stress is the toll of an emergency heading change.
type stress func(l *rulebook, sys *ship.State) toll

// inForce is the order set of a ship that holds, made of those of all rounds so
// far, and what its phases are compiled with: the ship as it was when the power
// was allotted, so that it is all the same when a phase was written.
type inForce struct {
	block *orders.Block
	sys   *ship.State
	last  string // the captain's set of the turn before
}

// gunnery is what weapons of a kind do.
type gunnery struct {
	// arm looks at the power that an order gives a mount, -1 for none named, and
	// tells how much it takes; false, with a diagnostic, if that cannot be.
	arm func(c *compiler, b *ship.Bank, m, want int, pos orders.Pos) (power int, ok bool)
	// deal is what a hit does: its base damage and what the range adds or takes.
	deal func(b *ship.Bank, v *volley, mount int, s shotRoll) (base, bonus int)
	// after is told of each shot when it has been rolled.
	after func(l *rulebook, t *engine.Turn, v *volley, mount int)
	// cite are the topics that its shots cite as well.
	cite []cites.Topic
	// graze tells whether a hit does less than a full one.
	graze func(s shotRoll) bool
	// spread tells that what gets through is divided into blocks (stcs 9.1).
	spread bool
	// half tells that it may be armed with half of its power (stcs 14.4).
	half bool
}

// aim finds the id of the ship that a word stands for; blank for none.
type aim func(l *rulebook, g *engine.Game, s *engine.Ship) engine.ShipID

// shotRoll is a to-hit number, the roll against it, and what came of it.
type shotRoll struct {
	number, need, roll int
	named              string // the whole name of the roll
	hit                bool
	slim               slimRoll
	thrown             []engine.Ref // the dice
}

// counts tells whether weapons of a kind belong to a group: plasma launchers count as
// missile weapons where they can be used.
func (l *rulebook) counts(kind, group string) bool {
	if kind == tables.Plasma {
		if _, used := l.kinds[tables.Plasma]; used {
			kind = tables.Missile
		}
	}
	return kind == group
}
