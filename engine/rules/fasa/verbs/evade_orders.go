package verbs

import (
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// maxEvasions is the most standing orders to evade.
const maxEvasions = 10

// Evasion is an order to evade a missile.
type Evasion struct {
	Line    int
	Text    string
	Word    string // movement word of the turn; "" for never
	Against string // a ship as written; "" for any
	Weapon  string // a weapon of that ship, as written; "" for any
	When    *orders.Cond
}

// readEvasion reads a statement without checking it.
func readEvasion(st orders.Statement) Evasion {
	o := Evasion{Line: st.Pos.Line, Text: orders.FormatStatement(st), When: st.When}
	if a, has := st.Arg("HAND"); has {
		o.Word = map[string]string{"port": board.WordEvadeL, "starboard": board.WordEvadeR}[a.Text]
	}
	if a, has := st.Arg("SHIP"); has {
		o.Against = a.Text
	}
	if a, has := st.Arg("MISSILE"); has {
		o.Weapon = a.Text
	}
	return o
}

// checkEvasion reads a statement and checks what it names.
func checkEvasion(c *rulebook.Compiler, st orders.Statement) (Evasion, bool) {
	ok := true
	if a, has := st.Arg("SHIP"); has {
		_, ok = c.Target(a, false)
	}
	ok = c.Condition(st.When, true, false) && ok
	return readEvasion(st), ok
}

// CompileEvade reads an order to evade.
func CompileEvade(c *rulebook.Compiler, n int, st orders.Statement) {
	o, ok := checkEvasion(c, st)
	if !ok {
		return
	}
	all := rulebook.InPhase[Evasion](&c.Plan, n)
	*all = append(*all, o)
	if o.Word == "" {
		c.Effect(st.Pos.Line, "nothing is evaded in phase %d", n+1)
		return
	}
	what := "a missile is"
	if o.Weapon != "" {
		what = o.Weapon + " of that ship is"
	}
	c.Effect(st.Pos.Line, "if %s declared on the ship in phase %d: costs 1 superstructure; %d or less on a die evades that one missile", what, n+1, rulebook.EvadeNeed)
}

// standsToEvade records that a set has given a standing order to evade, which replaces all
// earlier ones.
type standsToEvade bool

// CompileStandingEvade reads the standing order of when to evade.
func CompileStandingEvade(c *rulebook.Compiler, _ int, st orders.Statement) {
	if given := ship.Edit[standsToEvade](&c.Plan.Parts); !*given {
		*given = true
		c.Plan.Standing.SetList("evade")
	}
	o, ok := checkEvasion(c, st)
	switch {
	case !ok, o.Word == "" && o.When == nil && len(c.Plan.Standing.List("evade")) == 0:
	case len(c.Plan.Standing.List("evade")) == maxEvasions:
		c.Fail(st.Pos, "E160", "leave some out", "there can be at most %d standing orders to evade", maxEvasions)
	default:
		c.Plan.Standing.SetList("evade", append(slices.Clone(c.Plan.Standing.List("evade")), o.Text)...)
	}
}

// StandingEvasions returns a ship's standing orders to evade. The game keeps them as written,
// since the meaning of the names in them may change.
func StandingEvasions(l *rulebook.Rules, s *engine.Ship) []Evasion {
	lines := ship.Of(s).Standing.List("evade")
	if len(lines) == 0 {
		return nil
	}
	g, _ := Read(l, "standing\n"+strings.Join(lines, "\n")).Group("standing", 0)
	var out []Evasion
	for _, st := range g.All("evade") {
		o := readEvasion(st)
		o.Line = 0 // it is from an earlier set
		out = append(out, o)
	}
	return out
}
