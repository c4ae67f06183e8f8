package fasa

import (
	"fmt"
	"slices"

	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// sealed tells whether these options of a game fix whether a weapon fires before
// others declare.
func sealed(options map[string]string) bool { return options[OptionDeclared] != DeclaredFire }

// ofDeclared tells whether a condition asks what others declared.
func ofDeclared(c *orders.Cond) bool {
	return c != nil && (c.Subject == aboutTargeted || c.Subject == aboutMissile || slices.ContainsFunc(c.Kids, ofDeclared))
}

// undeclared tells whether a condition may hold as long as no one has declared
// anything, whatever else it asks.
func undeclared(c *orders.Cond) bool {
	value, known := c.Decide(func(c *orders.Cond) (bool, bool) { return false, ofDeclared(c) })
	return value || !known
}

// sealedFaults are the orders to fire of a plan by which what others declare would
// decide whether a weapon fires, where that is sealed: for a weapon that has no other
// target in the phase, or that would fire at none with nothing declared.
func (l *rulebook) sealedFaults(sys *ship.State, p *plan, options map[string]string) []orders.Diagnostic {
	if !sealed(options) {
		return nil
	}
	var out []orders.Diagnostic
	for n, phase := range p.phases {
		fires := phase.fires
		for _, f := range fires {
			if !ofDeclared(f.when) {
				continue
			}
			i := slices.IndexFunc(f.shots, func(sh shot) bool { return !choosesTarget(fires, f, sh) })
			if i < 0 {
				continue
			}
			weapon := ship.MountName(&sys.Banks[f.shots[i].bank], f.shots[i].mount)
			out = append(out, orders.Diagnostic{
				Pos: orders.Pos{Line: f.line, Col: 1}, Code: "E115",
				Message: fmt.Sprintf("%s (declared = %q): in phase %d there is no order for %s that holds without it, and another target", whetherToFire, DeclaredTargets, n+1, weapon),
				Hint:    fmt.Sprintf("leave %s and %s out of it, or add an order below it for what to do else: fire %s at ...", aboutTargeted, aboutMissile, weapon),
			})
		}
	}
	return out
}

// choosesTarget tells whether the condition of an order can choose the target of a
// mount: another order has it fire at another, and one of them may hold with nothing
// declared.
func choosesTarget(fires []fireOrder, f fireOrder, sh shot) bool {
	elsewhere, anyway := false, false
	for _, o := range fires {
		if slices.Contains(o.shots, sh) {
			elsewhere = elsewhere || o.target != f.target
			anyway = anyway || undeclared(o.when)
		}
	}
	return elsewhere && anyway
}

// whetherToFire is why a condition cannot decide whether a weapon fires.
const whetherToFire = "what others declare may choose a weapon's target in this game, not whether it fires"
