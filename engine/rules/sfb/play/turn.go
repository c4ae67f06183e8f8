package play

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/family"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/tactical"
	"starpost/orders"
)

// Phases returns the sequence of a turn: energy, impulses, end.
func Phases(l *rulebook.Rules) []engine.Phase {
	out := []engine.Phase{{Name: "energy", Step: "power", Round: 1, Run: func(t *engine.Turn) { allot(l, t) }}}
	for i := 1; i <= l.Impulses; i++ {
		round := l.PhaseOf(i)
		add := func(name, step string, run func(*engine.Turn)) {
			out = append(out, engine.Phase{Name: fmt.Sprintf("%s %d", name, i), Step: step, No: i, Round: round, Run: run})
		}
		if first, _ := l.Span(round); i == first && round > 1 {
			add("orders", "orders", func(t *engine.Turn) { renew(l, t) })
		}
		add("movement", "movement", func(t *engine.Turn) { movement(l, t) })
		add("fire", "fire", func(t *engine.Turn) { combat(l, t) })
		goals := engine.GoalsPhase(l.Cite(rulebook.OnVictory)...)
		add(goals.Name, goals.Step, goals.Run)
	}
	out = append(out, engine.Phase{Name: "end of the turn", Step: "repair", Round: l.Rounds, Run: func(t *engine.Turn) { closeTurn(l, t) }})
	end := engine.EndPhase(l.Cite(rulebook.OnVictory)...)
	end.Round = l.Rounds
	return append(out, end)
}

// allot carries out the energy phase, reports the speeds, and determines the order of movement.
func allot(l *rulebook.Rules, t *engine.Turn) {
	n := memo(t)
	ships := state.Fighting(t.Game)
	for _, s := range ships {
		b, sent := t.Sheets[engine.Seat{Ship: s.ID}].Block, true
		if b == nil {
			b, sent = absent(l, t, s), false
		}
		if was, ok := state.Of(s).Clone().(*state.System); ok && t.Replied(engine.Seat{Ship: s.ID}) {
			n.began[s.ID] = was
		}
		p := adopt(l, t, s, b, 1, sent)
		n.plans[s.ID], n.blocks[s.ID], n.speeds[s.ID] = p, b, state.Of(s).Speed
		allotTo(l, t, s, p)
	}
	n.order = orderOfMoving(l, t, ships)
	tellOrder(l, t)
	dark.In(t).LookRound(false)
	partPhase(l, t, func(p *rulebook.Part) func(*rulebook.Rules, *engine.Turn) { return p.Begin })
}

// allotTo carries out the energy that a plan allots, and sets the ship's speed.
func allotTo(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, p *rulebook.Plan) {
	energy := p.Energy
	allotted := t.Because(t.OrderedIn(s.ID, "power", "")).Emit(&energy, engine.SeeOnly(s.ID), l.Cite(rulebook.OnEnergy)...)
	if l.Quanta != nil {
		t.Because(t.Last()).Emit(&state.Pool{Ship: s.ID, Left: p.Pool * sheet.MoveParts, Reserve: energy.Unused, Freed: 0}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnPool)...)
	}
	under := energy.Cloak > 0
	if l.Cloak.Hides {
		under = under && state.Of(s).Cloaked
		if state.Of(s).Cloaked && !under {
			t.Because(allotted).Emit(&state.Cloak{Ship: s.ID, On: false, At: engine.Place{Hex: s.Hex, Heading: s.Heading}, Impulse: 0}, engine.SeeAll(), l.Cite(rulebook.OnCloak)...)
		}
	}
	speed, cites := &state.Speed{Ship: s.ID, Speed: energy.Speed, Mode: state.Of(s).StraightAt(energy.Speed), Cloaked: under, Down: energy.Down}, l.Cite(rulebook.OnSpeed)
	if speed.Cloaked {
		cites = l.Cite(rulebook.OnSpeed, rulebook.OnCloak)
	}
	t.Because(allotted).Emit(speed, seenBy(&l.Book, t.Game, s), cites...)
}

