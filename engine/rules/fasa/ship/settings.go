package ship

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/tactical"
	"starpost/orders"
)

// Settings is a use of power that a template, an absent captain or a robot sets.
type Settings struct {
	Points  int           // movement points
	Shields []int         // by number
	Armed   map[int][]int // by bank
	Shots   map[int][]int // by bank, of mounts armed for several
	Cloak   bool          // powered, and on when the turn begins
}

// Cost is the power units that a use of power takes.
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

// several is for how many shots a mount is armed: no more than it has power for.
func (s Settings) several(bank, mount int) int {
	shots := s.Shots[bank]
	if mount >= len(shots) {
		return 1
	}
	return min(shots[mount], s.Armed[bank][mount])
}

// Fit takes armament and then shield points away until the power is enough.
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

// Raise spends what is left of a limit of power on shields, in an order of
// numbers, filling each before the next.
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

// PowerOrders is the power section of an order set, with its heading alone if nothing is used.
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
	for _, m := range b.Mounts {
		if m.Destroyed {
			return false
		}
	}
	return true
}

// MuchLeft tells whether a quarter of the power or more is not used.
func (s *State) MuchLeft(unused int) bool { return unused > 0 && 4*unused >= s.Power }

// Wants tells whether more power would buy anything.
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

// Volleys has a robot's lasers fire several times where the range adds to each of the
// shots: near enough that it will most likely do so in every phase.
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

// Scheme is how a rule book shares out movement and numbers shields.
type Scheme struct {
	Split tactical.Split // how a turn's movement points fall into its phases; as many phases as it has
	Most  int            // movement points that a turn may have at most; 0: any number
	Ring  tactical.Ring  // the numbers of shields
}

// MovementPoints is how many of them a ship makes of power.
func (c Scheme) MovementPoints(sys *State, power int) int {
	points := sys.Design.Move.Points(power)
	if c.Most > 0 {
		points = min(points, c.Most)
	}
	return points
}

// Ahead is the number of the shield ahead.
func (c Scheme) Ahead() int { return c.Ring.Number(0) }

// Astern is the number of the shield astern.
func (c Scheme) Astern() int { return c.Ring.Number(3) }

// Foremost lists the shields, those ahead first.
func (c Scheme) Foremost() []int {
	n := c.Ring.Number
	return []int{n(0), n(5), n(1), n(4), n(2), n(3)}
}

// Facing is the shield number (or, on a line, the two) that a ship at a place
// turns to a hex; zeros when it is the same hex.
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

// Pinned is the power that goes to movement whatever the captain wants, while the
// converter is out.
func (s *State) Pinned() (power int, pinned bool) {
	return min(s.Alloc.Movement, s.Power), s.GridDown(NameConverter) && s.Alloc.Available > 0
}

// Pin keeps a use of power to what it must be.
func (s *State) Pin(set Settings) Settings {
	if power, pinned := s.Pinned(); pinned {
		set.Points = s.Design.Move.Points(power)
	}
	return set
}
