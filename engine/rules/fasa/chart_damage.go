package fasa

import (
	"fmt"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// detailedChart is where a hit does its damage by the ship's own chart (stcs 15.1,
// ruling D40).
func detailedChart(l *rulebook, w damageBlock) place {
	h := ship.Of(w.target).Hull()
	cell, ok := l.HitOn(h.Chart, w.shield, w.roll)
	if !ok { // no chart has a column for it
		cell = tables.Hit{Location: tables.AtSuperstructure}
	}
	return place{table: "chart " + h.Chart, location: cell.Location, cell: cell}
}

// detailedEffects is what hits do in the Graduate Course.
func detailedEffects() map[string]effect {
	return map[string]effect{
		tables.AtShield: func(in *damageResolver) {
			hitTrackedGenerator(in)
			in.cite(cites.ChartGenerators)
		},
		tables.AtBeam: hitMount, tables.AtMissile: hitMount, tables.AtWeapon: hitMount,
		tables.AtSuperstructure: func(in *damageResolver) {
			in.structure(in.points)
			in.cite(cites.ChartSuperstructure)
		},
		tables.AtWarp: func(in *damageResolver) {
			in.cite(cites.ChartWarpEngines)
			in.engine(in.warpEngine(), in.points)
		},
		tables.AtImpulse: func(in *damageResolver) {
			in.cite(cites.ChartImpulseEngine)
			in.engine(ship.Impulse, in.points)
		},
		tables.AtSplit: func(in *damageResolver) {
			in.cite(cites.ChartSplitHits)
			in.structure(in.points / 2)
			in.engine(in.warpEngine(), in.points-in.points/2)
		},
		tables.AtSensors: func(in *damageResolver) {
			hitScanners(in)
			in.cite(cites.ChartSensors)
		},
		tables.AtBridge: func(in *damageResolver) {
			in.structure(in.points)
			in.cite(cites.ChartBridge)
		},
		tables.AtEngineering: hitEngineering,
	}
}

// structure takes points of superstructure, and casualties with them.
func (in *damageResolver) structure(points int) {
	in.loseMore(points)
	in.crew(points)
}

// loseMore takes points of superstructure in addition to those that the hit took.
func (in *damageResolver) loseMore(points int) {
	if in.d.Superstructure == nil {
		in.d.Superstructure = &ship.Change{Before: in.sys.Superstructure, After: in.sys.Superstructure}
	}
	in.d.Superstructure.After -= points
}

// engine takes points of an engine. What it cannot give is halved, rounded down,
// and goes to the superstructure (stcs 15.6).
func (in *damageResolver) engine(name string, points int) {
	change, left := in.sys.Drain(name, points)
	if lost := change.Before - change.After; lost > 0 {
		in.d.Engines = append(in.d.Engines, change)
		losePower(in.d, in.sys, lost)
	}
	if left > 0 {
		in.d.Note = "the engine gives no more: half of the rest, rounded down, to the superstructure"
		in.loseMore(left / 2)
	}
}

// warpEngine is the warp engine that a hit goes to: the one that the chart names, or
// by a die the one to port or to starboard (stcs 15.6).
func (in *damageResolver) warpEngine() string {
	side := in.cell.Side
	if only, ok := in.sys.OnlyWarp(); ok {
		return only
	}
	if side == "" {
		side = tables.PortSide
		if in.once(in.named.And("engine"), cites.ChartWarpEngines) > 5 {
			side = tables.StarboardSide
		}
	}
	return side
}

// once is a die of a hit that all hits of its group share.
func (in *damageResolver) once(name engine.RollName, rule ...cites.Topic) int {
	if roll, known := in.rolled[name]; known {
		in.thrown = append(in.thrown, roll.event)
		return roll.value
	}
	value := in.t.Roll(name, dice.D10, in.l.felt(in.t.Game, in.hit), in.l.cite(rule...)...)
	in.rolled[name] = throw{value, in.t.Last()}
	return value
}

// hitEngineering does superstructure damage with casualties, and puts grids out of
// order by a second die (stcs 15.10).
func hitEngineering(in *damageResolver) {
	in.cite(cites.ChartEngineering)
	in.structure(in.points)
	in.d.Second = in.once(in.named.And("engineering"), cites.ChartEngineering)
	for _, what := range in.l.Grids(in.d.Second) {
		name := ship.GridName(what)
		if in.sys.GridDown(name) || !slices.Contains(in.sys.Engineering(), name) {
			continue // further damage changes nothing (stcs 16.3), nor does any to what she lacks
		}
		in.d.Down = append(in.d.Down, name)
		in.mark(ship.GridFault(name))
	}
}

// hitMount damages a weapon that bears on the firer; with none half of the damage
// goes to the superstructure (stcs 15.3, 15.4).
func hitMount(in *damageResolver) {
	kinds := []string{tables.Beam}
	switch in.d.Location {
	case tables.AtMissile:
		kinds = []string{tables.Missile}
		in.cite(cites.ChartMissiles)
	case tables.AtWeapon:
		kinds = []string{tables.Beam, tables.Missile}
		in.cite(cites.OutpostDamage)
	default:
		in.cite(cites.ChartBeams)
	}
	if in.again {
		in.wasted("the weapon is hit already", cites.SharedLocation, cites.HalfDamage)
		return
	}
	for _, kind := range kinds {
		bank, mount, ok := in.l.victim(in.stood, in.sys, kind, in.at)
		if !ok {
			continue
		}
		b := &in.sys.Banks[bank]
		f := ship.MountFault(b, bank, mount)
		in.mark(f)
		after := "damaged"
		if in.l.RepairNumber(f.Track, in.d.Tracks[0].After) == 0 {
			after = "inoperative"
		}
		in.d.LostBank, in.d.LostMount = b.ID, mount+1
		in.d.Lost = &ship.Loss{Name: f.Title(), Before: "working", After: after}
		in.cite(cites.WeaponTracks)
		return
	}
	in.wasted("no such weapon bears on the firer", cites.HalfDamage)
}

// heavyDamage is the boxes that a hit marks: one, and one more for each full 5
// points of damage beyond the first 5 (stcs 16.3). Weapons have a track of their own
// sort, on which each hit counts once.
func heavyDamage(in *damageResolver, f ship.Fault) int {
	if f.Track == tables.TrackBeam || f.Track == tables.TrackMissile {
		return 1
	}
	more := max(0, in.d.Points-5) / 5
	if more > 0 {
		in.cite(cites.HeavyDamage)
	}
	return 1 + more
}

// patched lowers to-hit numbers by the repaired weapons of a bank (stcs 16.4).
func patched(_ *rulebook, _ *engine.Turn, v *volley) (string, int, []cites.Topic) {
	if patches := ship.Of(v.ship).Banks[v.bank].Patches(); patches != 0 {
		return "repaired weapons", -patches, []cites.Topic{cites.RepairedWeapons}
	}
	return "", 0, nil
}

// unpowered keeps a ship from firing whose weaponry grid is out (stcs 15.10).
func unpowered(_ *rulebook, _ *engine.Turn, s *engine.Ship) (string, []cites.Topic) {
	if ship.Of(s).GridDown(ship.NameWeaponGrid) {
		return "the weaponry power grid is out: no fire until it is repaired", []cites.Topic{cites.ChartEngineering}
	}
	return "", nil
}

// straightOn is what becomes of a movement word while the converter is out: one or
// two hexes ahead stay what they are, all else is one hex ahead (stcs 15.10).
func straightOn(l *rulebook, t *engine.Turn, s *engine.Ship, w string) string {
	sys, on := ship.Of(s), []string{"F", "FF"}
	if sys.Helm().Astern {
		on = []string{board.WordAstern}
	}
	if !sys.GridDown(ship.NameConverter) || slices.Contains(on, w) {
		return w
	}
	if w != "H" {
		l.skip(t, s, ship.PostHelm, 0, w, "the manoeuvre power converter is out: the ship runs straight on", cites.ChartEngineering)
	}
	return on[0]
}

// unsteered leaves the power to movement where it was last turn while the converter
// is out (stcs 15.10).
func unsteered(c *compiler) {
	power, pinned := c.sys.Pinned()
	p := &c.p.power
	if !pinned || p.Points == c.sys.Design.Move.Points(power) {
		return
	}
	c.warn(c.start, "W194", fmt.Sprintf("move %d", power), "the manoeuvre power converter is out: movement gets %d power, as last turn", power)
	c.spend(c.start, power-p.Movement)
	p.Movement, p.Points = power, c.sys.Design.Move.Points(power)
	p.Split = c.l.Split.Points(p.Points)
}

// crew takes casualties for points of superstructure, as many times as the chart
// says; a crew that is quick halves them, rounded down (stcs 15.13, ruling D41). Where
// crews have no ratings nothing is halved.
func (in *damageResolver) crew(points int) {
	if in.cell.Casualties == 0 {
		return
	}
	rate := in.l.CasualtyRate(in.sys.Design.Superstructure)
	if in.sys.Outpost() {
		rate = outpostRate
	}
	if in.part == 1 {
		points += in.spared // men are hurt all the same
	}
	lost := points * in.cell.Casualties * rate
	if lost <= 0 {
		return
	}
	in.cite(cites.Casualties)
	if in.sys.Has("people") {
		need, _ := noted[quickness](in.t, in.target.ID)
		name := in.named.And(strconv.Itoa(in.mount), "crew")
		if in.t.Roll(name, dice.D100, engine.SeeOnly(in.target.ID), in.l.cite(cites.Casualties)...) <= int(need) {
			lost /= 2
			in.d.Spared = true
		}
	}
	before := in.sys.Crew().Lost
	in.d.Casualties = &ship.Change{Before: before, After: min(ship.MaxLost, before+10*lost)}
}

// quickness is the efficiency of a crew as the phase began.
type quickness int

// outpostRate is what an outpost's crew loses for each point of superstructure, in per
// cent, whatever the outpost's size (stcs 17.2, ruling D41).
const outpostRate = 1

// muster notes what crews can do in a phase of movement or fire, as it begins: what they
// lose in it counts from the next on, for all that happens in it (stcs 15.14, ruling D41).
func muster(t *engine.Turn) {
	crews := phaseNotes[quickness](t)
	for _, s := range t.Game.Ships {
		crews[s.ID] = quickness(ship.Efficiency(ship.Of(s)))
	}
}

// understaffed lowers to-hit numbers by a crew's casualties (stcs 15.14).
func understaffed(_ *rulebook, _ *engine.Turn, v *volley) (string, int, []cites.Topic) {
	if short := ship.ShortHanded(ship.Of(v.ship)); short != 0 {
		return "casualties", -short, []cites.Topic{cites.CasualtyModifier, cites.CasualtyRuling}
	}
	return "", 0, nil
}
