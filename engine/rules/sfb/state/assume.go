package state

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/sfb/sheet"
)

// Assume implements engine.Knowledge. The sheets of other ships are public, and so is what can be counted from outside.
// In the dark, if a ship's sheet is not known, at most her speed may be.
func (o *Open) Assume(v *engine.View, s *engine.ShipView, asNew engine.System) (engine.System, []string) {
	if _, own := s.System.(*System); own {
		return asNew, nil
	}
	_, known := s.System.(*Open)
	if s.Kind.Small() {
		if !known || o.Flight == nil {
			return nil, nil
		}
		f := *o.Flight
		return &System{Flight: &f, Speed: o.Speed, Straight: o.Straight}, nil
	}
	sys, ok := asNew.(*System)
	if !ok {
		return nil, nil
	}
	var out []string
	if known {
		sys.Sheet, sys.Speed, sys.Straight, sys.Cloaked, sys.Down = o.Sheet.Clone(), o.Speed, o.Straight, o.Cloaked, o.Down
		sys.Dealings.Holds, sys.Held, sys.Steered, sys.Parties, sys.Boarders, sys.Lowered = append([]Grip(nil), o.Holds...), o.Held, o.Steered, o.Parties, append([]Force(nil), o.Boarders...), o.Lowered
	} else {
		if s.Sensed != nil && s.Sensed.Speed != nil {
			sys.Speed = min(*s.Sensed.Speed, sys.Sheet.Power())
		}
		out = append(out, fmt.Sprintf("no damage, speed %d", sys.Speed))
	}
	sys.Batteries = sys.Sheet.Count(sheet.Battery).Left
	if v.Turn > 0 { // she had a turn to fill them
		sys.Capacitor, sys.Half = sys.Phasers(), false
	}
	if v.DueRound() > 1 {
		sys.Allotted, sys.Pool = true, sys.Speed*sys.HexCost()
		out = append(out, "enough energy for all hexes at her speed")
	}
	sys.Settle()
	out = append(out, fmt.Sprintf("batteries full (%d), energy in phaser capacitors %d", sys.Batteries, sys.Capacitor))
	var racks []string
	arming := false
	for w := range sys.Weapons {
		b := sys.Bank(w)
		switch {
		case b.Kind.Rack():
			racks = append(racks, fmt.Sprintf("%s %d", b.Name, sys.Weapons[w].Drones))
		case !b.Kind.Phaser():
			arming = true
		}
	}
	if arming {
		out = append(out, "no weapon armed in earlier turns")
	}
	if len(racks) > 0 {
		out = append(out, "drones left "+strings.Join(racks, ", "))
	}
	return sys, out
}

// Tally implements engine.Counted.
func (b *Fire) Tally() []engine.Count { return engine.CountShot(b.Ship, b.Target, b.Hit) }

// Tally implements engine.Counted.
func (b *Strike) Tally() []engine.Count {
	if b.Points == 0 {
		return nil
	}
	return []engine.Count{{Ship: b.Target, What: engine.CountTaken, N: 1}}
}

// Tally implements engine.Counted.
func (b *Struck) Tally() []engine.Count {
	return []engine.Count{{Ship: b.Ship, What: fmt.Sprintf("boxes of shield %d lost", b.Shield), N: b.Before - b.After}, {Ship: b.Ship, What: "points inside", N: b.Inside}}
}

// Tally implements engine.Counted.
func (b *Damage) Tally() []engine.Count {
	if b.Bank == "" {
		return nil
	}
	return []engine.Count{{Ship: b.Ship, What: string(b.Category) + " boxes lost", N: b.Before - b.After}}
}
