package play

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
)

// movement is the first part of an impulse: ships move in order, then drones.
func movement(l *rulebook.Rules, t *engine.Turn) {
	memo(t).volleys = memo(t).volleys[:0]
	before := moveShips(l, t)
	meetings(l, t, before)
	fly(l, t, before)
	flyShots(l, t, before)
	lookRound(l, t)
}

// moveShips moves the ships of an impulse, and returns where those that moved were before.
func moveShips(l *rulebook.Rules, t *engine.Turn) (before map[engine.ShipID]engine.Place) {
	n, impulse := memo(t), t.Phase.No
	before = map[engine.ShipID]engine.Place{}
	moved := map[engine.ShipID]bool{} // under their own power
	leaves := func(s *engine.Ship) {
		n.moved[s.ID] = impulse
		if _, ok := before[s.ID]; !ok {
			before[s.ID] = engine.Place{Hex: s.Hex, Heading: s.Heading}
		}
	}
	if l.Quanta != nil {
		changeSpeeds(l, t)
	}
	partPhase(l, t, func(p *rulebook.Part) func(*rulebook.Rules, *engine.Turn) { return p.Steer })
	for _, id := range n.order {
		s, _ := t.Game.Ship(id)
		if state.Of(s).Braking < 0 && s.Status == engine.Active {
			hardAtStop(l, t, s)
		}
		for range l.Moves(state.Of(s).Speed, impulse) {
			if s.Status != engine.Active || !paid(l, t, s, n.helm(s)) {
				break
			}
			leaves(s)
			from := s.Hex
			if !moveOne(l, t, s) {
				break
			}
			if s.Hex == from { // before an obstacle
				continue
			}
			lookAfter(t, s, from)
			moved[id] = true
			tow(l, t, s, from, leaves)
		}
	}
	for _, id := range n.order {
		if h := n.helms[id]; h != nil {
			if s, _ := t.Game.Ship(id); h.straight != state.Of(s).Straight && s.Status == engine.Active {
				t.Emit(&state.Helm{Ship: id, Straight: h.straight}, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnTurning)...)
			}
			if s, _ := t.Game.Ship(id); h.pool != state.Of(s).Pool {
				t.Emit(&state.Pool{Ship: id, Left: h.pool, Reserve: state.Of(s).Reserve, Freed: 0}, engine.SeeOnly(id), l.Cite(rulebook.OnPool)...)
			}
		}
	}
	if l.Hard.Hexes > 0 {
		hardMissed(l, t)
	}
	if l.Brakes != "" {
		slow(l, t, moved)
	}
	return before
}

// moveOne moves a ship one hex, unless an obstacle is there. It returns false if her engines broke before that.
func moveOne(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) bool {
	n, sys := memo(t), state.Of(s)
	h := n.helm(s)
	if phase := l.PhaseOf(t.Phase.No); h.phase != phase {
		h.phase, h.order, h.word, h.begun = phase, 0, 0, false
	}
	mode := sys.StraightAt(sys.Speed)
	word, m := nextWord(l, t, s, h, mode)
	if word == "" {
		return false
	}
	at := s.Stands()
	reactive := "no order"
	var cause engine.Ref
	if m != nil {
		reactive, cause = "", m.Cause(t, s.ID)
		if m.Verb != "move" {
			reactive = m.Text
		}
	}
	space, way, moved := space(l, t), steering.Motion{At: at, Straight: h.straight}, h.straight
	went, barred := way.Go(word, mode, space)
	if went != word {
		t.Because(cause).Emit(&engine.Skip{
			Ship: s.ID, Line: lineOf(m), Order: word,
			Reason: tooSoonWords(moved, mode) + ", and she goes ahead",
		}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnTurning)...)
	}
	h.straight = way.Straight
	if n.watch.Hex != nil {
		n.watch.Hex(Hex{Order: m, Word: word, Went: went, Straight: moved, Mode: mode, At: way.At, Obstacle: space.Closed[steering.Step(at, went).Hex]})
	}
	if barred {
		t.Because(cause).Emit(&engine.Skip{Ship: s.ID, Line: lineOf(m), Order: went, Reason: space.InWay(steering.Step(at, went).Hex) + ": she stays where she is, and has used that hex"}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnObstacles)...)
		return true
	}
	h.moved++
	word, to := went, way.At
	// Which order a word comes from is known only to the captain; the move is seen.
	t.Because(cause).Emit(&engine.Move{Ship: s.ID, Word: word, Cost: 1, From: at, To: to, Reactive: reactive}, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnTurning)...)
	if b := t.Game.Bounds; b != nil && !b.Contains(to.Hex) {
		out(l, t.Because(t.Last()), s, engine.Left, "over the edge of the map", b.Beyond(to.Hex), "D8")
	}
	return true
}

func lineOf(m *rulebook.MoveOrder) int {
	if m == nil {
		return 0
	}
	return m.Line
}

