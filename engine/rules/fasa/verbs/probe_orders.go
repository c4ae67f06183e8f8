package verbs

import (
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// ProbeOrder is an order to launch a probe.
type ProbeOrder struct {
	Line   int
	Text   string
	To     hex.Hex
	Target engine.ShipID // the ship that it studies
	File   string
	Carry  bool
	When   *orders.Cond
}

// Probes fly this many hexes a turn, for this many turns, and then drift (house 14.1, ruling F7).
const (
	ProbeSpeed = 8
	ProbeTurns = 3
)

// CompileProbe reads an order to launch a probe.
func CompileProbe(c *rulebook.Compiler, n int, st orders.Statement) {
	if !hasLabs(c, st) {
		return
	}
	o := ProbeOrder{Line: st.Pos.Line, Text: orders.FormatStatement(st), Carry: st.Form == dark.ProbeCarries, When: st.When}
	launched := 0
	for _, phase := range c.Plan.Phases {
		launched += len(ship.Read[[]ProbeOrder](phase.Parts))
	}
	at, _ := st.Arg("HEX")
	h, err := hex.ParseLabel(at.Text)
	a, named := st.Arg("SHIP")
	file, _ := st.Arg("FILE")
	o.To, o.File = h, strings.ToLower(file.Text)
	switch loaded := c.Sys.Labs().Probes; {
	case loaded == 0:
		c.Fail(st.Pos, "E250", "leave it out", "no probe is loaded: a ship has as many in a battle as she begins with")
		return
	case launched >= loaded && st.When == nil:
		c.Fail(st.Pos, "E250", "leave one of the lines out, or give each a condition", "an order above already launches the last probe")
		return
	case err != nil:
		c.Fail(at.Pos, "E122", "column and row, such as 0714", "%v", err)
		return
	case named:
		id, ok := c.Target(a, false)
		if !ok {
			return
		}
		o.Target = id
		if k, _, known := c.Names.Find(string(o.Target)); known && k.Side == c.Side {
			c.Fail(a.Pos, "E256", "name an enemy, or a contact", "probes study what is not on your own side")
			return
		}
		c.Effect(st.Pos.Line, "it gathers %d points each turn that ends with it within 10 hexes of her", dark.ProbePoints)
	case file.Text != "":
		c.Effect(st.Pos.Line, "it receives %d units each turn that ends with it within 10 hexes of the sender", dark.ProbePoints)
	case o.Carry && !dark.ForCourier(c.Block):
		c.Warn(st.Pos, "W241", "add message courier, and the text", "this set has no message for it to carry; without one it is not launched")
	case o.Carry:
		c.Effect(st.Pos.Line, "ships of your side within %d hexes of it read what it carries", dark.CourierReach)
	default:
		c.Effect(st.Pos.Line, "it detects what is within 10 hexes")
	}
	if c.Condition(st.When, named, false) {
		all := rulebook.InPhase[ProbeOrder](&c.Plan, n)
		*all = append(*all, o)
	}
}
