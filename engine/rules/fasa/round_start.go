package fasa

import (
	"slices"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// renew takes in the orders of a round after the first.
func (l *rulebook) renew(t *engine.Turn) {
	n := memo(t)
	if len(n.plans) == 0 {
		resume(l, t, n)
	}
	for _, s := range t.Game.Ships {
		held := n.sets[s.ID]
		if held == nil || !t.Rules.Commands(s) {
			continue
		}
		b, sent, ok := l.reply(l, t, s, held)
		switch {
		case !ok:
			continue
		case b == nil && s.Status == engine.Crippled:
			continue
		case s.Status == engine.Crippled: // her power and her standing orders are for the next turn to use
			g, _ := b.Group("", 0)
			b = &orders.Block{Head: b.Head, Start: b.Start, End: b.End, Groups: []orders.Group{g}}
		case b == nil:
			if family.Covers(*held.block, t.Phase.No) {
				continue
			}
			if b = l.absentRound(t, s, held); b == nil {
				continue
			}
		}
		l.replan(t, s, held, b, sent)
	}
}

// resume makes the notes of a turn that is played from a later round on, by what ships have: their last sets, their power. For
// tactical advantage the dice are thrown again.
func resume(l *rulebook, t *engine.Turn, n *notes) {
	for _, s := range t.Game.Ships {
		sys, ok := s.System.Clone().(*ship.State)
		if !ok || s.Small() || !t.Rules.Commands(s) {
			continue
		}
		b := l.read(sys.Standing.Last)
		n.sets[s.ID] = &inForce{block: b, sys: sys, last: sys.Standing.Last}
		n.plans[s.ID] = l.compileRound(t.Phase.No, inMidTurn(s.ID, sys), s.ID, s.Side, sys, sys.Standing, l.known(t, s), t.Game.Sides, b, false)
	}
	for _, st := range l.opening {
		if st.step == "advantage" {
			st.run(l, t)
		}
	}
}

// captainsReply is what a ship's captain sent for a round after the first; ok tells whether
// anything was due of him.
func (l *rulebook) captainsReply(t *engine.Turn, s *engine.Ship, _ *inForce) (b *orders.Block, sent, ok bool) {
	reply, ok := t.Reply(engine.Seat{Ship: s.ID})
	return reply.Block, reply.Block != nil, ok
}

// replan puts what is new in a later round's set into the plan of a ship. What the
// set says as it was said before stays as it is, lines and all.
func (l *rulebook) replan(t *engine.Turn, s *engine.Ship, held *inForce, b *orders.Block, sent bool) {
	n, round := memo(t), t.Phase.No
	fresh := orders.Block{Head: b.Head, Start: b.Start, End: b.End}
	merged := *held.block
	merged.Groups = slices.Clone(merged.Groups)
	for _, g := range b.Groups {
		switch {
		case g.Name == "phase" && g.N >= round, g.Name == "standing" && len(g.Statements) > 0:
			if old, had := held.block.Group(g.Name, g.N); had && sameOrders(old, g) {
				continue
			}
			fresh.Groups = append(fresh.Groups, g)
			family.Put(l.language, &merged, g)
		}
	}
	said := ending(b, round)
	again := sent && !sameOrders(ending(held.block, round), said)
	if again {
		fresh.Groups = append(fresh.Groups, orders.Group{Statements: said.Statements})
		g, _ := merged.Group("", 0)
		g.Statements = slices.Concat(slices.DeleteFunc(slices.Clone(g.Statements), func(st orders.Statement) bool {
			return ends(st, round)
		}), said.Statements)
		family.Put(l.language, &merged, g)
	}
	if len(fresh.Groups) == 0 {
		return
	}
	old := n.plans[s.ID]
	p := l.compileRound(round, old.power, s.ID, s.Side, held.sys, ship.Of(s).Standing, l.known(t, s), t.Game.Sides, &fresh, false)
	for _, g := range fresh.Groups {
		if g.Name == "phase" {
			old.put(g.N-1, p.in(g.N-1))
		}
	}
	if again {
		old.destructAgain(&p, round)
		old.surrender = p.surrender
	}
	for _, d := range p.diags {
		if d.Severity == orders.Error {
			order, post := l.mistaken(&fresh, d, func(b *orders.Block) plan {
				return l.compileRound(round, old.power, s.ID, s.Side, held.sys, ship.Of(s).Standing, l.known(t, s), t.Game.Sides, b, false)
			})
			l.skip(t, s, post, d.Pos.Line, order, d.Message)
		}
	}
	held.block = &merged
	old.standing = p.standing
	if sent {
		old.standing.Last = merged.Body()
	}
	n.plans[s.ID] = old
	if !ship.SameStanding(old.standing, ship.Of(s).Standing) {
		t.Because(t.OrderedIn(s.ID, "standing", "")).Emit(&ship.StandingSet{Ship: s.ID, Standing: old.standing}, engine.SeeOnly(s.ID), l.cite(cites.RoundOrders, cites.StandingOrders)...)
	}
}

// absentRound is a phase of a ship whose captain has said nothing for it (ruling
// D12): that of his last turn, if he asked for that, else course or station kept.
func (l *rulebook) absentRound(t *engine.Turn, s *engine.Ship, held *inForce) *orders.Block {
	n := t.Phase.No
	text := ""
	if ship.Of(s).Standing.Missing == "repeat" {
		text = family.Phases(held.last, n, n)
	}
	if text == "" {
		if text = keptCourse(t.Game, s, n, []int{ship.Of(s).Alloc.InPhase(n)}); text == "" {
			return nil
		}
	}
	return l.read(text)
}
