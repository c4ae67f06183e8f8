package fasa

import (
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
)

// wear makes a ship pay a toll for what she did. Power that was allotted and is gone is cut at once
// (ruling D23).
func (l *rulebook) wear(t *engine.Turn, s *engine.Ship, why string, c toll, cause engine.Ref) {
	b := &ship.Strain{Ship: s.ID, Why: why, Engines: c.engines}
	if c.superstructure > 0 {
		now := ship.Of(s).Superstructure
		b.Superstructure = &ship.Change{Before: now, After: now - c.superstructure}
	}
	if b.Superstructure == nil && len(b.Engines) == 0 {
		return
	}
	harm(t, s.ID, t.Because(cause).Emit(b, engine.SeeOnly(s.ID), l.cite(c.rule...)...))
	if len(b.Engines) > 0 {
		l.shed(t, s)
	}
}

// unbearable tells why a ship cannot pay a toll: nobody breaks his own ship up, or
// runs it dry (ruling D24).
func (c toll) unbearable(s *ship.State) string {
	power := s.Power
	for _, e := range c.engines {
		power -= e.Before - e.After
	}
	switch {
	case c.superstructure >= s.Superstructure && c.superstructure > 0:
		return "the superstructure would not stand it"
	case power <= 0:
		return "the engines would give out"
	}
	return ""
}

// oneEngine is the stress of the Advanced Course: a point of power of the warp
// engine that the captain gives up first (stcs 8.2, ruling D28).
func oneEngine(_ *rulebook, sys *ship.State) toll {
	engines, warp := ship.EngineList(sys.WarpEngines()), ship.State{Standing: sys.Standing}
	warp.Put(&engines)
	changes := warp.Spill(1)
	return toll{engines: changes, rule: []cites.Topic{cites.EmergencyHeadingChange, cites.StandingOrders}}
}

// allEngines is the stress of the Graduate Course: a point on each warp engine, and
// what the stress charts say at the ship's warp speed (stcs 13.1, 13.2).
func allEngines(l *rulebook, sys *ship.State) toll {
	c := toll{rule: []cites.Topic{cites.EngineStress}}
	engines, structure, two := strings.Cut(sys.Helm().Stress, "/")
	if !two {
		structure = engines
	}
	more := l.StressAt(engines, sys.Helm().Warp)
	c.superstructure = l.StressAt(structure, sys.Helm().Warp)
	if more+c.superstructure > 0 {
		c.rule = append(c.rule, cites.StressCharts)
	}
	for _, e := range sys.WarpEngines() {
		change, _ := sys.Drain(e.Name, 1+more)
		c.engines = append(c.engines, change)
	}
	return c
}

// swingable tells why a ship can make no emergency heading change now.
func (l *rulebook) swingable(s *engine.Ship) (why string, rule []cites.Topic) {
	if len(ship.Of(s).WarpEngines()) == 0 {
		return "no warp engine gives power for it", []cites.Topic{cites.EmergencyHeadingChange}
	}
	c := l.stress(l, ship.Of(s))
	if why = c.unbearable(ship.Of(s)); why != "" {
		return why, append(c.rule, cites.Crippling)
	}
	return "", nil
}

// swungFire is what an emergency heading change adds to the numbers of the ship's own
// fire.
const swungFire = -2

// swung takes from the fire of a ship that made an emergency heading change in the
// movement phase before (stcs 8.2, ruling D28).
func swung(l *rulebook, t *engine.Turn, v *volley) (name string, value int, rule []cites.Topic) {
	if swing := swingOf(l, ship.Of(v.ship), t.Number(), t.Phase.No); swing != 0 {
		return "emergency heading change", swing, []cites.Topic{cites.EmergencyHeadingChange}
	}
	return "", 0, nil
}

// swingOf is what an emergency heading change adds to the numbers of the ship's own fire in a phase.
func swingOf(l *rulebook, sys *ship.State, turn, phase int) int {
	if sys.Helm().Swung == l.firePhase(turn, phase) {
		return swungFire
	}
	return 0
}

// noEasing takes nothing off a toll.
func noEasing(_ *rulebook, _ *engine.Turn, _ *engine.Ship, c toll) toll { return c }
