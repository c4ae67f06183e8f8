package verbs

import (
	"fmt"
	"slices"

	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// DestructOrders are the orders to self-destruct.
type DestructOrders []rulebook.LastOrder

// DestructAgain replaces the self-destruct orders of a plan for a round and later by newly given ones.
func DestructAgain(p *rulebook.Plan, said *rulebook.Plan, round int) {
	all := ship.Edit[DestructOrders](&p.Parts)
	*all = slices.DeleteFunc(slices.Clone(*all), func(o rulebook.LastOrder) bool { return o.Phase >= round })
	*all = append(*all, ship.Read[DestructOrders](said.Parts)...)
}

// DestructParams returns the parameters of the order to self-destruct, in a turn of so many phases.
func DestructParams(phases int) map[string]orders.Param {
	return map[string]orders.Param{"PHASE": {Class: orders.Number, Doc: fmt.Sprintf("a phase of the turn, 1 to %d", phases)}}
}

// DestructVerb returns the order to self-destruct.
func DestructVerb() rulebook.Verb {
	return rulebook.Verb{Compile: compileDestruct, Verb: orders.Verb{
		Name: "self-destruct", Forms: []orders.Form{"self-destruct PHASE"}, When: true, Ends: "she blows up",
		Doc:      "Blow up your own ship after all fire of a phase. It needs no roll, and hits friend and foe alike: twice the engine power in the same hex, the full power in the next, half as much for each hex more (" + cites.BlastDamage.Ref() + ", " + cites.SelfDestruction.Ref() + ").",
		Examples: []string{"self-destruct 3 when damaged"},
	}}
}

func compileDestruct(c *rulebook.Compiler, _ int, st orders.Statement) {
	a, ok := st.Arg("PHASE")
	if !ok || !c.Condition(st.When, false, false) {
		return
	}
	if !phaseIs(c, a) {
		return
	}
	all := ship.Edit[DestructOrders](&c.Plan.Parts)
	*all = append(*all, rulebook.LastOrder{Line: st.Pos.Line, Text: orders.FormatStatement(st), Phase: a.Num, When: st.When})
	note := ""
	if st.When != nil {
		note = ", if the condition holds then"
	}
	c.Effect(st.Pos.Line, "the ship blows herself up after the fire of phase %d%s: %d points of damage in her hex, %d in the next", a.Num, note, ship.BlastAt(c.Sys.Power, 0), ship.BlastAt(c.Sys.Power, 1))
	c.Warn(st.Pos, "W171", "leave it out to live", "if this is carried out, the ship is lost")
}

// phaseIs reports whether a number is that of a phase of the turn, and refuses the order if not.
func phaseIs(c *rulebook.Compiler, a orders.Arg) bool {
	last := c.Rules.Split.Phases()
	if a.Num < 1 || a.Num > last {
		c.Fail(a.Pos, "E171", fmt.Sprintf("1 to %d", last), "there is no phase %d", a.Num)
		return false
	}
	return true
}

// A ship that has surrendered fights no more and counts as captured; her captain lives (ruling D57).
