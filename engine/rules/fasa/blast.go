package fasa

import (
	"cmp"
	"slices"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
)

// The figures of explosions (stcs 9.5, 9.6, ruling D34).
const (
	surely = 10 // points below 0 at which a ship surely explodes
)

// blastWeapon is what reports call an explosion that does damage.
const blastWeapon = "the explosion"

// burst lets ships explode: those whose superstructure gives way, then those whose
// captains have ordered it, and whatever comes of that (stcs 9.5, 9.7, 9.8, 14.6).
func (l *rulebook) burst(sv *salvo) {
	t := sv.t
	l.giveWay(t)
	if ships, by := l.destructing(t); len(ships) > 0 {
		rule := []cites.Topic{cites.SelfDestruction}
		if len(ships) > 1 {
			rule = append(rule, cites.JointDestruction)
		}
		exploded := make([]engine.Ref, len(ships))
		for i, s := range ships {
			exploded[i] = t.Because(by[i]).Emit(&ship.Explode{Ship: s.ID, Power: ship.Of(s).Power, Ordered: true, Exploded: true}, engine.SeeAll(), l.cite(rule...)...)
		}
		l.shake(t, ships, exploded, "she was blown up by her own crew", cites.SelfDestruction)
		l.giveWay(t)
	}
}

// rolledFor is how many points of a ship's superstructure below 0 have been rolled for: those
// that she has lost after that are rolled for again.
type rolledFor int

// sound notes what of the ships' superstructure has been rolled for as a phase of movement or
// fire begins: a point that was mended since is none of it any more, and is rolled for when it is
// lost once more (stcs 9.5, ruling D65).
func sound(t *engine.Turn) {
	rolled := phaseNotes[rolledFor](t)
	for _, s := range t.Game.Ships {
		sys := ship.Of(s)
		rolled[s.ID] = rolledFor(min(sys.Blast().Tested, max(0, -sys.Superstructure)))
	}
}

// giveWay rolls for every ship whose superstructure is below 0 and lower than when it
// was last rolled for, until no more explode (stcs 9.5, 9.7).
func (l *rulebook) giveWay(t *engine.Turn) {
	for {
		var ships []*engine.Ship
		var exploded []engine.Ref
		for _, s := range byPower(t.Game.Ships) {
			if l.tested(t, s) {
				ships, exploded = append(ships, s), append(exploded, t.Last())
			}
		}
		if len(ships) == 0 {
			return
		}
		l.shake(t, ships, exploded, "she exploded", cites.Explosions)
	}
}

// there tells whether a ship can be hurt, or hurt others, in the fight or out of it: what
// has exploded, or does so now, cannot.
func there(s *engine.Ship) bool {
	return (s.Status == engine.Active || s.Status == engine.Crippled) && !ship.Of(s).Blast().Gone
}

// tested rolls for a ship if that is due, and tells whether it explodes.
func (l *rulebook) tested(t *engine.Turn, s *engine.Ship) bool {
	sys := ship.Of(s)
	below := -sys.Superstructure
	rolled := phaseNotes[rolledFor](t)
	if !there(s) || below <= int(rolled[s.ID]) {
		return false
	}
	rolled[s.ID] = rolledFor(below)
	b := &ship.Explode{Ship: s.ID, Need: below, Exploded: below >= surely}
	see := l.show(t.Game, []*engine.Ship{s}, s.ID)
	if !b.Exploded {
		l.collapse(l, t, s, b)
	}
	if b.Exploded {
		b.Power, see = sys.Power, engine.SeeAll()
	}
	t.Because(ruinOf(t, s.ID)...).Emit(b, see, l.cite(cites.Explosions)...)
	return b.Exploded
}

// collapseByDie tells by a die whether a ship explodes (stcs 9.5).
func collapseByDie(l *rulebook, t *engine.Turn, s *engine.Ship, b *ship.Explode) {
	b.Roll = t.Roll(l.hazard(t, engine.NameRoll("explode", s.ID)), dice.D10, l.show(t.Game, []*engine.Ship{s}, s.ID), l.cite(cites.Explosions)...)
	b.Exploded = b.Roll <= b.Need
}

