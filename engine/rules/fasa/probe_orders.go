package fasa

import (
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// probeOrder is an order to launch a probe.
type probeOrder struct {
	line   int
	text   string
	to     hex.Hex
	target engine.ShipID // that it studies
	file   string
	carry  bool
	when   *orders.Cond
}

// Probes fly so many hexes in a turn, for so many turns, and then drift (house 14.1, ruling F7).
const (
	probeSpeed = 8
	probeTurns = 3
)

func compileProbe(c *compiler, n int, st orders.Statement) {
	if !c.hasLabs(st) {
		return
	}
	o := probeOrder{line: st.Pos.Line, text: orders.FormatStatement(st), carry: st.Form == dark.ProbeCarries, when: st.When}
	launched := 0
	for _, phase := range c.p.phases {
		launched += len(ship.Read[[]probeOrder](phase.parts))
	}
	at, _ := st.Arg("HEX")
	h, err := hex.ParseLabel(at.Text)
	a, named := st.Arg("SHIP")
	file, _ := st.Arg("FILE")
	o.to, o.file = h, strings.ToLower(file.Text)
	switch loaded := c.sys.Labs().Probes; {
	case loaded == 0:
		c.fail(st.Pos, "E250", "leave it out", "no probe is loaded: a ship has as many in a battle as she begins with")
		return
	case launched >= loaded && st.When == nil:
		c.fail(st.Pos, "E250", "leave one of the lines out, or give each a condition", "an order above it launches the last probe")
		return
	case err != nil:
		c.fail(at.Pos, "E122", "column and row, such as 0714", "%v", err)
		return
	case named:
		id, ok := c.target(a, false)
		if !ok {
			return
		}
		o.target = id
		if k, _, known := c.names.find(string(o.target)); known && k.side == c.side {
			c.fail(a.Pos, "E256", "name an enemy, or a contact", "probes study what is not of one's own side")
			return
		}
		c.effect(st.Pos.Line, "it gathers %d points in each turn that ends with it within 10 hexes of her", dark.ProbePoints)
	case file.Text != "":
		c.effect(st.Pos.Line, "it takes in %d units in each turn that ends with it within 10 hexes of who sends the file", dark.ProbePoints)
	case o.carry && !dark.ForCourier(c.block):
		c.warn(st.Pos, "W241", "add message courier, and the text", "this set has no words for it to carry; without any in the turn it is not launched")
	case o.carry:
		c.effect(st.Pos.Line, "ships of your side within %d hexes of it read what it carries", dark.CourierReach)
	default:
		c.effect(st.Pos.Line, "it finds for her what is within 10 hexes")
	}
	if c.condition(st.When, named, false) {
		all := inPhase[probeOrder](&c.p, n)
		*all = append(*all, o)
	}
}
