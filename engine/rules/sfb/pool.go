package sfb

import (
	"fmt"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
	"starpost/orders"
)

// quantum is the index of a speed, and of the next slower one where there is none such.
func (b *Book) quantum(hexes int) int {
	i := len(b.Quanta) - 1
	for i > 0 && b.Quanta[i].Hexes > hexes {
		i--
	}
	return i
}

// speedWord is a speed as orders write it.
func (b *Book) speedWord(hexes int) string {
	if b.Quanta == nil {
		return strconv.Itoa(hexes)
	}
	return b.Quanta[b.quantum(hexes)].Word
}

// mayFollow tells whether a quantum may follow another at once: one step up, and two up from a stop;
// any lower one, but a stop only from the slowest (house 6.05, ruling R3).
func mayFollow(last, next int) bool {
	if next > last {
		return next == last+1 || last == 0 && next == 2
	}
	return next > 0 || last <= 1
}

// quantumArg reads a speed that is to follow another; one that may not is told, and is the
// step towards it.
func (c *compiler) quantumArg(a orders.Arg, last int) (hexes int) {
	from := c.book.quantum(last)
	to := slices.IndexFunc(c.book.Quanta, func(q quantum) bool { return q.Word == a.Text })
	if !c.drives(a, to) {
		return c.book.Quanta[min(from, 1)].Hexes
	}
	if mayFollow(from, to) {
		return c.book.Quanta[to].Hexes
	}
	c.fail(a.Pos, "E201", c.book.nextStep(from, to), "speed %s is too far from %s", a.Text, c.book.Quanta[from].Word)
	return c.book.Quanta[stepTo(from, to)].Hexes
}

// stepTo is the quantum that may follow another at once on the way to a third.
func stepTo(from, to int) int {
	if to > from {
		return from + 1 + b2i(from == 0)
	}
	return 1
}

func (b *Book) nextStep(from, to int) string {
	next := b.Quanta[stepTo(from, to)].Word
	if to < from {
		return next + " is the next: a ship stops only from that, or by brake"
	}
	return next + " is the next: a speed rises by one step in an impulse, from a stop to 2 at once"
}

// drives tells whether a ship's drive is for a speed: without a warp drive she has 0 and 1
// alone (house 21.31); her Star Drive is for between battles.
func (c *compiler) drives(a orders.Arg, to int) bool {
	if to < 2 || c.sys.Sheet.Count(sheet.Warp).All > 0 {
		return true
	}
	c.fail(a.Pos, "E226", "speed "+c.book.Quanta[1].Word+", by her impulse engines, or "+c.book.Quanta[0].Word, "this ship has no warp drive, and cannot go %s", a.Text)
	return false
}

// poolEnergy is the energy that so many hexes take, of a ship whose hex costs some 60ths.
func poolEnergy(hexes, cost int) int { return (hexes*cost + sheet.MoveParts - 1) / sheet.MoveParts }

// pool compiles a speed with its pool: what is not told is what the hexes of the turn take
// (house 6.03a).
func (c *compiler) pool(st orders.Statement, spend func(pos orders.Pos, sum, warp int)) {
	a, _ := st.Arg("SPEED")
	hexes := c.quantumArg(a, c.sys.Speed)
	cost := c.sys.HexCost()
	energy := poolEnergy(hexes, cost)
	if e, ok := st.Arg("ENERGY"); ok {
		energy = e.Num
	}
	c.p.energy.Speed, c.p.pool = hexes, energy
	spend(st.Pos, energy, energy-c.impulseShare(energy))
	c.effect(st.Pos.Line, "moves on impulses %s; the pool of %d energy is enough for %d hexes", c.book.impulses(hexes), energy, energy*sheet.MoveParts/cost)
}

// changeSpeed compiles it. Whether it is a step will be seen when it is carried out.
func (c *compiler) changeSpeed(p *phasePlan, phase int, st orders.Statement) {
	a, _ := st.Arg("SPEED")
	on, ok := c.impulse(st, phase)
	if !ok {
		return
	}
	to := slices.IndexFunc(c.book.Quanta, func(q quantum) bool { return q.Word == a.Text })
	if !c.drives(a, to) {
		return
	}
	p.speeds = append(p.speeds, speedOrder{order: orderOf(st), to: to, on: on})
	c.effect(st.Pos.Line, "%s hexes a turn from then on, paid from the pool", strconv.Itoa(c.book.Quanta[to].Hexes))
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
