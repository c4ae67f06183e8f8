package ship

import (
	"starpost/engine"
)

// Cloak is a ship's cloaking device (stcs 10.4).
type Cloak struct {
	Need int  `json:"need"`           // power that it takes in a turn
	On   bool `json:"on,omitempty"`   //
	Late bool `json:"late,omitempty"` // switched since the last movement phase: not to be switched before the next
	Tell bool `json:"tell,omitempty"` // the scenario wants it announced that she begins under it
}

// Cloak is the share of a ship with a cloaking device, to be written to; of another one that is off, takes no power and
// keeps nothing.
func (s *State) Cloak() *Cloak { return ShareOf[Cloak](s) }

// Key implements Share.
func (*Cloak) Key() string { return NameCloak }

// Clone implements Share.
func (c *Cloak) Clone() Share {
	k := *c
	return &k
}

// Cloaked tells whether a ship in the fight has its cloak on.
func Cloaked(s *engine.Ship) bool { return s.Status == engine.Active && Of(s).Hidden() }

// Hidden tells whether a ship's cloak is on.
func (s *State) Hidden() bool {
	for _, p := range s.parts { // asked of each pair of ships at most events, so without find
		if c, is := p.(*Cloak); is {
			return c.On
		}
	}
	return false
}

// CloakState is how a ship's cloak stands, in a word.
func CloakState(s *State) string {
	switch {
	case !s.Has(NameCloak):
		return CloakNone
	case s.Hidden():
		return CloakOn
	}
	return CloakOff
}

// NameCloak is the cloak among the systems that power is cut from.
const NameCloak = "cloak"

// States of a cloak, as orders, answers and scenarios write them.
const (
	CloakOn        = "on"
	CloakOff       = "off"
	CloakReady     = "ready"
	CloakNone      = "none"
	CloakAnnounced = "announced" // of scenarios: on, and the others are told
)

// Shedable lists the systems that power can be cut from.
func Shedable() []string { return []string{"weapons", "movement", "shields"} }

// Shedable lists those of a ship: her cloak too, if she has one.
func (s *State) Shedable() []string {
	if s.Has(NameCloak) {
		return append(Shedable(), NameCloak)
	}
	return Shedable()
}
