package sfb

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

// timed tells whether a high energy turn waits for an impulse or a condition.
func (m *moveOrder) timed() bool { return m.verb == verbHard && (m.on > 0 || m.when != nil) }

// hardNow makes the high energy turns of a ship that wait for this impulse, or for what is so now; of one that has braked,
// which moves no hex before which they could come, those too that wait for nothing.
func (l *rulebook) hardNow(t *engine.Turn, s *engine.Ship, h *helm, moves []moveOrder) {
	for i := range moves {
		if m := &moves[i]; (m.timed() || state.Of(s).Braking < 0 && m.verb == verbHard) && !m.done && (m.on == 0 || m.on == t.Phase.No) && l.judge(t, s, nil, m.when) {
			l.hardTurn(t, s, h, m)
		}
	}
}

// hardTurn turns a ship by high energy, and rolls for what that does to her engines (house
// 58.51, 58.55); the count of hexes straight begins again.
func (l *rulebook) hardTurn(t *engine.Turn, s *engine.Ship, h *helm, m *moveOrder) {
	sys := state.Of(s)
	m.done = true
	cost := l.Hard.Hexes * sys.HexCost()
	if !sys.Controlled() {
		l.skipMove(t, s, m, uncontrolled)
		return
	}
	if short := max(0, cost-h.pool+sheet.MoveParts-1) / sheet.MoveParts; short > 0 { // what braking has given back may pay
		if !l.payFreed(t, s, verbHard, short, t.Ordered(s.ID, m.line, m.text)) {
			why := fmt.Sprintf("it takes %s energy of the pool, which has %s", sheet.Fraction(cost), sheet.Fraction(h.pool))
			if sys.Freed > 0 {
				why += fmt.Sprintf(", and braking has given back %d", sys.Freed)
			}
			l.skipMove(t, s, m, why)
			return
		}
		h.pool += short * sheet.MoveParts
	}
	h.pool -= cost
	h.straight = 0
	turned := t.Because(t.Ordered(s.ID, m.line, m.text)).Emit(&state.HardTurn{Ship: s.ID, Word: m.words[0], Heading: s.Heading.Turn(m.sides)}, l.see(t.Game, s), l.cite(onHard)...)
	if !sys.Steady {
		l.breakdown(t, s, turned, l.cite(onHard))
	}
}

func (l *rulebook) skipMove(t *engine.Turn, s *engine.Ship, m *moveOrder, why string) {
	t.Emit(&engine.Skip{Ship: s.ID, Line: m.line, Order: m.text, Reason: why}, engine.SeeOnly(s.ID), l.cite(onHard, onSkipped)...)
}

// hardAtStop makes the high energy turns that are ordered of a ship that has braked.
func (l *rulebook) hardAtStop(t *engine.Turn, s *engine.Ship) {
	if p := memo(t).plans[s.ID]; p != nil {
		l.hardNow(t, s, memo(t).helm(s), p.phases[l.phaseOf(t.Phase.No)-1].moves)
	}
}

// hardMissed tells of the high energy turns that did not come, when they cannot any more.
func (l *rulebook) hardMissed(t *engine.Turn) {
	phase := l.phaseOf(t.Phase.No)
	_, last := l.span(phase)
	for _, s := range state.Fighting(t.Game) {
		p := memo(t).plans[s.ID]
		if p == nil {
			continue
		}
		for i := range p.phases[phase-1].moves {
			m := &p.phases[phase-1].moves[i]
			if m.verb != verbHard || m.done || t.Phase.No != last && m.on != t.Phase.No {
				continue
			}
			m.done = true
			switch {
			case !m.timed():
				l.skipMove(t, s, m, "the movement orders before it left no hex for it")
			case !l.judge(t, s, nil, m.when):
				l.skipMove(t, s, m, "its condition did not come true")
			default:
				l.skipMove(t, s, m, "it comes before a hex, and she moved none then")
			}
		}
	}
}
