package state

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/rules/sfb/sheet"
)

// Arming gives a weapon its first turn of arming during a turn. It is known only to the captain.
type Arming struct {
	Ship   engine.ShipID `json:"ship"`
	Weapon string        `json:"weapon"`
}

// Apply implements engine.Body.
func (b *Arming) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err != nil {
		return err
	}
	w := sys.Weapon(b.Weapon)
	if w < 0 || sys.Weapons[w].Armed > 0 {
		return fmt.Errorf("%s has no weapon %q without a charge", b.Ship, b.Weapon)
	}
	sys.Weapons[w].Armed = 1
	return nil
}

// Lit powers laboratories during a turn. It is known only to the captain.
type Lit struct {
	Ship  engine.ShipID `json:"ship"`
	Boxes int           `json:"boxes"`
}

// Apply implements engine.Body.
func (b *Lit) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err != nil {
		return err
	}
	if sys.Purse == nil {
		sys.Purse = map[string]int{}
	}
	sys.Purse[ForLabs] += b.Boxes
	return nil
}

// Reinforced is energy put on a shield that is about to be hit. It is known only to the captain until the hit, like
// all reinforcement.
type Reinforced struct {
	Ship      engine.ShipID `json:"ship"`
	Shield    int           `json:"shield"`
	Points    int           `json:"points"`
	Reserve   int           `json:"reserve"`   // energy not allotted, after this
	Batteries int           `json:"batteries"` // energy left in the batteries
}

// Apply implements engine.Body.
func (b *Reinforced) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err != nil {
		return err
	}
	if b.Points != sys.Reserve-b.Reserve+sys.Batteries-b.Batteries || b.Reserve < 0 || b.Batteries < 0 {
		return fmt.Errorf("%s puts %d on shield %d with %d and %d", b.Ship, b.Points, b.Shield, sys.Reserve, sys.Batteries)
	}
	sys.Reserve, sys.Batteries = b.Reserve, b.Batteries
	sys.Freed = min(sys.Freed, sys.Reserve)
	sys.Reinforce[b.Shield-1] += b.Points
	return nil
}

// Drawn is energy taken at the moment of need. It is known only to the captain.
type Drawn struct {
	Ship   engine.ShipID `json:"ship"`
	For    string        `json:"for"` // the verb that sets energy aside for it
	Energy int           `json:"energy"`
	// What is left of the energy set aside, in the reserve, and in the batteries.
	Aside     int `json:"aside"`
	Reserve   int `json:"reserve"`
	Batteries int `json:"batteries"`
	// What the movement pool and the capacitors paid.
	Pool       int `json:"pool,omitempty"`
	Capacitors int `json:"capacitors,omitempty"`
	Freed      int `json:"freed,omitempty"` // paid from energy that braking had returned, where only that may pay
}

// Apply implements engine.Body.
func (b *Drawn) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err != nil {
		return err
	}
	if b.Energy != sys.Purse[b.For]-b.Aside+sys.Reserve-b.Reserve+sys.Batteries-b.Batteries+b.Pool+b.Capacitors || min(b.Aside, b.Reserve, b.Batteries, sys.Pool-b.Pool*sheet.MoveParts, sys.Capacitor-b.Capacitors) < 0 {
		return fmt.Errorf("%s takes %d with %d, %d and %d", b.Ship, b.Energy, sys.Purse[b.For], sys.Reserve, sys.Batteries)
	}
	sys.Reserve, sys.Batteries = b.Reserve, b.Batteries
	sys.Freed = min(sys.Freed-b.Freed, sys.Reserve)
	sys.Pool, sys.Capacitor = sys.Pool-b.Pool*sheet.MoveParts, sys.Capacitor-b.Capacitors
	if b.For == ForPhasers { // through the capacitors
		sys.Capacitor += b.Energy
	}
	if sys.Purse != nil {
		sys.Purse[b.For] = b.Aside
	}
	return nil
}
