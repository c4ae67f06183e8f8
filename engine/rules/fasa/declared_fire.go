package fasa

import (
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
)

const (
	asDeclared hearing = iota // as it is so far
	asIfNone                  // as if nothing were declared
	asIfOpen                  // what is not declared so far may still be
)

// pick chooses the shots of a ship. Where fire is sealed a mount fires if it would with
// nothing declared on the ship, at the ship that is chosen with what was; where then
// nothing is chosen, at the one that would have been (ruling D59).
func (l *rulebook) pick(t *engine.Turn, s *engine.Ship, orders []fireOrder) []volley {
	if !slices.ContainsFunc(orders, func(f fireOrder) bool { return ofDeclared(f.when) }) {
		return l.choose(t, s, orders, l.skipFire)
	}
	if !sealed(t.Game.Options) {
		return merged(l.choose(t, s, orders, l.skipFire), l.chooseAs(t, s, orders, asIfOpen))
	}
	fixed := l.chooseAs(t, s, orders, asIfNone)
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
				l.skipFire(t, s, f, whetherToFire, cites.FireDeclaration, cites.SealedFire)
			}
			v.drop(k)
		}
	}
	return slices.DeleteFunc(merged(chosen, fixed), func(v volley) bool { return len(v.mounts) == 0 })
}

// chooseAs is choose, without a word about what does not come, where conditions take what others
// declare in another way.
func (l *rulebook) chooseAs(t *engine.Turn, s *engine.Ship, orders []fireOrder, how hearing) []volley {
	n := memo(t)
	n.hearing = how
	defer func() { n.hearing = asDeclared }()
	return l.choose(t, s, orders, nil)
}

// merged adds to shots those of mounts that have none: at the ship at which their bank fires, if
// it does.
func merged(chosen, more []volley) []volley {
	for _, f := range more {
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
	return chosen
}

// decideFire has ships hold the fire whose conditions do not hold now that all targets are known, each
// at the ship that was chosen for it, and declares the rest (ruling D64).
func (l *rulebook) decideFire(sv *salvo) {
	for i, volleys := range sv.volleys {
		for j := range volleys {
			v := &volleys[j]
			for k, f := range slices.Backward(v.orders) {
				if met, _ := l.judge(sv.t, v.ship, f.target, &ship.Of(v.ship).Banks[v.bank], f.when); !met {
					v.drop(k)
				}
			}
		}
		sv.volleys[i] = slices.DeleteFunc(volleys, func(v volley) bool { return len(v.mounts) == 0 })
	}
	clear(memo(sv.t).declared)
	for _, volleys := range sv.volleys {
		l.target(sv.t, volleys)
		if len(volleys) > 0 {
			l.announceFire(sv.t, volleys[0].ship, volleys)
		}
	}
}

// drop takes a mount out of a volley.
func (v *volley) drop(k int) {
	v.mounts, v.power, v.orders = slices.Delete(v.mounts, k, k+1), slices.Delete(v.power, k, k+1), slices.Delete(v.orders, k, k+1)
}
