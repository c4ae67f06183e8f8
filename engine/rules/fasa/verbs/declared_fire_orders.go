package verbs

import (
	"fmt"
	"slices"

	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// Sealed reports whether these options of a game fix whether a weapon fires before others
// declare.
func Sealed(options map[string]string) bool {
	return options[rulebook.OptionDeclared] != rulebook.DeclaredFire
}

// OfDeclared reports whether a condition asks what others declared.
func OfDeclared(c *orders.Cond) bool {
	return c != nil && (c.Subject == rulebook.AboutTargeted || c.Subject == rulebook.AboutMissile || slices.ContainsFunc(c.Kids, OfDeclared))
}

// undeclared reports whether a condition may hold while no one has declared anything, whatever
// else it asks.
func undeclared(c *orders.Cond) bool {
	value, known := c.Decide(func(c *orders.Cond) (bool, bool) { return false, OfDeclared(c) })
	return value || !known
}

// SealedFaults returns mistakes for the fire orders by which others' declarations would decide
// whether a weapon fires, in games where that is sealed: those for a weapon that has no other
// target in the phase, or would not fire at all with nothing declared.
func SealedFaults(sys *ship.State, p *rulebook.Plan, options map[string]string) []orders.Diagnostic {
	if !Sealed(options) {
		return nil
	}
	var out []orders.Diagnostic
	for n, phase := range p.Phases {
		fires := phase.Fires
		for _, f := range fires {
			if !OfDeclared(f.When) {
				continue
			}
			i := slices.IndexFunc(f.Shots, func(sh rulebook.Shot) bool { return !choosesTarget(fires, f, sh) })
			if i < 0 {
				continue
			}
			weapon := ship.MountName(&sys.Banks[f.Shots[i].Bank], f.Shots[i].Mount)
			out = append(out, orders.Diagnostic{
				Pos: orders.Pos{Line: f.Line, Col: 1}, Code: "E115",
				Message: fmt.Sprintf("%s (declared = %q): phase %d has no order for %s at another target that holds without it", WhetherToFire, rulebook.DeclaredTargets, n+1, weapon),
				Hint:    fmt.Sprintf("leave out %s and %s, or add an alternative below: fire %s at ...", rulebook.AboutTargeted, rulebook.AboutMissile, weapon),
			})
		}
	}
	return out
}

// choosesTarget reports whether the condition of an order can only choose the target of a mount:
// another order has the mount fire at another target, and one of them may hold with nothing
// declared.
func choosesTarget(fires []rulebook.FireOrder, f rulebook.FireOrder, sh rulebook.Shot) bool {
	elsewhere, anyway := false, false
	for _, o := range fires {
		if slices.Contains(o.Shots, sh) {
			elsewhere = elsewhere || o.Target != f.Target
			anyway = anyway || undeclared(o.When)
		}
	}
	return elsewhere && anyway
}

// WhetherToFire is why a condition cannot decide whether a weapon fires.
const WhetherToFire = "in this game others' declarations may choose a weapon's target, but not whether it fires"
