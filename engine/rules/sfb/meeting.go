package sfb

import (
	"strconv"

	"starpost/engine"
	"starpost/engine/dark"
)

// meet turns a ship that something is about to strike, so that the shield of her captain's choice
// meets it, and gives the side that does. She turns by a side if she may turn before her next hex, and as she
// likes if she is stopped, once an impulse (house 200.1, ruling R19).
func (l *rulebook) meet(t *engine.Turn, d, s *engine.Ship, side int) int {
	n, sys := memo(t), of(s)
	if !l.Meets || dark.IsEcho(s) || sys.Standing.Choose == "" || n.met[s.ID] == t.Phase.No || !sys.controlled() || !l.whole(t.Game, s, d) {
		return side
	}
	turns, h := []int{-1, 1}, n.helm(s)
	switch {
	case sys.Speed == 0:
		turns = append(turns, -2, 2, 3)
	case h.straight < sys.straight(sys.Speed) || sys.Held != "" || sys.stopped(h.moved):
		return side
	}
	best, by := side, 0
	for _, turn := range turns {
		if other := (side - turn + 6) % 6; sys.prefers(other, best) {
			best, by = other, turn
		}
	}
	if by == 0 {
		return side
	}
	n.met[s.ID] = t.Phase.No
	turned := t.Because(t.OrderedIn(s.ID, "standing", "choose")).Emit(&Facing{s.ID, s.Heading.Turn(by)}, l.see(t.Game, s), l.cite(onMeeting)...)
	if h.straight > 0 && sys.Speed > 0 {
		h.straight = 0
		t.Because(turned).Emit(&Helm{s.ID, 0}, l.see(t.Game, s), l.cite(onMeeting)...)
	}
	return best
}

// prefers tells whether a shield suits the standing choice of a ship's captain better than another.
func (s *System) prefers(side, other int) bool {
	a, b := s.Sheet.Shields[side].Left, s.Sheet.Shields[other].Left
	switch s.Standing.Choose {
	case strongest:
		return a > b
	case weakest:
		return a < b
	}
	return s.Standing.Choose == strconv.Itoa(side+1)
}
