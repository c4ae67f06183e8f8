package play

import (
	"cmp"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
)

// dodged is a ship's evasion in the current fire phase.
type dodged struct {
	from    hex.Heading   // the ship's heading before
	against engine.ShipID // the ship whose missile it evades
	weapon  string        // the bank that fires it
	mount   int           // and which of its mounts
	success bool
	event   engine.Ref
}

// threat is a missile declared on a ship.
type threat struct {
	ship   *engine.Ship // the firing ship
	bank   *ship.Bank
	mount  int
	damage int // of a full hit

	declared engine.Ref
}

// by reports whether the weapon that an order names, a bank or a mount, fires the missile.
func (th threat) by(weapon string) bool {
	return strings.EqualFold(weapon, th.bank.ID) || strings.EqualFold(weapon, ship.MountName(th.bank, th.mount))
}

// threats returns the missiles declared on a ship, the most damaging first, of equals that of
// the nearest ship (ruling D30).
func threats(l *rulebook.Rules, sv *rulebook.Salvo, s *engine.Ship) []threat {
	var out []threat
	for _, volleys := range sv.Volleys {
		for i := range volleys {
			v := &volleys[i]
			bank := &ship.Of(v.Ship).Banks[v.Bank]
			if v.Target != s || !l.Kind(bank).Dodged || !l.Feels(sv.Turn, v) {
				continue
			}
			for _, m := range v.Mounts {
				base, bonus := l.Kind(bank).Deal(bank, v, m, rulebook.ShotRoll{})
				out = append(out, threat{ship: v.Ship, bank: bank, mount: m, damage: base + bonus, declared: v.Declared})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b threat) int {
		return cmp.Or(cmp.Compare(b.damage, a.damage), cmp.Compare(hex.Distance(s.Hex, a.ship.Hex), hex.Distance(s.Hex, b.ship.Hex)))
	})
	return out
}

// Evade lets ships evade one missile each, after all fire is declared and before any is
// resolved (stcs 8.4, ruling D30): the ship with the advantage last, as in declaring.
func Evade(l *rulebook.Rules, sv *rulebook.Salvo) {
	for _, id := range Memo(sv.Turn).Advantage {
		s, ok := sv.Turn.Game.Ship(id)
		if !ok || s.Status != engine.Active {
			continue
		}
		if threats := threats(l, sv, s); len(threats) > 0 {
			if o, th := evasion(l, sv.Turn, s, threats); th.ship != nil {
				dodge(l, sv, s, o, th)
			}
		}
	}
}

// evasion returns the order by which a ship evades, and the missile: the first of the phase's
// orders, then of the standing ones, with a condition that holds for a threat.
func evasion(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, threats []threat) (by verbs.Evasion, what threat) {
	for _, o := range slices.Concat(OrderedNow[verbs.Evasion](t, s), verbs.StandingEvasions(l, s)) {
		against := evaded(l, t, s, o)
		var unknown []string
		for _, th := range threats {
			if o.Against != "" && against != th.ship.ID || o.Weapon != "" && !th.by(o.Weapon) {
				continue
			}
			met, missing := Judge(l, t, s, th.ship.ID, nil, o.When)
			switch {
			case met && o.Word == "":
				return o, threat{} // the order is never to evade
			case met:
				return o, th
			}
			unknown = append(unknown, missing...)
		}
		if len(unknown) > 0 {
			slices.Sort(unknown)
			Unknown(l, t, s, ship.PostHelm, o.Line, o.Text, slices.Compact(unknown))
		}
	}
	return verbs.Evasion{}, threat{}
}

// evaded returns the ship that an order to evade names, if any.
func evaded(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, o verbs.Evasion) engine.ShipID {
	if word, stands := l.IsAim(o.Against); stands {
		return l.Aimed(t.Game, s, engine.ShipID(word))
	}
	n, _, _ := l.Known(t, s).Find(o.Against)
	return l.Aimed(t.Game, s, n.ID)
}

// dodge carries out an evasion.
func dodge(l *rulebook.Rules, sv *rulebook.Salvo, s *engine.Ship, o verbs.Evasion, th threat) {
	t, foe := sv.Turn, th.ship
	cost := rulebook.Toll{Superstructure: 1, Rule: []cites.Topic{cites.Evasion, cites.EvasionRoll}}
	why, rule := balks(l, t, s, o.Word)
	if why == "" {
		why, rule = unbearable(cost, ship.Of(s)), []cites.Topic{cites.Evasion, cites.Crippling}
	}
	if why != "" {
		Skip(l, t, s, ship.PostHelm, o.Line, o.Text, why, rule...)
		return
	}
	see := l.Show(t.Game, []*engine.Ship{s, foe}, s.ID, foe.ID)
	roll := t.Roll(engine.NameRoll("evade", s.ID, foe.ID), dice.D10, see, l.Cite(cites.Evasion, cites.EvasionRoll)...)
	b := &ship.Evade{
		Ship: s.ID, Against: foe.ID, Weapon: th.bank.ID, Mount: th.mount + 1, Need: rulebook.EvadeNeed, Roll: roll, Success: roll <= rulebook.EvadeNeed,
		From: s.Heading, Heading: board.Step(engine.Place{Hex: s.Hex, Heading: s.Heading}, o.Word).Heading,
	}
	rule = append([]cites.Topic{cites.Evasion, cites.EvasionRoll}, l.Kind(th.bank).Evaded...)
	by := t.Ordered(s.ID, o.Line, o.Text)
	if o.Line == 0 {
		by = t.OrderedIn(s.ID, "standing", "evade")
	}
	event := t.Because(by, th.declared).Emit(b, see, l.Cite(rule...)...)
	PhaseNotes[dodged](t)[s.ID] = dodged{from: b.From, against: foe.ID, weapon: b.Weapon, mount: b.Mount, success: b.Success, event: event}
	wear(l, t, s, "evasive action", cost, event)
	l.Evading(l, sv, s)
}

// HoldFire withdraws the declared fire of an evading ship: the weapons have not fired, and
// keep their power for a later phase (stcs 8.4, ruling D30).
func HoldFire(l *rulebook.Rules, sv *rulebook.Salvo, s *engine.Ship) {
	t := sv.Turn
	for i, volleys := range sv.Volleys {
		for _, v := range volleys {
			if v.Ship != s {
				continue
			}
			bank := ship.Of(s).Banks[v.Bank]
			b := &ship.Withdraw{Ship: s.ID, Target: v.Target.ID, Weapon: bank.ID}
			var names []string
			for _, m := range v.Mounts {
				b.Mounts = append(b.Mounts, m+1)
				names = append(names, ship.MountName(&bank, m))
			}
			dodge, _ := noted[dodged](t, s.ID)
			t.Because(v.Declared, dodge.event).Emit(b, l.Show(t.Game, []*engine.Ship{s, v.Target}, s.ID, v.Target.ID), l.Cite(cites.Evasion, cites.EvasionRoll)...)
			t.Because(dodge.event)
			Skip(l, t, s, ship.PostWeapons, 0, "fire "+strings.Join(names, " ")+" at "+l.Called(t.Game, s, v.Target), "the ship evades: no fire in this phase; what was armed stays armed", cites.Evasion, cites.EvasionRoll)
		}
		sv.Volleys[i] = slices.DeleteFunc(volleys, func(v rulebook.Volley) bool { return v.Ship == s })
	}
	recount(l, sv)
}

// recount updates what conditions may ask about declared fire.
func recount(l *rulebook.Rules, sv *rulebook.Salvo) {
	n := Memo(sv.Turn)
	n.declared = map[engine.ShipID]bool{}
	for _, volleys := range sv.Volleys {
		for i := range volleys {
			if v := &volleys[i]; l.Feels(sv.Turn, v) {
				n.declared[v.Target.ID] = n.declared[v.Target.ID] || l.Kind(&ship.Of(v.Ship).Banks[v.Bank]).Dodged
			}
		}
	}
}

// WhileEvading lowers the to-hit numbers of a ship that evades (stcs 14.5, ruling D30).
func WhileEvading(_ *rulebook.Rules, t *engine.Turn, v *rulebook.Volley) (name string, value int, rule []cites.Topic) {
	if _, evades := noted[dodged](t, v.Ship.ID); evades {
		return "evasive action", -4, []cites.Topic{cites.FireWhileEvading, cites.EvasionRoll}
	}
	return "", 0, nil
}

// evades reports whether a ship successfully evades the fire of another ship's mount (from 1).
func evades(t *engine.Turn, s *engine.Ship, from engine.ShipID, weapon string, mount int) bool {
	d, ok := noted[dodged](t, s.ID)
	return ok && d.success && d.against == from && d.weapon == weapon && d.mount == mount
}

// stance returns a ship's place as the fire of another ship's mount (from 1) reaches her: on
// her heading from before evading, unless she successfully evades that missile.
func stance(t *engine.Turn, s *engine.Ship, from engine.ShipID, weapon string, mount int) engine.Place {
	at := engine.Place{Hex: s.Hex, Heading: s.Heading}
	if d, ok := noted[dodged](t, s.ID); ok && !evades(t, s, from, weapon, mount) {
		at.Heading = d.from
	}
	return at
}
