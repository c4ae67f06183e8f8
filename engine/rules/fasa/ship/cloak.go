package ship

import (
	"fmt"

	"starpost/engine"
)

// Cloak is a ship's cloaking device (stcs 10.4).
type Cloak struct {
	Need int  `json:"need"`           // power that it takes in a turn
	On   bool `json:"on,omitempty"`   //
	Late bool `json:"late,omitempty"` // switched since the last movement phase: not to be switched before the next
	Tell bool `json:"tell,omitempty"` // the scenario wants it announced that she begins under it
}

// Cloak is a ship's.
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

// Cloaking is a cloak that is switched on or off (stcs 10.4).
type Cloaking struct {
	Ship engine.ShipID `json:"ship" see:"all"`
	On   bool          `json:"on" see:"all"`
	Why  string        `json:"why,omitempty" see:"crew"` // a few words
	At   engine.Place  `json:"at" see:"all"`             // where the ship is
	Late bool          `json:"late,omitempty" see:"crew"`
}

// Apply implements engine.Body: with the cloak on no shield is up; when it goes
// off, those come up that have power (stcs 10.5).
func (b *Cloaking) Apply(g *engine.Game) error {
	s, err := Lookup(g, b.Ship)
	if err != nil {
		return err
	}
	c, fitted := Find[*Cloak](s.parts)
	if !fitted || c.On == b.On {
		return fmt.Errorf("%s's cloak does not go to %v", b.Ship, b.On)
	}
	c.On, c.Late = b.On, b.Late
	for i := range s.Shields {
		s.Shields[i].Now = s.Raised(i)
	}
	return nil
}

// Announced is what captains are told of a cloak who do not see the ship: that it is
// on or off (stcs 6.1, ruling D36). Name and Side are of a ship that begins under it.
type Announced struct {
	Ship engine.ShipID `json:"ship" see:"crew"`
	Name string        `json:"name,omitempty" see:"crew"`
	Side string        `json:"side,omitempty" see:"crew"`
	On   bool          `json:"on" see:"crew"`
}

// Apply implements engine.Body.
func (b *Announced) Apply(g *engine.Game) error {
	s, err := Lookup(g, b.Ship)
	if err != nil {
		return err
	}
	if !s.Has(NameCloak) || s.Cloak().On != b.On {
		return fmt.Errorf("%s's cloak is not %v", b.Ship, b.On)
	}
	s.Cloak().Tell = false
	return nil
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
