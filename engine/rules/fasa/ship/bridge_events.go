package ship

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/tactical"
)

// bridge returns the state and the bridge of a ship of a game.
func bridge(g *engine.Game, id engine.ShipID) (*State, *Bridge, error) {
	s, err := Lookup(g, id)
	if err != nil {
		return nil, nil, err
	}
	b, ok := family.Find[*Bridge](s.parts)
	if !ok {
		return nil, nil, fmt.Errorf("%s has no bridge", id)
	}
	return s, b, nil
}

// lower reduces shields to what their power and their state allow.
func (s *State) lower() {
	for i := range s.Shields {
		s.Shields[i].Now = min(s.Shields[i].Now, s.Raised(i))
	}
}

// Manned holds the ratings of a ship's officers as they were rolled (stcs 19.2). Each officer
// is told only their own.
type Manned struct {
	Ship    engine.ShipID  `json:"ship" see:"crew"`
	Post    string         `json:"post,omitempty" see:"crew"`
	Ratings map[string]int `json:"ratings" see:"crew"`
}

// Apply implements engine.Body.
func (e *Manned) Apply(g *engine.Game) error {
	_, b, err := bridge(g, e.Ship)
	if err != nil {
		return err
	}
	for skill, rating := range e.Ratings {
		b.Ratings[skill] = rating
		b.Due = slices.DeleteFunc(b.Due, func(o string) bool { return o == skill })
	}
	return nil
}

// Skilled is an officer's attempt at a skill, and its result (stcs 20). Points are those of
// what was tried: of power, of an engine, of damage; 0 if it failed.
type Skilled struct {
	Ship           engine.ShipID  `json:"ship" see:"crew"`
	Post           string         `json:"post,omitempty" see:"crew"`
	Skill          string         `json:"skill" see:"crew"`
	What           string         `json:"what" see:"crew"`
	Need           int            `json:"need" see:"crew"`
	Roll           int            `json:"roll" see:"crew"`
	Done           bool           `json:"done,omitempty" see:"crew"`
	Points         int            `json:"points,omitempty" see:"crew"`
	To             string         `json:"to,omitempty" see:"crew"` // where they go
	Superstructure *Change        `json:"superstructure,omitempty" see:"crew"`
	Casualties     *Change        `json:"casualties,omitempty" see:"crew"`
	Engines        []EngineChange `json:"engines,omitempty" see:"crew"`
}

// Apply implements engine.Body. Extra power is in the power event that follows.
func (e *Skilled) Apply(g *engine.Game) error {
	s, b, err := bridge(g, e.Ship)
	if err != nil {
		return err
	}
	switch e.What {
	case TryAim:
		b.Aims++
	case TryEase:
		b.Eased = true
	case TryReduce:
		b.Reduce = e.Points
	case TryBoost:
		b.Boost = e.Done
	}
	if err := s.setCasualties(e.Casualties); err != nil {
		return fmt.Errorf("%s: %w", e.Ship, err)
	}
	return wear(s, e.Ship, e.Superstructure, e.Engines)
}

// What an officer may try.
const (
	TryPower          = "power"
	TryEngine         = "engine"
	TryBoost          = "boost"
	TryShields        = "shields"
	TryReduce         = "reduce"
	TrySuperstructure = "superstructure"
	TryCasualties     = "casualties"
	TryAim            = "aim"
	TryEase           = "ease"
	TryLock           = "lock"
	TryQuestion       = "question"
	TryScan           = "scan"
	TryKeep           = "keep"
	TryPrevent        = "prevent"
	TryHail           = "hail"
	TrySystem         = "system"
	TrySteady         = "steady" // to keep one's feet
)

// Turned begins a new turn on a bridge and ends what was for the turn before.
type Turned struct {
	Ship engine.ShipID `json:"ship"`
}

// Apply implements engine.Body.
func (e *Turned) Apply(g *engine.Game) error {
	_, b, err := bridge(g, e.Ship)
	if err != nil {
		return err
	}
	b.Aims, b.Eased, b.Reduce, b.Boost = 0, false, 0, false
	return nil
}

