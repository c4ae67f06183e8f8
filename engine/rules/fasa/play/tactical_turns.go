package play

import (
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// Tactic is an order for a tactical heading change in a phase: to a side, or, with a shield, to
// the side that brings the shield nearer to facing a ship.
type Tactic struct {
	line   int
	text   string
	word   string // "" with a shield
	shield int
	Target engine.ShipID
	When   *orders.Cond
}

// CompileTactical reads an order for a tactical heading change.
func CompileTactical(c *rulebook.Compiler, n int, st orders.Statement) {
	o := Tactic{line: st.Pos.Line, text: orders.FormatStatement(st), When: st.When}
	ok := true
	if a, has := st.Arg("DIRECTION"); has {
		o.word = map[string]string{"left": board.WordTacticalL, "right": board.WordTacticalR}[a.Text]
	}
	if a, has := st.Arg("SHIELD"); has {
		if o.shield = a.Num; o.shield < 1 || o.shield > 6 {
			c.Fail(a.Pos, "E112", "shields are 1 to 6", "there is no shield %d", a.Num)
			ok = false
		}
	}
	if a, has := st.Arg("SHIP"); has {
		var known bool
		o.Target, known = c.Target(a, false)
		ok = ok && known
	}
	if !c.Condition(st.When, o.shield > 0, false) || !ok {
		return
	}
	tactics := rulebook.InPhase[Tactic](&c.Plan, n)
	if slices.ContainsFunc(*tactics, func(o Tactic) bool { return o.When == nil }) {
		c.Warn(st.Pos, "W161", "there can be only one in a phase", "an order above already makes the tactical heading change of phase %d", n+1)
	}
	*tactics = append(*tactics, o)
	cost := tacticalToll(c.Sys)
	if why := unbearable(cost, c.Sys); why != "" {
		c.Warn(st.Pos, "W162", "leave it out", "as the ship is now, no tactical heading change is possible: %s", why)
		return
	}
	c.Effect(st.Pos.Line, "costs %d superstructure and %d engine power", cost.Superstructure, len(cost.Engines))
}

// tacticalToll returns the cost of a tactical heading change (stcs 8.3, ruling D29).
func tacticalToll(s *ship.State) rulebook.Toll {
	c := rulebook.Toll{Superstructure: 1, Rule: []cites.Topic{cites.TacticalHeadingChange, cites.TacticalHeadingCost}}
	for _, e := range s.Engines().Warp() {
		change, _ := s.Engines().Drain(e.Name, 1)
		c.Engines = append(c.Engines, change)
	}
	return c
}

// Tactical carries out the tactical heading changes of a phase, in the order in which the ships
// moved.
func Tactical(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range movers(t) {
		turnTactically(l, t, s)
	}
}

func turnTactically(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) {
	for _, o := range OrderedNow[Tactic](t, s) {
		target := l.Aimed(t.Game, s, o.Target)
		if met, missing := Judge(l, t, s, target, nil, o.When); !met {
			if len(missing) > 0 {
				Unknown(l, t, s, ship.PostHelm, o.line, o.text, missing)
			}
			continue
		}
		o.Turn(l, t, s, target)
		return
	}
}

// Turn carries out a tactical heading change, towards target if the order names a shield.
func (o *Tactic) Turn(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, target engine.ShipID) {
	word, why, rule := o.word, "", []cites.Topic{cites.TacticalHeadingChange}
	if o.shield > 0 {
		foe, _ := l.Shown(t.Game, s, target)
		if at, ok := l.PlaceMeant(t.Game, s, string(o.Target), foe); ok {
			word = nearer(s, l.Ring.Side(o.shield), at)
		} else {
			why = l.AbsentShip(t.Game, string(o.Target))
		}
	}
	cost := tacticalToll(ship.Of(s))
	switch {
	case why != "":
	case word == "":
		return // no turn would bring it nearer
	default:
		if why, rule = balks(l, t, s, word); why == "" {
			why, rule = unbearable(cost, ship.Of(s)), []cites.Topic{cites.TacticalHeadingChange, cites.Crippling}
		}
	}
	if why != "" {
		Skip(l, t, s, ship.PostHelm, o.line, o.text, why, rule...)
		return
	}
	from := engine.Place{Hex: s.Hex, Heading: s.Heading}
	reactive := ""
	if o.shield > 0 {
		reactive = o.text
	}
	turned := t.Because(t.Ordered(s.ID, o.line, o.text)).Emit(&engine.Move{Ship: s.ID, Word: word, From: from, To: board.Step(from, word), Reactive: reactive},
		l.Show(t.Game, []*engine.Ship{s}, s.ID), l.Cite(cites.TacticalHeadingChange, cites.TacticalHeadingCost)...)
	Shift(t, s.ID, turned)
	wear(l, t, s, "tactical heading change", cost, turned)
}

// nearer returns the word of the tactical heading change that brings a side nearer to facing a
// place; "" if none does.
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
