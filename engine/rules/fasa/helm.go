package fasa

import (
	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
)

// The speeds of ships of which they are not known.
const (
	usualCruise = 6
	usualSprint = 2 // what an emergency adds
)

// maneuver is that of a ship in the phase that is played.
func maneuver(t *engine.Turn, s *engine.Ship) *maneuverState {
	g, ok := noted[*maneuverState](t, s.ID)
	if !ok {
		now := gearOf(ship.Of(s).Helm(), t.Number())
		g = &now
		phaseNotes[*maneuverState](t)[s.ID] = g
	}
	return g
}

// atHelm is the rule of movement astern and of emergency heading changes.
func atHelm(l *rulebook, t *engine.Turn, s *engine.Ship, word string) (why string, rule []cites.Topic) {
	if why, rule = maneuver(t, s).forbids(word); why == "" && emergency(word) {
		return l.swingable(s)
	}
	return why, rule
}

// balks tells why a ship cannot make a turn that its captain did not order as a movement word.
func (l *rulebook) balks(t *engine.Turn, s *engine.Ship, word string) (why string, rule []cites.Topic) {
	if ship.Of(s).GridDown(ship.NameConverter) {
		return "the manoeuvre power converter is out: the ship does not turn", []cites.Topic{cites.ChartEngineering}
	}
	return l.forbidden(t, s, word)
}

// steer is what a movement word does to the helm.
func steer(l *rulebook, t *engine.Turn, s *engine.Ship, word string, _ engine.Place) {
	g := maneuver(t, s)
	g.use(word)
	g.last = lastShift(t, s.ID)
	if emergency(word) {
		l.wear(t, s, "emergency heading change", l.easing(l, t, s, l.stress(l, ship.Of(s))), lastShift(t, s.ID))
	}
}

// trim records, when all have moved, what the next phase must know of it.
func (l *rulebook) trim(t *engine.Turn) {
	for _, s := range ship.Fighting(t.Game) {
		h, steers := ship.Of(s).Helm(), ship.Of(s).Has(ship.NameHelm)
		if !steers {
			continue
		}
		g := maneuver(t, s)
		b := ship.HelmSet{Ship: s.ID, Still: !g.busy, Astern: g.astern, Swung: h.Swung, Way: h.Way, WayTurn: h.WayTurn, Shift: h.Astern != g.astern}
		if g.swung {
			b.Swung = l.firePhase(t.Number(), t.Phase.No)
		}
		switch {
		case g.aft:
			b.Way, b.WayTurn = wayAstern, t.Number()
		case g.forth:
			b.Way, b.WayTurn = wayAhead, t.Number()
		}
		if b.Still != h.Still || b.Astern != h.Astern || b.Swung != h.Swung || b.WayTurn != h.WayTurn || b.Way != h.Way {
			t.Because(g.last).Emit(&b, engine.SeeOnly(s.ID), l.cite(cites.ReverseMovement)...)
		}
	}
}
