package sfb

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
)

// movement is the first part of an impulse: ships move in their order, then drones.
func (l *rulebook) movement(t *engine.Turn) {
	n, impulse := memo(t), t.Phase.No
	n.volleys = n.volleys[:0]
	before := map[engine.ShipID]engine.Place{}
	moved := map[engine.ShipID]bool{} // by themselves
	leaves := func(s *engine.Ship) {
		n.moved[s.ID] = impulse
		if _, ok := before[s.ID]; !ok {
			before[s.ID] = engine.Place{Hex: s.Hex, Heading: s.Heading}
		}
	}
	if l.Quanta != nil {
		l.changeSpeeds(t)
	}
	l.partPhase(t, func(p *Part) func(*rulebook, *engine.Turn) { return p.steer })
	for _, id := range n.order {
		s, _ := t.Game.Ship(id)
		if state.Of(s).Braking < 0 && s.Status == engine.Active {
			l.hardAtStop(t, s)
		}
		for range l.moves(state.Of(s).Speed, impulse) {
			if s.Status != engine.Active || !l.paid(t, s, n.helm(s)) {
				break
			}
			leaves(s)
			from := s.Hex
			if !l.moveOne(t, s) {
				break
			}
			if s.Hex == from { // before an obstacle
				continue
			}
			lookAfter(t, s, from)
			moved[id] = true
			l.tow(t, s, from, leaves)
		}
	}
	for _, id := range n.order {
		if h := n.helms[id]; h != nil {
			if s, _ := t.Game.Ship(id); h.straight != state.Of(s).Straight && s.Status == engine.Active {
				t.Emit(&state.Helm{Ship: id, Straight: h.straight}, l.see(t.Game, s), l.cite(onTurning)...)
			}
			if s, _ := t.Game.Ship(id); h.pool != state.Of(s).Pool {
				t.Emit(&state.Pool{Ship: id, Left: h.pool, Reserve: state.Of(s).Reserve, Freed: 0}, engine.SeeOnly(id), l.cite(onPool)...)
			}
		}
	}
	if l.Hard.Hexes > 0 {
		l.hardMissed(t)
	}
	if l.Brakes != "" {
		l.slow(t, moved)
	}
	l.meetings(t, before)
	l.fly(t, before)
	l.flyShots(t, before)
	l.lookRound(t)
}

// moveOne moves a ship a hex, unless an obstacle is there; false if her engines have broken before it.
func (l *rulebook) moveOne(t *engine.Turn, s *engine.Ship) bool {
	n, sys := memo(t), state.Of(s)
	h := n.helm(s)
	if phase := l.phaseOf(t.Phase.No); h.phase != phase {
		h.phase, h.order, h.word, h.begun = phase, 0, 0, false
	}
	mode := sys.StraightAt(sys.Speed)
	word, m := l.nextWord(t, s, h, mode)
	if word == "" {
		return false
	}
	at := s.Stands()
	reactive := "no order"
	var cause engine.Ref
	if m != nil {
		reactive, cause = "", m.cause(t, s.ID)
		if m.verb != "move" {
			reactive = m.text
		}
	}
	space, way := l.space(t), steering.Motion{At: at, Straight: h.straight}
	went, barred := way.Go(word, mode, space)
	if went != word {
		t.Because(cause).Emit(&engine.Skip{
			Ship: s.ID, Line: lineOf(m), Order: word,
			Reason: tooSoonWords(h.straight, mode) + ", and she goes ahead",
		}, engine.SeeOnly(s.ID), l.cite(onTurning)...)
	}
	h.straight = way.Straight
	if barred {
		t.Because(cause).Emit(&engine.Skip{Ship: s.ID, Line: lineOf(m), Order: went, Reason: space.InWay(steering.Step(at, went).Hex) + ": she stays where she is, and has used that hex"}, engine.SeeOnly(s.ID), l.cite(onObstacles)...)
		return true
	}
	h.moved++
	word, to := went, way.At
	// Which order a word comes from is the captain's own business; what it became is seen.
	t.Because(cause).Emit(&engine.Move{Ship: s.ID, Word: word, Cost: 1, From: at, To: to, Reactive: reactive}, l.see(t.Game, s), l.cite(onTurning)...)
	if b := t.Game.Bounds; b != nil && !b.Contains(to.Hex) {
		l.out(t.Because(t.Last()), s, engine.Left, "over the edge of the map", b.Beyond(to.Hex), "D8")
	}
	return true
}

func lineOf(m *moveOrder) int {
	if m == nil {
		return 0
	}
	return m.line
}

