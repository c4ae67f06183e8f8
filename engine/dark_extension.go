package engine

import (
	"strings"

	"starpost/orders"
)

// DarkExtension is what a rule set says of games in the dark, and of laboratories; nil for what it does not have.
type DarkExtension struct {
	Dark *DarkRules
	Labs *LabRules
}

// DarkOf is what a rule set says of games in the dark and of laboratories.
func DarkOf(r *Rules) *DarkExtension {
	if x, ok := r.Extension.(*DarkExtension); ok {
		return x
	}
	return new(DarkExtension)
}

// Bodies implements [Extension].
func (*DarkExtension) Bodies() map[string]func() Body {
	return map[string]func() Body{
		"overheard": func() Body { return new(Overheard) },
		"out-seen":  func() Body { return new(outSeen) },
		"contact":   func() Body { return new(SensorContact) },
		"chart":     func() Body { return new(ChartEntry) },
		"wake":      func() Body { return new(Wake) },
		"found":     func() Body { return new(Found) },
		"lab":       func() Body { return new(LabWork) },
		"sheet":     func() Body { return new(SheetDrawn) },
		"nature":    func() Body { return new(Nature) },
		"code":      func() Body { return new(codeTaken) },
		"relay":     func() Body { return new(relay) },
		"passed":    func() Body { return new(passedOn) },
		"passing":   func() Body { return new(passing) },
		"spotted":   func() Body { return new(Spotted) },
		"given":     func() Body { return new(Given) },
	}
}

// Begin implements [Extension].
func (*DarkExtension) Begin(t *Turn) TurnExtension { return begin(t) }

// Observe implements [Extension].
func (*DarkExtension) Observe(r *Rules, g *Game, who Viewer, s *Ship) Observation {
	return r.observeInTheDark(g, who, s)
}

// Ships implements [Extension].
func (*DarkExtension) Ships(c *ViewBuilder, v *View, own []bool, trails [][]Step) []*ShipView {
	look := looking{c.Rules(), c.Game()}
	look.darken(v)
	return look.darkShips(v, own, trails)
}

// Share implements [Extension].
func (*DarkExtension) Share(c *ViewBuilder, v *View, all bool) {
	looking{c.Rules(), c.Game()}.labViews(v, all)
}

// Chart implements [Extension].
func (*DarkExtension) Chart(g *Game, who Viewer) func(f *Feature, secret bool) *Feature {
	if !g.Blind.Uncharted() {
		return nil
	}
	log := g.Blind.Log(captainOf(g, who))
	return func(f *Feature, secret bool) *Feature { return f.onChart(log, secret) }
}

// Announce implements [TurnExtension].
func (t *DarkTurn) Announce(body Body, see See, rule []string) Ref {
	if c, ok := body.(*Charted); ok && t.Game.Blind.Uncharted() {
		return t.rechart(c, see, rule)
	}
	known, told := t.inTheDark(body, see)
	event := t.Record(body, known, rule)
	if _, moves := body.(*Move); moves { // only to those who know the ship before it and after it
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

// Recorded implements [TurnExtension].
func (t *DarkTurn) Recorded(body Body) {
	t.launched()
	if _, terrain := body.(*Charted); terrain {
		t.lookAnew()
	}
}

// Known implements [TurnExtension].
func (t *DarkTurn) Known(body Body, see See) See {
	known, _ := t.inTheDark(body, see)
	return known
}

// Worded implements [TurnExtension]: a report is the captain's list.
func (t *DarkTurn) Worded(from *Ship, st orders.Statement) orders.Statement {
	if st.Verb == VerbReport {
		st.Text = t.Rules.contactLines(t.Game, from)
	}
	return st
}

// Say implements [TurnExtension].
func (t *DarkTurn) Say(from *Ship, st orders.Statement, body *Talk, order Ref) {
	switch {
	case st.Verb == VerbRelay: // BeginRound saw to it
	case strings.EqualFold(Addressed(st), WordCourier):
		t.Because(order).Emit(body, SeeOnly(t.Game.Viewer(from).Ships...), "house 14.2")
	default:
		body.Coded = st.Verb != VerbSay
		t.talkInTheDark(from, st, body, order)
	}
}

// EndPhase implements [TurnExtension].
func (t *DarkTurn) EndPhase() { t.TellWaiting() }

// EndRound implements [TurnExtension].
func (t *DarkTurn) EndRound() { t.tellCharts() }
