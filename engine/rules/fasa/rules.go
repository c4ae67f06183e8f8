package fasa

import (
	"fmt"
	"maps"
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/robot"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/fasa/words"
	"starpost/engine/ruling"
	"starpost/engine/tactical"
	"starpost/orders"
)

// course is a rule book with the rows of its parts in full.
type course struct {
	Book
	parts []part
}

// part is a [Part] with what is told of its events, and what is foreseen of its orders. Each field may be nil.
type part struct {
	Part
	events []event
	// foresee follows what the part's orders do as a turn begins, phase 0, and to the way of a ship when all have moved
	// in a phase, as far as that is known beforehand.
	foresee func(f *forecast, phase int)
}

// laterBooks are the books of courses, each made when it is asked for.
func laterBooks(courses ...func() course) []func() Book {
	var out []func() Book
	for _, c := range courses {
		out = append(out, func() Book { return c().whole() })
	}
	return out
}

// whole is the book with its parts.
func (book course) whole() Book {
	book.Parts = nil
	for _, p := range book.parts {
		book.Parts = append(book.Parts, p.Part)
	}
	return book.Book
}

// complete puts something that does nothing in the place of all that a course leaves
// out, so that no caller has to ask.
func (book course) complete() course {
	if book.dark {
		book.parts = append(slices.Clip(book.parts), darkPart(), decoysPart(), labsPart(), probesPart())
		book.closing = append([]stage{{"laboratories", "end", (*rulebook).workLabs}, {"leaving unseen", "end", (*rulebook).slipAway}}, book.closing...)
	}
	nothing := func(*rulebook, *engine.Turn, *engine.Ship, *plan) {}
	usual(&book.bonus, nothing)
	usual(&book.onPower, nothing)
	usual(&book.ratio, func(r tactical.Ratio) tactical.Ratio { return r })
	usual(&book.opens, func(*rulebook, *engine.View, *engine.ShipView, *ship.State) string { return "" })
	usual(&book.evading, func(*rulebook, *salvo, *engine.Ship) {})
	usual(&book.slimChance, func(*tables.Library, int) int { return 0 })
	usual(&book.extraCitations, func(*ship.Bank) []cites.Topic { return nil })
	usual(&book.heavy, func(*damageResolver, ship.Fault) int { return 1 })
	usual(&book.onHelmOut, func(_ *rulebook, _ *engine.Turn, _ *engine.Ship, word string) string { return word })
	usual(&book.insight, func(*engine.Game, engine.ShipID, *engine.Ship) bool { return false })
	usual(&book.lockDie, func(*rulebook, *engine.Turn, *engine.Ship, engine.ShipID) (int, int) { return 0, 1 })
	usual(&book.askDie, func(*rulebook, *engine.Turn, *engine.Ship, string) bool { return true })
	usual(&book.keepWith, func(l *rulebook, t *engine.Turn, s, other *engine.Ship) { l.scanWith(l, t, s, l.sideTo(s, other.Hex)) })
	usual(&book.scanWith, func(*rulebook, *engine.Turn, *engine.Ship, int) {})
	usual(&book.collapse, func(*rulebook, *engine.Turn, *engine.Ship, *ship.Explode) {})
	usual(&book.steers, func(*rulebook, *engine.Turn, *engine.Ship, string, engine.Place) {})
	usual(&book.easing, noEasing)
	usual(&book.cutOrder, cutsAsOrdered)
	usual(&book.onShed, func(*rulebook, *engine.Turn, *engine.Ship, engine.Ref, powerLoss) {})
	usual(&book.unmanned, func(*engine.Ship) string { return "" })
	usual(&book.hurts, func(*damageResolver) {})
	usual(&book.reply, (*rulebook).captainsReply)
	usual(&book.gatekeeper, func(_ *rulebook, _ *engine.Turn, _ *engine.Ship, all []fireOrder) []fireOrder { return all })
	book.kinds = maps.Clone(book.kinds)
	for kind, g := range book.kinds {
		usual(&g.after, func(*rulebook, *engine.Turn, *volley, int) {})
		usual(&g.graze, func(shotRoll) bool { return false })
		book.kinds[kind] = g
	}
	book.parts = slices.Clone(book.parts)
	for i := range book.parts {
		p := &book.parts[i]
		usual(&p.commission, func(*commissioning) {})
		usual(&p.settle, func(*compiler) {})
		usual(&p.standing, func(ship.Standing) []string { return nil })
		usual(&p.robot, func(*robot.Commander) {})
		usual(&p.panels, func(*rulebook, *engine.View, *engine.ShipView, *ship.State) []engine.Panel { return nil })
	}
	book.Book = book.whole()
	return book
}

