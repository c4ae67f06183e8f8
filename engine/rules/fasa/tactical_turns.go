package fasa

import (
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// tactic is an order for a tactical heading change in a phase: to a side, or, with a
// shield, to whichever brings that nearer to facing a ship.
type tactic struct {
	line   int
	text   string
	word   string // blank with a shield
	shield int
	target engine.ShipID
	when   *orders.Cond
}

func compileTactical(c *compiler, n int, st orders.Statement) {
	o := tactic{line: st.Pos.Line, text: orders.FormatStatement(st), when: st.When}
	ok := true
	if a, has := st.Arg("DIRECTION"); has {
		o.word = map[string]string{"left": board.WordTacticalL, "right": board.WordTacticalR}[a.Text]
	}
	if a, has := st.Arg("SHIELD"); has {
		if o.shield = a.Num; o.shield < 1 || o.shield > 6 {
			c.fail(a.Pos, "E112", "shields are 1 to 6", "there is no shield %d", a.Num)
			ok = false
		}
	}
	if a, has := st.Arg("SHIP"); has {
		var known bool
		o.target, known = c.target(a, false)
		ok = ok && known
	}
	if !c.condition(st.When, o.shield > 0, false) || !ok {
		return
	}
	tactics := inPhase[tactic](&c.p, n)
	if slices.ContainsFunc(*tactics, func(o tactic) bool { return o.when == nil }) {
		c.warn(st.Pos, "W161", "there is one in a phase", "an order above it makes the tactical heading change of phase %d", n+1)
	}
	*tactics = append(*tactics, o)
	cost := tacticalToll(c.sys)
	if why := cost.unbearable(c.sys); why != "" {
		c.warn(st.Pos, "W162", "leave it out", "as the ship is now there is no tactical heading change: %s", why)
		return
	}
	c.effect(st.Pos.Line, "costs %d superstructure and %d engine power", cost.superstructure, len(cost.engines))
}

// tacticalToll is what a tactical heading change costs (stcs 8.3, ruling D29).
func tacticalToll(s *ship.State) toll {
	c := toll{superstructure: 1, rule: []cites.Topic{cites.TacticalHeadingChange, cites.TacticalHeadingCost}}
	for _, e := range s.WarpEngines() {
		change, _ := s.Drain(e.Name, 1)
		c.engines = append(c.engines, change)
	}
	return c
}

// tactical carries out the tactical heading changes of a phase, in the order in
// which the ships moved.
func (l *rulebook) tactical(t *engine.Turn) {
	for _, s := range l.movers(t) {
		l.turnTactically(t, s)
	}
}

func (l *rulebook) turnTactically(t *engine.Turn, s *engine.Ship) {
	for _, o := range orderedNow[tactic](t, s) {
		target := l.aimed(t.Game, s, o.target)
		if met, missing := l.judge(t, s, target, nil, o.when); !met {
			if len(missing) > 0 {
				l.unknown(t, s, ship.PostHelm, o.line, o.text, missing)
			}
			continue
		}
		o.turn(l, t, s, target)
		return
	}
}

// turn carries out a tactical heading change, in respect of a ship if it says so.
func (o *tactic) turn(l *rulebook, t *engine.Turn, s *engine.Ship, target engine.ShipID) {
	word, why, rule := o.word, "", []cites.Topic{cites.TacticalHeadingChange}
	if o.shield > 0 {
		foe, _ := l.shown(t.Game, s, target)
		if at, ok := l.placeMeant(t.Game, s, string(o.target), foe); ok {
			word = nearer(s, l.Ring.Side(o.shield), at)
		} else {
			why = l.absentShip(t.Game, string(o.target))
		}
	}
	cost := tacticalToll(ship.Of(s))
	switch {
	case why != "":
	case word == "":
		return // it is turned as well as it can be
	default:
		if why, rule = l.balks(t, s, word); why == "" {
			why, rule = cost.unbearable(ship.Of(s)), []cites.Topic{cites.TacticalHeadingChange, cites.Crippling}
		}
	}
	if why != "" {
		l.skip(t, s, ship.PostHelm, o.line, o.text, why, rule...)
		return
	}
	from := engine.Place{Hex: s.Hex, Heading: s.Heading}
	reactive := ""
	if o.shield > 0 {
		reactive = o.text
	}
	turned := t.Because(t.Ordered(s.ID, o.line, o.text)).Emit(&engine.Move{Ship: s.ID, Word: word, From: from, To: board.Step(from, word), Reactive: reactive},
		l.show(t.Game, []*engine.Ship{s}, s.ID), l.cite(cites.TacticalHeadingChange, cites.TacticalHeadingCost)...)
	shift(t, s.ID, turned)
	l.wear(t, s, "tactical heading change", cost, turned)
}

// nearer is the word of the tactical heading change that brings a side nearer to
// facing a place; blank if none does.
func nearer(s *engine.Ship, side int, to engine.Place) string {
	at := engine.Place{Hex: s.Hex, Heading: s.Heading}
	best, off := "", board.TurnsOff(at, to.Hex, side)
	for _, word := range []string{board.WordTacticalL, board.WordTacticalR} {
		if n := board.TurnsOff(board.Step(at, word), to.Hex, side); n < off {
			best, off = word, n
		}
	}
	return best
}
