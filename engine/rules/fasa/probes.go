package fasa

import (
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
)

// probes are those on the map.
func probes(g *engine.Game) (out []*engine.Ship) {
	for _, s := range g.Ships {
		if s.Kind == engine.KindProbe && s.Status == engine.Active {
			out = append(out, s)
		}
	}
	return out
}

// flyProbes has ships launch probes when all have moved in a phase, and those on the map fly.
func (l *rulebook) flyProbes(t *engine.Turn) {
	if t.Game.Blind == nil {
		return
	}
	for _, s := range ship.Fighting(t.Game) {
		for _, o := range orderedNow[probeOrder](t, s) {
			l.launchProbe(t, s, o)
		}
	}
	for _, p := range probes(t.Game) {
		l.flyProbe(t, p)
	}
	dark.In(t).DeliverWords(dark.LaunchesProbes)
}

// launchProbe carries out an order to launch a probe.
func (l *rulebook) launchProbe(t *engine.Turn, s *engine.Ship, o probeOrder) {
	b := &ship.ProbeLaunch{Ship: s.ID, At: engine.Place{Hex: s.Hex, Heading: s.Heading}, To: o.to, File: o.file, Launched: moment(t)}
	aim := l.aimed(t.Game, s, o.target)
	met, missing := l.judge(t, s, aim, nil, o.when)
	why := ""
	switch words := dark.In(t).CourierWords(s); {
	case len(missing) > 0:
		l.unknown(t, s, ship.PostScience, o.line, o.text, missing)
		return
	case !met:
		return
	case ship.Of(s).Labs().Probes == 0:
		why = "no probe is loaded"
	case ship.Cloaked(s):
		why = "the ship is cloaked"
	case t.Game.Bounds != nil && !t.Game.Bounds.Contains(o.to):
		why = o.to.Label() + " is off the map"
	case o.target != "" && aim == "":
		why = l.absentShip(t.Game, string(o.target))
	case o.carry && words == nil:
		why = "there are no words for it to carry: message " + dark.WordCourier
	case o.carry:
		b.Words = strings.Join(words, "\n")
	}
	if why != "" {
		l.skip(t, s, ship.PostScience, o.line, o.text, why)
		return
	}
	b.Study = aim
	b.Craft, b.Short = dark.In(t).CraftName(s, "r", dark.LaunchesProbes)
	t.Because(t.Ordered(s.ID, o.line, o.text)).Emit(b, engine.SeeAll(s.ID), dark.LaunchesProbes)
}

// flyProbe moves a probe the hexes of a phase, the shortest way to where it goes.
func (l *rulebook) flyProbe(t *engine.Turn, p *engine.Ship) {
	share := ship.Of(p).Probe()
	age := (t.Number()-share.Launched.Turn)*l.Split.Phases() + t.Phase.No - share.Launched.Phase
	if p.Hex == share.To || age >= probeTurns*l.Split.Phases() {
		return
	}
	sea := board.PassabilityOf(t.Game, l.steps, l.ground)
	way := board.Route(p.Hex, share.To, board.PassabilityIn(t.Game.Bounds, dark.In(t).Chart(p), l.steps, l.ground))
	for _, h := range way[:min(len(way), l.Split.Points(probeSpeed)[t.Phase.No-1])] {
		if sea.Closed[h] { // it was to go into it
			return
		}
		from, to := engine.Place{Hex: p.Hex, Heading: p.Heading}, engine.Place{Hex: h}
		for to.Hex = p.Hex.Step(to.Heading); to.Hex != h; to.Hex = p.Hex.Step(to.Heading) {
			to.Heading++
		}
		t.Emit(&engine.Move{Ship: p.ID, Word: "F", Cost: 1, From: from, To: to}, engine.SeeAll(), dark.LaunchesProbes)
		lookAfter(t, p, from)
	}
}

// strikeProbe ends a probe: any hit does (house 14.1).
func (l *rulebook) strikeProbe(t *engine.Turn, p *engine.Ship, by engine.Ref) {
	if p.Status == engine.Active {
		t.Because(by).Out(p, engine.Destroyed, "any hit destroys a probe", nil, dark.LaunchesProbes)
	}
}
