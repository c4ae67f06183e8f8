package fasa

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// orAll is a standing list in words. A captain who never gave one is offered all.
func orAll(list []string) string {
	if len(list) == 0 {
		return ship.RepairAll
	}
	return strings.Join(list, " ")
}

func repairVerbs() []verb {
	return []verb{
		{section: "phase", compile: compileRepair, Verb: orders.Verb{
			Name: "repair", Forms: []orders.Form{"repair REPAIRED"}, When: true,
			Doc:      "Try to repair a damaged system at the end of the phase: one try a phase, not in the phase in which it was hit. Each failure adds 1 to the next try at the same system (" + cites.RepairAttempts.Ref() + " to " + cites.IntensifiedRepair.Ref() + "). Of several orders the first that can be carried out is.",
			Examples: []string{"repair shield-2", "repair sensors when damaged"},
		}},
		{section: "standing", compile: compileRepairs, Verb: orders.Verb{
			Name: "repair", Forms: []orders.Form{"repair REPAIRED..."}, Once: true,
			Doc:      "What to repair in phases that have no repair order: the first system of the list that can be tried, then any other. `all` takes them as they come: sensors, engineering, shield generators, weapons; with `none` nothing is tried.",
			Examples: []string{"repair all", "repair shield-2 sensors", "repair none"},
		}},
	}
}

// repaired resolves the name of a system.
func (c *compiler) repaired(a orders.Arg) (ship.Fault, bool) {
	var known []string
	for f := range c.sys.Faults {
		if strings.EqualFold(f.Name, a.Text) {
			return f, true
		}
		known = append(known, f.Name)
	}
	hint := "systems: " + strings.Join(known, ", ")
	if near := orders.Suggest(a.Text, known); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	c.fail(a.Pos, "E190", hint, "this ship has no system %q to repair", a.Text)
	return ship.Fault{}, false
}

func compileRepair(c *compiler, n int, st orders.Statement) {
	a, given := st.Arg("REPAIRED")
	if !c.condition(st.When, false, false) || !given {
		return
	}
	f, ok := c.repaired(a)
	if !ok {
		return
	}
	repairs := inPhase[repairOrder](&c.p, n)
	if slices.ContainsFunc(*repairs, func(o repairOrder) bool { return o.when == nil && o.system == f.Name }) {
		c.warn(st.Pos, "W190", "", "an order above it repairs %s already", f.Title())
	}
	*repairs = append(*repairs, repairOrder{line: st.Pos.Line, text: orders.FormatStatement(st), system: f.Name, when: st.When})
	need, _, out := c.sys.Need(c.l.Library, f)
	switch {
	case c.sys.Down(f) && out:
		c.warn(st.Pos, "W191", "repair something else", "%s is beyond repair", f.Title())
	case c.sys.Down(f):
		chance := fmt.Sprintf("%d or less on a die", need)
		if need <= 0 {
			chance = c.l.dieWords(need)
		}
		c.effect(st.Pos.Line, "tries to repair %s: %s as things are", f.Title(), chance)
	default:
		c.effect(st.Pos.Line, "repairs %s if it is damaged by then", f.Title())
	}
}

func compileRepairs(c *compiler, _ int, st orders.Statement) {
	var list []string
	c.p.standing.SetList("repair")
	named := st.All("REPAIRED")
	for _, a := range named {
		word := strings.ToLower(a.Text)
		switch {
		case word == ship.RepairNone && len(named) > 1, word == ship.RepairAll && len(named) > 1:
			c.fail(a.Pos, "E191", "write it alone", "%s stands for itself", word)
			return
		case word == ship.RepairNone, word == ship.RepairAll:
			c.p.standing.SetList("repair", word)
			return
		}
		f, ok := c.repaired(a)
		switch {
		case !ok:
		case slices.Contains(list, f.Name):
			c.fail(a.Pos, "E126", "", "%s is named twice", f.Name)
		default:
			list = append(list, f.Name)
		}
	}
	c.p.standing.SetList("repair", list...)
}

// repairOrder is a repair that a captain ordered for a phase.
type repairOrder struct {
	line   int
	text   string
	system string
	when   *orders.Cond
}
