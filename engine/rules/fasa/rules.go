package fasa

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/crew"
	"starpost/engine/rules/fasa/forecast"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/robot"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/fasa/tell"
	"starpost/engine/rules/fasa/verbs"
	"starpost/engine/rules/fasa/words"
	"starpost/engine/ruling"
	"starpost/engine/tactical"
	"starpost/orders"
)

// course is a rule book with its parts in full.
type course struct {
	rulebook.Book
	parts []part
}

// part is a [rulebook.Part] with the texts of its events and the forecast of its orders. Each field may be nil.
type part struct {
	rulebook.Part
	events []tell.Event
	// foresee follows the part's orders in a forecast: as a turn begins (phase 0), and after all movement of a phase.
	foresee func(f *forecast.Forecast, phase int)
}

// laterBooks returns functions that make the books of courses.
func laterBooks(courses ...func() course) []func() rulebook.Book {
	var out []func() rulebook.Book
	for _, c := range courses {
		out = append(out, func() rulebook.Book { return c().whole() })
	}
	return out
}

// whole returns the book with its parts.
func (book course) whole() rulebook.Book {
	book.Parts = nil
	for _, p := range book.parts {
		book.Parts = append(book.Parts, p.Part)
	}
	return book.Book
}

// complete fills in everything that a course leaves out with a default that does nothing, so
// that no caller has to check.
func (book course) complete() course {
	if book.Dark {
		book.parts = append(slices.Clip(book.parts), darkPart(), decoysPart(), labsPart(), probesPart())
		book.Closing = append([]rulebook.Stage{{Name: "laboratories", Step: "end", Run: play.WorkLabs}, {Name: "leaving unseen", Step: "end", Run: play.SlipAway}}, book.Closing...)
	}
	nothing := func(*rulebook.Rules, *engine.Turn, *engine.Ship, *rulebook.Plan) {}
	rulebook.Usual(&book.Bonus, nothing)
	rulebook.Usual(&book.OnPower, nothing)
	rulebook.Usual(&book.Ratio, func(r tactical.Ratio) tactical.Ratio { return r })
	rulebook.Usual(&book.Opens, func(*rulebook.Rules, *engine.View, *engine.ShipView, *ship.State) orders.Set { return nil })
	rulebook.Usual(&book.Evading, func(*rulebook.Rules, *rulebook.Salvo, *engine.Ship) {})
	rulebook.Usual(&book.SlimTable, func(*tables.Library, int) int { return 0 })
	rulebook.Usual(&book.ExtraCitations, func(*ship.Bank) []cites.Topic { return nil })
	rulebook.Usual(&book.Heavy, func(*rulebook.DamageResolver, ship.Fault) int { return 1 })
	rulebook.Usual(&book.OnHelmOut, func(_ *rulebook.Rules, _ *engine.Turn, _ *engine.Ship, word string) string { return word })
	rulebook.Usual(&book.Insight, func(*engine.Game, engine.ShipID, *engine.Ship) bool { return false })
	rulebook.Usual(&book.LockDie, func(*rulebook.Rules, *engine.Turn, *engine.Ship, engine.ShipID) (int, int) { return 0, 1 })
	rulebook.Usual(&book.AskDie, func(*rulebook.Rules, *engine.Turn, *engine.Ship, string) bool { return true })
	rulebook.Usual(&book.KeepWith, func(l *rulebook.Rules, t *engine.Turn, s, other *engine.Ship) {
		l.ScanWith(l, t, s, play.SideTo(&l.Book, s, other.Hex))
	})
	rulebook.Usual(&book.ScanWith, func(*rulebook.Rules, *engine.Turn, *engine.Ship, int) {})
	rulebook.Usual(&book.Collapse, func(*rulebook.Rules, *engine.Turn, *engine.Ship, *ship.Explode) {})
	rulebook.Usual(&book.Steers, func(*rulebook.Rules, *engine.Turn, *engine.Ship, string, engine.Place) {})
	rulebook.Usual(&book.Easing, play.NoEasing)
	rulebook.Usual(&book.CutOrder, play.CutsAsOrdered)
	rulebook.Usual(&book.OnShed, func(*rulebook.Rules, *engine.Turn, *engine.Ship, engine.Ref, rulebook.PowerLoss) {})
	rulebook.Usual(&book.Unmanned, func(*engine.Ship) string { return "" })
	rulebook.Usual(&book.Hurts, func(*rulebook.DamageResolver) {})
	rulebook.Usual(&book.Reply, play.CaptainsReply)
	rulebook.Usual(&book.Gatekeeper, func(_ *rulebook.Rules, _ *engine.Turn, _ *engine.Ship, all []rulebook.FireOrder) []rulebook.FireOrder {
		return all
	})
	book.Kinds = slices.Clone(book.Kinds)
	for i := range book.Kinds {
		g := &book.Kinds[i]
		rulebook.Usual(&g.After, func(*rulebook.Rules, *engine.Turn, *rulebook.Volley, int) {})
		rulebook.Usual(&g.Graze, func(rulebook.ShotRoll) bool { return false })
	}
	book.parts = slices.Clone(book.parts)
	for i := range book.parts {
		p := &book.parts[i]
		rulebook.Usual(&p.Commission, func(*rulebook.Commissioning) {})
		rulebook.Usual(&p.Settle, func(*rulebook.Compiler) {})
		rulebook.Usual(&p.Standing, func(ship.Standing) []string { return nil })
		rulebook.Usual(&p.Robot, func(*robot.Commander) {})
		rulebook.Usual(&p.Panels, func(*rulebook.Rules, *engine.View, *engine.ShipView, *ship.State) []engine.Panel { return nil })
	}
	book.Book = book.whole()
	return book
}

