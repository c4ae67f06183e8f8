package verbs

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// OrAll returns a standing list in words; "all" for a captain who never gave one.
func OrAll(list []string) string {
	if len(list) == 0 {
		return ship.RepairAll
	}
	return strings.Join(list, " ")
}

// RepairVerbs returns the orders to repair.
func RepairVerbs() []rulebook.Verb {
	return []rulebook.Verb{
		{Section: "phase", Compile: compileRepair, Verb: orders.Verb{
			Name: "repair", Forms: []orders.Form{"repair REPAIRED"}, When: true, Post: ship.PostScience,
			Doc:      "Try to repair a damaged system at the end of the phase: one attempt a phase, but not in the phase in which it was hit. Each failure adds 1 to the next attempt at the same system (" + cites.RepairAttempts.Ref() + " to " + cites.IntensifiedRepair.Ref() + "). Of several orders, the first that can be carried out is.",
			Examples: []string{"repair shield-2", "repair sensors when damaged"},
		}},
		{Section: "standing", Compile: compileRepairs, Verb: orders.Verb{
			Name: "repair", Forms: []orders.Form{"repair REPAIRED..."}, Once: true, Post: ship.PostScience,
			Doc:      "What to repair in phases without a repair order: the first system on the list that can be repaired, then any other. `all` uses the order sensors, engineering, shield generators, weapons; `none` repairs nothing.",
			Examples: []string{"repair all", "repair shield-2 sensors", "repair none"},
		}},
	}
}

// repaired returns the system with a name, and refuses an unknown one.
func repaired(c *rulebook.Compiler, a orders.Arg) (ship.Fault, bool) {
	var known []string
	for f := range c.Sys.Faults {
		if strings.EqualFold(f.Name, a.Text) {
			return f, true
		}
		known = append(known, f.Name)
	}
	hint := "systems: " + strings.Join(known, ", ")
	if near := orders.Suggest(a.Text, known); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	c.Fail(a.Pos, "E190", hint, "this ship has no system %q to repair", a.Text)
	return ship.Fault{}, false
}

func compileRepair(c *rulebook.Compiler, n int, st orders.Statement) {
	a, given := st.Arg("REPAIRED")
	if !c.Condition(st.When, false, false) || !given {
		return
	}
	f, ok := repaired(c, a)
	if !ok {
		return
	}
	repairs := rulebook.InPhase[RepairOrder](&c.Plan, n)
	if slices.ContainsFunc(*repairs, func(o RepairOrder) bool { return o.When == nil && o.System == f.Name }) {
		c.Warn(st.Pos, "W190", "", "an order above already repairs %s", f.Title())
	}
	*repairs = append(*repairs, RepairOrder{Line: st.Pos.Line, Text: orders.FormatStatement(st), System: f.Name, When: st.When})
	need, _, out := c.Sys.Need(c.Rules.Library, f)
	switch {
	case c.Sys.Down(f) && out:
		c.Warn(st.Pos, "W191", "repair something else", "%s is beyond repair", f.Title())
	case c.Sys.Down(f):
		chance := fmt.Sprintf("%d or less on a die", need)
		if need <= 0 {
			chance = c.Rules.DieWords(need)
		}
		c.Effect(st.Pos.Line, "tries to repair %s: %s as things are now", f.Title(), chance)
	default:
		c.Effect(st.Pos.Line, "repairs %s if it is damaged by then", f.Title())
	}
}

func compileRepairs(c *rulebook.Compiler, _ int, st orders.Statement) {
	var list []string
	c.Plan.Standing.SetList("repair")
	named := st.All("REPAIRED")
	for _, a := range named {
		word := strings.ToLower(a.Text)
		switch {
		case word == ship.RepairNone && len(named) > 1, word == ship.RepairAll && len(named) > 1:
			c.Fail(a.Pos, "E191", "write it alone", "%s must be alone", word)
			return
		case word == ship.RepairNone, word == ship.RepairAll:
			c.Plan.Standing.SetList("repair", word)
			return
		}
		f, ok := repaired(c, a)
		switch {
		case !ok:
		case slices.Contains(list, f.Name):
			c.Fail(a.Pos, "E126", "", "%s is named twice", f.Name)
		default:
			list = append(list, f.Name)
		}
	}
	c.Plan.Standing.SetList("repair", list...)
}

// RepairOrder is an order to repair a system in a phase.
type RepairOrder struct {
	Line   int
	Text   string
	System string
	When   *orders.Cond
}