// Spared is damage that the science officer took off a hit (stcs 20.4).
type Spared struct {
	Ship   engine.ShipID `json:"ship" see:"crew"`
	From   engine.ShipID `json:"from" see:"crew"`
	Weapon string        `json:"weapon" see:"crew"`
	Mount  int           `json:"mount,omitempty" see:"crew"`
	Points int           `json:"points" see:"crew"`
	Left   int           `json:"left" see:"crew"` // points that can still be taken off
}

// Apply implements engine.Body.
func (e *Spared) Apply(g *engine.Game) error {
	_, b, err := bridge(g, e.Ship)
	if err == nil {
		b.Reduce = e.Left
	}
	return err
}

// Shaken is an officer or a system that a hit shook, or that has recovered (stcs 21).
type Shaken struct {
	Ship   engine.ShipID `json:"ship" see:"crew"`
	Post   string        `json:"post,omitempty" see:"crew"` // captain, engineer and so on; "" for a system
	System string        `json:"system,omitempty" see:"crew"`
	Need   int           `json:"need,omitempty" see:"crew"`
	Roll   int           `json:"roll,omitempty" see:"crew"`
	Again  bool          `json:"again,omitempty" see:"crew"` // fit for duty, or powered again
	Tried  bool          `json:"tried,omitempty" see:"crew"` // a repair that failed
}

// Apply implements engine.Body.
func (e *Shaken) Apply(g *engine.Game) error {
	s, b, err := bridge(g, e.Ship)
	if err != nil {
		return err
	}
	if e.Post != "" {
		b.Out = slices.DeleteFunc(b.Out, func(post string) bool { return post == e.Post })
		if !e.Again {
			b.Out = append(b.Out, e.Post)
			slices.Sort(b.Out)
		}
		return nil
	}
	count := func(of *map[string]int, by int) {
		if *of == nil {
			*of = map[string]int{}
		}
		if (*of)[e.System] += by; (*of)[e.System] <= 0 {
			delete(*of, e.System)
		}
	}
	switch {
	case e.Tried:
		count(&b.Tries, 1)
	case e.Again:
		count(&b.Shaken, -1)
		if b.Shaken[e.System] == 0 {
			delete(b.Tries, e.System)
		}
	default:
		count(&b.Shaken, 1)
	}
	s.lower()
	return nil
}

// Blackout is the effect of a hit on the engine room: no power reaches any system in the next
// phase, and movement points and locks are gone for the turn (stcs 21.4). Without Down the
// power is back.
type Blackout struct {
	Ship  engine.ShipID `json:"ship" see:"crew"`
	Down  bool          `json:"down,omitempty" see:"crew"`
	Split []int         `json:"split,omitempty" see:"helm"` // movement points that are left
}

// Apply implements engine.Body.
func (e *Blackout) Apply(g *engine.Game) error {
	s, b, err := bridge(g, e.Ship)
	if err != nil {
		return err
	}
	b.Dead = e.Down
	if e.Down && len(e.Split) == len(s.Alloc.Split) {
		copy(s.Alloc.Split, e.Split)
		s.Alloc.Points = tactical.Sum(s.Alloc.Split)
	}
	s.lower()
	return nil
}

// LeftOver is what an officer ordered beyond the totals (stcs 22.2).
type LeftOver struct {
	Ship engine.ShipID `json:"ship" see:"crew"`
	Post string        `json:"post" see:"crew"`
	What []string      `json:"what" see:"crew"` // in words
}

// Cut tells an officer what power is cut in mid-turn from the systems of the post, and the
// engineer how much of all systems. The event of the cut itself is the captain's.
type Cut struct {
	Ship engine.ShipID `json:"ship" see:"crew"`
	Post string        `json:"post" see:"crew"`
	What []string      `json:"what" see:"crew"` // in words
}

// Briefed is a captain's message to all aboard (stcs 22.3).
type Briefed struct {
	Ship engine.ShipID `json:"ship" see:"crew"`
	Text string        `json:"text" see:"crew"`
}