// nextWord is the next word of a ship's movement orders, and the order that it is from; nil
// where none is left. It makes the high energy turns that come before it; the word is blank if
// one of them has stopped her. Mode is how many hexes straight come before a turn.
func (l *rulebook) nextWord(t *engine.Turn, s *engine.Ship, h *helm, mode int) (string, *moveOrder) {
	var moves []moveOrder
	if p := memo(t).plans[s.ID]; p != nil {
		moves = p.phases[h.phase-1].moves
	}
	l.hardNow(t, s, h, moves)
	for ; h.order < len(moves); h.order, h.word, h.begun = h.order+1, 0, false {
		m := &moves[h.order]
		if m.verb == verbHard {
			if !m.timed() && !m.done {
				l.hardTurn(t, s, h, m)
			}
			continue
		}
		if state.Of(s).Stopped(h.moved) {
			return "", nil
		}
		at, may := engine.Place{Hex: s.Hex, Heading: s.Heading}, h.straight >= mode
		foe := l.aim(t.Game, s, m.target)
		target, found := l.goal(t.Game, s, m.target)
		if !h.begun {
			h.begun = true
			switch {
			case m.target != "" && !found && m.standing:
				continue
			case m.target != "" && !found:
				t.Emit(&engine.Skip{Ship: s.ID, Line: m.line, Order: m.text, Reason: "there is no such ship on the map now"}, engine.SeeOnly(s.ID), l.cite(onSkipped)...)
				continue
			case !l.judge(t, s, foe, m.when):
				continue
			}
		}
		switch {
		case m.verb == "move":
			if h.word < len(m.words) {
				h.word++
				return m.words[h.word-1], m
			}
			continue
		case m.verb == "course":
			target.Hex = m.at
		case !found:
			continue
		}
		return steering.Steer(m.wish(), at, target, may, l.space(t)), m
	}
	if state.Of(s).Stopped(h.moved) {
		return "", nil
	}
	return l.space(t).Onward(s.Stands(), h.straight >= mode), nil
}

// meetings tells of ships that come into one hex, since fire within a hex strikes the
// shield that faced when they were last apart (ruling C9). Before is where those that
// moved were.
func (l *rulebook) meetings(t *engine.Turn, before map[engine.ShipID]engine.Place) {
	was := func(s *engine.Ship) engine.Place {
		if p, ok := before[s.ID]; ok {
			return p
		}
		return engine.Place{Hex: s.Hex, Heading: s.Heading}
	}
	for _, id := range memo(t).order {
		a, _ := t.Game.Ship(id)
		if _, moved := before[id]; !moved || !a.OnMap() {
			continue
		}
		for _, b := range t.Game.Ships {
			_, alsoMoved := before[b.ID]
			if b.Small() || b == a || l.hidden(t.Game, a) || l.hidden(t.Game, b) || !b.OnMap() || b.Hex != a.Hex || alsoMoved && slices.Index(memo(t).order, b.ID) < slices.Index(memo(t).order, id) {
				continue
			}
			if side, apart := steering.Facing(was(a), was(b).Hex); apart {
				other, _ := steering.Facing(was(b), was(a).Hex)
				t.Emit(&state.Meeting{Ship: a.ID, Side: side, With: b.ID, WithSide: other}, engine.SeeAll(), l.cite(onFire)...)
			}
		}
	}
}

// wish is what it is after.
func (m *moveOrder) wish() steering.Wish {
	return steering.Wish{Verb: m.verb, Range: m.rng, Side: m.side}
}

// brakeImpulses is in how many later impulses a ship that brakes still moves (house 34.1).
const brakeImpulses = 2

// slow stops the ships that have braked and moved long enough, and then has those brake that
// are ordered to. Moved are the ships that have moved in this impulse.
func (l *rulebook) slow(t *engine.Turn, moved map[engine.ShipID]bool) {
	for _, s := range state.Fighting(t.Game) {
		p, sys := memo(t).plans[s.ID], state.Of(s)
		switch {
		case sys.Braking > 1 && moved[s.ID]:
			t.Emit(&state.Brake{Ship: s.ID, Left: sys.Braking - 1}, l.see(t.Game, s), l.cite(onBrake)...)
		case sys.Braking == 1 && moved[s.ID]:
			back := sys.Pool / 2 / sheet.MoveParts
			memo(t).helm(s).pool = 0
			t.Emit(&state.Brake{Ship: s.ID, Left: -1}, l.see(t.Game, s), l.cite(onBrake)...)
			stop := t.Last()
			t.Because(stop).Emit(&state.Pool{Ship: s.ID, Left: 0, Reserve: sys.Reserve + back, Freed: back}, engine.SeeOnly(s.ID), l.cite(onBrake)...)
			t.Because(stop).Emit(&state.Speed{Ship: s.ID, Speed: 0, Mode: sys.StraightAt(0), Cloaked: sys.Cloaked, Down: sys.Down}, l.see(t.Game, s), l.cite(onBrake)...)
		case sys.Braking == 0 && sys.Speed > 0 && p != nil:
			for _, o := range p.phases[l.phaseOf(t.Phase.No)-1].brakes {
				if (o.on == 0 || o.on == t.Phase.No) && l.judge(t, s, nil, o.when) {
					t.Because(t.Ordered(s.ID, o.line, o.text)).Emit(&state.Brake{Ship: s.ID, Left: brakeImpulses}, l.see(t.Game, s), l.cite(onBrake)...)
					break
				}
			}
		}
	}
}

// tooSoonWords is why a ship cannot turn yet.
func tooSoonWords(moved, mode int) string {
	if mode >= state.NoTurns {
		return uncontrolled
	}
	return fmt.Sprintf("she has moved %d of %d hexes straight", moved, mode)
}
