package fasa

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
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
	cites                map[topic][]string // where it treats the topics that code cites

	ship.Scheme
	ratio  func(tactical.Ratio) tactical.Ratio // a ship's movement ratio, of that in the catalogue
	sure   robot.Odds                          // of a hit, as robots want to be
	offers []int                               // how sure of it an order set wants to be that is offered, by phase, in per cent; nil: it fires at once

	bonus   boost   // what a crew may add to a plan of power
	onPower boost   // what a ship does when the power is given out, before others see how
	opening []stage // once, at the beginning of a turn
	each    []stage // in each of the phases
	between []stage // at the end of each phase but the last
	closing []stage // once, at the end, before victory is looked at

	battery         []func(*rulebook, *salvo)             // a fire phase, step by step
	evading         evading                               // what becomes of the fire of a ship that evades
	asOne           bool                                  // a bank fires as one weapon: all its armed mounts, and their damage is one hit
	modifiers       []modifier                            // of to-hit numbers
	gates           []gate                                // what may keep a ship from firing at all
	slimChance      func(*tables.Library, int) int        // the slim chance of a number of 0 or less (stcs 14.1)
	hideShotDetails bool                                  // what a shot took only its firer's captain sees (stcs 15.14)
	order           []string                              // weapon kinds in the order in which they are resolved
	extraCitations  func(*ship.Bank) []topic              // topics that shots of a weapon cite for its family
	kinds           map[string]gunnery                    // what weapons of a kind do; one that is not here cannot be armed
	locate          func(*rulebook, damageBlock) place    // where a hit that went through does its damage
	vain            func(*damageResolver) string          // what a hit does that finds nothing to damage, and that in words
	effects         map[string]effect                     // what it does there
	heavy           func(*damageResolver, ship.Fault) int // boxes that a hit marks on a repair track

	sheds      bool                 // power is cut from what it was allotted to when engines no longer give it
	hulks      bool                 // crippled ships take damage and orders (stcs 9.5, 9.8, 12.3)
	onHelmOut  helmFailure          // what becomes of a word with the helm out of order
	words      []string             // movement words
	steps      []string             // those that reactive orders use, in the order in which they try them
	begins     []func(*engine.Turn) // as movement begins in a phase, and as fire does
	moveRules  []moveRule           // what may stand in the way of a movement word
	afterMoves []afterMove          // what comes of one
	stress     stress               // what an emergency heading change costs

	lockDie    func(l *rulebook, t *engine.Turn, s *engine.Ship, target engine.ShipID) (need, roll int)                     // a try for a lock
	askDie     func(l *rulebook, t *engine.Turn, s *engine.Ship, question string) bool                                      // whether a question finds an answer
	keepWith   func(l *rulebook, t *engine.Turn, s, other *engine.Ship)                                                     // what keeps a lock on a cloaked ship that no order of the phase has renewed
	scanWith   func(l *rulebook, t *engine.Turn, s *engine.Ship, shield int)                                                // a look for cloaked ships
	collapse   func(l *rulebook, t *engine.Turn, s *engine.Ship, b *ship.Explode)                                           // whether a ship explodes whose superstructure gives way
	easing     func(l *rulebook, t *engine.Turn, s *engine.Ship, c toll) toll                                               // what the helm takes off an emergency heading change
	cutOrder   func(l *rulebook, t *engine.Turn, s *engine.Ship) []powerCut                                                 // systems in the order in which power is cut
	onShed     func(l *rulebook, t *engine.Turn, s *engine.Ship, shed engine.Ref, c *powerShedder)                          // power was cut
	unmanned   func(s *engine.Ship) string                                                                                  // why nothing can be done with her sensors
	hurts      effect                                                                                                       // what damage does of which all points were taken off
	reply      func(l *rulebook, t *engine.Turn, s *engine.Ship, held *inForce) (b *orders.Block, sent, ok bool)            // what came, or holds, for a round after the first
	sends      func(l *rulebook, t *engine.Turn, from engine.Seat, st orders.Statement, to []engine.ShipID) []engine.ShipID // whom a message reaches; nil: all
	gatekeeper func(l *rulebook, t *engine.Turn, s *engine.Ship, all []fireOrder) []fireOrder                               // what her captain lets through of orders to fire

	look            func(*rulebook, *engine.Game, engine.Viewer, *engine.Ship) engine.Observation // nil: every ship is seen
	concealments    []concealment                                                                 // what hides a ship from another
	lineOfFireRules []lineOfFireRule                                                              // what stands between a gun and its target
	insight         func(g *engine.Game, from engine.ShipID, target *engine.Ship) bool            // whether a firer learns what his hits did
	ground          map[string]engine.Ground
	opens           func(*rulebook, *engine.View, *engine.ShipView, *ship.State) string // the order set offered for a ship's first turn; blank for one like any other
	advice          []string                                                            // to captains before the first turn
	captain         robot.Captain                                                       // the robot's orders for a ship

	aims  map[string]aim // words that stand for a ship
	dark  bool           // it can be played in the dark
	posts []string       // from which orders for a ship may come beside her captain's
	later []func() Book  // the courses that go on from this one, in their order
	parts []part
}

