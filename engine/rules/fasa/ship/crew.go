package ship

import (
	"errors"
	"fmt"

	"starpost/engine"
	"starpost/engine/family"
)

// Crew is what a ship's crew has lost, in tenths of a per cent (stcs 15.13).
type Crew struct {
	Lost int `json:"lost,omitempty"`
}

// Crew returns the share of a ship whose casualties are counted, which the caller may change; elsewhere an empty share
// whose changes are lost.
func (s *State) Crew() *Crew { return ShareOf[Crew](s) }

// Key implements Share.
func (*Crew) Key() string { return "crew" }

// Clone implements Share.
func (c *Crew) Clone() Share {
	k := *c
	return &k
}

// setCasualties sets a crew's losses; nil changes nothing.
func (s *State) setCasualties(c *Change) error {
	if c == nil {
		return nil
	}
	crew, counted := family.Find[*Crew](s.parts)
	if !counted {
		return errors.New("its crew is not counted")
	}
	crew.Lost = c.After
	return nil
}

// ShortHanded returns what casualties take from to-hit and repair numbers: 1 for each
// full 10 per cent of the crew (stcs 15.14, ruling D41).
func ShortHanded(sys *State) int { return sys.Crew().Lost / 100 }

// Efficiency returns a crew's rating, lowered by 10 for each full 10 per cent that is
// lost (stcs 15.14).
func Efficiency(sys *State) int { return max(0, sys.People().Efficiency-10*ShortHanded(sys)) }

// People holds the ratings of a ship's captain and crew (stcs 12.1, 12.2). A rating that is due
// is average until it is rolled at the beginning of the first turn.
type People struct {
	Skill         int  `json:"skill"`      // the captain's rating in per cent
	Efficiency    int  `json:"efficiency"` // the crew's rating in per cent
	SkillDue      bool `json:"skill_due,omitempty"`
	EfficiencyDue bool `json:"efficiency_due,omitempty"`
}

// People returns the share of a ship whose captain and crew are rated, which the caller may change; elsewhere a share
// of zeros whose changes are lost.
func (s *State) People() *People { return ShareOf[People](s) }

// Key implements Share.
func (*People) Key() string { return "people" }

// Clone implements Share.
func (p *People) Clone() Share {
	c := *p
	return &c
}

// Rated holds the ratings of a ship's captain and crew as they were rolled (stcs 12.1,
// 12.2).
type Rated struct {
	Ship       engine.ShipID `json:"ship"`
	Skill      int           `json:"skill"`
	Efficiency int           `json:"efficiency"`
}

// Apply implements engine.Body.
func (b *Rated) Apply(g *engine.Game) error {
	s, err := Lookup(g, b.Ship)
	if err != nil {
		return err
	}
	if !s.Has("people") {
		return fmt.Errorf("%s has no captain and crew", b.Ship)
	}
	*s.People() = People{Skill: b.Skill, Efficiency: b.Efficiency}
	return nil
}

// Skill returns the rating of a ship's captain; 0 if it is not rated.
func Skill(s *engine.Ship) int { return Of(s).People().Skill }

// MaxRating is the highest rating of a captain or crew in per cent (stcs 12.4).
const MaxRating = 99

// MaxLost is the loss of the whole crew, in tenths of a per cent.
const MaxLost = 1000

// Bonus is a crew's extra effort (stcs 12.3). Points is its result: 0 if it failed, and for
// repairs no more than was missing.
type Bonus struct {
	Ship           engine.ShipID  `json:"ship"`
	What           string         `json:"what"` // superstructure, engine or power
	Need           int            `json:"need"`
	Roll           int            `json:"roll"`
	Points         int            `json:"points"`
	Superstructure *Change        `json:"superstructure,omitempty"`
	Engines        []EngineChange `json:"engines,omitempty"`
	To             string         `json:"to,omitempty"` // where extra power goes
}

// Apply implements engine.Body. Extra power is in the power event that follows.
func (b *Bonus) Apply(g *engine.Game) error {
	s, err := Lookup(g, b.Ship)
	if err != nil {
		return err
	}
	return wear(s, b.Ship, b.Superstructure, b.Engines)
}
