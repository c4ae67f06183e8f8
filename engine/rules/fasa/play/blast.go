package play

import (
	"cmp"
	"slices"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
)

// Figures of explosions (stcs 9.5, 9.6, ruling D34).
const (
	Surely = 10 // points of superstructure below 0 at which a ship surely explodes
)

// blastWeapon is the name of an explosion in reports of damage.
const blastWeapon = "the explosion"

// Burst explodes ships whose superstructure gives way, then those that self-destruct by
// order, and then any that these destroy (stcs 9.5, 9.7, 9.8, 14.6).
func Burst(l *rulebook.Rules, sv *rulebook.Salvo) {
	t := sv.Turn
	giveWay(l, t)
	if ships, by := destructing(l, t); len(ships) > 0 {
		rule := []cites.Topic{cites.SelfDestruction}
		if len(ships) > 1 {
			rule = append(rule, cites.JointDestruction)
		}
		exploded := make([]engine.Ref, len(ships))
		for i, s := range ships {
			exploded[i] = t.Because(by[i]).Emit(&ship.Explode{Ship: s.ID, Power: ship.Of(s).Power, Ordered: true, Exploded: true}, engine.SeeAll(), l.Cite(rule...)...)
		}
		shake(l, t, ships, exploded, "she was blown up by her own crew", cites.SelfDestruction)
		giveWay(l, t)
	}
}

// rolledFor is how many points of a ship's superstructure below 0 have been rolled for. Points
// lost later need another roll.
type rolledFor int

// Sound records, as a phase of movement or fire begins, which points of the ships' superstructure
// have been rolled for. Points repaired since are dropped, and are rolled for again when they are
// lost again (stcs 9.5, ruling D65).
func Sound(t *engine.Turn) {
	rolled := PhaseNotes[rolledFor](t)
	for _, s := range t.Game.Ships {
		sys := ship.Of(s)
		rolled[s.ID] = rolledFor(min(sys.Blast().Tested, max(0, -sys.Superstructure)))
	}
}

// giveWay rolls for every ship with superstructure below 0 and lower than at its last roll,
// until no more explode (stcs 9.5, 9.7).
func giveWay(l *rulebook.Rules, t *engine.Turn) {
	for {
		var ships []*engine.Ship
		var exploded []engine.Ref
		for _, s := range byPower(t.Game.Ships) {
			if tested(l, t, s) {
				ships, exploded = append(ships, s), append(exploded, t.Last())
			}
		}
		if len(ships) == 0 {
			return
		}
		shake(l, t, ships, exploded, "she exploded", cites.Explosions)
	}
}

// there reports whether a ship can be damaged, or damage others, in the fight or out of it. A
// ship that has exploded, or is exploding, cannot.
func there(s *engine.Ship) bool {
	return (s.Status == engine.Active || s.Status == engine.Crippled) && !ship.Of(s).Blast().Gone
}

// tested rolls for a ship if that is due, and reports whether she explodes.
func tested(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) bool {
	sys := ship.Of(s)
	below := -sys.Superstructure
	rolled := PhaseNotes[rolledFor](t)
	if !there(s) || below <= int(rolled[s.ID]) {
		return false
	}
	rolled[s.ID] = rolledFor(below)
	b := &ship.Explode{Ship: s.ID, Need: below, Exploded: below >= Surely}
	see := l.Show(t.Game, []*engine.Ship{s}, s.ID)
	if !b.Exploded {
		l.Collapse(l, t, s, b)
	}
	if b.Exploded {
		b.Power, see = sys.Power, engine.SeeAll()
	}
	t.Because(RuinOf(t, s.ID)...).Emit(b, see, l.Cite(cites.Explosions)...)
	return b.Exploded
}

// CollapseByDie rolls whether a ship explodes (stcs 9.5).
func CollapseByDie(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, b *ship.Explode) {
	b.Roll = t.Roll(Hazard(t, engine.NameRoll("explode", s.ID)), dice.D10, l.Show(t.Game, []*engine.Ship{s}, s.ID), l.Cite(cites.Explosions)...)
	b.Exploded = b.Roll <= b.Need
}

