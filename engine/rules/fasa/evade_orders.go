package fasa

import (
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// maxEvasions is how many standing orders to evade there may be.
const maxEvasions = 10

// evasion is an order to evade a missile.
type evasion struct {
	line    int
	text    string
	word    string // of the turn; blank for never
	against string // a ship as written; blank for any
	weapon  string // of that ship, as written; blank for any
	when    *orders.Cond
}

// readEvasion reads a statement, whoever gives it.
func readEvasion(st orders.Statement) evasion {
	o := evasion{line: st.Pos.Line, text: orders.FormatStatement(st), when: st.When}
	if a, has := st.Arg("HAND"); has {
		o.word = map[string]string{"port": board.WordEvadeL, "starboard": board.WordEvadeR}[a.Text]
	}
	if a, has := st.Arg("SHIP"); has {
		o.against = a.Text
	}
	if a, has := st.Arg("MISSILE"); has {
		o.weapon = a.Text
	}
	return o
}

// checkEvasion reads a statement and checks what it names.
func (c *compiler) checkEvasion(st orders.Statement) (evasion, bool) {
	ok := true
	if a, has := st.Arg("SHIP"); has {
		_, ok = c.target(a, false)
	}
	ok = c.condition(st.When, true, false) && ok
	return readEvasion(st), ok
}

func compileEvade(c *compiler, n int, st orders.Statement) {
	o, ok := c.checkEvasion(st)
	if !ok {
		return
	}
	all := inPhase[evasion](&c.p, n)
	*all = append(*all, o)
	if o.word == "" {
		c.effect(st.Pos.Line, "nothing is evaded in phase %d", n+1)
		return
	}
	what := "a missile is"
	if o.weapon != "" {
		what = o.weapon + " of that ship is"
	}
	c.effect(st.Pos.Line, "if %s declared on the ship in phase %d: 1 superstructure, and %d or less on a die against that one missile", what, n+1, evadeNeed)
}

// standsToEvade tells that a set has said a standing order to evade: what was said
// before is no more.
type standsToEvade bool

func compileStandingEvade(c *compiler, _ int, st orders.Statement) {
	if given := ship.Edit[standsToEvade](&c.p.parts); !*given {
		*given = true
		c.p.standing.SetList("evade")
	}
	o, ok := c.checkEvasion(st)
	switch {
	case !ok, o.word == "" && o.when == nil && len(c.p.standing.List("evade")) == 0:
	case len(c.p.standing.List("evade")) == maxEvasions:
		c.fail(st.Pos, "E160", "leave some out", "at most %d standing orders to evade are kept", maxEvasions)
	default:
		c.p.standing.SetList("evade", append(slices.Clone(c.p.standing.List("evade")), o.text)...)
	}
}

// standingEvasions are a ship's standing orders to evade. They stand in the game as
// they were written, since what they name may change.
func (l *rulebook) standingEvasions(s *engine.Ship) []evasion {
	lines := ship.Of(s).Standing.List("evade")
	if len(lines) == 0 {
		return nil
	}
	g, _ := l.read("standing\n"+strings.Join(lines, "\n")).Group("standing", 0)
	var out []evasion
	for _, st := range g.All("evade") {
		o := readEvasion(st)
		o.line = 0 // of an earlier set
		out = append(out, o)
	}
	return out
}
