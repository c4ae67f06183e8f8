package fasa

import (
	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// The speeds of ships of which they are not known.
const (
	usualCruise = 6
	usualSprint = 2 // what an emergency adds
)

// helmPart lets ships go astern and make emergency heading changes (stcs 8.1, 8.2).
func helmPart(words []string) part {
	return part{
		params: map[string]orders.Param{"WORD": {
			Class: orders.Choice, Choices: words,
			Doc: "a movement word; besides those named B, one hex astern, in a phase without turns, when the ship has held through the phase before or goes astern already (and likewise for going ahead again); EL and ER, one hex ahead with an emergency turn of two sides, once a phase, at the cost of engine power and of -2 on the ship's own fire in the phase",
		}},
		keeps: []ship.Share{&ship.Helm{}},
		commission: func(k *commissioning) {
			h := &ship.Helm{Cruise: k.design.Cruise, Top: k.design.Emergency, Stress: k.design.Stress}
			if h.Cruise == 0 && !k.design.Outpost {
				h.Cruise, h.Top = usualCruise, max(h.Top, usualCruise+usualSprint)
			}
			h.Top = max(h.Top, h.Cruise)
			h.Warp = k.number("warp", 0, h.Top, h.Cruise)
			k.sys.Put(h)
		},
		events: []event{family.Own("helm", told[ship.HelmSet]{Tell: tellHelm, Alone: helmWords, Posts: []string{ship.PostHelm}})},
		panels: helmPanels,
	}
}

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
