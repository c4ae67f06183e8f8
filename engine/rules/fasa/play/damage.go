package play

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
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// HalfToSuperstructure is the courses' rule for a hit on something already gone, or on
// nothing (ruling D21).
func HalfToSuperstructure(in *rulebook.DamageResolver) string {
	loseSuperstructure(in.Damage, in.Sys, (in.Points+1)/2)
	return "half, rounded up, to the superstructure"
}

// wasted records a hit that finds nothing to damage.
func wasted(in *rulebook.DamageResolver, why string, topics ...cites.Topic) {
	in.Damage.Note = why + ": " + in.Rules.Vain(in)
	in.Cite(topics...)
}

// TakeDamage applies all damage that got through. The hits of one roll share a location
// (stcs 4.13).
func TakeDamage(l *rulebook.Rules, s *rulebook.Salvo) {
	inflict(l, s.Turn, s.Through)
	s.Through = nil
}

// inflict applies the damage of hits, divided into blocks if it is spread.
func inflict(l *rulebook.Rules, t *engine.Turn, hits []rulebook.Penetration) {
	rolled := map[engine.RollName]rulebook.Throw{}
	for _, h := range hits {
		for i, points := range blocks(h.Through, h.Spread) {
			named := h.Group.And("location")
			if i > 0 {
				named = named.And(strconv.Itoa(i + 1))
			}
			roll, known := rolled[named]
			if !known {
				roll.Value = t.Roll(named, dice.D10, l.Felt(t.Game, h.Hit), l.Cite(cites.DamageLocation, cites.LocationTable)...)
				roll.Event = t.Last()
				rolled[named] = roll
			}
			damage(l, t, rulebook.DamageBlock{Penetration: h, Part: i + 1, Points: points, Roll: roll.Value}, named, rolled)
		}
	}
	dark.In(t).TellWaiting()
}

// blocks divides spread damage into blocks of 5 points (stcs 9.1).
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

// damage applies one block of damage. named is the roll for its location, within the phase.
func damage(l *rulebook.Rules, t *engine.Turn, w rulebook.DamageBlock, named engine.RollName, rolled map[engine.RollName]rulebook.Throw) {
	at := l.Locate(l, w)
	in := &rulebook.DamageResolver{DamageBlock: w, Rules: l, Turn: t, Sys: ship.Of(w.Target), Topics: []cites.Topic{cites.DamageLocation}, Cell: at.Cell, Named: named, Rolled: rolled}
	in.Damage = &ship.Damage{
		Ship: w.Target.ID, From: w.From, Weapon: w.Weapon, Mount: w.Mount,
		Table: at.Table, Named: t.RollName(named).String(), Roll: w.Roll, Location: at.Location, Points: w.Points,
	}
	if at.Cell.Half && at.Location != tables.AtSplit {
		in.Points /= 2 // rounded down (stcs 15.12)
		in.Cite(cites.ChartHalving)
	}
	if at.Cell.Half || at.Location == tables.AtSplit {
		in.Spared = (w.Points+w.Spared)/2 - w.Points/2
	}
	switch do, ok := l.Effects[at.Location]; {
	case w.Points == 0: // all was taken off, which does not spare the crew
		if l.Hurts(in); in.Damage.Casualties == nil {
			return
		}
	case ok:
		do(in)
	}
	// The location and points are shown, but not the figures that take a question to learn.
	blind := in.Sys.Sensors().Down
	event := t.Because(w.Pierced, rolled[named].Event).Because(in.Thrown...).Emit(in.Damage, l.Felt(t.Game, w.Hit), l.Cite(in.Topics...)...)
	if d := in.Damage; d.Superstructure != nil || d.Power != nil || len(d.Engines) > 0 || d.Lost != nil {
		harm(t, d.Ship, event)
	}
	if in.Sys.Sensors().Down && !blind {
		putOut(t, in.Damage.Ship, event)
	}
}

// BasicTable returns a location by the only table of the Basic Course (ruling D19).
func BasicTable(l *rulebook.Rules, w rulebook.DamageBlock) rulebook.Place {
	return rulebook.Place{Table: "basic", Location: l.Locations[w.Roll]}
}

// BasicEffects returns the effects of hits in the Basic Course.
func BasicEffects() map[string]rulebook.Effect {
	effects := SimpleEffects()
	effects[tables.AtSensors] = hitSensors
	return effects
}

// SimpleEffects returns the effects of hits in Book One, in which sensors are not hit.
func SimpleEffects() map[string]rulebook.Effect {
	return map[string]rulebook.Effect{
		tables.AtShield: hitGenerator, tables.AtBeam: hitWeapon, tables.AtMissile: hitWeapon,
		tables.AtEngine: func(in *rulebook.DamageResolver) {
			losePower(in.Damage, in.Sys, in.Points)
			in.Cite(cites.EngineHits)
		},
		tables.AtSuperstructure: func(in *rulebook.DamageResolver) {
			loseSuperstructure(in.Damage, in.Sys, in.Points)
			in.Cite(cites.SuperstructureHits)
		},
	}
}

