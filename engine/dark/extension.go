// Package dark implements games in the dark, beyond the phases of their rules: what sensors show each captain and
// their list of contacts, talk and who overhears it, charts that have to be explored, and laboratories, codes and
// probes, which also work in the open.
//
// It extends the core as an [engine.Extension]. A rule set includes it as an [Extension], with the parts that only
// the rule set knows ([Rules], [LabRules]), and its phases make captains look by [In]. Hidden state is in
// [blind.State]. What a captain is told depends only on the captain's own list; for the settings see package blind.
// A game in the open uses only laboratories and probes.
package dark

import (
	"strings"

	"starpost/engine"
	"starpost/orders"
)

// Extension is the part of a rule set about games in the dark and laboratories; fields are nil for what it does not
// have.
type Extension struct {
	Dark *Rules
	Labs *LabRules
}

// Of returns the Extension of a rule set, an empty one if it has none.
func Of(r *engine.Rules) *Extension {
	if x, ok := r.Extension.(*Extension); ok {
		return x
	}
	return new(Extension)
}

// Events implements [engine.Extension].
func (*Extension) Events() *engine.EventTypes { return events }

var events = engine.ListEvents(
	engine.EventOf[ChartEntry]("chart", engine.Listed), engine.EventOf[Found]("found"), engine.EventOf[Given]("given"),
	engine.EventOf[LabWork]("lab"), engine.EventOf[Nature]("nature"), engine.EventOf[Overheard]("overheard", engine.Listed),
	engine.EventOf[SensorContact]("contact", engine.Listed), engine.EventOf[SheetDrawn]("sheet"), engine.EventOf[Spotted]("spotted"),
	engine.EventOf[Wake]("wake"), engine.EventOf[codeTaken]("code"), engine.EventOf[OutSeen]("out-seen", engine.InPlace),
	engine.EventOf[passedOn]("passed"), engine.EventOf[passing]("passing"), engine.EventOf[relay]("relay"),
)

// Begin implements [engine.Extension].
func (*Extension) Begin(t *engine.Turn) engine.TurnExtension { return begin(t) }

// Observe implements [engine.Extension].
func (*Extension) Observe(r *engine.Rules, g *engine.Game, who engine.Viewer, s *engine.Ship) engine.Observation {
	return observed(r, g, who, s)
}

// Ships implements [engine.Extension].
func (*Extension) Ships(c *engine.ViewBuilder, v *engine.View, own []bool, trails [][]engine.Step) []*engine.ShipView {
	look := looking{c.Rules(), c.Game()}
	look.darken(v)
	return look.darkShips(v, own, trails)
}

// Share implements [engine.Extension].
func (*Extension) Share(c *engine.ViewBuilder, v *engine.View, all bool) {
	looking{c.Rules(), c.Game()}.labViews(v, all)
}

// Chart implements [engine.Extension].
func (*Extension) Chart(g *engine.Game, who engine.Viewer) func(f *engine.Feature, secret bool) *engine.Feature {
	if !g.Blind.Uncharted() {
		return nil
	}
	log := g.Blind.Log(captainOf(g, who))
	return func(f *engine.Feature, secret bool) *engine.Feature { return onChart(f, log, secret) }
}

// Announce implements [engine.TurnExtension].
func (t *Turn) Announce(body engine.Body, see engine.See, rule []string) engine.Ref {
	if c, ok := body.(*engine.Charted); ok && t.Game.Blind.Uncharted() {
		return t.rechart(c, see, rule)
	}
	known, told := t.inTheDark(body, see)
	event := t.Record(body, known, rule)
	if _, moves := body.(*engine.Move); moves { // only captains who know the ship both before and after it see it
		t.Narrow(t.Known(body, known))
		return event
	}
	for _, one := range told {
		if one.rule == nil {
			one.rule = rule
		}
		if one.cause = event; one.waits() {
			t.waiting = append(t.waiting, one)
			continue
		}
		t.tell(one)
	}
	return event
}

// Recorded implements [engine.TurnExtension].
func (t *Turn) Recorded(body engine.Body) {
	t.launched()
	if _, terrain := body.(*engine.Charted); terrain {
		t.lookAnew()
	}
}

// Known implements [engine.TurnExtension].
func (t *Turn) Known(body engine.Body, see engine.See) engine.See {
	known, _ := t.inTheDark(body, see)
	return known
}

// Worded implements [engine.TurnExtension]: the words of a report are the captain's list.
func (t *Turn) Worded(from *engine.Ship, st orders.Statement) orders.Statement {
	if st.Verb == engine.VerbReport {
		st.Text = contactLines(t.Rules, t.Game, from)
	}
	return st
}

// Say implements [engine.TurnExtension].
func (t *Turn) Say(from *engine.Ship, st orders.Statement, body *engine.Talk, order engine.Ref) {
	switch {
	case st.Verb == engine.VerbRelay: // BeginRound has done it
	case strings.EqualFold(engine.Addressed(st), WordCourier):
		t.Because(order).Emit(body, engine.SeeOnly(t.Game.Viewer(from).Ships...), "house 14.2")
	default:
		body.Coded = st.Verb != engine.VerbSay
		t.talkInTheDark(from, st, body, order)
	}
}

// EndPhase implements [engine.TurnExtension].
func (t *Turn) EndPhase() { t.TellWaiting() }
