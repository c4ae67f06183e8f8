package play

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

// timed reports whether a high energy turn waits for an impulse or a condition.
func timed(m *rulebook.MoveOrder) bool {
	return m.Verb == rulebook.VerbHard && (m.On > 0 || m.When != nil)
}

// hardNow makes a ship's high energy turns that are due in this impulse or have a condition that is now true. A ship
// that has braked moves no more hexes, so it makes those that wait for nothing, too.
func hardNow(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, h *helm, moves []rulebook.MoveOrder) {
	for i := range moves {
		if m := &moves[i]; (timed(m) || state.Of(s).Braking < 0 && m.Verb == rulebook.VerbHard) && !m.Done && (m.On == 0 || m.On == t.Phase.No) && judge(l, t, s, nil, m.When) {
			hardTurn(l, t, s, h, m)
		}
	}
}

// hardTurn makes a high energy turn, and rolls for its effect on the engines (house 58.51, 58.55). The count of
// straight hexes starts again.
func hardTurn(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, h *helm, m *rulebook.MoveOrder) {
	sys := state.Of(s)
	m.Done = true
	cost := l.Hard.Hexes * sys.HexCost()
	if !sys.Controlled() {
		skipMove(l, t, s, m, rulebook.Uncontrolled)
		return
	}
	if short := max(0, cost-h.pool+sheet.MoveParts-1) / sheet.MoveParts; short > 0 { // energy returned by braking may pay
		if !payFreed(l, t, s, rulebook.VerbHard, short, t.Ordered(s.ID, m.Line, m.Text)) {
			why := fmt.Sprintf("it takes %s energy of the pool, which has %s", sheet.Fraction(cost), sheet.Fraction(h.pool))
			if sys.Freed > 0 {
				why += fmt.Sprintf(", and braking has given back %d", sys.Freed)
			}
			skipMove(l, t, s, m, why)
			return
		}
		h.pool += short * sheet.MoveParts
	}
	h.pool -= cost
	h.straight = 0
	turned := t.Because(t.Ordered(s.ID, m.Line, m.Text)).Emit(&state.HardTurn{Ship: s.ID, Word: m.Words[0], Heading: s.Heading.Turn(m.Sides)}, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnHard)...)
	if !sys.Steady {
		breakdown(l, t, s, turned, l.Cite(rulebook.OnHard))
	}
}

func skipMove(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, m *rulebook.MoveOrder, why string) {
	t.Emit(&engine.Skip{Ship: s.ID, Line: m.Line, Order: m.Text, Reason: why}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnHard, rulebook.OnSkipped)...)
}

// hardAtStop makes the ordered high energy turns of a ship that has braked.
func hardAtStop(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) {
	if p := memo(t).plans[s.ID]; p != nil {
		hardNow(l, t, s, memo(t).helm(s), p.Phases[l.PhaseOf(t.Phase.No)-1].Moves)
	}
}

// hardMissed reports the high energy turns that can no longer be made.
func hardMissed(l *rulebook.Rules, t *engine.Turn) {
	phase := l.PhaseOf(t.Phase.No)
	_, last := l.Span(phase)
	for _, s := range state.Fighting(t.Game) {
		p := memo(t).plans[s.ID]
		if p == nil {
			continue
		}
		for i := range p.Phases[phase-1].Moves {
			m := &p.Phases[phase-1].Moves[i]
			if m.Verb != rulebook.VerbHard || m.Done || t.Phase.No != last && m.On != t.Phase.No {
				continue
			}
			m.Done = true
			switch {
			case !timed(m):
				skipMove(l, t, s, m, "the movement orders before it left no hex for it")
			case !judge(l, t, s, nil, m.When):
				skipMove(l, t, s, m, "its condition did not come true")
			default:
				skipMove(l, t, s, m, "it comes before a hex, and she moved none then")
			}
		}
	}
}
