package fasa

import (
	"cmp"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// dodged is what a ship did to evade in the fire phase that runs.
type dodged struct {
	from    hex.Heading   // of the ship until then
	against engine.ShipID // the ship whose missile it evades
	weapon  string        // ... the bank that fires it
	mount   int           // ... and which of its mounts
	success bool
	event   engine.Ref
}

// threat is a missile that is declared on a ship.
type threat struct {
	ship   *engine.Ship // that fires it
	bank   *ship.Bank
	mount  int
	damage int // of a full hit

	declared engine.Ref
}

// by tells whether a weapon of an order is the one that fires it: its bank, or the
// very mount.
func (th threat) by(weapon string) bool {
	return strings.EqualFold(weapon, th.bank.ID) || strings.EqualFold(weapon, ship.MountName(th.bank, th.mount))
}

// threats are the missiles that are declared on a ship, the one that would do most
// damage first, of equals that of the nearest ship (ruling D30).
func (l *rulebook) threats(sv *salvo, s *engine.Ship) []threat {
	var out []threat
	for _, volleys := range sv.volleys {
		for i := range volleys {
			v := &volleys[i]
			bank := &ship.Of(v.ship).Banks[v.bank]
			if v.target != s || bank.Kind == tables.Beam || !l.feels(sv.t, v) {
				continue
			}
			for _, m := range v.mounts {
				base, bonus := l.kinds[bank.Kind].deal(bank, v, m, shotRoll{})
				out = append(out, threat{ship: v.ship, bank: bank, mount: m, damage: base + bonus, declared: v.declared})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b threat) int {
		return cmp.Or(cmp.Compare(b.damage, a.damage), cmp.Compare(hex.Distance(s.Hex, a.ship.Hex), hex.Distance(s.Hex, b.ship.Hex)))
	})
	return out
}

// evade lets ships evade one missile each, when all fire is declared and none of it
// resolved (stcs 8.4, ruling D30): the one with the advantage last, as in declaring.
func (l *rulebook) evade(sv *salvo) {
	for _, id := range memo(sv.t).advantage {
		s, ok := sv.t.Game.Ship(id)
		if !ok || s.Status != engine.Active {
			continue
		}
		if threats := l.threats(sv, s); len(threats) > 0 {
			if o, th := l.evasion(sv.t, s, threats); th.ship != nil {
				l.dodge(sv, s, o, th)
			}
		}
	}
}

// evasion is the order that a ship evades by, and what: of the orders of the phase
// and then of the standing ones the first that holds for one of the threats.
func (l *rulebook) evasion(t *engine.Turn, s *engine.Ship, threats []threat) (by evasion, what threat) {
	for _, o := range slices.Concat(orderedNow[evasion](t, s), l.standingEvasions(s)) {
		against := l.evaded(t, s, o)
		var unknown []string
		for _, th := range threats {
			if o.against != "" && against != th.ship.ID || o.weapon != "" && !th.by(o.weapon) {
				continue
			}
			met, missing := l.judge(t, s, th.ship.ID, nil, o.when)
			switch {
			case met && o.word == "":
				return o, threat{} // never
			case met:
				return o, th
			}
			unknown = append(unknown, missing...)
		}
		if len(unknown) > 0 {
			slices.Sort(unknown)
			l.unknown(t, s, ship.PostHelm, o.line, o.text, slices.Compact(unknown))
		}
	}
	return evasion{}, threat{}
}

// evaded is the ship that an order to evade names, if it names one.
func (l *rulebook) evaded(t *engine.Turn, s *engine.Ship, o evasion) engine.ShipID {
	if word, stands := l.isAim(o.against); stands {
		return l.aimed(t.Game, s, engine.ShipID(word))
	}
	n, _, _ := l.known(t, s).find(o.against)
	return l.aimed(t.Game, s, n.id)
}

// dodge carries an evasion out.
func (l *rulebook) dodge(sv *salvo, s *engine.Ship, o evasion, th threat) {
	t, foe := sv.t, th.ship
	cost := toll{superstructure: 1, rule: []cites.Topic{cites.Evasion, cites.EvasionRoll}}
	why, rule := l.balks(t, s, o.word)
	if why == "" {
		why, rule = cost.unbearable(ship.Of(s)), []cites.Topic{cites.Evasion, cites.Crippling}
	}
	if why != "" {
		l.skip(t, s, ship.PostHelm, o.line, o.text, why, rule...)
		return
	}
	see := l.show(t.Game, []*engine.Ship{s, foe}, s.ID, foe.ID)
	roll := t.Roll(engine.NameRoll("evade", s.ID, foe.ID), dice.D10, see, l.cite(cites.Evasion, cites.EvasionRoll)...)
	b := &ship.Evade{
		Ship: s.ID, Against: foe.ID, Weapon: th.bank.ID, Mount: th.mount + 1, Need: evadeNeed, Roll: roll, Success: roll <= evadeNeed,
		From: s.Heading, Heading: board.Step(engine.Place{Hex: s.Hex, Heading: s.Heading}, o.word).Heading,
	}
	rule = []cites.Topic{cites.Evasion, cites.EvasionRoll}
	if th.bank.Kind == tables.Plasma {
		rule = append(rule, cites.PlasmaEvasion)
	}
	by := t.Ordered(s.ID, o.line, o.text)
	if o.line == 0 {
		by = t.OrderedIn(s.ID, "standing", "evade")
	}
	event := t.Because(by, th.declared).Emit(b, see, l.cite(rule...)...)
	phaseNotes[dodged](t)[s.ID] = dodged{from: b.From, against: foe.ID, weapon: b.Weapon, mount: b.Mount, success: b.Success, event: event}
	l.wear(t, s, "evasive action", cost, event)
	l.evading(l, sv, s)
}

// holdFire withdraws what an evading ship declared: the weapons have not fired, and
// keep their power for a later phase (stcs 8.4, ruling D30).
func holdFire(l *rulebook, sv *salvo, s *engine.Ship) {
	t := sv.t
	for i, volleys := range sv.volleys {
		for _, v := range volleys {
			if v.ship != s {
				continue
			}
			bank := ship.Of(s).Banks[v.bank]
			b := &ship.Withdraw{Ship: s.ID, Target: v.target.ID, Weapon: bank.ID}
			var names []string
			for _, m := range v.mounts {
				b.Mounts = append(b.Mounts, m+1)
				names = append(names, ship.MountName(&bank, m))
			}
			dodge, _ := noted[dodged](t, s.ID)
			t.Because(v.declared, dodge.event).Emit(b, l.show(t.Game, []*engine.Ship{s, v.target}, s.ID, v.target.ID), l.cite(cites.Evasion, cites.EvasionRoll)...)
			t.Because(dodge.event)
			l.skip(t, s, ship.PostWeapons, 0, "fire "+strings.Join(names, " ")+" at "+l.called(t.Game, s, v.target), "the ship evades: no fire in this phase; what was armed stays armed", cites.Evasion, cites.EvasionRoll)
		}
		sv.volleys[i] = slices.DeleteFunc(volleys, func(v volley) bool { return v.ship == s })
	}
	l.recount(sv)
}

// recount puts right what conditions may ask about the fire that is declared.
func (l *rulebook) recount(sv *salvo) {
	n := memo(sv.t)
	n.declared = map[engine.ShipID]bool{}
	for _, volleys := range sv.volleys {
		for i := range volleys {
			if v := &volleys[i]; l.feels(sv.t, v) {
				n.declared[v.target.ID] = n.declared[v.target.ID] || ship.Of(v.ship).Banks[v.bank].Kind != tables.Beam
			}
		}
	}
}

// whileEvading takes from the fire of a ship that evades (stcs 14.5, ruling D30).
func whileEvading(_ *rulebook, t *engine.Turn, v *volley) (name string, value int, rule []cites.Topic) {
	if _, evades := noted[dodged](t, v.ship.ID); evades {
		return "evasive action", -4, []cites.Topic{cites.FireWhileEvading, cites.EvasionRoll}
	}
	return "", 0, nil
}

// evades tells whether a ship evades the fire of a mount (from 1) of another with
// success.
func evades(t *engine.Turn, s *engine.Ship, from engine.ShipID, weapon string, mount int) bool {
	d, ok := noted[dodged](t, s.ID)
	return ok && d.success && d.against == from && d.weapon == weapon && d.mount == mount
}

// stance is how a ship heads as the fire of a mount (from 1) of another reaches it: as it
// did before it began to evade, unless it evades that missile with success.
func stance(t *engine.Turn, s *engine.Ship, from engine.ShipID, weapon string, mount int) engine.Place {
	at := engine.Place{Hex: s.Hex, Heading: s.Heading}
	if d, ok := noted[dodged](t, s.ID); ok && !evades(t, s, from, weapon, mount) {
		at.Heading = d.from
	}
	return at
}