// adopt makes a plan from an order set for a ship, with her standing orders.
func adopt(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, b *orders.Block, round int, sent bool) *rulebook.Plan {
	sys := state.Of(s)
	as := sys
	if was := memo(t).began[s.ID]; was != nil { // so that it does not matter in which phase an order was written
		was.Standing, was.Cloaked, was.NoFire, as = sys.Standing, sys.Cloaked, sys.NoFire, was
	}
	names, sides := nameable(t, s)
	p := l.Compile(&rulebook.Compiler{ID: s.ID, Side: s.Side, Sys: as, Names: names, Sides: sides, Block: b, Round: round, At: &s.Hex, Dark: t.Game.Blind != nil, Files: t.Game.Labs.Aboard(s.ID)})
	for _, d := range p.Diags {
		if d.Severity == orders.Error {
			t.Emit(&engine.Skip{Ship: s.ID, Line: d.Pos.Line, Order: "order", Reason: d.Message}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnSkipped)...)
		}
	}
	last := sys.Last
	if sent {
		last = b.Body()
	}
	set := &state.StandingSet{Ship: s.ID, Standing: p.Standing, Last: last}
	if last != sys.Last || !p.Standing.Same(sys.Standing) {
		t.Because(t.OrderedIn(s.ID, "standing", "")).Emit(set, engine.SeeOnly(s.ID), l.Cite(rulebook.OnStanding)...)
	}
	return &p
}

// absent returns the orders of a ship with no order set (ruling D12): her last orders if her captain wants that, or
// else the same course and speed, with armed weapons held.
func absent(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) *orders.Block {
	sys := state.Of(s)
	if sys.Standing.Missing != rulebook.MissingRepeat || sys.Last == "" {
		return Plain(l, steady(l, t.Game.Bounds, engine.Place{Hex: s.Hex, Heading: s.Heading}, sys))
	}
	b := Read(l, sys.Last)
	b.Groups = slices.DeleteFunc(b.Groups, func(g orders.Group) bool { return g.Name == "" }) // one-turn orders, above all surrender, are not repeated
	return b
}

// renew takes in the orders of a round after the first: the phases and standing orders of a set replace those sent
// before.
func renew(l *rulebook.Rules, t *engine.Turn) {
	n, round := memo(t), l.PhaseOf(t.Phase.No)
	if len(n.plans) == 0 { // the turn is played from a later round on, with the ships' stored orders
		for _, s := range state.Fighting(t.Game) {
			n.blocks[s.ID], n.speeds[s.ID] = Read(l, state.Of(s).Last), state.Of(s).Speed
			n.plans[s.ID] = adopt(l, t, s, n.blocks[s.ID], round, false)
		}
		n.order = orderOfMoving(l, t, state.Fighting(t.Game))
	}
	for _, s := range state.Fighting(t.Game) {
		reply, ok := t.Reply(engine.Seat{Ship: s.ID})
		held := n.blocks[s.ID]
		if !ok || reply.Block == nil || held == nil {
			continue // earlier orders stay in force; hexes without orders are straight ahead
		}
		merged := *held
		merged.Groups = slices.Clone(held.Groups)
		for _, g := range reply.Block.Groups {
			if len(g.Statements) > 0 && (g.Name == "phase" && g.N >= round || g.Name == "standing") {
				family.Put(l.Language, &merged, g)
			}
		}
		putSurrender(l, &merged, reply.Block)
		fresh := adopt(l, t, s, &merged, round, true)
		old := n.plans[s.ID]
		old.Standing, old.Surrenders = fresh.Standing, fresh.Surrenders
		copy(old.Phases[round-1:], fresh.Phases[round-1:])
		n.blocks[s.ID] = &merged
	}
}

