package rulebook

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/tactical"
	"starpost/orders"
)

// Fail records a mistake.
func (c *Compiler) Fail(pos orders.Pos, code, hint, format string, args ...any) {
	c.Plan.Diags = append(c.Plan.Diags, orders.Diagnostic{Pos: pos, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// Warn records a warning.
func (c *Compiler) Warn(pos orders.Pos, code, hint, format string, args ...any) {
	c.Plan.Diags = append(c.Plan.Diags, orders.Diagnostic{
		Pos: pos, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...), Severity: orders.Warning,
	})
}

// Effect records what a line does, if the plan is compiled with tell.
func (c *Compiler) Effect(line int, format string, args ...any) {
	if !c.Tell {
		return
	}
	c.Plan.Effects = append(c.Plan.Effects, engine.Effect{Line: line, Text: fmt.Sprintf(format, args...)})
}

// Spend takes power for an order.
func (c *Compiler) Spend(pos orders.Pos, power int) {
	c.Left -= power
	c.Plan.Spent = append(c.Plan.Spent, tactical.Spending{Pos: pos, Power: power})
}

// overspent refuses a set that wants more power than there is, at the order that exceeds
// the limit.
func (c *Compiler) overspent() {
	if c.Left >= 0 {
		return
	}
	slices.SortStableFunc(c.Plan.Spent, func(a, b tactical.Spending) int { return a.Pos.Compare(b.Pos) })
	wanted, upto := c.Sys.Power-c.Left, 0
	for i, s := range c.Plan.Spent {
		if upto += s.Power; upto <= c.Sys.Power && upto < wanted {
			continue
		}
		for _, more := range c.Plan.Spent[i+1:] {
			if more.Pos.Line == s.Pos.Line {
				upto += more.Power
			}
		}
		to := ""
		if upto < wanted {
			to = fmt.Sprintf(", %d of it up to this line", upto)
		}
		c.Fail(s.Pos, "E103", fmt.Sprintf("spend %d less, here or elsewhere in the set", -c.Left), "%d power wanted%s, the engines give %d", wanted, to, c.Sys.Power)
		return
	}
}

// added compiles the statements of a section whose verbs a part has added or replaced, and
// returns the others, which the compiler itself reads.
func (c *Compiler) added(section string, n int, g orders.Group) orders.Group {
	if len(c.Rules.Rows) == 0 {
		return g
	}
	rest := g
	rest.Statements = make([]orders.Statement, 0, len(g.Statements))
	for _, st := range g.Statements {
		if compile := c.Rules.Rows[[2]string{section, st.Verb}].Compile; compile != nil {
			compile(c, n, st)
		} else {
			rest.Statements = append(rest.Statements, st)
		}
	}
	return rest
}

// Named returns the names in an order that are known, refusing unknown and repeated ones.
func (c *Compiler) Named(named []orders.Arg, known []string, what string) []string {
	var out []string
	for _, a := range named {
		i := slices.IndexFunc(known, func(id string) bool { return strings.EqualFold(id, a.Text) })
		switch {
		case i < 0:
			hint := strings.Replace(what, "bank", "weapon", 1) + "s: " + strings.Join(known, ", ")
			if near := orders.Suggest(a.Text, known); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			c.Fail(a.Pos, "E101", hint, "this ship has no %s %q", what, a.Text)
		case slices.Contains(out, known[i]):
			c.Fail(a.Pos, "E126", "", "%s is named twice", a.Text)
		default:
			out = append(out, known[i])
		}
	}
	return out
}

// fits reports whether a set is one of several that make up a ship's orders. An excess is no
// mistake then, but left over.
func (c *Compiler) fits() bool { return c.Post != "" }

// OneOfSeveral reports whether one of a ship's several sets is checked by itself, so that the
// orders of the others are unknown.
func (c *Compiler) OneOfSeveral() bool { return c.fits() && c.Tell }

// Lose reads the order in which weapons of a kind are lost.
func (c *Compiler) Lose(s orders.Statement) {
	st := &c.Plan.Standing
	kind, list := tables.Beam, &st.Beams
	if s.Form == 1 {
		kind, list = tables.Missile, &st.Missile
	}
	*list = c.loseOrder(kind, s.All("BANK"))
}

// ShedOrder completes an order of systems with those not named, in their usual order.
func (c *Compiler) ShedOrder(named []orders.Arg) []string {
	var out []string
	for _, a := range named {
		if slices.Contains(out, a.Text) {
			c.Fail(a.Pos, "E126", "", "%s is named twice", a.Text)
			continue
		}
		if a.Text == ship.NameCloak && !c.Sys.Has(ship.NameCloak) {
			c.Fail(a.Pos, "E150", "leave it out", "this ship has no cloaking device")
			continue
		}
		out = append(out, a.Text)
	}
	for _, s := range c.Sys.Shedable() {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func (c *Compiler) loseOrder(kind string, named []orders.Arg) []string {
	var known []string
	for i := range c.Sys.Banks {
		if b := &c.Sys.Banks[i]; c.Rules.Usable(b) && b.Group() == kind {
			known = append(known, b.ID)
		}
	}
	return c.Named(named, known, kind+" bank")
}
