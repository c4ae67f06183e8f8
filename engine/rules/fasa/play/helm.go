package play

import (
	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
)

// Warp speeds of ships whose speeds are not known.
const (
	UsualCruise = 6
	UsualSprint = 2 // added in an emergency
)

// maneuver returns how a ship has moved in the current phase.
func maneuver(t *engine.Turn, s *engine.Ship) *rulebook.ManeuverState {
	g, ok := noted[*rulebook.ManeuverState](t, s.ID)
	if !ok {
		now := rulebook.GearOf(ship.Of(s).Helm(), t.Number())
		g = &now
		PhaseNotes[*rulebook.ManeuverState](t)[s.ID] = g
	}
	return g
}

// AtHelm is the move rule for movement astern and emergency heading changes.
func AtHelm(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, word string) (why string, rule []cites.Topic) {
	if why, rule = maneuver(t, s).Forbids(word); why == "" && rulebook.Emergency(word) {
		return swingable(l, s)
	}
	return why, rule
}

// balks returns why a ship cannot make a turn that was not ordered as a movement word; "" if she can.
func balks(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, word string) (why string, rule []cites.Topic) {
	if ship.Of(s).GridDown(ship.NameConverter) {
		return "the manoeuvre power converter is out: the ship does not turn", []cites.Topic{cites.ChartEngineering}
	}
	return forbidden(l, t, s, word)
}

// Steer applies the effect of a movement word on the helm.
func Steer(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, word string, _ engine.Place) {
	g := maneuver(t, s)
	g.Use(word)
	g.Last = LastShift(t, s.ID)
	if rulebook.Emergency(word) {
		wear(l, t, s, "emergency heading change", l.Easing(l, t, s, l.Strain(l, ship.Of(s))), LastShift(t, s.ID))
	}
}

// Trim records, after all movement, what the next phase must know of it.
func Trim(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range ship.Fighting(t.Game) {
		h, steers := ship.Of(s).Helm(), ship.Of(s).Has(ship.NameHelm)
		if !steers {
			continue
		}
		g := maneuver(t, s)
		b := ship.HelmSet{Ship: s.ID, Still: !g.Busy, Astern: g.Astern, Swung: h.Swung, Way: h.Way, WayTurn: h.WayTurn, Shift: h.Astern != g.Astern}
		if g.Swung {
			b.Swung = l.FirePhase(t.Number(), t.Phase.No)
		}
		switch {
		case g.Aft:
			b.Way, b.WayTurn = rulebook.WayAstern, t.Number()
		case g.Forth:
			b.Way, b.WayTurn = rulebook.WayAhead, t.Number()
		}
		if b.Still != h.Still || b.Astern != h.Astern || b.Swung != h.Swung || b.WayTurn != h.WayTurn || b.Way != h.Way {
			t.Because(g.Last).Emit(&b, engine.SeeOnly(s.ID), l.Cite(cites.ReverseMovement)...)
		}
	}
}

// forbidden returns why a movement word is forbidden, by the first rule that does; "" if none does.
func forbidden(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, w string) (why string, rule []cites.Topic) {
	for _, forbid := range l.MoveRules {
		if why, rule = forbid(l, t, s, w); why != "" {
			return why, rule
		}
	}
	return "", nil
}
