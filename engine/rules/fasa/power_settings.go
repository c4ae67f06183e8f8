package fasa

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine/rules/fasa/tables"
)

// settings is a use of power that a template, an absent captain or a robot sets.
type settings struct {
	points  int           // movement points
	shields []int         // by number
	armed   map[int][]int // by bank
	shots   map[int][]int // by bank, of mounts armed for several
	cloak   bool          // powered, and on when the turn begins
}

func (s settings) cost(sys *System) int {
	total := sys.Design.Move.Cost(s.points) + sys.Design.Shield.Cost(sum(s.shields))
	for _, a := range s.armed {
		total += sum(a)
	}
	if s.cloak {
		total += sys.Cloak().Need
	}
	return total
}

// scaled is last turn's use of power, scaled to the power that is left (ruling
// D12); before the first turn it is a plain start.
func (l *rulebook) scaled(sys *System) settings {
	if sys.Alloc.Available == 0 {
		return l.begin(sys)
	}
	now := settings{points: l.points(sys, sys.Alloc.Movement), shields: make([]int, 6), armed: map[int][]int{}, shots: map[int][]int{}, cloak: sys.hidden()}
	for i, sh := range sys.Shields {
		if !sh.Down {
			now.shields[i] = sh.Set
		}
	}
	for i, b := range sys.Banks {
		armed := make([]int, len(b.Mounts))
		now.shots[i] = make([]int, len(b.Mounts))
		for m, mt := range b.Mounts {
			now.shots[i][m] = mt.Shots
			if !mt.Destroyed {
				armed[m] = mt.Armed
				if b.Kind == tables.Beam {
					armed[m] = min(mt.Armed, b.most(m)*max(1, mt.Shots))
				}
			}
		}
		if sum(armed) > 0 {
			now.armed[i] = armed
		}
	}
	cost := now.cost(sys)
	if cost <= sys.Power {
		return now
	}
	now.points = l.points(sys, sys.Alloc.Movement*sys.Power/cost)
	now = sys.pin(now)
	for i := range now.shields {
		now.shields[i] = now.shields[i] * sys.Power / cost
	}
	for i, armed := range now.armed {
		for m := range armed {
			if sys.Banks[i].Kind == tables.Beam {
				armed[m] = armed[m] * sys.Power / cost
			}
		}
	}
	return fit(sys, now)
}

// fit takes armament and then shield points away until the power is enough.
func fit(sys *System, s settings) settings {
	for i := range slices.Backward(sys.Banks) {
		for m := len(s.armed[i]) - 1; m >= 0 && s.cost(sys) > sys.Power; m-- {
			s.armed[i][m] = 0
		}
	}
	for s.cost(sys) > sys.Power && sum(s.shields) > 0 {
		s.shields[strongest(s.shields)]--
	}
	for s.cost(sys) > sys.Power && s.points > 0 {
		s.points--
	}
	s.cloak = s.cloak && s.cost(sys) <= sys.Power
	return s
}

// begin is a plain use of power for a first turn: one movement point a phase,
// beams that fire ahead armed, the rest to the shields ahead.
func (l *rulebook) begin(sys *System) settings {
	s := settings{shields: make([]int, 6), armed: map[int][]int{}, cloak: sys.hidden()}
	s.points = min(l.split.Phases(), l.points(sys, sys.Power/3))
	if s.cloak {
		return fit(sys, s)
	}
	for i, b := range sys.Banks {
		if b.Kind != tables.Beam {
			continue
		}
		for m, mt := range b.Mounts {
			want := b.Max - b.Max/3
			if mt.Destroyed || s.cost(sys)+want > sys.Power*2/3 {
				continue
			}
			if s.armed[i] == nil {
				s.armed[i] = make([]int, len(b.Mounts))
			}
			s.armed[i][m] = want
		}
	}
	raise(sys, &s, l.foremost()[:3], sys.Power)
	return s
}

// muchLeft tells whether a quarter of the power or more is not used.
func (s *System) muchLeft(unused int) bool { return unused > 0 && 4*unused >= s.Power }

// wants tells whether more power would buy anything.
func (s *System) wants(p *PowerSet) bool {
	_, pinned := s.pinned()
	if s.Design.Move.B > 0 && !s.outpost() && !pinned {
		return true
	}
	for i, points := range p.ShieldPoints {
		if points < s.Design.MaxShield && !s.Shields[i].Down {
			return true
		}
	}
	for i := range s.Banks {
		b := &s.Banks[i]
		for m, mt := range b.Mounts {
			if armed := p.Armed[b.ID]; !mt.Destroyed && (m >= len(armed) || armed[m] == 0) {
				return true
			}
		}
	}
	return false
}

