package play

import (
	"slices"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
	"starpost/orders"
)

// Renew reads the orders of a round after the first.
func Renew(l *rulebook.Rules, t *engine.Turn) {
	n := Memo(t)
	if len(n.plans) == 0 {
		resume(l, t, n)
	}
	for _, s := range t.Game.Ships {
		held := n.sets[s.ID]
		if held == nil || !t.Rules.Commands(s) {
			continue
		}
		b, sent, ok := l.Reply(l, t, s, held)
		switch {
		case !ok:
			continue
		case b == nil && s.Status == engine.Crippled:
			continue
		case s.Status == engine.Crippled: // her power and standing orders are for the next turn
			g, _ := b.Group("", 0)
			b = &orders.Block{Head: b.Head, Start: b.Start, End: b.End, Groups: []orders.Group{g}}
		case b == nil:
			if family.Covers(*held.Block, t.Phase.No) {
				continue
			}
			if b = AbsentRound(l, t, s, held); b == nil {
				continue
			}
		}
		replan(l, t, s, held, b, sent)
	}
}

// resume rebuilds the notes of a turn that is resumed at a later round, from the ships' last sets and power. The dice
// for tactical advantage are rolled again.
func resume(l *rulebook.Rules, t *engine.Turn, n *Notes) {
	for _, s := range t.Game.Ships {
		sys, ok := s.System.Clone().(*ship.State)
		if !ok || s.Small() || !t.Rules.Commands(s) {
			continue
		}
		b := verbs.Read(l, sys.Standing.Last)
		n.sets[s.ID] = &rulebook.InForce{Block: b, Sys: sys, Last: sys.Standing.Last}
		n.plans[s.ID] = verbs.CompileRound(l, t.Phase.No, verbs.InMidTurn(s.ID, sys), s.ID, s.Side, sys, sys.Standing, l.Known(t, s), t.Game.Sides, b, false)
	}
	for _, st := range l.Opening {
		if st.Step == "advantage" {
			st.Run(l, t)
		}
	}
}

// CaptainsReply returns what a ship's captain sent for a round after the first; ok reports
// whether a set was due.
func CaptainsReply(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, _ *rulebook.InForce) (b *orders.Block, sent, ok bool) {
	reply, ok := t.Reply(engine.Seat{Ship: s.ID})
	return reply.Block, reply.Block != nil, ok
}

// replan puts the new orders of a later round's set into the plan of a ship. Orders that repeat
// earlier ones keep their place and line numbers.
func replan(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, held *rulebook.InForce, b *orders.Block, sent bool) {
	n, round := Memo(t), t.Phase.No
	fresh := orders.Block{Head: b.Head, Start: b.Start, End: b.End}
	merged := *held.Block
	merged.Groups = slices.Clone(merged.Groups)
	for _, g := range b.Groups {
		switch {
		case g.Name == "phase" && g.N >= round, g.Name == "standing" && len(g.Statements) > 0:
			if old, had := held.Block.Group(g.Name, g.N); had && verbs.SameOrders(old, g) {
				continue
			}
			fresh.Groups = append(fresh.Groups, g)
			family.Put(l.Language, &merged, g)
		}
	}
	said := verbs.Ending(b, round)
	again := sent && !verbs.SameOrders(verbs.Ending(held.Block, round), said)
	if again {
		fresh.Groups = append(fresh.Groups, orders.Group{Statements: said.Statements})
		g, _ := merged.Group("", 0)
		g.Statements = slices.Concat(slices.DeleteFunc(slices.Clone(g.Statements), func(st orders.Statement) bool {
			return verbs.Ends(st, round)
		}), said.Statements)
		family.Put(l.Language, &merged, g)
	}
	if len(fresh.Groups) == 0 {
		return
	}
	old := n.plans[s.ID]
	p := verbs.CompileRound(l, round, old.Power, s.ID, s.Side, held.Sys, ship.Of(s).Standing, l.Known(t, s), t.Game.Sides, &fresh, false)
	for _, g := range fresh.Groups {
		if g.Name == "phase" {
			old.Put(g.N-1, p.In(g.N-1))
		}
	}
	if again {
		verbs.DestructAgain(&old, &p, round)
		old.Surrender = p.Surrender
	}
	for _, d := range p.Diags {
		if d.Severity == orders.Error {
			order, post := mistaken(l, &fresh, d, func(b *orders.Block) rulebook.Plan {
				return verbs.CompileRound(l, round, old.Power, s.ID, s.Side, held.Sys, ship.Of(s).Standing, l.Known(t, s), t.Game.Sides, b, false)
			})
			Skip(l, t, s, post, d.Pos.Line, order, d.Message)
		}
	}
	held.Block = &merged
	old.Standing = p.Standing
	if sent {
		old.Standing.Last = merged.Body()
	}
	n.plans[s.ID] = old
	if !ship.SameStanding(old.Standing, ship.Of(s).Standing) {
		t.Because(t.OrderedIn(s.ID, "standing", "")).Emit(&ship.StandingSet{Ship: s.ID, Standing: old.Standing}, engine.SeeOnly(s.ID), l.Cite(cites.RoundOrders, cites.StandingOrders)...)
	}
}

// AbsentRound returns a phase for a ship without orders for it (ruling D12): that of the last
// turn, if the captain asked for that, otherwise keeping course or station.
func AbsentRound(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, held *rulebook.InForce) *orders.Block {
	n := t.Phase.No
	var set orders.Set
	if ship.Of(s).Standing.Missing == "repeat" {
		set = family.Phases(l.Language, held.Last, n, n)
	}
	if len(set) == 0 {
		if set = KeptCourse(t.Game, s, n, []int{ship.Of(s).Alloc.InPhase(n)}); len(set) == 0 {
			return nil
		}
	}
	return verbs.Plain(l, set)
}