// byPower orders ships by their power, most first (stcs 9.7, 14.6).
func byPower(ships []*engine.Ship) []*engine.Ship {
	ships = slices.Clone(ships)
	slices.SortStableFunc(ships, func(a, b *engine.Ship) int {
		return cmp.Or(cmp.Compare(ship.Of(b).Power, ship.Of(a).Power), cmp.Compare(a.ID, b.ID))
	})
	return ships
}

// shake lets ships that explode at the same time, each by an event, do their damage, one after the
// other; then what got through takes effect (stcs 9.6, 9.7).
func (l *rulebook) shake(t *engine.Turn, exploding []*engine.Ship, exploded []engine.Ref, how string, rule ...cites.Topic) {
	power := map[engine.ShipID]int{}
	for _, s := range exploding {
		power[s.ID] = ship.Of(s).Power
	}
	var through []penetration
	for i, s := range exploding {
		shift(t, s.ID, t.Because(exploded[i]).Out(s, engine.Destroyed, how, nil, l.cite(append(slices.Clone(rule), cites.Crippling)...)...))
		for _, o := range t.Game.Ships {
			if o.Small() && ship.BlastAt(power[s.ID], hex.Distance(s.Hex, o.Hex)) > 0 {
				l.strikeProbe(t, o, exploded[i])
			}
			if !there(o) || o.Small() {
				continue
			}
			if p, struck := l.blasted(t, s, o, power[s.ID], exploded[i]); struck && p.through > 0 {
				through = append(through, p)
			}
		}
	}
	l.inflict(t, through)
}

// blasted is what an explosion does to a shield of a ship.
func (l *rulebook) blasted(t *engine.Turn, from, s *engine.Ship, power int, exploded engine.Ref) (p penetration, struck bool) {
	d := hex.Distance(from.Hex, s.Hex)
	damage := ship.BlastAt(power, d)
	if damage == 0 {
		return p, false
	}
	shield := l.exposed(s, from.Hex)
	if shield == 0 {
		shield = ship.ChosenShield(ship.Of(s))
	}
	blast := t.Because(exploded).Emit(&ship.Blasted{Ship: s.ID, From: from.ID, Range: d, Shield: shield, Damage: damage},
		l.show(t.Game, []*engine.Ship{s}, s.ID), l.cite(cites.BlastDamage)...)
	h := hit{target: s, from: from.ID, at: from.Hex, stood: engine.Place{Hex: s.Hex, Heading: s.Heading}, weapon: blastWeapon, spread: true, cause: blast}
	through, pierced := l.absorb(t, h, shield, damage)
	return penetration{hit: h, shield: shield, through: through, group: engine.NameRoll("blast", from.ID, s.ID), pierced: pierced}, true
}

// destructing are the ships that blow themselves up now, the one with most power
// first, and the orders by which they do.
func (l *rulebook) destructing(t *engine.Turn) (ships []*engine.Ship, by []engine.Ref) {
	for _, s := range byPower(t.Game.Ships) {
		if !there(s) {
			continue
		}
		if order, ok := l.willing(t, s, ordered[destructOrders](t, s)); ok {
			ships, by = append(ships, s), append(by, order)
		}
	}
	return ships, by
}

// willing finds the order to end a ship's fight that her captain wants carried out in
// this phase, if there is one.
func (l *rulebook) willing(t *engine.Turn, s *engine.Ship, orders []lastOrder) (by engine.Ref, ok bool) {
	for _, o := range orders {
		if o.phase > 0 && o.phase != t.Phase.No {
			continue
		}
		met, missing := l.judge(t, s, "", nil, o.when)
		if met {
			return t.Ordered(s.ID, o.line, o.text), true
		}
		if len(missing) > 0 {
			l.unknown(t, s, ship.PostCaptain, o.line, o.text, missing)
		}
	}
	return engine.Ref{}, false
}
