package ship

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/tactical"
	"starpost/orders"
)

// Settings is a use of power as set by a template, a robot, or for an absent captain.
type Settings struct {
	Points  int           // movement points
	Shields []int         // by number
	Armed   map[int][]int // by bank
	Shots   map[int][]int // by bank, for mounts armed for several
	Cloak   bool          // powered, and on when the turn begins
}

// Cost returns the power units that a use of power takes.
func (s Settings) Cost(sys *State) int {
	total := sys.Design.Move.Cost(s.Points) + sys.Design.Shield.Cost(tactical.Sum(s.Shields))
	for _, a := range s.Armed {
		total += tactical.Sum(a)
	}
	if s.Cloak {
		total += sys.Cloak().Need
	}
	return total
}

// several returns the number of shots that a mount is armed for, at most one for each unit of power.
func (s Settings) several(bank, mount int) int {
	shots := s.Shots[bank]
	if mount >= len(shots) {
		return 1
	}
	return min(shots[mount], s.Armed[bank][mount])
}

// Fit reduces weapons, then shields, then movement until the power is enough.
func Fit(sys *State, s Settings) Settings {
	for i := range slices.Backward(sys.Banks) {
		for m := len(s.Armed[i]) - 1; m >= 0 && s.Cost(sys) > sys.Power; m-- {
			s.Armed[i][m] = 0
		}
	}
	for s.Cost(sys) > sys.Power && tactical.Sum(s.Shields) > 0 {
		s.Shields[tactical.Highest(s.Shields)]--
	}
	for s.Cost(sys) > sys.Power && s.Points > 0 {
		s.Points--
	}
	s.Cloak = s.Cloak && s.Cost(sys) <= sys.Power
	return s
}

// Raise spends power on shields, up to a total of limit, filling the shields in the given
// order.
func Raise(sys *State, s *Settings, numbers []int, limit int) {
	for _, n := range numbers {
		if sys.Shields[n-1].Down {
			continue
		}
		for s.Shields[n-1] < sys.Design.MaxShield {
			s.Shields[n-1]++
			if s.Cost(sys) > limit {
				s.Shields[n-1]--
				return
			}
		}
	}
}

// PowerOrders returns the power section of an order set; its heading alone if no power is used.
func PowerOrders(sys *State, s Settings) (out orders.Set) {
	out.Add("power", 0)
	say := func(words ...any) { out.Say("power", 0, words...) }
	if cost := sys.Design.Move.Cost(s.Points); cost > 0 {
		say("move", cost)
	}
	if s.Cloak {
		say("cloak on")
	}
	var parts []string
	for i, p := range s.Shields {
		if p > 0 {
			parts = append(parts, fmt.Sprintf("%d:%d", i+1, p))
		}
	}
	if len(parts) > 0 {
		say("shields", parts)
	}
	for i := range sys.Banks {
		bank := &sys.Banks[i]
		armed := s.Armed[i]
		switch {
		case tactical.Sum(armed) == 0:
		case bank.AnyPower() && intact(bank) && tactical.Sum(s.Shots[i]) == 0:
			say("arm", bank.ID, tactical.JoinInts(armed))
		default:
			for m, p := range armed {
				switch {
				case p == 0:
				case s.several(i, m) > 1:
					say("arm", MountName(bank, m), p, "shots", s.several(i, m))
				case bank.AnyPower(), p < bank.Arm:
					say("arm", MountName(bank, m), p)
				default:
					say("arm", MountName(bank, m))
				}
			}
		}
	}
	return out
}

func intact(b *Bank) bool {
	return !slices.ContainsFunc(b.Mounts, func(m Mount) bool { return m.Destroyed })
}

// MuchLeft reports whether a quarter of the power or more is unused.
func (s *State) MuchLeft(unused int) bool { return unused > 0 && 4*unused >= s.Power }

// Wants reports whether the ship could use more power.
func (s *State) Wants(p *PowerSet) bool {
	_, pinned := s.Pinned()
	if s.Design.Move.B > 0 && !s.Outpost() && !pinned {
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

// Volleys arms a robot's lasers for several shots where the range adds to each shot: near
// enough that it will most likely do so in every phase.
func (s Settings) Volleys(sys *State, rng int) Settings {
	for i, armed := range s.Armed {
		b := &sys.Banks[i]
		reach := 0
		for _, band := range b.Bands {
			reach = max(reach, band.To)
		}
		if b.Shots < 2 || reach == 0 || rng > reach+1 {
			continue
		}
		if s.Shots == nil {
			s.Shots = map[int][]int{}
		}
		s.Shots[i] = make([]int, len(armed))
		for m, power := range armed {
			s.Shots[i][m] = min(b.Shots, power)
		}
	}
	return s
}

// Scheme is how a rule book splits movement and numbers shields.
type Scheme struct {
	Split tactical.Split // how a turn's movement points are split over its phases, and so their number
	Most  int            // most movement points in a turn; 0: no limit
	Ring  tactical.Ring  // the numbers of shields
}

// MovementPoints returns the movement points that a ship gets for power.
func (c Scheme) MovementPoints(sys *State, power int) int {
	points := sys.Design.Move.Points(power)
	if c.Most > 0 {
		points = min(points, c.Most)
	}
	return points
}

// Ahead returns the number of the shield ahead.
func (c Scheme) Ahead() int { return c.Ring.Number(0) }

// Astern returns the number of the shield astern.
func (c Scheme) Astern() int { return c.Ring.Number(3) }

// Foremost returns the shields, those ahead first.
func (c Scheme) Foremost() []int {
	n := c.Ring.Number
	return []int{n(0), n(5), n(1), n(4), n(2), n(3)}
}

// Facing returns the shield (or, on a line, the two shields) that a ship at a place turns to a
// hex; zeros for its own hex.
func (c Scheme) Facing(at engine.Place, to hex.Hex) (first, second int) {
	p, ok := hex.Bearing(at.Hex, to)
	if !ok {
		return 0, 0
	}
	a, b, line := hex.Side(p.Relative(at.Heading))
	if !line {
		b = a
	}
	return c.Ring.Number(a), c.Ring.Number(b)
}

// Pinned returns the power that goes to movement regardless of orders while the converter is
// out of order.
func (s *State) Pinned() (power int, pinned bool) {
	return min(s.Alloc.Movement, s.Power), s.GridDown(NameConverter) && s.Alloc.Available > 0
}

// Pin changes a use of power to the movement that Pinned forces.
func (s *State) Pin(set Settings) Settings {
	if power, pinned := s.Pinned(); pinned {
		set.Points = s.Design.Move.Points(power)
	}
	return set
}
