package play

import (
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
)

// Probes returns the probes on the map.
func Probes(g *engine.Game) (out []*engine.Ship) {
	for _, s := range g.Ships {
		if s.Kind == engine.KindProbe && s.Status == engine.Active {
			out = append(out, s)
		}
	}
	return out
}

// flyProbes launches probes after all movement of a phase, and moves those on the map.
func flyProbes(l *rulebook.Rules, t *engine.Turn) {
	if t.Game.Blind == nil {
		return
	}
	for _, s := range ship.Fighting(t.Game) {
		for _, o := range OrderedNow[verbs.ProbeOrder](t, s) {
			launchProbe(l, t, s, o)
		}
	}
	for _, p := range Probes(t.Game) {
		flyProbe(l, t, p)
	}
	dark.In(t).DeliverWords(dark.LaunchesProbes)
}

// launchProbe carries out an order to launch a probe.
func launchProbe(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, o verbs.ProbeOrder) {
	b := &ship.ProbeLaunch{Ship: s.ID, At: engine.Place{Hex: s.Hex, Heading: s.Heading}, To: o.To, File: o.File, Launched: rulebook.Moment(t)}
	aim := l.Aimed(t.Game, s, o.Target)
	met, missing := Judge(l, t, s, aim, nil, o.When)
	why := ""
	switch words := dark.In(t).CourierWords(s); {
	case len(missing) > 0:
		Unknown(l, t, s, ship.PostScience, o.Line, o.Text, missing)
		return
	case !met:
		return
	case ship.Of(s).Labs().Probes == 0:
		why = "no probe is loaded"
	case ship.Cloaked(s):
		why = "the ship is cloaked"
	case t.Game.Bounds != nil && !t.Game.Bounds.Contains(o.To):
		why = o.To.Label() + " is off the map"
	case o.Target != "" && aim == "":
		why = l.AbsentShip(t.Game, string(o.Target))
	case o.Carry && words == nil:
		why = "there are no words for it to carry: message " + dark.WordCourier
	case o.Carry:
		b.Words = strings.Join(words, "\n")
	}
	if why != "" {
		Skip(l, t, s, ship.PostScience, o.Line, o.Text, why)
		return
	}
	b.Study = aim
	b.Craft, b.Short = dark.In(t).CraftName(s, "r", dark.LaunchesProbes)
	t.Because(t.Ordered(s.ID, o.Line, o.Text)).Emit(b, engine.SeeAll(s.ID), dark.LaunchesProbes)
}

// flyProbe moves a probe through the hexes of a phase, the shortest way to its target.
func flyProbe(l *rulebook.Rules, t *engine.Turn, p *engine.Ship) {
	share := ship.Of(p).Probe()
	age := (t.Number()-share.Launched.Turn)*l.Split.Phases() + t.Phase.No - share.Launched.Phase
	if p.Hex == share.To || age >= verbs.ProbeTurns*l.Split.Phases() {
		return
	}
	sea := board.PassabilityOf(t.Game, l.Steps, l.Ground)
	way := board.Route(p.Hex, share.To, board.PassabilityIn(t.Game.Bounds, dark.In(t).Chart(p), l.Steps, l.Ground))
	for _, h := range way[:min(len(way), l.Split.Points(verbs.ProbeSpeed)[t.Phase.No-1])] {
		if sea.Closed[h] { // the chart does not show that it is closed
			return
		}
		from, to := engine.Place{Hex: p.Hex, Heading: p.Heading}, engine.Place{Hex: h}
		for to.Hex = p.Hex.Step(to.Heading); to.Hex != h; to.Hex = p.Hex.Step(to.Heading) {
			to.Heading++
		}
		t.Emit(&engine.Move{Ship: p.ID, Word: "F", Cost: 1, From: from, To: to}, engine.SeeAll(), dark.LaunchesProbes)
		rulebook.LookAfter(t, p, from)
	}
}

// strikeProbe destroys a probe, as any hit does (house 14.1).
func strikeProbe(t *engine.Turn, p *engine.Ship, by engine.Ref) {
	if p.Status == engine.Active {
		t.Because(by).Out(p, engine.Destroyed, "any hit destroys a probe", nil, dark.LaunchesProbes)
	}
}