// rules completes a course and returns it as a rule set.
func (book course) rules(lib *tables.Library) (*engine.Rules, error) {
	book = book.complete()
	l := &rulebook.Rules{
		Library: lib, Book: book.Book, Rows: map[[2]string]rulebook.Verb{},
		Facts: map[string]func(rulebook.Question) (bool, bool){},
	}
	rolls := words.NamedDice()
	var keeps []ship.Share
	var standing []string
	var events []tell.Event
	var foresees []func(*forecast.Forecast, int)
	for _, p := range book.parts {
		for _, v := range p.Verbs {
			l.Rows[[2]string{v.Section, v.Name}] = v
		}
		for _, s := range p.Subjects {
			l.Facts[string(s.Form)] = s.Fact
		}
		events = append(events, p.events...)
		if p.Bars != nil {
			l.Bars = append(l.Bars, p.Bars)
		}
		if p.foresee != nil {
			foresees = append(foresees, p.foresee)
		}
		keeps, standing = append(keeps, p.Keeps...), append(standing, p.Orders...)
		rolls = append(rolls, p.Dice...)
	}
	if err := family.DistinctShares(book.Name, keeps); err != nil {
		return nil, err
	}
	if l.Dark {
		rolls = append(append(rolls, dark.EchoDice()...), dark.NameDie())
	}
	narrate := &tell.Teller{Rules: l, Events: family.ListEvents(append(tell.CommonEvents(standing), events...)...)}
	l.Language = verbs.Language(book.Book).Compiled()
	r := &engine.Rules{
		Dice: rolls,
		Name: book.Name, Version: book.Version, Title: book.Title, Sources: book.Sources,
		Phases: phases(l), Language: l.Language, Events: narrate.Events.Types(),
		Commission: l.Commission, DecodeSystem: ship.Decoder(book.Split.Phases(), keeps, standing), Options: book.Options, Terrain: book.Ground,
		Seeing: engine.Seeing{Public: rulebook.Public, NewPublic: func() any { return new(ship.Public) }},
		Ordering: engine.Ordering{
			Template: func(v *engine.View, id engine.ShipID) orders.Set { return offered(l, v, id) },
			Covers:   family.Covers, Robot: robotRules(l).Orders,
			First: func(v *engine.View, id engine.ShipID) orders.Set { return firstOrders(l, v, id) },
			Conn: family.Navigator(func(v *engine.View, id engine.ShipID, commands []family.Conn, b *orders.Block) family.Conned {
				return verbs.Conn(l, v, id, commands, b)
			}).By(l.Language),
		},
		Reporting: engine.Reporting{
			Present: narrate.Present, Marks: func(v *engine.View) map[engine.ShipID]engine.Overlay { return tell.Marks(l, v) },
			Words: narrate.Words, Why: narrate.Why,
		},
		Extension: &dark.Extension{Dark: l.DarkRules(narrate.Events.Unknown(l)), Labs: labRules(l)}, Referee: &ruling.Referee{Settle: func(t *engine.Turn) { play.Settle(l, t) }},
		CrippledMayAct: book.Hulks, Spent: play.Spent, Hull: rulebook.Hull,
	}
	if len(book.Posts) > 0 {
		r.Due, r.Mates = crew.OwedPosts, &engine.Mates{Station: func(s *engine.Ship, held []string) any { return tell.Station(l, s, held) }, Aboard: narrate.Aboard}
		r.Sends = func(t *engine.Turn, from engine.Seat, st orders.Statement, to []engine.ShipID) []engine.ShipID {
			return l.Sends(l, t, from, st, to)
		}
		r.Template, r.Tell, r.Council = func(v *engine.View, id engine.ShipID) orders.Set { return postTemplate(l, v, id) }, func(v *engine.View, seat engine.Seat, b orders.Block) []engine.Word { return tellTotals(l, v, seat, b) }, []string{ship.PostCaptain, ship.PostEngineer}
		r.Robot = func(v *engine.View, id engine.ShipID) orders.Set { return postRobot(l, v, id) }
	}
	l.Self = r
	check := forecast.NewChecker(l, foresees)
	r.Check, r.Choose = check.Check, forecast.Chooses(check)
	l.Names = func(t *engine.Turn, _ *engine.Ship) []*engine.Ship { return t.Game.Ships }
	if book.Look != nil {
		l.Names = rulebook.Known
		r.Look = func(g *engine.Game, who engine.Viewer, s *engine.Ship) engine.Observation {
			return book.Look(l, g, who, s)
		}
	}
	if len(book.Concealments) > 0 {
		r.Witness = func(g *engine.Game, s *engine.Ship) engine.See { return l.Show(g, []*engine.Ship{s}, s.ID) }
	}
	return r, r.CheckEvents(rulebook.Posts()...)
}

