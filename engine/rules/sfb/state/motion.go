package state

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/hex"
)

// Cloak is a ship cloaking or decloaking. At is her last visible place, or the one where she appears.
type Cloak struct {
	Ship engine.ShipID `json:"ship" see:"all"`
	On   bool          `json:"on" see:"all"`
	At   engine.Place  `json:"at" see:"all"`
	// Impulse is 0 at the start of a turn.
	Impulse int `json:"impulse,omitempty" see:"all"`
}

// Apply implements engine.Body.
func (b *Cloak) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err == nil {
		sys.Cloaked, sys.Under = b.On, Shot{g.Turn, b.Impulse}
	}
	return err
}

// Pool is a ship's remaining movement energy, in 60ths, and her reserve. It is known only to her captain.
type Pool struct {
	Ship engine.ShipID `json:"ship"`
	Left int           `json:"left"`
	// Reserve is energy that was not allotted.
	Reserve int `json:"reserve"`
	Freed   int `json:"freed,omitempty"` // what braking has just returned to it
}

// Apply implements engine.Body.
func (b *Pool) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err == nil {
		sys.Pool, sys.Reserve = b.Left, b.Reserve
		sys.Freed += b.Freed
	}
	return err
}

// Facing is a stopped ship turning in her hex.
type Facing struct {
	Ship    engine.ShipID `json:"ship" see:"all"`
	Heading hex.Heading   `json:"heading" see:"all"`
}

// Apply implements engine.Body.
func (b *Facing) Apply(g *engine.Game) error {
	s, ok := g.Ship(b.Ship)
	if !ok {
		return fmt.Errorf("no ship %q", b.Ship)
	}
	s.Heading = b.Heading
	return nil
}

// Breakdown is a roll for a ship's engines, and its result.
type Breakdown struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Roll   int           `json:"roll" see:"all"`
	Need   int           `json:"need" see:"all"` // they break on this die or a higher one
	Broken bool          `json:"broken" see:"all"`
	Lost   []string      `json:"lost,omitempty" see:"all"` // banks that lose a box
}

// Apply implements engine.Body.
func (b *Breakdown) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err != nil || !b.Broken {
		return err
	}
	for _, name := range b.Lost {
		i := sys.Sheet.Bank(name)
		if i < 0 || sys.Sheet.Banks[i].Left == 0 {
			return fmt.Errorf("%s has no box of %q to lose", b.Ship, name)
		}
		sys.lose(i, sys.Sheet.Banks[i].Left-1)
	}
	sys.Limit = 1
	sys.Settle()
	return nil
}

// HardTurn is a high energy turn: a ship turns at once by as many sides as Word has letters.
type HardTurn struct {
	Ship    engine.ShipID `json:"ship" see:"all"`
	Word    string        `json:"word" see:"all"`
	Heading hex.Heading   `json:"heading" see:"all"` // after the turn
}

// Apply implements engine.Body.
func (b *HardTurn) Apply(g *engine.Game) error { return (&Facing{b.Ship, b.Heading}).Apply(g) }

// Brake is a ship slowing down in an emergency. It is public.
type Brake struct {
	Ship engine.ShipID `json:"ship" see:"all"`
	// Left is the impulses in which she still moves; -1: she has stopped.
	Left int `json:"left" see:"all"`
}

// Apply implements engine.Body.
func (b *Brake) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err == nil {
		sys.Braking = b.Left
	}
	return err
}

// CloakSeen reports whether a ship in a view is cloaked.
func (o *Open) CloakSeen(s *engine.ShipView) bool { return o.Cloaked && s.Status == engine.Active }
