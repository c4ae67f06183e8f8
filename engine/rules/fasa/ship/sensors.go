package ship

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
)

// Sensors holds a ship's sensors, and what her captain has learnt by them (stcs 7). Navy and
// Crew are what others can learn of the ship herself.
type Sensors struct {
	Navy     string                     `json:"navy,omitempty"`
	Crew     int                        `json:"crew,omitempty"`
	Down     bool                       `json:"down,omitempty"`     // damaged: no fire, no lock, no warping out (stcs 7.5)
	Target   engine.ShipID              `json:"target,omitempty"`   // the ship that they are trained on
	Asked    int                        `json:"asked,omitempty"`    // standing questions asked so far
	Locks    []Lock                     `json:"locks,omitempty"`    // more than one only after a scan that found several ships
	Contacts map[engine.ShipID]Sighting `json:"contacts,omitempty"` // last sightings of ships that are not seen now, by id
	Learnt   []Answer                   `json:"learnt,omitempty"`   // the last answer to each question, by target and question
	Gone     []engine.ShipID            `json:"gone,omitempty"`     // ids of the ships that were seen leaving
}

// Sensors returns the share of a ship whose sensors can be trained, which the caller may change; elsewhere a share of
// working sensors without locks, whose changes are lost.
func (s *State) Sensors() *Sensors { return ShareOf[Sensors](s) }

// Key implements Share.
func (*Sensors) Key() string { return NameSensors }

// Clone implements Share.
func (s *Sensors) Clone() Share {
	c := *s
	c.Locks = slices.Clone(s.Locks)
	c.Contacts = maps.Clone(s.Contacts)
	c.Gone = slices.Clone(s.Gone)
	c.Learnt = slices.Clone(s.Learnt)
	for i := range c.Learnt {
		c.Learnt[i] = c.Learnt[i].Clone()
	}
	return &c
}

// Holds reports whether a ship has a lock on another.
func (s *State) Holds(target engine.ShipID) bool {
	return slices.ContainsFunc(s.Sensors().Locks, func(k Lock) bool { return k.Target == target })
}

// The questions that can be put to a sensor lock (stcs 7.3, ruling D25), and AtLock for what a
// lock tells without a question.
const (
	AtLock        = "lock" // what a lock tells by itself
	AskPower      = "1"
	AskOrder      = "2"
	AskShields    = "3"
	AskWeapons    = "4"
	AskStructure  = "5"
	AskDamage     = "6"
	AskPoints     = "7"
	AskCasualties = "8"
	AskSensors    = "9"
	AskMines      = "mines"
)

// Answer is what a captain was told of a ship, and when. Only the fields that belong to its
// question are set.
type Answer struct {
	Target   engine.ShipID `json:"target"`
	Question string        `json:"question"`
	When     engine.Moment `json:"when"`

	Auto           *Automatic    `json:"auto,omitempty"`
	Power          int           `json:"power,omitempty"`          // 1: power units available
	Order          []string      `json:"order,omitempty"`          // 2: systems by power allotted, most first
	Shields        []int         `json:"shields,omitempty"`        // 3: points on each, by number
	Armed          []Charge      `json:"armed,omitempty"`          // 4: weapons that can still fire this turn
	Superstructure int           `json:"superstructure,omitempty"` // 5: points left
	Damaged        []string      `json:"damaged,omitempty"`        // 6: systems out of order
	Points         int           `json:"points,omitempty"`         // 7: movement points left this turn
	Casualties     int           `json:"casualties,omitempty"`     // 8: per cent of the crew
	Sensors        engine.ShipID `json:"sensors,omitempty"`        // 9: id of the ship that her sensors are trained on
	Unseen         bool          `json:"unseen,omitempty"`         // 9: they are trained on a ship that the asker does not know of
	Held           bool          `json:"held,omitempty"`           // 9: they have a lock on it
	Cloak          string        `json:"cloak,omitempty"`          // 9: none, off or on
	Mines          []MineSeen    `json:"mines,omitempty"`          // mines: those found
}

// Charge is a weapon and the power in each of its mounts that can still fire.
type Charge struct {
	Weapon string `json:"weapon"`
	Type   string `json:"type"`
	Power  []int  `json:"power"`
	Shots  []int  `json:"shots,omitempty"` // left, where a mount fires more than once
}

