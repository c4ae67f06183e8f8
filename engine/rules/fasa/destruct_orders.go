package fasa

import (
	"fmt"
	"slices"

	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// destructOrders are the orders to blow up the ship.
type destructOrders []lastOrder

// destructAgain puts what is said in a round in place of what was said for it before.
func (p *plan) destructAgain(said *plan, round int) {
	all := ship.Edit[destructOrders](&p.parts)
	*all = slices.DeleteFunc(slices.Clone(*all), func(o lastOrder) bool { return o.phase >= round })
	*all = append(*all, ship.Read[destructOrders](said.parts)...)
}

func destructParams(phases int) map[string]orders.Param {
	return map[string]orders.Param{"PHASE": {Class: orders.Number, Doc: fmt.Sprintf("a phase of the turn, 1 to %d", phases)}}
}

func destructVerb() verb {
	return verb{compile: compileDestruct, Verb: orders.Verb{
		Name: "self-destruct", Forms: []orders.Form{"self-destruct PHASE"}, When: true,
		Doc:      "Blow up your own ship after all fire of a phase. It takes no roll, and strikes friend and foe alike: twice the power of the engines in the same hex, the power in the next, half of it for each hex more (" + cites.BlastDamage.Ref() + ", " + cites.SelfDestruction.Ref() + ").",
		Examples: []string{"self-destruct 3 when damaged"},
	}}
}

func compileDestruct(c *compiler, _ int, st orders.Statement) {
	a, ok := st.Arg("PHASE")
	if !ok || !c.condition(st.When, false, false) {
		return
	}
	if !c.phaseIs(a) {
		return
	}
	all := ship.Edit[destructOrders](&c.p.parts)
	*all = append(*all, lastOrder{line: st.Pos.Line, text: orders.FormatStatement(st), phase: a.Num, when: st.When})
	note := ""
	if st.When != nil {
		note = ", if the condition holds then"
	}
	c.effect(st.Pos.Line, "the ship blows itself up after the fire of phase %d%s: %d points of damage in its hex, %d in the next", a.Num, note, ship.BlastAt(c.sys.Power, 0), ship.BlastAt(c.sys.Power, 1))
	c.warn(st.Pos, "W171", "leave it out to live", "the ship is lost if this is carried out")
}

// phaseIs tells whether a number is that of a phase of the turn, and says so if not.
func (c *compiler) phaseIs(a orders.Arg) bool {
	last := c.l.Split.Phases()
	if a.Num < 1 || a.Num > last {
		c.fail(a.Pos, "E171", fmt.Sprintf("1 to %d", last), "there is no phase %d", a.Num)
		return false
	}
	return true
}

// A ship that has struck fights no more and counts as captured; her captain lives (ruling D57).