// part is a subject that a book adds: its verbs, its share of a ship, its events and how
// they are told. Each field may be nil.
type part struct {
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
	bodies   []func() engine.Body
	// tell puts an event into words, by its type.
	tell map[string]func(*narrator, engine.Body, string)
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
	tells    map[string]func(*narrator, engine.Body, string)
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

// show is who sees something that is openly done by or to some ships: all, and
// what of it is not open to others the captains of the ships in whole. Of a
// hidden ship only those who know where it is see anything.
func (l *rulebook) show(g *engine.Game, about []*engine.Ship, whole ...engine.ShipID) engine.See {
	var among []engine.ShipID
	concealed := false
	if l.veils(g) {
		for _, s := range about {
			by, hidden := l.knowers(g, s)
			switch {
			case !hidden:
			case !concealed:
				concealed, among = true, slices.Clone(by)
			default:
				among = slices.DeleteFunc(among, func(id engine.ShipID) bool { return !slices.Contains(by, id) })
			}
		}
	}
	switch {
	case !concealed:
		return engine.SeeAll(whole...)
	case len(among) == 0:
		return engine.SeeOnly(whole...)
	}
	return engine.See{Whole: engine.CaptainSeats(whole...), Rest: true, Among: among}
}

// knowers are the ships from which a ship is not hidden, itself among them, and whether
// it is hidden from any.
func (l *rulebook) knowers(g *engine.Game, s *engine.Ship) (by []engine.ShipID, hidden bool) {
	from := l.concealed(g, s)
	if from == nil || !slices.ContainsFunc(g.Ships, from) {
		return nil, false
	}
	for _, o := range g.Ships {
		if !from(o) {
			by = append(by, cmp.Or(o.Parent, o.ID)) // what a probe sees its ship's captain does
		}
	}
	return by, true
}

// concealed tells from which ships a ship is hidden; nil: from none. Only ships in the fight
// can be, and none from its own captain. This is asked for nearly every event; most ships
// are hidden from no other.
func (l *rulebook) concealed(g *engine.Game, of *engine.Ship) hides {
	if g.Blind != nil {
		return l.unlit(g, of)
	}
	if of.Status != engine.Active {
		return nil
	}
	var all []hides
	for _, c := range l.concealments {
		if from := c(l, g, of); from != nil {
			all = append(all, from)
		}
	}
	if all == nil {
		return nil
	}
	return func(by *engine.Ship) bool {
		return by.Captain != of.Captain && slices.ContainsFunc(all, func(from hides) bool { return from(by) })
	}
}

// aware tells whether a ship's captain knows where another ship is now: one of his
// ships sees it.
func (l *rulebook) aware(g *engine.Game, s, other *engine.Ship) bool {
	if !other.Status.OnMap() {
		return false
	}
	if !l.veils(g) || s.Captain == other.Captain {
		return true
	}
	if g.Blind != nil {
		level, _ := dark.Finds(l.self, g, s.Captain, other)
		return level >= blind.Presence
	}
	from := l.concealed(g, other)
	return from == nil || slices.ContainsFunc(g.Ships, func(o *engine.Ship) bool { return o.Captain == s.Captain && !from(o) })
}

// screened is the first reason why a ship cannot fire at another at all.
func (l *rulebook) screened(g *engine.Game, s, target *engine.Ship) string {
	for _, between := range l.lineOfFireRules {
		if why := between(l, g, s, target); why != "" {
			return why
		}
	}
	return ""
}

// felt is who sees what a hit did inside: the target's captain, and as one of the others
// the firer's if he can tell.
func (l *rulebook) felt(g *engine.Game, h hit) engine.See {
	if !l.insight(g, h.from, h.target) {
		return engine.SeeOnly(h.target.ID)
	}
	return engine.See{Whole: engine.CaptainSeats(h.target.ID), Rest: true, Among: []engine.ShipID{h.from}}
}

// known are the ships that a ship's captain knows of.
func known(t *engine.Turn, s *engine.Ship) []*engine.Ship {
	who := t.Game.Viewer(s)
	return slices.DeleteFunc(slices.Clone(t.Game.Ships), func(o *engine.Ship) bool { return !t.Rules.Knows(t.Game, who, o) })
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