// nextWord returns the next word of a ship's movement orders and its order, nil if none is left. It first makes the
// high energy turns that come before the word; if one of them stops her, the word is "". Mode is how many hexes
// straight come before a turn.
func nextWord(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, h *helm, mode int) (string, *rulebook.MoveOrder) {
	var moves []rulebook.MoveOrder
	if p := memo(t).plans[s.ID]; p != nil {
		moves = p.Phases[h.phase-1].Moves
	}
	hardNow(l, t, s, h, moves)
	for ; h.order < len(moves); h.order, h.word, h.begun = h.order+1, 0, false {
		m := &moves[h.order]
		if m.Verb == rulebook.VerbHard {
			if !timed(m) && !m.Done {
				hardTurn(l, t, s, h, m)
			}
			continue
		}
		if state.Of(s).Stopped(h.moved) {
			return "", nil
		}
		at, may := engine.Place{Hex: s.Hex, Heading: s.Heading}, h.straight >= mode
		foe := aim(l, t.Game, s, m.Target)
		target, found := goal(l, t.Game, s, m.Target)
		if !h.begun {
			h.begun = true
			switch {
			case m.Target != "" && !found && m.Standing:
				continue
			case m.Target != "" && !found:
				t.Emit(&engine.Skip{Ship: s.ID, Line: m.Line, Order: m.Text, Reason: "there is no such ship on the map now"}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnSkipped)...)
				continue
			case !judge(l, t, s, foe, m.When):
				continue
			}
		}
		switch {
		case m.Verb == "move":
			if h.word < len(m.Words) {
				h.word++
				return m.Words[h.word-1], m
			}
			continue
		case m.Verb == "course":
			target.Hex = m.At
		case !found:
			continue
		}
		return steering.Steer(Wish(m), at, target, may, space(l, t)), m
	}
	if state.Of(s).Stopped(h.moved) {
		return "", nil
	}
	return space(l, t).Onward(s.Stands(), h.straight >= mode), nil
}

// meetings reports ships entering the same hex, because fire within a hex hits the shield that faced the other ship
// before (ruling C9). Before has the former places of those that moved.
func meetings(l *rulebook.Rules, t *engine.Turn, before map[engine.ShipID]engine.Place) {
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
			if b.Small() || b == a || Hidden(&l.Book, t.Game, a) || Hidden(&l.Book, t.Game, b) || !b.OnMap() || b.Hex != a.Hex || alsoMoved && slices.Index(memo(t).order, b.ID) < slices.Index(memo(t).order, id) {
				continue
			}
			if side, apart := steering.Facing(was(a), was(b).Hex); apart {
				other, _ := steering.Facing(was(b), was(a).Hex)
				t.Emit(&state.Meeting{Ship: a.ID, Side: side, With: b.ID, WithSide: other}, engine.SeeAll(), l.Cite(rulebook.OnFire)...)
			}
		}
	}
}

// Wish returns the aim of a movement order.
func Wish(m *rulebook.MoveOrder) steering.Wish {
	return steering.Wish{Verb: m.Verb, Range: m.Rng, Side: m.Side}
}

// brakeImpulses is in how many later impulses a braking ship still moves (house 34.1).
const brakeImpulses = 2

// slow stops the ships that have braked long enough, and then starts the braking of ships that are ordered to. Moved
// has the ships that moved in this impulse.
func slow(l *rulebook.Rules, t *engine.Turn, moved map[engine.ShipID]bool) {
	for _, s := range state.Fighting(t.Game) {
		p, sys := memo(t).plans[s.ID], state.Of(s)
		switch {
		case sys.Braking > 1 && moved[s.ID]:
			t.Emit(&state.Brake{Ship: s.ID, Left: sys.Braking - 1}, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnBrake)...)
		case sys.Braking == 1 && moved[s.ID]:
			back := sys.Pool / 2 / sheet.MoveParts
			memo(t).helm(s).pool = 0
			t.Emit(&state.Brake{Ship: s.ID, Left: -1}, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnBrake)...)
			stop := t.Last()
			t.Because(stop).Emit(&state.Pool{Ship: s.ID, Left: 0, Reserve: sys.Reserve + back, Freed: back}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnBrake)...)
			t.Because(stop).Emit(&state.Speed{Ship: s.ID, Speed: 0, Mode: sys.StraightAt(0), Cloaked: sys.Cloaked, Down: sys.Down}, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnBrake)...)
		case sys.Braking == 0 && sys.Speed > 0 && p != nil:
			for _, o := range p.Phases[l.PhaseOf(t.Phase.No)-1].Brakes {
				if (o.On == 0 || o.On == t.Phase.No) && judge(l, t, s, nil, o.When) {
					t.Because(t.Ordered(s.ID, o.Line, o.Text)).Emit(&state.Brake{Ship: s.ID, Left: brakeImpulses}, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnBrake)...)
					break
				}
			}
		}
	}
}

// tooSoonWords says why a ship cannot turn yet.
func tooSoonWords(moved, mode int) string {
	if mode >= state.NoTurns {
		return rulebook.Uncontrolled
	}
	return fmt.Sprintf("she has moved %d of %d hexes straight", moved, mode)
}
