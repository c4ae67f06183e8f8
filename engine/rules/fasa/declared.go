package fasa

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/orders"
)

// OptionDeclared is the game option of what conditions on others' declarations may
// decide in orders to fire (stcs 4.1, ruling D59). At a table a counter is turned face
// down before targets are told: it says whether a ship fires.
const (
	OptionDeclared  = "declared"
	DeclaredTargets = "targets" // at whom a weapon fires, not whether
	DeclaredFire    = "fire"    // whether it fires, too
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
	value, known := decide(c, func(c *orders.Cond) (bool, bool) { return false, ofDeclared(c) })
	return value || !known
}

// pick chooses the shots of a ship. Where fire is sealed a mount fires if it would with
// nothing declared on the ship, at the ship that is chosen with what was; where then
// nothing is chosen, at the one that would have been (ruling D59).
func (l *rulebook) pick(t *engine.Turn, s *engine.Ship, orders []fireOrder) []volley {
	if !sealed(t.Game.Options) || !slices.ContainsFunc(orders, func(f fireOrder) bool { return ofDeclared(f.when) }) {
		return l.choose(t, s, orders, l.skipFire)
	}
	n := memo(t)
	n.sealing = true
	fixed := l.choose(t, s, orders, nil)
	n.sealing = false
	chosen := l.choose(t, s, orders, l.skipFire)
	for i := range chosen {
		v := &chosen[i]
		would := func(m int) bool {
			return slices.ContainsFunc(fixed, func(o volley) bool { return o.bank == v.bank && slices.Contains(o.mounts, m) })
		}
		told := 0
		for k, m := range slices.Backward(v.mounts) {
			if would(m) {
				continue
			}
			if f := v.orders[k]; f.line != told { // once an order
				told = f.line
				l.skipFire(t, s, f, whetherToFire, FireDeclaration, SealedFire)
			}
			v.drop(k)
		}
	}
	for _, f := range fixed {
		i := slices.IndexFunc(chosen, func(v volley) bool { return v.bank == f.bank })
		if i < 0 {
			chosen = append(chosen, f)
			continue
		}
		for k, m := range f.mounts { // a bank fires at one ship
			if v := &chosen[i]; !slices.Contains(v.mounts, m) {
				v.mounts, v.power, v.orders = append(v.mounts, m), append(v.power, f.power[k]), append(v.orders, f.orders[k])
			}
		}
	}
	return slices.DeleteFunc(chosen, func(v volley) bool { return len(v.mounts) == 0 })
}

// drop takes a mount out of a volley.
func (v *volley) drop(k int) {
	v.mounts, v.power, v.orders = slices.Delete(v.mounts, k, k+1), slices.Delete(v.power, k, k+1), slices.Delete(v.orders, k, k+1)
}

// whetherToFire is why a condition cannot decide what it is to decide.
const whetherToFire = "what others declare may choose a weapon's target in this game, not whether it fires"

// sealedFaults are the orders to fire of a plan by which what others declare would
// decide whether a weapon fires, where that is sealed: for a weapon that has no other
// target in the phase, or that would fire at none with nothing declared.
func (l *rulebook) sealedFaults(sys *System, p *plan, options map[string]string) []orders.Diagnostic {
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
			weapon := mountName(&sys.Banks[f.shots[i].bank], f.shots[i].mount)
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