// MineSeen is a mine that a question found.
type MineSeen struct {
	Hex   hex.Hex `json:"hex"`
	Dummy bool    `json:"dummy,omitempty"`
}

// Clone returns a copy that shares no memory with the answer.
func (a Answer) Clone() Answer {
	if a.Auto != nil {
		auto := *a.Auto
		a.Auto = &auto
	}
	a.Order, a.Shields, a.Damaged = slices.Clone(a.Order), slices.Clone(a.Shields), slices.Clone(a.Damaged)
	a.Mines, a.Armed = slices.Clone(a.Mines), slices.Clone(a.Armed)
	for i := range a.Armed {
		a.Armed[i].Power = slices.Clone(a.Armed[i].Power)
		a.Armed[i].Shots = slices.Clone(a.Armed[i].Shots)
	}
	return a
}

// Learn records an answer in place of an earlier one to the same question.
func (s *Sensors) Learn(a Answer) {
	i, known := slices.BinarySearchFunc(s.Learnt, a, func(x, y Answer) int {
		return cmp.Or(cmp.Compare(x.Target, y.Target), strings.Compare(x.Question, y.Question))
	})
	if known {
		s.Learnt[i] = a
	} else {
		s.Learnt = slices.Insert(s.Learnt, i, a)
	}
}

// Learnt returns the last answer that a ship got to a question about another.
func (s *State) Learnt(target engine.ShipID, question string) (Answer, bool) {
	all := s.Sensors().Learnt
	i := slices.IndexFunc(all, func(a Answer) bool { return a.Target == target && a.Question == question })
	if i < 0 {
		return Answer{}, false
	}
	return all[i], true
}

// Lock is a sensor lock on a ship. Cloaked is set if a scan got it, on a ship that cannot be
// seen without it.
type Lock struct {
	Target  engine.ShipID `json:"target"`
	Since   engine.Moment `json:"since"`
	Cloaked bool          `json:"cloaked,omitempty"`
}

// Sighting is where and when a ship was last seen.
type Sighting struct {
	At    engine.Place  `json:"at"`
	Since engine.Moment `json:"since"`
}

// Automatic is what a lock reveals by itself (stcs 7.2). Aboard is the approximate number of
// life forms, which raised shields conceal.
type Automatic struct {
	Class    string `json:"class"`
	Race     string `json:"race,omitempty"`
	Aboard   int    `json:"aboard,omitempty"`
	Shielded bool   `json:"shielded,omitempty"`
	Back     bool   `json:"back,omitempty"` // its sensors are trained on the asker
}

// LockTarget returns the ship that a lock is on: the one that the sensors are trained on,
// otherwise the one found first; "" without a lock.
func (s *State) LockTarget() engine.ShipID {
	k := s.Sensors()
	if len(k.Locks) == 0 {
		return ""
	}
	if s.Holds(k.Target) {
		return k.Target
	}
	return k.Locks[0].Target
}

// Allotted returns the systems that get power, most first; systems with equal power share an
// entry.
func Allotted(s *State) []string {
	type share struct {
		system string
		power  int
	}
	shares := []share{{"weapons", s.Alloc.Weapons}, {"shields", s.Alloc.Shields}, {"movement", s.Alloc.Movement}, {"cloak", s.Alloc.Cloak}}
	slices.SortStableFunc(shares, func(a, b share) int { return cmp.Compare(b.power, a.power) })
	var out []string
	for i, sh := range shares {
		switch {
		case sh.power == 0:
		case i > 0 && shares[i-1].power == sh.power:
			out[len(out)-1] += " and " + sh.system
		default:
			out = append(out, sh.system)
		}
	}
	return out
}

// Charges returns the weapons that are armed and have shots left.
func Charges(s *State) []Charge {
	var out []Charge
	for _, b := range s.Banks {
		c := Charge{Weapon: b.ID, Type: b.Type}
		var shots []int
		for _, m := range b.Mounts {
			if m.Left() > 0 && !m.Destroyed {
				c.Power = append(c.Power, m.Armed-m.Spent)
				shots = append(shots, m.Left())
			}
		}
		if slices.ContainsFunc(shots, func(n int) bool { return n > 1 }) {
			c.Shots = shots
		}
		if len(c.Power) > 0 {
			out = append(out, c)
		}
	}
	return out
}