// rules makes a course ready and gives it as a rule set.
func (book course) rules(lib *tables.Library) (*engine.Rules, error) {
	book = book.complete()
	l := &rulebook{
		Library: lib, Book: book.Book, compiles: map[[2]string]func(*compiler, int, orders.Statement){},
		facts: map[string]func(question) (bool, bool){},
	}
	rolls := words.NamedDice()
	var keeps []ship.Share
	var standing []string
	var events []event
	var foresees []func(*forecast, int)
	for _, p := range book.parts {
		for _, v := range p.verbs {
			l.compiles[[2]string{v.section, v.Name}] = v.compile
		}
		for _, s := range p.subjects {
			l.facts[string(s.Form)] = s.fact
		}
		events = append(events, p.events...)
		if p.bars != nil {
			l.bars = append(l.bars, p.bars)
		}
		if p.foresee != nil {
			foresees = append(foresees, p.foresee)
		}
		keeps, standing = append(keeps, p.keeps...), append(standing, p.orders...)
		rolls = append(rolls, p.dice...)
	}
	if l.dark {
		rolls = append(append(rolls, dark.EchoDice()...), dark.NameDie())
	}
	narrate := &teller{l, family.ListEvents(append(commonEvents(standing), events...)...)}
	l.language = book.language().Compiled()
	r := &engine.Rules{
		Dice: rolls,
		Name: book.name, Version: book.version, Title: book.title, Sources: book.sources, Covers: family.Covers,
		Phases: l.phases(), Language: l.language, Events: narrate.events.Types(),
		Commission: l.commission, DecodeSystem: ship.Decoder(book.Split.Phases(), keeps, standing), Options: book.options, Terrain: book.ground,
		Public: public, NewPublic: func() any { return new(ship.Public) }, Template: offers{l}.Template, Robot: l.robots().Orders, Present: narrate.present, Marks: l.marks,
		Words: narrate.words, Why: narrate.why, Referee: &ruling.Referee{Settle: l.settle},
		CrippledMayAct: book.hulks, Spent: spent, Hull: hull,
	}
	if len(book.posts) > 0 {
		r.Due, r.Mates = l.owedPosts, &engine.Mates{Station: l.station, Aboard: narrate.aboard}
		r.Sends = func(t *engine.Turn, from engine.Seat, st orders.Statement, to []engine.ShipID) []engine.ShipID {
			return l.sends(l, t, from, st, to)
		}
		r.Template, r.Tell, r.Council = l.postTemplate, l.tellTotals, []string{ship.PostCaptain, ship.PostEngineer}
		r.Robot = l.postRobot
	}
	l.self = r
	check := newChecker(l, foresees)
	r.Check, r.First, r.Choose, r.Conn = check.check, l.firstOrders, chooses(check), family.Navigator(l.conn).By(l.language)
	r.Extension = &dark.Extension{Dark: l.darkRules(narrate.events.Unknown(l)), Labs: l.labRules()}
	l.names = func(t *engine.Turn, _ *engine.Ship) []*engine.Ship { return t.Game.Ships }
	if book.look != nil {
		l.names = known
		r.Look = func(g *engine.Game, who engine.Viewer, s *engine.Ship) engine.Observation {
			return book.look(l, g, who, s)
		}
	}
	if len(book.concealments) > 0 {
		r.Witness = func(g *engine.Game, s *engine.Ship) engine.See { return l.show(g, []*engine.Ship{s}, s.ID) }
	}
	return r, r.CheckEvents(posts()...)
}

// powerOfLab is the power of a design for each of its laboratories, and usualProbes how many probes
// a ship has (ruling F7).
const (
	powerOfLab  = 10
	usualProbes = 1
)

// labRules are what a course says of laboratories; nil for one that cannot be played in the dark.
func (l *rulebook) labRules() *dark.LabRules {
	if !l.dark {
		return nil
	}
	return &dark.LabRules{
		Dark: true, First: true,
		Fit: func(s *engine.Ship, boxes *int) {
			sys := ship.Of(s)
			fitted := &ship.Labs{Boxes: sys.Design.Power / powerOfLab}
			if boxes != nil {
				fitted.Boxes = *boxes
			}
			sys.Put(fitted)
		},
		Load: func(s *engine.Ship, probes *int) {
			ship.Of(s).Labs().Probes = usualProbes
			if probes != nil {
				ship.Of(s).Labs().Probes = *probes
			}
		},
		Boxes: func(s *engine.Ship) int { return ship.Of(s).FreeLabs() },
		Last: func(s *engine.Ship) string {
			if st := ship.Of(s).Standing; st.Missing == "repeat" {
				return st.Last
			}
			return ""
		},
		Sheet: l.sheet, Nature: l.nature,
	}
}

// phases is the sequence of a turn (stcs 2).
func (l *rulebook) phases() []engine.Phase {
	var out []engine.Phase
	add := func(no, round int, stages []stage) {
		for i, s := range stages {
			name := s.name
			if no > 0 {
				name = fmt.Sprintf("%s %d", name, no)
			}
			out = append(out, engine.Phase{Name: name, Step: s.step, No: no, Round: round, Run: func(t *engine.Turn) { s.run(l, t) }})
			if s.step == "fire" && (i+1 == len(stages) || stages[i+1].step != "fire") {
				goals := engine.GoalsPhase(l.cite(cites.VictoryConditions)...)
				goals.Name, goals.No, goals.Round = fmt.Sprintf("%s %d", goals.Name, no), no, round
				out = append(out, goals)
			}
		}
	}
	add(0, 1, l.opening)
	for n := 1; n <= l.Split.Phases(); n++ {
		if n > 1 {
			add(n, n, []stage{{"orders", "orders", (*rulebook).renew}})
		}
		add(n, n, l.each)
		if n < l.Split.Phases() {
			add(n, n, l.between)
		}
	}
	add(0, l.Split.Phases(), l.closing)
	end := engine.EndPhase(l.cite(cites.VictoryConditions)...)
	end.Round = l.Split.Phases()
	return append(out, end)
}

// Courses gives the makers of the courses that can be played, by the name of the
// rule set.
func Courses() map[string]func(*tables.Library) (*engine.Rules, error) {
	return map[string]func(*tables.Library) (*engine.Rules, error){
		"book-one": BookOne, "stcs-basic": Basic, "stcs-advanced": advanced, "stcs-graduate": Graduate, "stcs-command": Command,
	}
}
