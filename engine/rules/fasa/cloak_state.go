package fasa

import (
	"fmt"
	"slices"

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
func (s *System) Cloak() *Cloak { return shareOf[Cloak](s) }

func (*Cloak) key() string { return sysCloak }

func (c *Cloak) clone() Share {
	k := *c
	return &k
}

// cloaked tells whether a ship in the fight has its cloak on.
func cloaked(s *engine.Ship) bool { return s.Status == engine.Active && of(s).hidden() }

// hidden tells whether a ship's cloak is on.
func (s *System) hidden() bool {
	for _, p := range s.parts { // asked of each pair of ships at most events, so without find
		if c, is := p.(*Cloak); is {
			return c.On
		}
	}
	return false
}

// cloakState is how a ship's cloak stands, in a word.
func cloakState(s *System) string {
	switch {
	case !s.Has(sysCloak):
		return cloakNone
	case s.hidden():
		return cloakOn
	}
	return cloakOff
}

// publicOfCloaked is what captains who see a cloaked ship know of its systems. How far
// it may move was shown to its own side only.
func publicOfCloaked(own []*engine.Ship, s *engine.Ship) *Public {
	if slices.ContainsFunc(own, func(o *engine.Ship) bool { return o.Side == s.Side }) {
		a := of(s).Alloc
		return &Public{Points: a.Points, Split: a.Split, Cloaked: true}
	}
	return &Public{Cloaked: true}
}

// Cloaking is a cloak that is switched on or off (stcs 10.4).
type Cloaking struct {
	Ship string       `json:"ship"`
	On   bool         `json:"on"`
	Why  string       `json:"why,omitempty"` // a few words
	At   engine.Place `json:"at"`            // where the ship is
	Late bool         `json:"late,omitempty"`
}

// Type implements engine.Body.
func (*Cloaking) Type() string { return "cloak" }

// Apply implements engine.Body: with the cloak on no shield is up; when it goes
// off, those come up that have power (stcs 10.5).
func (b *Cloaking) Apply(g *engine.Game) error {
	s, err := system(g, b.Ship)
	if err != nil {
		return err
	}
	c, fitted := find[*Cloak](s.parts)
	if !fitted || c.On == b.On {
		return fmt.Errorf("%s's cloak does not go to %v", b.Ship, b.On)
	}
	c.On, c.Late = b.On, b.Late
	for i := range s.Shields {
		s.Shields[i].Now = s.raised(i)
	}
	return nil
}

// Announced is what captains are told of a cloak who do not see the ship: that it is
// on or off (stcs 6.1, ruling D36). Name and Side are of a ship that begins under it.
type Announced struct {
	Ship string `json:"ship"`
	Name string `json:"name,omitempty"`
	Side string `json:"side,omitempty"`
	On   bool   `json:"on"`
}

// Type implements engine.Body.
func (*Announced) Type() string { return "announced" }

// Apply implements engine.Body.
func (b *Announced) Apply(g *engine.Game) error {
	s, err := system(g, b.Ship)
	if err != nil {
		return err
	}
	if !s.Has(sysCloak) || s.Cloak().On != b.On {
		return fmt.Errorf("%s's cloak is not %v", b.Ship, b.On)
	}
	s.Cloak().Tell = false
	return nil
}

// cloakFigure is the same in a list of figures.
func cloakFigure(power int) string {
	if power == 0 {
		return ""
	}
	return fmt.Sprintf("cloak %d, ", power)
}
