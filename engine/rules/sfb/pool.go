package sfb

import (
	"fmt"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
)

// speedWord is a speed as orders write it.
func (b *Book) speedWord(hexes int) string {
	if b.Quanta == nil {
		return strconv.Itoa(hexes)
	}
	return b.Quanta[b.quantum(hexes)].Word
}

// changeSpeeds carries out the speeds that are ordered for an impulse, one step a ship, and
// has ships that are stopped face as they like (house 6.01).
func (l *rulebook) changeSpeeds(t *engine.Turn) {
	n, changed, risen := memo(t), false, map[engine.ShipID]bool{}
	for _, s := range state.Fighting(t.Game) {
		p, sys := n.plans[s.ID], state.Of(s)
		if p == nil {
			continue
		}
		phase := &p.phases[l.phaseOf(t.Phase.No)-1]
		for i := range phase.speeds {
			o := &phase.speeds[i]
			if o.done || o.on > 0 && o.on != t.Phase.No || !l.judge(t, s, nil, o.when) {
				continue
			}
			o.done = true
			next := l.Quanta[o.to]
			if next.Hexes == sys.Speed {
				continue
			}
			if sys.Braking < 0 {
				t.Emit(&engine.Skip{Ship: s.ID, Line: o.line, Order: o.text, Reason: "she has braked, and stays stopped for the turn"}, engine.SeeOnly(s.ID), l.cite(onBrake, onSkipped)...)
				continue
			}
			if from := l.quantum(sys.Speed); !mayFollow(from, o.to) {
				why := map[bool]string{true: "a ship stops only from the slowest speed", false: "a speed rises by one step in an impulse"}[o.to < from]
				t.Emit(&engine.Skip{Ship: s.ID, Line: o.line, Order: o.text, Reason: why + ", and she goes " + l.Quanta[from].Word}, engine.SeeOnly(s.ID), l.cite(onPool, onSkipped)...)
				continue
			}
			risen[s.ID] = sys.Speed == 0
			t.Because(o.cause(t, s.ID)).Emit(&state.Speed{Ship: s.ID, Speed: next.Hexes, Mode: sys.StraightAt(next.Hexes), Cloaked: sys.Cloaked, Down: sys.Down}, l.see(t.Game, s), l.cite(onPool)...)
			changed = true
			break
		}
		l.faceStopped(t, s, phase)
	}
	if changed {
		slices.SortStableFunc(n.order, func(a, b engine.ShipID) int { return l.movesBefore(t.Game, a, b) })
		l.throwForRisen(t, risen)
		l.tellOrder(t)
	}
}

// throwForRisen has ships that were stopped, which have thrown no dice for their place in the
// order of moving, throw with those that they are equal to now.
func (l *rulebook) throwForRisen(t *engine.Turn, risen map[engine.ShipID]bool) {
	n := memo(t)
	for i := 0; i < len(n.order); {
		j := i + 1
		for j < len(n.order) && l.movesBefore(t.Game, n.order[i], n.order[j]) == 0 {
			j++
		}
		equal := make([]*engine.Ship, j-i)
		for k := range equal {
			equal[k], _ = t.Game.Ship(n.order[i+k])
		}
		if slices.ContainsFunc(equal, func(s *engine.Ship) bool { return risen[s.ID] && !l.hidden(t.Game, s) }) {
			l.throwForOrder(t, equal, 1)
			for k, s := range equal {
				n.order[i+k] = s.ID
			}
		}
		i = j
	}
}

// faceStopped turns a ship that is stopped as her order to face another wants it.
func (l *rulebook) faceStopped(t *engine.Turn, s *engine.Ship, phase *phasePlan) {
	if state.Of(s).Speed > 0 || !state.Of(s).Controlled() {
		return
	}
	for i := range phase.moves {
		m := &phase.moves[i]
		foe := l.aim(t.Game, s, m.target)
		at, found := l.goal(t.Game, s, m.target)
		if m.verb != "face" || !found || !l.judge(t, s, foe, m.when) {
			continue
		}
		if best := steering.Toward(engine.Place{Hex: s.Hex, Heading: s.Heading}, at.Hex, m.side); best != s.Heading {
			t.Because(m.cause(t, s.ID)).Emit(&state.Facing{Ship: s.ID, Heading: best}, l.see(t.Game, s), l.cite(onTurning)...)
		}
		return
	}
}

// paid takes a hex from a ship's pool; false if there is too little in it, which is told once.
func (l *rulebook) paid(t *engine.Turn, s *engine.Ship, h *helm) bool {
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
		t.Emit(&engine.Skip{Ship: s.ID, Order: "movement", Reason: why + ": she stays where she is"}, engine.SeeOnly(s.ID), l.cite(onPool, onSkipped)...)
	}
	return false
}

// affordable is the fastest speed up to a wish that may follow a ship's last one and that
// so much energy pays for, as orders write it, with the pool if that is less than it takes.
func (l *rulebook) affordable(sys *state.System, wish, most int, take func(energy, hexes int)) string {
	from, cost := l.quantum(sys.Speed), sys.HexCost()
	best := min(1, max(0, from-1))
	for i, q := range l.Quanta {
		if mayFollow(from, i) && q.Hexes <= wish && poolEnergy(q.Hexes, cost) <= most {
			best = max(best, i)
		}
	}
	word, energy := l.Quanta[best].Word, poolEnergy(l.Quanta[best].Hexes, cost)
	if energy > most {
		energy = max(0, most)
		word += fmt.Sprintf(" pool %d", energy)
	}
	take(energy, l.Quanta[best].Hexes)
	return word
}

// spare is what energy a set's power leaves.
func (l *rulebook) spare(sys *state.System, power string) int {
	c := &compiler{sys: sys, block: l.read(power), round: 1}
	l.compile(c)
	return c.p.energy.Unused
}
