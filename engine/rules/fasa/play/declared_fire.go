package play

import (
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
)

// pick chooses the shots of a ship. Where fire is sealed, a mount fires if it would fire with
// nothing declared on the ship. Its target is the one chosen in view of what was declared, or,
// if that is none, the one it would have had otherwise (ruling D59).
func pick(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, orders []rulebook.FireOrder) []rulebook.Volley {
	if !slices.ContainsFunc(orders, func(f rulebook.FireOrder) bool { return verbs.OfDeclared(f.When) }) {
		return choose(l, t, s, orders, func(t *engine.Turn, s *engine.Ship, f rulebook.FireOrder, reason string, rule ...cites.Topic) {
			SkipFire(l, t, s, f, reason, rule...)
		})
	}
	if !verbs.Sealed(t.Game.Options) {
		return merged(choose(l, t, s, orders, func(t *engine.Turn, s *engine.Ship, f rulebook.FireOrder, reason string, rule ...cites.Topic) {
			SkipFire(l, t, s, f, reason, rule...)
		}), chooseAs(l, t, s, orders, asIfOpen))
	}
	fixed := chooseAs(l, t, s, orders, asIfNone)
	chosen := choose(l, t, s, orders, func(t *engine.Turn, s *engine.Ship, f rulebook.FireOrder, reason string, rule ...cites.Topic) {
		SkipFire(l, t, s, f, reason, rule...)
	})
	for i := range chosen {
		v := &chosen[i]
		would := func(m int) bool {
			return slices.ContainsFunc(fixed, func(o rulebook.Volley) bool { return o.Bank == v.Bank && slices.Contains(o.Mounts, m) })
		}
		told := 0
		for k, m := range slices.Backward(v.Mounts) {
			if would(m) {
				continue
			}
			if f := v.Orders[k]; f.Line != told { // once for each order
				told = f.Line
				SkipFire(l, t, s, f, verbs.WhetherToFire, cites.FireDeclaration, cites.SealedFire)
			}
			drop(v, k)
		}
	}
	return slices.DeleteFunc(merged(chosen, fixed), func(v rulebook.Volley) bool { return len(v.Mounts) == 0 })
}

// chooseAs is choose, without telling what is not fired, with conditions treating others'
// declarations as how says.
func chooseAs(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, orders []rulebook.FireOrder, how hearing) []rulebook.Volley {
	n := Memo(t)
	n.hearing = how
	defer func() { n.hearing = asDeclared }()
	return choose(l, t, s, orders, nil)
}

// merged adds to chosen the shots of mounts that have none there, at the target of their bank
// if that fires.
func merged(chosen, more []rulebook.Volley) []rulebook.Volley {
	for _, f := range more {
		i := slices.IndexFunc(chosen, func(v rulebook.Volley) bool { return v.Bank == f.Bank })
		if i < 0 {
			chosen = append(chosen, f)
			continue
		}
		for k, m := range f.Mounts { // a bank fires at one ship
			if v := &chosen[i]; !slices.Contains(v.Mounts, m) {
				v.Mounts, v.Power, v.Orders = append(v.Mounts, m), append(v.Power, f.Power[k]), append(v.Orders, f.Orders[k])
			}
		}
	}
	return chosen
}

// decideFire holds, now that all targets are known, the fire with unmet conditions, without
// changing targets, and declares the rest (ruling D64).
func decideFire(l *rulebook.Rules, sv *rulebook.Salvo) {
	for i, volleys := range sv.Volleys {
		for j := range volleys {
			v := &volleys[j]
			for k, f := range slices.Backward(v.Orders) {
				if met, _ := Judge(l, sv.Turn, v.Ship, f.Target, &ship.Of(v.Ship).Banks[v.Bank], f.When); !met {
					drop(v, k)
				}
			}
		}
		sv.Volleys[i] = slices.DeleteFunc(volleys, func(v rulebook.Volley) bool { return len(v.Mounts) == 0 })
	}
	clear(Memo(sv.Turn).declared)
	for _, volleys := range sv.Volleys {
		target(l, sv.Turn, volleys)
		if len(volleys) > 0 {
			announceFire(l, sv.Turn, volleys[0].Ship, volleys)
		}
	}
}

// drop removes a mount from a volley.
func drop(v *rulebook.Volley, k int) {
	v.Mounts, v.Power, v.Orders = slices.Delete(v.Mounts, k, k+1), slices.Delete(v.Power, k, k+1), slices.Delete(v.Orders, k, k+1)
}