// byPower sorts ships by their power, most first (stcs 9.7, 14.6).
func byPower(ships []*engine.Ship) []*engine.Ship {
	ships = slices.Clone(ships)
	slices.SortStableFunc(ships, func(a, b *engine.Ship) int {
		return cmp.Or(cmp.Compare(ship.Of(b).Power, ship.Of(a).Power), cmp.Compare(a.ID, b.ID))
	})
	return ships
}

// shake explodes ships simultaneously, each by its event in exploded: first all strike shields,
// then everything that got through takes effect (stcs 9.6, 9.7).
func shake(l *rulebook.Rules, t *engine.Turn, exploding []*engine.Ship, exploded []engine.Ref, how string, rule ...cites.Topic) {
	power := map[engine.ShipID]int{}
	for _, s := range exploding {
		power[s.ID] = ship.Of(s).Power
	}
	var through []rulebook.Penetration
	for i, s := range exploding {
		Shift(t, s.ID, t.Because(exploded[i]).Out(s, engine.Destroyed, how, nil, l.Cite(append(slices.Clone(rule), cites.Crippling)...)...))
		for _, o := range t.Game.Ships {
			if o.Small() && ship.BlastAt(power[s.ID], hex.Distance(s.Hex, o.Hex)) > 0 {
				strikeProbe(t, o, exploded[i])
			}
			if !there(o) || o.Small() {
				continue
			}
			if p, struck := blasted(l, t, s, o, power[s.ID], exploded[i]); struck && p.Through > 0 {
				through = append(through, p)
			}
		}
	}
	inflict(l, t, through)
}

// blasted carries out what an explosion does to a shield of a ship.
func blasted(l *rulebook.Rules, t *engine.Turn, from, s *engine.Ship, power int, exploded engine.Ref) (p rulebook.Penetration, struck bool) {
	d := hex.Distance(from.Hex, s.Hex)
	damage := ship.BlastAt(power, d)
	if damage == 0 {
		return p, false
	}
	shield := exposed(&l.Book, s, from.Hex)
	if shield == 0 {
		shield = ship.ChosenShield(ship.Of(s))
	}
	blast := t.Because(exploded).Emit(&ship.Blasted{Ship: s.ID, From: from.ID, Range: d, Shield: shield, Damage: damage},
		l.Show(t.Game, []*engine.Ship{s}, s.ID), l.Cite(cites.BlastDamage)...)
	h := rulebook.Hit{Target: s, From: from.ID, At: from.Hex, Stood: engine.Place{Hex: s.Hex, Heading: s.Heading}, Weapon: blastWeapon, Spread: true, Cause: blast}
	through, pierced := absorb(l, t, h, shield, damage)
	return rulebook.Penetration{Hit: h, Shield: shield, Through: through, Group: engine.NameRoll("blast", from.ID, s.ID), Pierced: pierced}, true
}

// destructing returns the ships that self-destruct now, the one with most power first, and
// the orders to do so.
func destructing(l *rulebook.Rules, t *engine.Turn) (ships []*engine.Ship, by []engine.Ref) {
	for _, s := range byPower(t.Game.Ships) {
		if !there(s) {
			continue
		}
		if order, ok := willing(l, t, s, Ordered[verbs.DestructOrders](t, s)); ok {
			ships, by = append(ships, s), append(by, order)
		}
	}
	return ships, by
}

// willing returns the order to end a ship's fight that is to be carried out in this phase, if
// there is one.
func willing(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, orders []rulebook.LastOrder) (by engine.Ref, ok bool) {
	for _, o := range orders {
		if o.Phase > 0 && o.Phase != t.Phase.No {
			continue
		}
		met, missing := Judge(l, t, s, "", nil, o.When)
		if met {
			return t.Ordered(s.ID, o.Line, o.Text), true
		}
		if len(missing) > 0 {
			Unknown(l, t, s, ship.PostCaptain, o.Line, o.Text, missing)
		}
	}
	return engine.Ref{}, false
}
