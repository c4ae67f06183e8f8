package play

import (
	"fmt"
	"strconv"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
)

// Fire carries out a fire phase, step by step as the course has it: in the Basic Course all
// declarations, the ship with the advantage last; all shots; then all damage, which takes
// effect at once (stcs 2.4, 4.1, 6.5).
func Fire(l *rulebook.Rules, t *engine.Turn) {
	for _, begin := range l.Begins {
		begin(t)
	}
	s := &rulebook.Salvo{Turn: t}
	for _, step := range l.Battery {
		step(l, s)
	}
}

// Shoot resolves all shots, ship by ship and kind of weapon by kind.
func Shoot(l *rulebook.Rules, s *rulebook.Salvo) {
	for _, volleys := range s.Volleys {
		for _, kind := range l.Kinds {
			for i := range volleys {
				if v := &volleys[i]; ship.Of(v.Ship).Banks[v.Bank].Kind == kind.Name {
					s.Through = append(s.Through, discharge(l, s.Turn, v)...)
				}
			}
		}
	}
	dark.In(s.Turn).TellWaiting()
}

// Declare collects the fire of all ships (stcs 4.1). The ship with the advantage declares last,
// and may make her fire depend on what was declared on her. If the game's option says so, it is
// decided only after that who fires at all (ruling D64).
func Declare(l *rulebook.Rules, sv *rulebook.Salvo) {
	t := sv.Turn
	n := Memo(t)
	n.declared = map[engine.ShipID]bool{}
	open := !verbs.Sealed(t.Game.Options)
	for _, id := range n.Advantage {
		s, ok := t.Game.Ship(id)
		if !ok || s.Status != engine.Active {
			continue
		}
		p := n.plans[id]
		orders := p.In(t.Phase.No - 1).Fires
		if len(orders) == 0 {
			continue
		}
		if why, rule := barred(l, t, s); why != "" {
			for _, f := range orders {
				SkipFire(l, t, s, f, why, rule...)
			}
			continue
		}
		volleys := pick(l, t, s, l.Gatekeeper(l, t, s, orders))
		target(l, t, volleys)
		if !open {
			announceFire(l, t, s, volleys)
		}
		sv.Volleys = append(sv.Volleys, volleys)
	}
	if open {
		decideFire(l, sv)
	}
}

// SensorsOut keeps a ship from firing in the phase after a hit on its sensors
// (stcs 4.12, ruling D22).
func SensorsOut(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) (string, []cites.Topic) {
	if ship.Of(s).NoFire == l.FirePhase(t.Number(), t.Phase.No) {
		return "the sensors are out: no fire in this phase", []cites.Topic{cites.SensorHits}
	}
	return "", nil
}

