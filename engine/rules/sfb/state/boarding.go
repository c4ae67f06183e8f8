package state

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/sfb/sheet"
)

// Transport sends boarding parties to another ship.
type Transport struct {
	Ship    engine.ShipID `json:"ship" see:"all"`
	Target  engine.ShipID `json:"target" see:"all"`
	Parties int           `json:"parties" see:"all"`
	Raid    bool          `json:"raid,omitempty" see:"all"`   // they come for a box, and do not stay
	Lowers  int           `json:"lowers,omitempty" see:"all"` // the ship's own shield that drops, 1 to 6
	Charged int           `json:"charged"`                    // further uses of transporters that the energy allows
}

// Apply implements engine.Body.
func (b *Transport) Apply(g *engine.Game) error {
	sys, target, err := systemsOf(g, b.Ship, b.Target)
	if err != nil {
		return err
	}
	if sys.Parties < b.Parties || b.Charged < 0 {
		return fmt.Errorf("%s sends %d boarding parties of %d", b.Ship, b.Parties, sys.Parties)
	}
	sys.Parties, sys.Beamed, sys.Charged = sys.Parties-b.Parties, sys.Beamed+b.Parties, b.Charged
	if b.Lowers > 0 {
		sys.Lowered[b.Lowers-1] = true
	}
	ship, _ := g.Ship(b.Ship)
	other, _ := g.Ship(b.Target)
	switch i := slices.IndexFunc(target.Boarders, func(f Force) bool { return f.From == b.Ship }); {
	case b.Raid:
	case ship.Side == other.Side:
		target.Parties += b.Parties
	case i >= 0:
		target.Boarders[i].Parties += b.Parties
	default:
		target.Boarders = append(target.Boarders, Force{b.Ship, b.Parties, sys.Fierce})
	}
	return nil
}

// Raid is the result of a raid on a box.
type Raid struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Target engine.ShipID `json:"target" see:"all"`
	Bank   string        `json:"bank" see:"all"`
	Roll   int           `json:"roll" see:"all"`
	Before int           `json:"before" see:"all"` // boxes of the bank
	After  int           `json:"after" see:"all"`
	Back   bool          `json:"back" see:"all"`             // the party returns
	Steal  bool          `json:"steal,omitempty" see:"all"`  // it was sent to steal data
	Stolen bool          `json:"stolen,omitempty" see:"all"` // and did
}

// Apply implements engine.Body.
func (b *Raid) Apply(g *engine.Game) error {
	sys, target, err := systemsOf(g, b.Ship, b.Target)
	if err != nil {
		return err
	}
	i := target.Sheet.Bank(b.Bank)
	if i < 0 || target.Sheet.Banks[i].Left != b.Before {
		return fmt.Errorf("%s has no bank %q with %d boxes", b.Target, b.Bank, b.Before)
	}
	if b.Back {
		sys.Parties++
	}
	if b.Stolen { // she has it, too
		for _, k := range target.Data {
			sys.Learn(k.About, k.Points)
		}
		g.Labs.Share(b.Target, b.Ship)
	}
	target.lose(i, b.After)
	return nil
}

// Fight is a fight aboard a ship at the end of a turn, with the survivors of both sides.
type Fight struct {
	Ship      engine.ShipID `json:"ship" see:"all"`
	Killed    int           `json:"killed" see:"all"` // of her own parties
	Fallen    int           `json:"fallen" see:"all"` // of the boarders
	Defenders int           `json:"defenders" see:"all"`
	Forces    []Force       `json:"forces,omitempty" see:"all"`
}

// Apply implements engine.Body.
func (b *Fight) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err == nil {
		sys.Parties, sys.Boarders = b.Defenders, slices.Clone(b.Forces)
	}
	return err
}

// Beam is a tractor beam put on a ship: she is caught, or stops after fewer hexes this turn.
type Beam struct {
	Ship   engine.ShipID    `json:"ship" see:"all"`
	Target engine.ShipID    `json:"target" see:"all"`
	Energy int              `json:"energy" see:"all"`
	Cost   int              `json:"cost" see:"all"` // of a hex of the target, in 60ths
	Mode   []sheet.TurnStep `json:"mode" see:"all"` // her turn mode
	Moved  int              `json:"moved" see:"all"`
	Hexes  int              `json:"hexes" see:"all"` // that she would move this turn in all
	Slows  int              `json:"slows" see:"all"` // hexes that the energy takes off
	Caught bool             `json:"caught" see:"all"`
}

// Apply implements engine.Body.
func (b *Beam) Apply(g *engine.Game) error {
	sys, target, err := systemsOf(g, b.Ship, b.Target)
	if err != nil {
		return err
	}
	sys.Beams++
	sys.Holds = slices.DeleteFunc(slices.Clone(sys.Holds), func(g Grip) bool { return g.Ship == b.Target })
	target.Held = ""
	if b.Caught {
		sys.Holds, target.Held = append(sys.Holds, Grip{b.Target, b.Cost, b.Mode}), b.Ship
	} else {
		target.Limit = max(b.Moved, b.Hexes-b.Slows) + 1
	}
	return nil
}

// Release is a ship let go by a tractor beam.
type Release struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Target engine.ShipID `json:"target" see:"all"`
	Why    string        `json:"why" see:"all"`
}

// Apply implements engine.Body.
func (b *Release) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err != nil {
		return err
	}
	sys.Holds = slices.DeleteFunc(slices.Clone(sys.Holds), func(g Grip) bool { return g.Ship == b.Target })
	if target, ok := g.Ship(b.Target); ok {
		Of(target).Held = ""
	}
	return nil
}
