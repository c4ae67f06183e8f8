package fasa

import (
	"slices"

	"starpost/engine"
)

// OptionDeclared is the game option of what conditions on others' declarations may
// decide in orders to fire (stcs 4.1, ruling D59). At a table a counter is turned face
// down before targets are told: it says whether a ship fires.
const (
	OptionDeclared  = "declared"
	DeclaredTargets = "targets" // at whom a weapon fires, not whether
	DeclaredFire    = "fire"    // whether it fires, too
)

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

// whetherToFire is why a condition cannot decide whether a weapon fires.
const whetherToFire = "what others declare may choose a weapon's target in this game, not whether it fires"