// putSurrender makes a later set of a turn decide whether its ship surrenders, in place of earlier sets.
func putSurrender(l *rulebook.Rules, merged, reply *orders.Block) {
	said, held := engine.TurnLevelStatements(reply, rulebook.VerbSurrender), engine.TurnLevelStatements(merged, rulebook.VerbSurrender)
	if len(said)+len(held) == 0 {
		return
	}
	g, _ := merged.Group("", 0)
	g.Statements = append(slices.DeleteFunc(slices.Clone(g.Statements), func(st orders.Statement) bool { return st.Verb == rulebook.VerbSurrender }), said...)
	family.Put(l.Language, merged, g)
}

// closeTurn ends a turn: shields are repaired, batteries charged, and what does not outlast the turn is removed.
func closeTurn(l *rulebook.Rules, t *engine.Turn) {
	n := memo(t)
	n.works = dark.In(t).WorkLabs(func(ship engine.ShipID, line int) bool {
		p := n.plans[ship]
		return p != nil && slices.ContainsFunc(p.Diags, func(d orders.Diagnostic) bool { return d.Severity == orders.Error && d.Pos.Line == line })
	})
	partPhase(l, t, func(p *rulebook.Part) func(*rulebook.Rules, *engine.Turn) { return p.End })
	if t.Game.Blind != nil {
		slipAway(l, t)
	}
	for _, s := range engine.Captained(t.Game.Ships) {
		if !s.OnMap() || s.Status == engine.Destroyed {
			continue
		}
		sys := state.Of(s)
		lapse := state.Lapse{Ship: s.ID}
		if p := n.plans[s.ID]; p != nil && s.Status == engine.Active {
			for side, boxes := range p.Energy.Repair {
				sh := sys.Sheet.Shields[side]
				if after := min(sh.All, sh.Left+boxes); after > sh.Left {
					t.Because(t.OrderedIn(s.ID, "power", "repair")).Emit(&state.Mend{Ship: s.ID, Shield: side + 1, Before: sh.Left, After: after}, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnRepair)...)
				}
			}
			lapse.Recharge = max(0, min(p.Energy.Recharge, sys.Sheet.Count(sheet.Battery).Left-sys.Batteries))
		}
		for w := range sys.Weapons {
			if chart := l.Charts[sys.Bank(w).Kind]; sys.Weapons[w].Armed+sys.Weapons[w].Over > 0 && sys.Weapons[w].Armed >= chart.Turns && !chart.Keeps {
				lapse.Weapons = append(lapse.Weapons, sys.Bank(w).Name)
			}
		}
		if lapse.Recharge > 0 || len(lapse.Weapons) > 0 || sys.AllRound+sys.Pool+sys.Reserve > 0 || len(sys.Purse) > 0 || tactical.Sum(sys.Reinforce[:]) > 0 {
			t.Because(t.OrderedIn(s.ID, "power", "")).Emit(&lapse, engine.SeeOnly(s.ID), l.Cite(rulebook.OnEnergy)...)
		}
	}
}

// combat is the second part of an impulse: launches, fire, volleys, and ships leaving. Everything fires before any
// damage takes effect.
func combat(l *rulebook.Rules, t *engine.Turn) {
	launches(l, t)
	partPhase(l, t, func(p *rulebook.Part) func(*rulebook.Rules, *engine.Turn) { return p.Act })
	var shots []shot
	for _, s := range state.Fighting(t.Game) {
		shots = append(shots, declare(l, t, s)...)
	}
	if l.Reserve {
		reinforceStruck(l, t, shots)
	}
	hurt := map[engine.ShipID]droneHits{}
	for i := range shots {
		shoot(l, t, &shots[i], hurt)
	}
	partPhase(l, t, func(p *rulebook.Part) func(*rulebook.Rules, *engine.Turn) { return p.Fired })
	for _, d := range append(state.Drones(t.Game), state.Crafts(t.Game)...) {
		if w := hurt[d.ID]; w.points > 0 {
			f := state.Of(d).Flight
			t.Because(w.by...).Emit(&state.Hurt{Ship: d.ID, Before: f.Points, After: max(0, f.Points-w.points)}, engine.SeeAll(), l.Cite(rulebook.OnFire, topicOf(f))...)
		}
	}
	resolve(l, t)
	leave(l, t)
}
