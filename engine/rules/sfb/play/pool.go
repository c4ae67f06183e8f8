package play

import (
	"slices"

	"starpost/engine"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
	"starpost/orders"
)

// changeSpeeds carries out the speed changes for an impulse, one step a ship, and lets stopped ships face as they
// like (house 6.01).
func changeSpeeds(l *rulebook.Rules, t *engine.Turn) {
	n, changed, risen := memo(t), false, map[engine.ShipID]bool{}
	for _, s := range state.Fighting(t.Game) {
		p, sys := n.plans[s.ID], state.Of(s)
		if p == nil {
			continue
		}
		phase := &p.Phases[l.PhaseOf(t.Phase.No)-1]
		for i := range phase.Speeds {
			o := &phase.Speeds[i]
			if o.Done || o.On > 0 && o.On != t.Phase.No || !judge(l, t, s, nil, o.When) {
				continue
			}
			o.Done = true
			next := l.Quanta[o.To]
			if next.Hexes == sys.Speed {
				continue
			}
			if sys.Braking < 0 {
				t.Emit(&engine.Skip{Ship: s.ID, Line: o.Line, Order: o.Text, Reason: "she has braked, and stays stopped for the turn"}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnBrake, rulebook.OnSkipped)...)
				continue
			}
			if from := l.Quantum(sys.Speed); !rulebook.MayFollow(from, o.To) {
				if n.watch.Refused != nil {
					n.watch.Refused(o, from)
				}
				why := map[bool]string{true: "a ship stops only from the slowest speed", false: "a speed rises by one step in an impulse"}[o.To < from]
				t.Emit(&engine.Skip{Ship: s.ID, Line: o.Line, Order: o.Text, Reason: why + ", and she goes " + l.Quanta[from].Word}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnPool, rulebook.OnSkipped)...)
				continue
			}
			risen[s.ID] = sys.Speed == 0
			t.Because(o.Cause(t, s.ID)).Emit(&state.Speed{Ship: s.ID, Speed: next.Hexes, Mode: sys.StraightAt(next.Hexes), Cloaked: sys.Cloaked, Down: sys.Down}, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnPool)...)
			changed = true
			break
		}
		faceStopped(l, t, s, phase)
	}
	if changed {
		slices.SortStableFunc(n.order, func(a, b engine.ShipID) int { return movesBefore(l, t.Game, a, b) })
		throwForRisen(l, t, risen)
		tellOrder(l, t)
	}
}

// throwForRisen rolls for ships that were stopped and so have no die for the order of movement, together with the
// ships now equal to them.
func throwForRisen(l *rulebook.Rules, t *engine.Turn, risen map[engine.ShipID]bool) {
	n := memo(t)
	for i := 0; i < len(n.order); {
		j := i + 1
		for j < len(n.order) && movesBefore(l, t.Game, n.order[i], n.order[j]) == 0 {
			j++
		}
		equal := make([]*engine.Ship, j-i)
		for k := range equal {
			equal[k], _ = t.Game.Ship(n.order[i+k])
		}
		if slices.ContainsFunc(equal, func(s *engine.Ship) bool { return risen[s.ID] && !Hidden(&l.Book, t.Game, s) }) {
			throwForOrder(l, t, equal, 1)
			for k, s := range equal {
				n.order[i+k] = s.ID
			}
		}
		i = j
	}
}

// faceStopped turns a stopped ship according to her order to face another.
func faceStopped(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, phase *rulebook.PhasePlan) {
	if state.Of(s).Speed > 0 || !state.Of(s).Controlled() {
		return
	}
	for i := range phase.Moves {
		m := &phase.Moves[i]
		foe := aim(l, t.Game, s, m.Target)
		at, found := goal(l, t.Game, s, m.Target)
		if m.Verb != "face" || !found || !judge(l, t, s, foe, m.When) {
			continue
		}
		if best := steering.Toward(engine.Place{Hex: s.Hex, Heading: s.Heading}, at.Hex, m.Side); best != s.Heading {
			t.Because(m.Cause(t, s.ID)).Emit(&state.Facing{Ship: s.ID, Heading: best}, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnTurning)...)
		}
		return
	}
}

// paid takes a hex from a ship's pool. If that is too little it returns false, and reports it once.
func paid(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, h *helm) bool {
	sys, why := state.Of(s), ""
	switch cost := sys.HexCost(); {
	case l.Quanta == nil:
		return true
	case sys.Held != "":
		why = "a tractor beam holds her"
	case sys.Stopped(h.moved):
		why = "she is stopped for the turn"
	case h.pool < cost:
		why = "her pool of movement energy is used up"
	default:
		h.pool -= cost
		return true
	}
	if !h.empty {
		h.empty = true
		t.Emit(&engine.Skip{Ship: s.ID, Order: "movement", Reason: why + ": she stays where she is"}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnPool, rulebook.OnSkipped)...)
	}
	return false
}

// Spare returns the energy that a set's power leaves.
func Spare(l *rulebook.Rules, sys *state.System, power orders.Set) int {
	c := &rulebook.Compiler{Sys: sys, Block: Plain(l, power), Round: 1}
	l.Compile(c)
	return c.Plan.Energy.Unused
}
