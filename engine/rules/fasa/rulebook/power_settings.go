package rulebook

import (
	"slices"
	"strings"

	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
	"starpost/orders"
)

// Scaled returns last turn's use of power, scaled to the power that is left (ruling D12);
// before the first turn, a plain start.
func (l *Rules) Scaled(sys *ship.State) ship.Settings {
	if sys.Alloc.Available == 0 {
		return l.begin(sys)
	}
	now := ship.Settings{Points: l.MovementPoints(sys, sys.Alloc.Movement), Shields: make([]int, 6), Armed: map[int][]int{}, Shots: map[int][]int{}, Cloak: sys.Hidden()}
	for i, sh := range sys.Shields {
		if !sh.Down {
			now.Shields[i] = sh.Set
		}
	}
	for i, b := range sys.Banks {
		armed := make([]int, len(b.Mounts))
		now.Shots[i] = make([]int, len(b.Mounts))
		for m, mt := range b.Mounts {
			now.Shots[i][m] = mt.Shots
			if !mt.Destroyed {
				armed[m] = mt.Armed
				if b.AnyPower() {
					armed[m] = min(mt.Armed, b.Most(m)*max(1, mt.Shots))
				}
			}
		}
		if tactical.Sum(armed) > 0 {
			now.Armed[i] = armed
		}
	}
	cost := now.Cost(sys)
	if cost <= sys.Power {
		return now
	}
	now.Points = l.MovementPoints(sys, sys.Alloc.Movement*sys.Power/cost)
	now = sys.Pin(now)
	for i := range now.Shields {
		now.Shields[i] = now.Shields[i] * sys.Power / cost
	}
	for i, armed := range now.Armed {
		for m := range armed {
			if sys.Banks[i].AnyPower() {
				armed[m] = armed[m] * sys.Power / cost
			}
		}
	}
	return ship.Fit(sys, now)
}

// begin returns a plain use of power for a first turn: one movement point a phase, beams
// armed, the rest to the shields ahead.
func (l *Rules) begin(sys *ship.State) ship.Settings {
	s := ship.Settings{Shields: make([]int, 6), Armed: map[int][]int{}, Cloak: sys.Hidden()}
	s.Points = min(l.Split.Phases(), l.MovementPoints(sys, sys.Power/3))
	if s.Cloak {
		return ship.Fit(sys, s)
	}
	for i, b := range sys.Banks {
		if !b.AnyPower() {
			continue
		}
		for m, mt := range b.Mounts {
			want := min(b.Max-b.Max/3, b.Most(m)) // an officer may be offered this in any turn
			if mt.Destroyed || s.Cost(sys)+want > sys.Power*2/3 {
				continue
			}
			if s.Armed[i] == nil {
				s.Armed[i] = make([]int, len(b.Mounts))
			}
			s.Armed[i][m] = want
		}
	}
	ship.Raise(sys, &s, l.Foremost()[:3], sys.Power)
	return s
}

// Offered returns a use of power as a template shows it: if much is left, it goes to the
// shields, ahead first, then to the beams, then to movement.
func (l *Rules) Offered(sys *ship.State, s ship.Settings) ship.Settings {
	left := func() bool { return sys.MuchLeft(sys.Power - s.Cost(sys)) }
	if s.Cloak || !left() {
		return s
	}
	ship.Raise(sys, &s, l.Foremost(), sys.Power)
	for i := range sys.Banks {
		b := &sys.Banks[i]
		for m, mt := range b.Mounts {
			if !left() || !b.AnyPower() || mt.Destroyed || m < len(s.Shots[i]) && s.Shots[i][m] > 1 {
				continue
			}
			if s.Armed[i] == nil {
				s.Armed[i] = make([]int, len(b.Mounts))
			}
			s.Armed[i][m] += min(b.Most(m)-s.Armed[i][m], sys.Power-s.Cost(sys))
		}
	}
	for left() && !sys.Outpost() && sys.Design.Move.B > 0 {
		if s.Points++; s.Cost(sys) > sys.Power || s.Points > l.MovementPoints(sys, sys.Power) {
			s.Points--
			break
		}
	}
	return sys.Pin(s)
}

// StandingOrders returns the standing orders in force.
func (l *Rules) StandingOrders(s ship.Standing) (out orders.Set) {
	say := func(words ...any) { out.Say("standing", 0, words...) }
	say("choose shield", s.Choose)
	if len(s.Beams) > 0 {
		say("lose beams", s.Beams)
	}
	if len(s.Missile) > 0 {
		say("lose missiles", s.Missile)
	}
	if l.Sheds {
		say("shed", strings.Join(ShedWords(s), " "))
	}
	say("missing", s.Missing)
	for _, p := range l.Parts {
		for _, line := range p.Standing(s) {
			say(line)
		}
	}
	return out
}

// ShedWords returns the systems in the order in which power is cut, with the amounts.
func ShedWords(s ship.Standing) []string {
	out := slices.Clone(s.Shed)
	for i, system := range out {
		for _, amount := range s.List(StandingCuts) {
			if strings.HasPrefix(amount, system+" ") {
				out[i] = amount
			}
		}
	}
	return out
}
