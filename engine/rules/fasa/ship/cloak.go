package ship

import (
	"starpost/engine"
)

// Cloak is a ship's cloaking device (stcs 10.4).
type Cloak struct {
	Need int  `json:"need"` // power that it takes a turn
	On   bool `json:"on,omitempty"`
	Late bool `json:"late,omitempty"` // switched since the last movement phase: no switching before the next
	Tell bool `json:"tell,omitempty"` // the scenario announces that she begins cloaked
}

// Cloak returns the share of a ship with a cloaking device, which the caller may change; other ships give a share that
// is off, takes no power and loses all changes.
func (s *State) Cloak() *Cloak { return ShareOf[Cloak](s) }

// Key implements Share.
func (*Cloak) Key() string { return NameCloak }

// Clone implements Share.
func (c *Cloak) Clone() Share {
	k := *c
	return &k
}

// Cloaked reports whether a ship in the fight has its cloak on.
func Cloaked(s *engine.Ship) bool { return s.Status == engine.Active && Of(s).Hidden() }

// Hidden reports whether a ship's cloak is on.
func (s *State) Hidden() bool {
	for _, p := range s.parts { // called for each pair of ships at most events, so without Find
		if c, is := p.(*Cloak); is {
			return c.On
		}
	}
	return false
}

// CloakState returns the state of a ship's cloak in a word.
func CloakState(s *State) string {
	switch {
	case !s.Has(NameCloak):
		return CloakNone
	case s.Hidden():
		return CloakOn
	}
	return CloakOff
}

// NameCloak is the key of the cloak, and its name among the systems that power is cut from.
const NameCloak = "cloak"

// States of a cloak, as orders, answers and scenarios write them.
const (
	CloakOn        = "on"
	CloakOff       = "off"
	CloakReady     = "ready"
	CloakNone      = "none"
	CloakAnnounced = "announced" // in scenarios: on, and announced to the others
)

// Shedable lists the systems that power can be cut from.
func Shedable() []string { return []string{"weapons", "movement", "shields"} }

// Shedable lists the systems of a ship that power can be cut from, including her cloak if she has one.
func (s *State) Shedable() []string {
	if s.Has(NameCloak) {
		return append(Shedable(), NameCloak)
	}
	return Shedable()
}
