package fasa

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// halfToSuperstructure is what becomes in the courses of a hit on what is gone already, or
// on nothing (ruling D21).
func halfToSuperstructure(in *damageResolver) string {
	loseSuperstructure(in.d, in.sys, (in.points+1)/2)
	return "half, rounded up, to the superstructure"
}

// wasted is a hit that finds nothing to damage.
func (in *damageResolver) wasted(why string, topics ...cites.Topic) {
	in.d.Note = why + ": " + in.l.vain(in)
	in.cite(topics...)
}

// takeDamage lets all that got through take effect. The hits of one roll go to
// the same location (stcs 4.13).
func (l *rulebook) takeDamage(s *salvo) {
	l.inflict(s.t, s.through)
	s.through = nil
}

// inflict does the damage of hits, each divided into blocks if it is spread.
func (l *rulebook) inflict(t *engine.Turn, hits []penetration) {
	rolled := map[engine.RollName]throw{}
	for _, h := range hits {
		for i, points := range blocks(h.through, h.spread) {
			named := h.group.And("location")
			if i > 0 {
				named = named.And(strconv.Itoa(i + 1))
			}
			roll, known := rolled[named]
			if !known {
				roll.value = t.Roll(named, dice.D10, l.felt(t.Game, h.hit), l.cite(cites.DamageLocation, cites.LocationTable)...)
				roll.event = t.Last()
				rolled[named] = roll
			}
			l.damage(t, damageBlock{penetration: h, part: i + 1, points: points, roll: roll.value}, named, rolled)
		}
	}
	dark.In(t).TellWaiting()
}

// blocks divides damage that is spread into blocks of 5 points (stcs 9.1).
func blocks(points int, spread bool) []int {
	if !spread {
		return []int{points}
	}
	var out []int
	for ; points > 5; points -= 5 {
		out = append(out, 5)
	}
	return append(out, points)
}

// damage does the damage of one block. Named is the roll for its location, within the
// phase.
func (l *rulebook) damage(t *engine.Turn, w damageBlock, named engine.RollName, rolled map[engine.RollName]throw) {
	at := l.locate(l, w)
	in := &damageResolver{damageBlock: w, l: l, t: t, sys: ship.Of(w.target), topics: []cites.Topic{cites.DamageLocation}, cell: at.cell, named: named, rolled: rolled}
	in.d = &ship.Damage{
		Ship: w.target.ID, From: w.from, Weapon: w.weapon, Mount: w.mount,
		Table: at.table, Named: t.RollName(named).String(), Roll: w.roll, Location: at.location, Points: w.points,
	}
	if at.cell.Half && at.location != tables.AtSplit {
		in.points /= 2 // rounded down (stcs 15.12)
		in.cite(cites.ChartHalving)
	}
	if at.cell.Half || at.location == tables.AtSplit {
		in.spared = (w.points+w.spared)/2 - w.points/2
	}
	switch do, ok := l.effects[at.location]; {
	case w.points == 0: // all of it was taken off, but not the casualties
		if l.hurts(in); in.d.Casualties == nil {
			return
		}
	case ok:
		do(in)
	}
	// Where and how much is told, not the figures that take a question to learn.
	blind := in.sys.Sensors().Down
	event := t.Because(w.pierced, rolled[named].event).Because(in.thrown...).Emit(in.d, l.felt(t.Game, w.hit), l.cite(in.topics...)...)
	if d := in.d; d.Superstructure != nil || d.Power != nil || len(d.Engines) > 0 || d.Lost != nil {
		harm(t, d.Ship, event)
	}
	if in.sys.Sensors().Down && !blind {
		putOut(t, in.d.Ship, event)
	}
}

// basicTable is the one table of the Basic Course (ruling D19).
func basicTable(l *rulebook, w damageBlock) place {
	return place{table: "basic", location: l.Locations[w.roll]}
}

// basicEffects is what hits do in the Basic Course.
func basicEffects() map[string]effect {
	effects := simpleEffects()
	effects[tables.AtSensors] = hitSensors
	return effects
}

// simpleEffects is what hits do in Book One, in which sensors are not hit.
func simpleEffects() map[string]effect {
	return map[string]effect{
		tables.AtShield: hitGenerator, tables.AtBeam: hitWeapon, tables.AtMissile: hitWeapon,
		tables.AtEngine: func(in *damageResolver) {
			losePower(in.d, in.sys, in.points)
			in.cite(cites.EngineHits)
		},
		tables.AtSuperstructure: func(in *damageResolver) {
			loseSuperstructure(in.d, in.sys, in.points)
			in.cite(cites.SuperstructureHits)
		},
	}
}