func hitGenerator(in *rulebook.DamageResolver) {
	if in.Sys.Shields[in.Shield-1].Down {
		wasted(in, fmt.Sprintf("generator %d is damaged already", in.Shield), cites.GeneratorHits, cites.HalfDamage)
		return
	}
	in.Damage.ShieldNumber = in.Shield
	in.Damage.Shield = &ship.Loss{Name: fmt.Sprintf("shield generator %d", in.Shield), Before: "working", After: "damaged"}
	in.Cite(cites.GeneratorHits)
}

// hitSensors divides the damage between engines and superstructure and bars fire in the next
// phase (stcs 4.12, ruling D22), however often the sensors are hit: they are never destroyed,
// so no later hit is halved (ruling D21).
func hitSensors(in *rulebook.DamageResolver) {
	losePower(in.Damage, in.Sys, in.Points/2)
	loseSuperstructure(in.Damage, in.Sys, in.Points-in.Points/2)
	in.Damage.Sensors = &ship.Change{Before: in.Sys.NoFire, After: in.Rules.FirePhase(in.Turn.Number(), in.Turn.Phase.No) + 1}
	in.Cite(cites.SensorHits)
}

func loseSuperstructure(d *ship.Damage, sys *ship.State, points int) {
	d.Superstructure = &ship.Change{Before: sys.Superstructure, After: sys.Superstructure - points}
}

func losePower(d *ship.Damage, sys *ship.State, points int) {
	d.Power = &ship.Change{Before: sys.Power, After: max(0, sys.Power-points)}
}

// hitWeapon destroys a mount that bears on the firer, by the owner's standing preference; if
// none of the kind that was hit bears, one of the other kind; if none bears at all, half the
// damage goes to the superstructure (ruling D20). A second hit by the same bank on the same
// location finds the weapon gone (stcs 4.13).
func hitWeapon(in *rulebook.DamageResolver) {
	defer in.Cite(cites.WeaponHits)
	kind, other := tables.Beam, tables.Missile
	if in.Damage.Location == tables.AtMissile {
		kind, other = tables.Missile, tables.Beam
	}
	if in.Again {
		wasted(in, "the weapon is gone already", cites.SharedLocation, cites.HalfDamage)
		return
	}
	for _, k := range []string{kind, other} {
		bank, mount, ok := victim(in.Rules, in.Stood, in.Sys, k, in.At)
		if !ok {
			continue
		}
		b := &in.Sys.Banks[bank]
		in.Damage.LostBank, in.Damage.LostMount = b.ID, mount+1
		in.Damage.Lost = &ship.Loss{Name: ship.MountName(b, mount), Before: "working", After: "destroyed"}
		if k != kind {
			in.Damage.Note = "no " + kind + " weapon bears on the firer"
		}
		return
	}
	wasted(in, "no weapon bears on the firer", cites.NoWeaponBears)
}

// victim chooses the mount that is lost: banks in the owner's order, then those that have
// fired, then the rest as the ship lists them. Missiles and plasma launchers count as one
// kind.
func victim(l *rulebook.Rules, at engine.Place, sys *ship.State, kind string, from hex.Hex) (bank, mount int, ok bool) {
	type choice struct{ rank, bank, mount int }
	var choices []choice
	prefer := sys.Standing.Beams
	if kind == tables.Missile {
		prefer = sys.Standing.Missile
	}
	for i := range sys.Banks {
		b := &sys.Banks[i]
		if b.Group() != kind {
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

// HitEngines takes power from the engines in the captain's order (stcs 4.10).
func HitEngines(in *rulebook.DamageResolver) {
	in.Damage.Engines = in.Sys.Spill(in.Points)
	lost := 0
	for _, c := range in.Damage.Engines {
		lost += c.Before - c.After
	}
	losePower(in.Damage, in.Sys, lost)
	in.Cite(cites.EngineHits, cites.StandingOrders)
}

// FallOut takes ships that can fight no more out of the fight, and cuts the power of systems
// where less is left (ruling D24).
func FallOut(l *rulebook.Rules, s *rulebook.Salvo) {
	t := s.Turn
	for _, s := range ship.Fighting(t.Game) {
		sys := ship.Of(s)
		switch {
		case sys.Superstructure <= 0:
			Shift(t, s.ID, t.Because(RuinOf(t, s.ID)...).Out(s, engine.Crippled, "her superstructure gave way", nil, l.Cite(cites.SuperstructureHits, cites.Crippling)...))
		case sys.Power <= 0:
			Shift(t, s.ID, t.Because(RuinOf(t, s.ID)...).Out(s, engine.Crippled, "no power is left", nil, l.Cite(cites.EngineHits, cites.Crippling)...))
		}
		shed(l, t, s)
	}
}
