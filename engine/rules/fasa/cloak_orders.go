package fasa

import (
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
	"starpost/orders"
)

func cloakParams(systems []string) map[string]orders.Param {
	return map[string]orders.Param{
		"STATE":  {Class: orders.Choice, Choices: []string{ship.CloakOn, ship.CloakOff, ship.CloakReady}, Doc: "on, off, or ready: powered, but not switched"},
		"WAY":    {Class: orders.Choice, Choices: []string{ship.CloakOn, ship.CloakOff}, Doc: "on or off"},
		"SYSTEM": {Class: orders.Choice, Choices: systems, Doc: "weapons, movement, shields, or cloak on ships that have one"},
	}
}

func cloakVerbs() []verb {
	return []verb{
		{section: "power", compile: compileCloak, Verb: orders.Verb{
			Name: "cloak", Forms: []orders.Form{"cloak STATE", "cloak WAY after PHASE"}, When: true,
			Doc:      "Power the cloaking device for the turn, and switch it now, or when the movement of a phase is over. `cloak ready` gives it power and leaves it as it is; `cloak off` alone, or no order at all, leaves it without power, and then it goes off. Between two switches a movement phase must pass. With the cloak on the ship is hidden, does not fire and has no shields up (" + cites.CloakSwitching.Ref() + ", " + cites.CloakedShips.Ref() + ").",
			Examples: []string{"cloak on", "cloak off after 2", "cloak on after 3 when damaged"},
		}},
		{section: "phase", compile: compilePhaseCloak, Verb: orders.Verb{
			Name: "cloak", Forms: []orders.Form{"cloak WAY"}, When: true,
			Doc:      "Switch the cloaking device when the movement of this phase is over, before the fire. It must have power: `cloak ready` or another cloak order among the orders for power. Of several the first whose condition holds is carried out.",
			Examples: []string{"cloak off when range to nearest <= 5", "cloak on"},
		}},
	}
}

func compileCloak(c *compiler, _ int, st orders.Statement) {
	if !c.condition(st.When, false, false) || !c.hasCloak(st) {
		return
	}
	p := ship.Edit[cloakPlan](&c.p.parts)
	if a, has := st.Arg("STATE"); has {
		switch {
		case st.When != nil:
			c.fail(st.When.Pos, "E151", "write cloak "+a.Text+" after 1 when ...", "what is switched when the power is given out depends on nothing")
			return
		case p.start != "":
			c.fail(st.Pos, "E152", "leave one out", "the cloak is %s already by an order above", p.start)
			return
		}
		p.line, p.text, p.start = st.Pos.Line, orders.FormatStatement(st), a.Text
		if a.Text == ship.CloakOff {
			c.effect(st.Pos.Line, "the cloak is off when the turn begins")
			return
		}
		c.powerCloak(st.Pos)
		return
	}
	w, _ := st.Arg("WAY")
	a, has := st.Arg("PHASE")
	if !has {
		return
	}
	if !c.phaseIs(a) {
		return
	}
	c.powerCloak(st.Pos)
	c.addSwitch(&p.later, a.Num-1, w.Text == ship.CloakOn, st)
}

// hasCloak tells whether the ship has a cloak, and says so if not.
func (c *compiler) hasCloak(st orders.Statement) bool {
	fitted := c.sys.Has(ship.NameCloak)
	if !fitted {
		c.fail(st.Pos, "E150", "leave it out", "this ship has no cloaking device")
	}
	return fitted
}

// powerCloak gives the cloak its power, once.
func (c *compiler) powerCloak(pos orders.Pos) {
	if c.p.power.Cloak == 0 {
		c.p.power.Cloak = c.sys.Cloak().Need
		c.spend(pos, c.sys.Cloak().Need)
		c.effect(pos.Line, "%d power to the cloak", c.sys.Cloak().Need)
	}
}

func (c *compiler) addSwitch(to *[]cloakSwitch, n int, on bool, st orders.Statement) {
	if slices.ContainsFunc(c.p.cloakSwitches(n), func(o cloakSwitch) bool { return o.when == nil }) {
		c.warn(st.Pos, "W153", "the cloak is switched once a phase", "an order above it switches the cloak after the movement of phase %d", n+1)
	}
	*to = append(*to, cloakSwitch{line: st.Pos.Line, text: orders.FormatStatement(st), n: n, on: on, when: st.When})
	what := "goes off"
	if on {
		what = "goes on"
	}
	note := ""
	if st.When != nil {
		note = ", if the condition holds then"
	}
	c.effect(st.Pos.Line, "the cloak %s after the movement of phase %d%s", what, n+1, note)
}

func compilePhaseCloak(c *compiler, n int, st orders.Statement) {
	if !c.condition(st.When, false, false) || !c.hasCloak(st) {
		return
	}
	if c.p.power.Cloak == 0 && !c.oneOfSeveral() {
		c.fail(st.Pos, "E153", "write cloak ready under power", "the cloak has no power in this turn")
		return
	}
	if a, has := st.Arg("WAY"); has {
		c.addSwitch(inPhase[cloakSwitch](&c.p, n), n, a.Text == ship.CloakOn, st)
	}
}

// settleCloak looks at the orders for the cloak as a whole.
func (c *compiler) settleCloak() {
	if !c.sys.Has(ship.NameCloak) {
		return
	}
	k, p := c.sys.Cloak(), ship.Edit[cloakPlan](&c.p.parts)
	powered := c.p.power.Cloak > 0
	switch {
	case k.Late && powered && (p.start == ship.CloakOn && !k.On || p.start == ship.CloakOff && k.On):
		c.fail(orders.Pos{Line: p.line, Col: 1}, "E154", "write cloak ready, and cloak "+p.start+" after 1", "%s", tooSoon)
		p.start = ""
	case k.On && !powered && p.start == "" && c.tell && (c.post == ship.PostEngineer || !c.oneOfSeveral()):
		c.warn(c.start, "W154", "write cloak on or cloak ready under power", "the cloak gets no power: it goes off when the turn begins")
	}
	if c.tell && c.surelyCloaked() && tactical.Sum(c.p.power.ShieldPoints) > 0 {
		c.warn(c.start, "W155", "leave them out", "with the cloak on no shields come up")
	}
}

// detected tells whether an enemy has a lock on a cloaked ship, which its captain
// knows (stcs 10.6).
func detected(g *engine.Game, s *engine.Ship) bool {
	return ship.Cloaked(s) && slices.ContainsFunc(g.Ships, func(o *engine.Ship) bool { return o.Side != s.Side && locked(o, s.ID) })
}

// tooSoon is why a cloak cannot be switched.
const tooSoon = "the cloak was switched after the last movement: a movement phase must pass before it is switched again"
