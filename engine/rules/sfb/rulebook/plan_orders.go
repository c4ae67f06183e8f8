package rulebook

import (
	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/tactical"
	"starpost/orders"
)

// Plan is an order set made ready to carry out: all names resolved, all energy within
// bounds. What had an error is not in it.
type Plan struct {
	Energy     state.Energy
	Phases     []PhasePlan
	Surrenders []Order
	Pool       int // of movement energy
	Standing   state.Standing
	Diags      []orders.Diagnostic
	Effects    []engine.Effect
	Spent      []tactical.Spending
}

// PhasePlan is the part of a plan that is for one phase.
type PhasePlan struct {
	Moves  []MoveOrder
	Speeds []speedOrder
	Fires  []FireOrder
	Leaves []leaveOrder
	Brakes []leaveOrder
	Acts   []Act
}

// MoveOrder is one movement order.
type MoveOrder struct {
	Order
	Verb   string
	Words  []string
	WordAt []orders.Pos
	Target engine.ShipID // id of a ship, or nearestEnemy
	Rng    int
	Side   int // that is turned to the target, clockwise from the bow
	At     hex.Hex
	// Of a high energy turn: its sides, clockwise, the impulse that it waits for, and whether it
	// was made or told.
	Sides, On int
	Done      bool
}

// FireOrder is an order to fire weapons, or to launch drones.
type FireOrder struct {
	Order
	Weapons []int
	Group   bool // by a word for several: what cannot fire is left out without a word
	Launch  bool
	Row     int  // of the damage allocation chart that it is aimed at; 0: none
	Blind   bool // at what is hidden there
	// Of cannon: the row of hexes, and the points of each shot; none: one shot of all.
	Cannon bool
	Along  hex.Heading
	Split  []int
	From   []string // what pays for cannon, in this order
	Target engine.ShipID
	On     int   // the impulse; 0: the first that will do
	Done   []int // weapons that have fired by it
}

// leaveOrder is an order to leave the battle.
type leaveOrder struct {
	Order
	On int
}

// Order is what all orders have.
type Order struct {
	Line     int
	Text     string
	When     *orders.Cond
	Standing bool // it lasts; a mistake of its making was told when it was given
}

func orderOf(st orders.Statement) Order {
	return Order{Line: st.Pos.Line, Text: orders.FormatStatement(st), When: st.When}
}

// Known is a ship as orders may name it.
type Known struct {
	ID                engine.ShipID
	Name, Short, Side string
	small             bool
	At                *hex.Hex      // nil off the map
	Sheet             *sheet.Sheet  // nil where it is not known
	ShuttleOf         engine.ShipID // the ship that launched it
}

// KnownInGame are the ships of a game, as orders may name them.
func KnownInGame(g *engine.Game) (out []Known) {
	for _, s := range g.Ships {
		if !s.Small() || s.Status == engine.Active {
			out = append(out, Known{s.ID, s.Name, s.Short, s.Side, s.Small(), &s.Hex, &state.Of(s).Sheet, state.ShuttleOf(s.Kind, s.Parent)})
		}
	}
	return out
}

// KnownOf are ships of a view; of a game in the dark also by the numbers that they have.
func KnownOf(ships []*engine.ShipView) (out []Known) {
	for _, s := range ships {
		if s.Kind != engine.KindShip && s.Status != engine.Active {
			continue
		}
		k := Known{s.ID, s.Name, s.Short, s.Side, s.Kind != engine.KindShip, s.Hex, nil, state.ShuttleOf(s.Kind, s.Parent)}
		if open, ok := state.OpenOf(s); ok {
			k.Sheet = &open.Sheet
		}
		out = append(out, k)
		if s.Sensed != nil && s.Sensed.No.Name() != s.ID {
			k.Name, k.Short = string(s.Sensed.No.Name()), ""
			out = append(out, k)
		}
	}
	return out
}

// Act is what a ship does in a phase beside moving and firing.
type Act struct {
	Order
	Verb   string
	Target engine.ShipID // id of a ship, or nearestEnemy; blank for none
	N      int           // of what the verb counts
	Box    string        // a bank, or some, by a word
	Steal  bool          // what is known, not the box
	Carry  bool          // words, by a probe
	Craft  engine.ShipID // a shuttle, by id
	What   string        // it does
	At     hex.Hex
	On     int // the impulse; 0: the first that will do
	Done   bool
}

// speedOrder is an order to change speed in a phase.
type speedOrder struct {
	Order
	To, On int
	Done   bool
}