// offered is a use of power as a template shows it: much that is left goes to the
// shields, ahead first, then to the beams, then to movement.
func (l *rulebook) offered(sys *System, s settings) settings {
	left := func() bool { return sys.muchLeft(sys.Power - s.cost(sys)) }
	if s.cloak || !left() {
		return s
	}
	raise(sys, &s, l.foremost(), sys.Power)
	for i := range sys.Banks {
		b := &sys.Banks[i]
		for m, mt := range b.Mounts {
			if !left() || b.Kind != tables.Beam || mt.Destroyed || m < len(s.shots[i]) && s.shots[i][m] > 1 {
				continue
			}
			if s.armed[i] == nil {
				s.armed[i] = make([]int, len(b.Mounts))
			}
			s.armed[i][m] += min(b.most(m)-s.armed[i][m], sys.Power-s.cost(sys))
		}
	}
	for left() && !sys.outpost() && sys.Design.Move.B > 0 {
		if s.points++; s.cost(sys) > sys.Power || s.points > l.points(sys, sys.Power) {
			s.points--
			break
		}
	}
	return sys.pin(s)
}

// raise spends what is left of a limit of power on shields, in an order of
// numbers, filling each before the next.
func raise(sys *System, s *settings, numbers []int, limit int) {
	for _, n := range numbers {
		if sys.Shields[n-1].Down {
			continue
		}
		for s.shields[n-1] < sys.Design.MaxShield {
			s.shields[n-1]++
			if s.cost(sys) > limit {
				s.shields[n-1]--
				return
			}
		}
	}
}

// writePower writes the power block of an order set.
func writePower(b *strings.Builder, sys *System, s settings) {
	b.WriteString("power\n")
	if cost := sys.Design.Move.Cost(s.points); cost > 0 {
		fmt.Fprintf(b, "  move %d\n", cost)
	}
	if s.cloak {
		b.WriteString("  cloak on\n")
	}
	var parts []string
	for i, p := range s.shields {
		if p > 0 {
			parts = append(parts, fmt.Sprintf("%d:%d", i+1, p))
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(b, "  shields %s\n", strings.Join(parts, " "))
	}
	for i := range sys.Banks {
		bank := &sys.Banks[i]
		armed := s.armed[i]
		switch {
		case sum(armed) == 0:
		case bank.Kind == tables.Beam && intact(bank) && sum(s.shots[i]) == 0:
			fmt.Fprintf(b, "  arm %s %s\n", bank.ID, joinInts(armed))
		default:
			for m, p := range armed {
				switch {
				case p == 0:
				case s.several(i, m) > 1:
					fmt.Fprintf(b, "  arm %s %d shots %d\n", mountName(bank, m), p, s.several(i, m))
				case bank.Kind == tables.Beam, p < bank.Arm:
					fmt.Fprintf(b, "  arm %s %d\n", mountName(bank, m), p)
				default:
					fmt.Fprintf(b, "  arm %s\n", mountName(bank, m))
				}
			}
		}
	}
}

// several is for how many shots a mount is armed: no more than it has power for.
func (s settings) several(bank, mount int) int {
	shots := s.shots[bank]
	if mount >= len(shots) {
		return 1
	}
	return min(shots[mount], s.armed[bank][mount])
}

func intact(b *Bank) bool {
	for _, m := range b.Mounts {
		if m.Destroyed {
			return false
		}
	}
	return true
}

// writeStanding writes the standing orders in force.
func (l *rulebook) writeStanding(b *strings.Builder, s Standing) {
	b.WriteString("standing\n")
	fmt.Fprintf(b, "  choose shield %s\n", s.Choose)
	if len(s.Beams) > 0 {
		fmt.Fprintf(b, "  lose beams %s\n", strings.Join(s.Beams, " "))
	}
	if len(s.Missile) > 0 {
		fmt.Fprintf(b, "  lose missiles %s\n", strings.Join(s.Missile, " "))
	}
	if l.sheds {
		fmt.Fprintf(b, "  shed %s\n", strings.Join(s.Shed, " "))
	}
	fmt.Fprintf(b, "  missing %s\n", s.Missing)
	for _, p := range l.parts {
		for _, line := range p.standing(s) {
			fmt.Fprintf(b, "  %s\n", line)
		}
	}
}
