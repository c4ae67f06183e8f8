package play

import (
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
)

// wear makes a ship pay the cost of a manoeuvre. Allotted power that is gone is cut at once
// (ruling D23).
func wear(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, why string, c rulebook.Toll, cause engine.Ref) {
	b := &ship.Strain{Ship: s.ID, Why: why, Engines: c.Engines}
	if c.Superstructure > 0 {
		now := ship.Of(s).Superstructure
		b.Superstructure = &ship.Change{Before: now, After: now - c.Superstructure}
	}
	if b.Superstructure == nil && len(b.Engines) == 0 {
		return
	}
	harm(t, s.ID, t.Because(cause).Emit(b, engine.SeeOnly(s.ID), l.Cite(c.Rule...)...))
	if len(b.Engines) > 0 {
		shed(l, t, s)
	}
}

// unbearable returns why a ship cannot pay a cost: no ship may break herself up or run her
// engines dry (ruling D24).
func unbearable(c rulebook.Toll, s *ship.State) string {
	power := s.Power
	for _, e := range c.Engines {
		power -= e.Before - e.After
	}
	switch {
	case c.Superstructure >= s.Superstructure && c.Superstructure > 0:
		return "the superstructure would not stand it"
	case power <= 0:
		return "the engines would give out"
	}
	return ""
}

// OneEngine is the stress of the Advanced Course: a point of power of the warp engine that the
// captain gives up first (stcs 8.2, ruling D28).
func OneEngine(_ *rulebook.Rules, sys *ship.State) rulebook.Toll {
	engines, warp := sys.Engines().Warp(), ship.State{Standing: sys.Standing}
	warp.Put(&engines)
	changes := warp.Spill(1)
	return rulebook.Toll{Engines: changes, Rule: []cites.Topic{cites.EmergencyHeadingChange, cites.StandingOrders}}
}

// AllEngines is the stress of the Graduate Course: a point of power of each warp engine, and
// what the stress charts say at the ship's warp speed (stcs 13.1, 13.2).
func AllEngines(l *rulebook.Rules, sys *ship.State) rulebook.Toll {
	c := rulebook.Toll{Rule: []cites.Topic{cites.EngineStress}}
	engines, structure, two := strings.Cut(sys.Helm().Stress, "/")
	if !two {
		structure = engines
	}
	more := l.StressAt(engines, sys.Helm().Warp)
	c.Superstructure = l.StressAt(structure, sys.Helm().Warp)
	if more+c.Superstructure > 0 {
		c.Rule = append(c.Rule, cites.StressCharts)
	}
	for _, e := range sys.Engines().Warp() {
		change, _ := sys.Engines().Drain(e.Name, 1+more)
		c.Engines = append(c.Engines, change)
	}
	return c
}

// swingable returns why a ship cannot make an emergency heading change now; "" if she can.
func swingable(l *rulebook.Rules, s *engine.Ship) (why string, rule []cites.Topic) {
	if len(ship.Of(s).Engines().Warp()) == 0 {
		return "no warp engine gives power for it", []cites.Topic{cites.EmergencyHeadingChange}
	}
	c := l.Strain(l, ship.Of(s))
	if why = unbearable(c, ship.Of(s)); why != "" {
		return why, append(c.Rule, cites.Crippling)
	}
	return "", nil
}

// swungFire is the modifier of the ship's own fire after an emergency heading change.
const swungFire = -2

// Swung lowers the to-hit numbers of a ship that made an emergency heading change in the last
// movement phase (stcs 8.2, ruling D28).
func Swung(l *rulebook.Rules, t *engine.Turn, v *rulebook.Volley) (name string, value int, rule []cites.Topic) {
	if swing := SwingOf(l, ship.Of(v.Ship), t.Number(), t.Phase.No); swing != 0 {
		return "emergency heading change", swing, []cites.Topic{cites.EmergencyHeadingChange}
	}
	return "", 0, nil
}

// SwingOf returns the modifier of the ship's own fire in a phase by an emergency heading change; 0 for none.
func SwingOf(l *rulebook.Rules, sys *ship.State, turn, phase int) int {
	if sys.Helm().Swung == l.FirePhase(turn, phase) {
		return swungFire
	}
	return 0
}

// NoEasing returns a cost unchanged.
func NoEasing(_ *rulebook.Rules, _ *engine.Turn, _ *engine.Ship, c rulebook.Toll) rulebook.Toll {
	return c
}
