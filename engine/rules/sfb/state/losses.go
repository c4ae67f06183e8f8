package state

import (
	"fmt"

	"starpost/engine"
)

// Blowout is a box lost through its own use.
type Blowout struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Bank   string        `json:"bank" see:"all"`
	Roll   int           `json:"roll" see:"all"` // its own die
	Before int           `json:"before" see:"all"`
	After  int           `json:"after" see:"all"`
}

// Apply implements engine.Body.
func (b *Blowout) Apply(g *engine.Game) error {
	return loseBoxes(g, b.Ship, b.Bank, b.Before, b.After)
}

// loseBoxes reduces the boxes of a bank.
func loseBoxes(g *engine.Game, ship engine.ShipID, bank string, before, after int) error {
	sys, err := systemOf(g, ship)
	if err != nil {
		return err
	}
	i := sys.Sheet.Bank(bank)
	if i < 0 || sys.Sheet.Banks[i].Left != before || after >= before {
		return fmt.Errorf("%s has no bank %q with %d boxes", ship, bank, before)
	}
	sys.Sheet.Banks[i].Left = after
	sys.Settle()
	return nil
}

// Rig is an attempt to repair a lost box.
type Rig struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Bank   string        `json:"bank" see:"all"`
	Roll   int           `json:"roll" see:"all"`
	Before int           `json:"before" see:"all"`
	After  int           `json:"after" see:"all"`
}

// Apply implements engine.Body.
func (b *Rig) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err != nil || b.After == b.Before {
		return err
	}
	i := sys.Sheet.Bank(b.Bank)
	if i < 0 || sys.Sheet.Banks[i].Left != b.Before || b.After > sys.Sheet.Banks[i].All {
		return fmt.Errorf("%s has no bank %q with %d boxes", b.Ship, b.Bank, b.Before)
	}
	sys.Sheet.Banks[i].Left = b.After
	if sys.Rigged == nil {
		sys.Rigged = map[string]int{}
	}
	sys.Rigged[b.Bank] += b.After - b.Before
	return nil
}

// Strain is the use of a box repaired in battle. If it blows out, it may be repaired again.
type Strain struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Bank   string        `json:"bank" see:"all"`
	Roll   int           `json:"roll" see:"all"`
	Before int           `json:"before" see:"all"`
	After  int           `json:"after" see:"all"`
}

// Apply implements engine.Body.
func (b *Strain) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err != nil {
		return err
	}
	i := sys.Sheet.Bank(b.Bank)
	if i < 0 || sys.Sheet.Banks[i].Left != b.Before || sys.Rigged[b.Bank] == 0 {
		return fmt.Errorf("%s has no mended box among %d of %q", b.Ship, b.Before, b.Bank)
	}
	sys.Rigged[b.Bank] -= b.Before - b.After
	sys.Sheet.Banks[i].Left = b.After
	sys.Settle()
	return nil
}

// Burnout is a warp engine box lost because the engine was overloaded.
type Burnout struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Bank   string        `json:"bank" see:"all"`
	Before int           `json:"before" see:"all"`
	After  int           `json:"after" see:"all"`
}

// Apply implements engine.Body.
func (b *Burnout) Apply(g *engine.Game) error {
	return loseBoxes(g, b.Ship, b.Bank, b.Before, b.After)
}