func hitGenerator(in *damageResolver) {
	if in.sys.Shields[in.shield-1].Down {
		in.wasted(fmt.Sprintf("generator %d is damaged already", in.shield), cites.GeneratorHits, cites.HalfDamage)
		return
	}
	in.d.ShieldNumber = in.shield
	in.d.Shield = &ship.Loss{Name: fmt.Sprintf("shield generator %d", in.shield), Before: "working", After: "damaged"}
	in.cite(cites.GeneratorHits)
}

// hitSensors divides the damage between engines and superstructure and bars fire in
// the next phase (stcs 4.12, ruling D22), however often the sensors are hit: they are
// never gone, so no later hit is halved (ruling D21).
func hitSensors(in *damageResolver) {
	losePower(in.d, in.sys, in.points/2)
	loseSuperstructure(in.d, in.sys, in.points-in.points/2)
	in.d.Sensors = &ship.Change{Before: in.sys.NoFire, After: in.l.firePhase(in.t.Number(), in.t.Phase.No) + 1}
	in.cite(cites.SensorHits)
}

func loseSuperstructure(d *ship.Damage, sys *ship.State, points int) {
	d.Superstructure = &ship.Change{Before: sys.Superstructure, After: sys.Superstructure - points}
}

func losePower(d *ship.Damage, sys *ship.State, points int) {
	d.Power = &ship.Change{Before: sys.Power, After: max(0, sys.Power-points)}
}

// hitWeapon takes a mount that can bear on the firer, by the owner's standing
// preference; with none of the kind that was hit, one of the other kind; with
// none at all half the damage goes to the superstructure (ruling D20). A second
// hit of the same bank to the same location finds the weapon gone (stcs 4.13).
func hitWeapon(in *damageResolver) {
	defer in.cite(cites.WeaponHits)
	kind, other := tables.Beam, tables.Missile
	if in.d.Location == tables.AtMissile {
		kind, other = tables.Missile, tables.Beam
	}
	if in.again {
		in.wasted("the weapon is gone already", cites.SharedLocation, cites.HalfDamage)
		return
	}
	for _, k := range []string{kind, other} {
		bank, mount, ok := in.l.victim(in.stood, in.sys, k, in.at)
		if !ok {
			continue
		}
		b := &in.sys.Banks[bank]
		in.d.LostBank, in.d.LostMount = b.ID, mount+1
		in.d.Lost = &ship.Loss{Name: ship.MountName(b, mount), Before: "working", After: "destroyed"}
		if k != kind {
			in.d.Note = "no " + kind + " weapon bears on the firer"
		}
		return
	}
	in.wasted("no weapon bears on the firer", cites.NoWeaponBears)
}

// victim chooses the mount that is lost: banks in the owner's order, then those
// that have fired, then the rest as the ship lists them. Missiles and plasma
// launchers count as one kind.
func (l *rulebook) victim(at engine.Place, sys *ship.State, kind string, from hex.Hex) (bank, mount int, ok bool) {
	type choice struct{ rank, bank, mount int }
	var choices []choice
	prefer := sys.Standing.Beams
	if kind == tables.Missile {
		prefer = sys.Standing.Missile
	}
	for i := range sys.Banks {
		b := &sys.Banks[i]
		if (b.Kind == tables.Beam) != (kind == tables.Beam) {
			continue
		}
		if _, bears := b.Bears(l.Library, at, from); !bears {
			continue
		}
		for m, mt := range b.Mounts {
			if mt.Destroyed {
				continue
			}
			rank := slices.Index(prefer, b.ID)
			if rank < 0 {
				rank = len(prefer) + 1
				if mt.Fired {
					rank = len(prefer)
				}
			}
			choices = append(choices, choice{rank, i, m})
		}
	}
	if len(choices) == 0 {
		return 0, 0, false
	}
	best := slices.MinFunc(choices, func(a, b choice) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.bank, b.bank), cmp.Compare(a.mount, b.mount))
	})
	return best.bank, best.mount, true
}

// hitEngines takes power from the engines in the captain's order (stcs 4.10).
func hitEngines(in *damageResolver) {
	in.d.Engines = in.sys.Spill(in.points)
	lost := 0
	for _, c := range in.d.Engines {
		lost += c.Before - c.After
	}
	losePower(in.d, in.sys, lost)
	in.cite(cites.EngineHits, cites.StandingOrders)
}