// discharge rolls to hit and lets the shields absorb what they can (stcs 4.3 to 4.6).
func discharge(l *rulebook.Rules, t *engine.Turn, v *rulebook.Volley) []rulebook.Penetration {
	var out []rulebook.Penetration
	each := t.Game.Options[rulebook.OptionBanks] == rulebook.BanksEach
	bank := ship.Of(v.Ship).Banks[v.Bank]
	kind := l.Kind(&bank)
	name := engine.NameRoll("fire", v.Ship.ID).And(bank.ID)
	number := l.ToHit(bank.Chart, v.Rng)
	need, modifiers, why := aim(l, t, v, number)
	rules := append([]cites.Topic{cites.ToHit}, l.ExtraCitations(&bank)...)
	if rules = append(rules, kind.Cite...); len(v.Mounts) > 1 {
		rules = append(rules, cites.BankFire)
	}
	why = append(why, rulebook.SlimTopics(need)...)
	if !l.HideShotDetails {
		rules, why = append(rules[:1:1], append(why, rules[1:]...)...), nil
	}
	var s rulebook.ShotRoll
	var shots []engine.Ref // the shots that make up one hit
	shield, total := 0, 0
	for i, m := range v.Mounts {
		group := name
		if each {
			group = name.And(strconv.Itoa(m + 1))
		}
		if each || i == 0 {
			s = strike(l, t, v, group.And("hit"), need)
			if shield = 0; !v.Target.Small() {
				shield = struck(l, t, v, 0) // one roll strikes one shield, except for evaded shots
			}
		}
		f := ship.Fire{
			Ship: v.Ship.ID, Target: v.Target.ID, Weapon: bank.ID, Model: bank.Type, Family: bank.Family, Mount: m + 1,
			Range: v.Rng, Arc: v.Arc, Chart: bank.Chart, Number: number, Modifiers: modifiers, Need: need,
			Named: s.Named, Roll: s.Roll, Slim: s.Slim.Slim, Second: s.Slim.Second, Hit: s.Hit, Rules: l.Cite(why...),
		}
		if s.Hit {
			f.Base, f.Bonus = kind.Deal(&bank, v, m, s)
			f.Damage = f.Base + f.Bonus
			f.Shield = shield
			if f.Evaded = evades(t, v.Target, v.Ship.ID, bank.ID, m+1); f.Evaded {
				f.Shield, f.Damage = struck(l, t, v, m+1), (f.Damage+1)/2
			}
			f.Graze = kind.Graze(s)
		}
		if f.Evaded {
			dodge, _ := noted[dodged](t, v.Target.ID)
			t.Because(dodge.event)
		}
		shot := t.Because(v.Declared).Because(s.Thrown...).Emit(&f, seen(l, t, v), l.Cite(rules...)...)
		kind.After(l, t, v, m)
		if v.Target.Small() && s.Hit {
			strikeProbe(t, v.Target, shot)
		}
		if !s.Hit || dark.IsEcho(v.Target) || v.Target.Small() { // an echo is false, and so is what sensors show of a hit on it
			continue
		}
		if total += f.Damage; l.AsOne {
			shots = append(shots, shot)
			continue
		}
		hit := rulebook.Hit{
			Target: v.Target, From: v.Ship.ID, At: v.Ship.Hex, Stood: stance(t, v.Target, v.Ship.ID, bank.ID, m+1),
			Weapon: bank.ID, Mount: m + 1, Spread: kind.Spread, Cause: shot,
		}
		if through, pierced := absorb(l, t, hit, f.Shield, f.Damage); through > 0 {
			again := len(out) > 0 && out[len(out)-1].Group == group
			out = append(out, rulebook.Penetration{Hit: hit, Shield: f.Shield, Through: through, Group: group, Again: again, Pierced: pierced})
		}
	}
	if l.AsOne && total > 0 { // a hit by the bank, not by a mount
		hit := rulebook.Hit{Target: v.Target, From: v.Ship.ID, At: v.Ship.Hex, Stood: stance(t, v.Target, v.Ship.ID, bank.ID, 0), Weapon: bank.ID, Cause: shots[0]}
		t.Because(shots[1:]...)
		if through, pierced := absorb(l, t, hit, shield, total); through > 0 {
			out = append(out, rulebook.Penetration{Hit: hit, Shield: shield, Through: through, Group: name, Pierced: pierced})
		}
	}
	return out
}

// struck returns the shield that a mount's shot hits (stcs 4.5, rulings D5, D6); for mount 0 the
// one that all shots hit that are not evaded.
func struck(l *rulebook.Rules, t *engine.Turn, v *rulebook.Volley, mount int) int {
	return exposedAt(&l.Book, v.Target, stance(t, v.Target, v.Ship.ID, ship.Of(v.Ship).Banks[v.Bank].ID, mount), v.Ship.Hex)
}

// exposed returns the shield that a ship turns to a hex; on a line the captain's standing
// choice decides. It is 0 in the same hex.
func exposed(book *rulebook.Book, target *engine.Ship, from hex.Hex) int {
	return exposedAt(book, target, engine.Place{Hex: target.Hex, Heading: target.Heading}, from)
}

// exposedAt is exposed for a ship as if she were at another place.
func exposedAt(book *rulebook.Book, target *engine.Ship, at engine.Place, from hex.Hex) int {
	a, b := book.Facing(at, from)
	if a == b {
		return a
	}
	sys := ship.Of(target)
	low, high := a, b
	if sys.Shields[a-1].Now > sys.Shields[b-1].Now || sys.Shields[a-1].Now == sys.Shields[b-1].Now && a > b {
		low, high = b, a
	}
	switch sys.Standing.Choose {
	case "weakest":
		return low
	case fmt.Sprint(a):
		return a
	case fmt.Sprint(b):
		return b
	}
	return high
}