// powerOfLab is the power of a design for each of its laboratories, and usualProbes the number
// of probes on a ship (ruling F7).
const (
	powerOfLab  = 10
	usualProbes = 1
)

// labRules returns a course's rules for laboratories; nil for a course that cannot be played in the dark.
func labRules(l *rulebook.Rules) *dark.LabRules {
	if !l.Dark {
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
		Sheet: func(s *engine.Ship) engine.Panel { return tell.Sheet(l, s) }, Nature: func(s *engine.Ship, n int) string { return tell.Nature(l, s, n) },
	}
}

// phases returns the sequence of a turn (stcs 2).
func phases(l *rulebook.Rules) []engine.Phase {
	var out []engine.Phase
	add := func(no, round int, stages []rulebook.Stage) {
		for i, s := range stages {
			name := s.Name
			if no > 0 {
				name = fmt.Sprintf("%s %d", name, no)
			}
			out = append(out, engine.Phase{Name: name, Step: s.Step, No: no, Round: round, Run: func(t *engine.Turn) { s.Run(l, t) }})
			if s.Step == "fire" && (i+1 == len(stages) || stages[i+1].Step != "fire") {
				goals := engine.GoalsPhase(l.Cite(cites.VictoryConditions)...)
				goals.Name, goals.No, goals.Round = fmt.Sprintf("%s %d", goals.Name, no), no, round
				out = append(out, goals)
			}
		}
	}
	add(0, 1, l.Opening)
	for n := 1; n <= l.Split.Phases(); n++ {
		if n > 1 {
			add(n, n, []rulebook.Stage{{Name: "orders", Step: "orders", Run: play.Renew}})
		}
		add(n, n, l.Each)
		if n < l.Split.Phases() {
			add(n, n, l.Between)
		}
	}
	add(0, l.Split.Phases(), l.Closing)
	end := engine.EndPhase(l.Cite(cites.VictoryConditions)...)
	end.Round = l.Split.Phases()
	return append(out, end)
}
