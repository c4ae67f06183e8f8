package verbs

import (
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
	"starpost/orders"
)

// CloakParams returns the parameters of the orders for the cloak; systems are those that power can be cut from.
func CloakParams(systems []string) map[string]orders.Param {
	return map[string]orders.Param{
		"STATE":  {Class: orders.Choice, Choices: []string{ship.CloakOn, ship.CloakOff, ship.CloakReady}, Doc: "on, off, or ready: powered, but not switched"},
		"WAY":    {Class: orders.Choice, Choices: []string{ship.CloakOn, ship.CloakOff}, Doc: "on or off"},
		"SYSTEM": {Class: orders.Choice, Choices: systems, Doc: "weapons, movement, shields, or cloak on ships that have one"},
	}
}

// CloakVerbs returns the orders for the cloak.
func CloakVerbs() []rulebook.Verb {
	return []rulebook.Verb{
		{Section: "power", Compile: compileCloak, Verb: orders.Verb{
			Name: "cloak", Forms: []orders.Form{"cloak STATE", "cloak WAY after PHASE"}, When: true, Post: ship.PostEngineer,
			Doc:      "Power the cloaking device for the turn, and switch it now, or after the movement of a phase. `cloak ready` powers it without switching it; without power (`cloak off` alone, or no order) it goes off. A movement phase must pass between two switches. With the cloak on, the ship is hidden, does not fire and has no shields up (" + cites.CloakSwitching.Ref() + ", " + cites.CloakedShips.Ref() + ").",
			Examples: []string{"cloak on", "cloak off after 2", "cloak on after 3 when damaged"},
		}},
		{Section: "phase", Compile: compilePhaseCloak, Verb: orders.Verb{
			Name: "cloak", Forms: []orders.Form{"cloak WAY"}, When: true,
			Doc:      "Switch the cloaking device after the movement of this phase, before fire. It must have power: `cloak ready` or another cloak order under power. Of several, the first whose condition holds is carried out.",
			Examples: []string{"cloak off when range to nearest <= 5", "cloak on"},
		}},
	}
}

func compileCloak(c *rulebook.Compiler, _ int, st orders.Statement) {
	if !c.Condition(st.When, false, false) || !hasCloak(c, st) {
		return
	}
	p := ship.Edit[rulebook.CloakPlan](&c.Plan.Parts)
	if a, has := st.Arg("STATE"); has {
		switch {
		case st.When != nil:
			c.Fail(st.When.Pos, "E151", "write cloak "+a.Text+" after 1 when ...", "a switch at power allocation takes no condition")
			return
		case p.Start != "":
			c.Fail(st.Pos, "E152", "leave one out", "an order above already turns the cloak %s", p.Start)
			return
		}
		p.Line, p.Text, p.Start = st.Pos.Line, orders.FormatStatement(st), a.Text
		if a.Text == ship.CloakOff {
			c.Effect(st.Pos.Line, "the cloak is off when the turn begins")
			return
		}
		powerCloak(c, st.Pos)
		return
	}
	w, _ := st.Arg("WAY")
	a, has := st.Arg("PHASE")
	if !has {
		return
	}
	if !phaseIs(c, a) {
		return
	}
	powerCloak(c, st.Pos)
	addSwitch(c, &p.Later, a.Num-1, w.Text == ship.CloakOn, st)
}

// hasCloak reports whether the ship has a cloak, and refuses the order if not.
func hasCloak(c *rulebook.Compiler, st orders.Statement) bool {
	fitted := c.Sys.Has(ship.NameCloak)
	if !fitted {
		c.Fail(st.Pos, "E150", "leave it out", "this ship has no cloaking device")
	}
	return fitted
}

// powerCloak gives the cloak its power, once for a set.
func powerCloak(c *rulebook.Compiler, pos orders.Pos) {
	if c.Plan.Power.Cloak == 0 {
		c.Plan.Power.Cloak = c.Sys.Cloak().Need
		c.Spend(pos, c.Sys.Cloak().Need)
		c.Effect(pos.Line, "%d power to the cloak", c.Sys.Cloak().Need)
	}
}

func addSwitch(c *rulebook.Compiler, to *[]rulebook.CloakSwitch, n int, on bool, st orders.Statement) {
	if slices.ContainsFunc(c.Plan.CloakSwitches(n), func(o rulebook.CloakSwitch) bool { return o.When == nil }) {
		c.Warn(st.Pos, "W153", "the cloak can be switched once a phase", "an order above already switches the cloak after the movement of phase %d", n+1)
	}
	*to = append(*to, rulebook.CloakSwitch{Line: st.Pos.Line, Text: orders.FormatStatement(st), Phase: n, On: on, When: st.When})
	what := "goes off"
	if on {
		what = "goes on"
	}
	note := ""
	if st.When != nil {
		note = ", if the condition holds then"
	}
	c.Effect(st.Pos.Line, "the cloak %s after the movement of phase %d%s", what, n+1, note)
}

func compilePhaseCloak(c *rulebook.Compiler, n int, st orders.Statement) {
	if !c.Condition(st.When, false, false) || !hasCloak(c, st) {
		return
	}
	if c.Plan.Power.Cloak == 0 && !c.OneOfSeveral() {
		c.Fail(st.Pos, "E153", "write cloak ready under power", "the cloak has no power in this turn")
		return
	}
	if a, has := st.Arg("WAY"); has {
		addSwitch(c, rulebook.InPhase[rulebook.CloakSwitch](&c.Plan, n), n, a.Text == ship.CloakOn, st)
	}
}

// SettleCloak checks the orders for the cloak as a whole.
func SettleCloak(c *rulebook.Compiler) {
	if !c.Sys.Has(ship.NameCloak) {
		return
	}
	k, p := c.Sys.Cloak(), ship.Edit[rulebook.CloakPlan](&c.Plan.Parts)
	powered := c.Plan.Power.Cloak > 0
	switch {
	case k.Late && powered && (p.Start == ship.CloakOn && !k.On || p.Start == ship.CloakOff && k.On):
		c.Fail(orders.Pos{Line: p.Line, Col: 1}, "E154", "write cloak ready, and cloak "+p.Start+" after 1", "%s", TooSoon)
		p.Start = ""
	case k.On && !powered && p.Start == "" && c.Tell && (c.Post == ship.PostEngineer || !c.OneOfSeveral()):
		c.Warn(c.Start, "W154", "write cloak on or cloak ready under power", "the cloak gets no power: it goes off when the turn begins")
	}
	if c.Tell && c.SurelyCloaked() && tactical.Sum(c.Plan.Power.ShieldPoints) > 0 {
		c.Warn(c.Start, "W155", "leave them out", "with the cloak on, no shields come up")
	}
}

// Detected reports whether an enemy has a lock on a cloaked ship, which her captain knows
// (stcs 10.6).
func Detected(g *engine.Game, s *engine.Ship) bool {
	return ship.Cloaked(s) && slices.ContainsFunc(g.Ships, func(o *engine.Ship) bool { return o.Side != s.Side && rulebook.Locked(o, s.ID) })
}

// TooSoon is why a cloak cannot be switched.
const TooSoon = "the cloak was switched after the last movement: a movement phase must pass before it is switched again"
