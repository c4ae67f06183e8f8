package fasa

import (
	"fmt"
	"maps"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/robot"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/tactical"
	"starpost/orders"
)

// complete puts something that does nothing in the place of all that a course leaves
// out, so that no caller has to ask.
func (sy Book) complete() Book {
	nothing := func(*rulebook, *engine.Turn, *engine.Ship, *plan) {}
	usual(&sy.bonus, nothing)
	usual(&sy.onPower, nothing)
	usual(&sy.ratio, func(r tactical.Ratio) tactical.Ratio { return r })
	usual(&sy.opens, func(*rulebook, *engine.View, *engine.ShipView, *ship.State) string { return "" })
	usual(&sy.evading, func(*rulebook, *salvo, *engine.Ship) {})
	usual(&sy.slimChance, func(*tables.Library, int) int { return 0 })
	usual(&sy.extraCitations, func(*ship.Bank) []Topic { return nil })
	usual(&sy.heavy, func(*damageResolver, ship.Fault) int { return 1 })
	usual(&sy.onHelmOut, func(_ *rulebook, _ *engine.Turn, _ *engine.Ship, word string) string { return word })
	usual(&sy.insight, func(*engine.Game, string, *engine.Ship) bool { return false })
	sy.kinds = maps.Clone(sy.kinds)
	for kind, g := range sy.kinds {
		usual(&g.after, func(*rulebook, *engine.Turn, *volley, int) {})
		usual(&g.graze, func(shotRoll) bool { return false })
		sy.kinds[kind] = g
	}
	sy.parts = slices.Clone(sy.parts)
	for i := range sy.parts {
		p := &sy.parts[i]
		usual(&p.commission, func(*commissioning) {})
		usual(&p.bars, func(*ship.State, string, orders.Statement) string { return "" })
		usual(&p.settle, func(*compiler) {})
		usual(&p.standing, func(ship.Standing) []string { return nil })
		usual(&p.robot, func(*robot.Commander) {})
		usual(&p.panels, func(*rulebook, *engine.View, *engine.ShipView, *ship.State) []engine.Panel { return nil })
	}
	return sy
}

// rules makes a course ready and gives it as a rule set.
func (sy Book) rules(lib *tables.Library) (*engine.Rules, error) {
	sy = sy.complete()
	l := &rulebook{
		Library: lib, Book: sy, compiles: map[[2]string]func(*compiler, int, orders.Statement){},
		facts: map[string]func(question) (bool, bool){}, tells: map[string]func(*narrator, engine.Body, string){},
	}
	kinds, orders := ship.Bodies(), []string(nil)
	for _, p := range sy.parts {
		for _, v := range p.verbs {
			l.compiles[[2]string{v.section, v.Name}] = v.compile
		}
		for _, s := range p.subjects {
			l.facts[string(s.Form)] = s.fact
		}
		maps.Copy(l.tells, p.tell)
		for _, make := range p.bodies {
			kinds[make().Type()] = make
		}
		orders = append(orders, p.orders...)
	}
	kinds["standing"] = func() engine.Body { return ship.NewStandingSet(orders) }
	l.language = sy.language()
	if err := l.language.Validate(); err != nil {
		return nil, fmt.Errorf("language of %s: %w", sy.name, err)
	}
	l.language = l.language.Compiled()
	r := &engine.Rules{
		Dice: namedDice(),
		Name: sy.name, Version: sy.version, Title: sy.title, Sources: sy.sources, Covers: covers,
		Phases: l.phases(), Language: l.language, Bodies: kinds,
		Commission: l.commission, DecodeSystem: sy.decodeSystem, Options: sy.options, Terrain: sy.ground,
		Public: public, Check: l.check, Template: l.Template, Robot: l.robots().Orders, Present: l.present, Marks: l.marks,
		Words: l.words, Why: l.why, Settle: l.settle,
		CrippledMayAct: sy.hulks, Spent: spent,
	}
	l.names = func(t *engine.Turn, _ *engine.Ship) []*engine.Ship { return t.Game.Ships }
	if sy.look != nil {
		l.names = known
		r.Look = func(g *engine.Game, who engine.Viewer, s *engine.Ship) engine.Observation {
			return sy.look(l, g, who, s)
		}
	}
	if len(sy.concealments) > 0 {
		r.Witness = func(g *engine.Game, s *engine.Ship) engine.See { return l.show(g, nil, []*engine.Ship{s}, s.ID) }
	}
	return r, nil
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
				goals := engine.GoalsPhase(l.cite(VictoryConditions)...)
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
	end := engine.EndPhase(l.cite(VictoryConditions)...)
	end.Round = l.Split.Phases()
	return append(out, end)
}

// Courses gives the makers of the courses that can be played, by the name of the
// rule set.
func Courses() map[string]func(*tables.Library) (*engine.Rules, error) {
	return map[string]func(*tables.Library) (*engine.Rules, error){"book-one": BookOne, "stcs-basic": Basic, "stcs-advanced": Advanced, "stcs-graduate": Graduate}
}
