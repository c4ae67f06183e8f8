package play

import (
	"fmt"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// DetailedChart returns the location of a hit by the ship's own chart (stcs 15.1, ruling D40).
func DetailedChart(l *rulebook.Rules, w rulebook.DamageBlock) rulebook.Place {
	h := ship.Of(w.Target).Hull()
	cell, ok := l.HitOn(h.Chart, w.Shield, w.Roll)
	if !ok { // the chart has no column for it
		cell = tables.Hit{Location: tables.AtSuperstructure}
	}
	return rulebook.Place{Table: "chart " + h.Chart, Location: cell.Location, Cell: cell}
}

// DetailedEffects returns the effects of hits in the Graduate Course.
func DetailedEffects() map[string]rulebook.Effect {
	return map[string]rulebook.Effect{
		tables.AtShield: func(in *rulebook.DamageResolver) {
			HitTrackedGenerator(in)
			in.Cite(cites.ChartGenerators)
		},
		tables.AtBeam: hitMount, tables.AtMissile: hitMount, tables.AtWeapon: hitMount,
		tables.AtSuperstructure: func(in *rulebook.DamageResolver) {
			Structure(in, in.Points)
			in.Cite(cites.ChartSuperstructure)
		},
		tables.AtWarp: func(in *rulebook.DamageResolver) {
			in.Cite(cites.ChartWarpEngines)
			hitEngine(in, warpEngine(in), in.Points)
		},
		tables.AtImpulse: func(in *rulebook.DamageResolver) {
			in.Cite(cites.ChartImpulseEngine)
			hitEngine(in, ship.Impulse, in.Points)
		},
		tables.AtSplit: func(in *rulebook.DamageResolver) {
			in.Cite(cites.ChartSplitHits)
			Structure(in, in.Points/2)
			hitEngine(in, warpEngine(in), in.Points-in.Points/2)
		},
		tables.AtSensors: func(in *rulebook.DamageResolver) {
			HitScanners(in)
			in.Cite(cites.ChartSensors)
		},
		tables.AtBridge: func(in *rulebook.DamageResolver) {
			Structure(in, in.Points)
			in.Cite(cites.ChartBridge)
		},
		tables.AtEngineering: HitEngineering,
	}
}

// Structure takes points of superstructure, with casualties.
func Structure(in *rulebook.DamageResolver, points int) {
	loseMore(in, points)
	Casualties(in, points)
}

// loseMore takes further points of superstructure besides those that the hit took.
func loseMore(in *rulebook.DamageResolver, points int) {
	if in.Damage.Superstructure == nil {
		in.Damage.Superstructure = &ship.Change{Before: in.Sys.Superstructure, After: in.Sys.Superstructure}
	}
	in.Damage.Superstructure.After -= points
}

// hitEngine takes points from an engine. Those that it cannot give are halved, rounded down,
// and go to the superstructure (stcs 15.6).
func hitEngine(in *rulebook.DamageResolver, name string, points int) {
	change, left := in.Sys.Engines().Drain(name, points)
	if lost := change.Before - change.After; lost > 0 {
		in.Damage.Engines = append(in.Damage.Engines, change)
		losePower(in.Damage, in.Sys, lost)
	}
	if left > 0 {
		in.Damage.Note = "the engine gives no more: half of the rest, rounded down, to the superstructure"
		loseMore(in, left/2)
	}
}

// warpEngine returns the warp engine that a hit goes to: the one that the chart names, or port
// or starboard by a die (stcs 15.6).
func warpEngine(in *rulebook.DamageResolver) string {
	side := in.Cell.Side
	if only, ok := in.Sys.Engines().OnlyWarp(); ok {
		return only
	}
	if side == "" {
		side = tables.PortSide
		if once(in, in.Named.And("engine"), cites.ChartWarpEngines) > 5 {
			side = tables.StarboardSide
		}
	}
	return side
}

// once rolls a die that all hits of a group share.
func once(in *rulebook.DamageResolver, name engine.RollName, rule ...cites.Topic) int {
	if roll, known := in.Rolled[name]; known {
		in.Thrown = append(in.Thrown, roll.Event)
		return roll.Value
	}
	value := in.Turn.Roll(name, dice.D10, in.Rules.Felt(in.Turn.Game, in.Hit), in.Rules.Cite(rule...)...)
	in.Rolled[name] = rulebook.Throw{Value: value, Event: in.Turn.Last()}
	return value
}

// HitEngineering does superstructure damage with casualties, and puts grids out of
// order by a second die (stcs 15.10).
func HitEngineering(in *rulebook.DamageResolver) {
	in.Cite(cites.ChartEngineering)
	Structure(in, in.Points)
	in.Damage.Second = once(in, in.Named.And("engineering"), cites.ChartEngineering)
	for _, what := range in.Rules.Grids(in.Damage.Second) {
		name := ship.GridName(what)
		if in.Sys.GridDown(name) || !slices.Contains(in.Sys.Engineering(), name) {
			continue // further damage, or damage to what she lacks, changes nothing (stcs 16.3)
		}
		in.Damage.Down = append(in.Damage.Down, name)
		mark(in, ship.GridFault(name))
	}
}

// hitMount damages a weapon that bears on the firer; if none does, half of the damage goes
// to the superstructure (stcs 15.3, 15.4).
func hitMount(in *rulebook.DamageResolver) {
	kinds := []string{tables.Beam}
	switch in.Damage.Location {
	case tables.AtMissile:
		kinds = []string{tables.Missile}
		in.Cite(cites.ChartMissiles)
	case tables.AtWeapon:
		kinds = []string{tables.Beam, tables.Missile}
		in.Cite(cites.OutpostDamage)
	default:
		in.Cite(cites.ChartBeams)
	}
	if in.Again {
		wasted(in, "the weapon is hit already", cites.SharedLocation, cites.HalfDamage)
		return
	}
	for _, kind := range kinds {
		bank, mount, ok := victim(in.Rules, in.Stood, in.Sys, kind, in.At)
		if !ok {
			continue
		}
		b := &in.Sys.Banks[bank]
		f := ship.MountFault(b, bank, mount)
		mark(in, f)
		after := "damaged"
		if in.Rules.RepairNumber(f.Track, in.Damage.Tracks[0].After) == 0 {
			after = "inoperative"
		}
		in.Damage.LostBank, in.Damage.LostMount = b.ID, mount+1
		in.Damage.Lost = &ship.Loss{Name: f.Title(), Before: "working", After: after}
		in.Cite(cites.WeaponTracks)
		return
	}
	wasted(in, "no such weapon bears on the firer", cites.HalfDamage)
}

// HeavyDamage returns the boxes that a hit marks: one, and one more for each full 5 points of
// damage beyond the first 5 (stcs 16.3). On the tracks of weapons each hit counts once.
func HeavyDamage(in *rulebook.DamageResolver, f ship.Fault) int {
	if f.Track == tables.TrackBeam || f.Track == tables.TrackMissile {
		return 1
	}
	more := max(0, in.Damage.Points-5) / 5
	if more > 0 {
		in.Cite(cites.HeavyDamage)
	}
	return 1 + more
}

// Patched lowers to-hit numbers by the number of repaired weapons in a bank (stcs 16.4).
func Patched(_ *rulebook.Rules, _ *engine.Turn, v *rulebook.Volley) (string, int, []cites.Topic) {
	if patches := ship.Of(v.Ship).Banks[v.Bank].Patches(); patches != 0 {
		return "repaired weapons", -patches, []cites.Topic{cites.RepairedWeapons}
	}
	return "", 0, nil
}

// Unpowered keeps a ship from firing while her weaponry grid is out (stcs 15.10).
func Unpowered(_ *rulebook.Rules, _ *engine.Turn, s *engine.Ship) (string, []cites.Topic) {
	if ship.Of(s).GridDown(ship.NameWeaponGrid) {
		return "the weaponry power grid is out: no fire until it is repaired", []cites.Topic{cites.ChartEngineering}
	}
	return "", nil
}

// StraightOn replaces a movement word while the converter is out: one or two hexes ahead are
// kept, any other word becomes one hex ahead (stcs 15.10).
func StraightOn(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, w string) string {
	sys, on := ship.Of(s), []string{"F", "FF"}
	if sys.Helm().Astern {
		on = []string{board.WordAstern}
	}
	if !sys.GridDown(ship.NameConverter) || slices.Contains(on, w) {
		return w
	}
	if w != "H" {
		Skip(l, t, s, ship.PostHelm, 0, w, "the manoeuvre power converter is out: the ship runs straight on", cites.ChartEngineering)
	}
	return on[0]
}

// Unsteered keeps the power to movement at last turn's while the converter is out
// (stcs 15.10).
func Unsteered(c *rulebook.Compiler) {
	power, pinned := c.Sys.Pinned()
	p := &c.Plan.Power
	if !pinned || p.Points == c.Sys.Design.Move.Points(power) {
		return
	}
	c.Warn(c.Start, "W194", fmt.Sprintf("move %d", power), "the manoeuvre power converter is out: movement gets %d power, as last turn", power)
	c.Spend(c.Start, power-p.Movement)
	p.Movement, p.Points = power, c.Sys.Design.Move.Points(power)
	p.Split = c.Rules.Split.Points(p.Points)
}

// Casualties takes casualties for points of superstructure, multiplied as the chart says; the
// crew halves them, rounded down, by a roll against its efficiency (stcs 15.13, ruling D41).
// Where crews have no ratings nothing is halved.
func Casualties(in *rulebook.DamageResolver, points int) {
	if in.Cell.Casualties == 0 {
		return
	}
	rate := in.Rules.CasualtyRate(in.Sys.Design.Superstructure)
	if in.Sys.Outpost() {
		rate = outpostRate
	}
	if in.Part == 1 {
		points += in.Spared // crew is lost for points taken off too
	}
	lost := points * in.Cell.Casualties * rate
	if lost <= 0 {
		return
	}
	in.Cite(cites.Casualties)
	if in.Sys.Has("people") {
		need, _ := noted[quickness](in.Turn, in.Target.ID)
		name := in.Named.And(strconv.Itoa(in.Mount), "crew")
		if in.Turn.Roll(name, dice.D100, engine.SeeOnly(in.Target.ID), in.Rules.Cite(cites.Casualties)...) <= int(need) {
			lost /= 2
			in.Damage.Spared = true
		}
	}
	before := in.Sys.Crew().Lost
	in.Damage.Casualties = &ship.Change{Before: before, After: min(ship.MaxLost, before+10*lost)}
}

// quickness is the efficiency of a crew at the beginning of a phase.
type quickness int

// outpostRate is what an outpost's crew loses for each point of superstructure, in per cent,
// whatever the outpost's size (stcs 17.2, ruling D41).
const outpostRate = 1

// Muster records the efficiency of crews as a phase of movement or fire begins: casualties of
// the phase count only from the next phase on (stcs 15.14, ruling D41).
func Muster(t *engine.Turn) {
	crews := PhaseNotes[quickness](t)
	for _, s := range t.Game.Ships {
		crews[s.ID] = quickness(ship.Efficiency(ship.Of(s)))
	}
}

// Understaffed lowers to-hit numbers by a crew's casualties (stcs 15.14).
func Understaffed(_ *rulebook.Rules, _ *engine.Turn, v *rulebook.Volley) (string, int, []cites.Topic) {
	if short := ship.ShortHanded(ship.Of(v.Ship)); short != 0 {
		return "casualties", -short, []cites.Topic{cites.CasualtyModifier, cites.CasualtyRuling}
	}
	return "", 0, nil
}
