package rulebook

import (
	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/tactical"
	"starpost/orders"
)

// Plan is an order set ready to be carried out: all names are resolved, and energy is within bounds. Faulty orders
// are left out.
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

// PhasePlan is the part of a plan for one phase.
type PhasePlan struct {
	Moves  []MoveOrder
	Speeds []SpeedOrder
	Fires  []FireOrder
	Leaves []LeaveOrder
	Brakes []LeaveOrder
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
	Side   int // turned to the target, clockwise from the bow
	At     hex.Hex
	// Of a high energy turn: its sides, clockwise; its impulse; and whether it was made or reported.
	Sides, On int
	Done      bool
}

// FireOrder is an order to fire weapons, or to launch drones.
type FireOrder struct {
	Order
	Weapons []int
	Group   bool // names a group: weapons that cannot fire are skipped silently
	Launch  bool
	Row     int  // of the damage allocation chart aimed at; 0: none
	Blind   bool // at hidden ships
	// Of cannon: the row of hexes, and the points of each shot; if nil, one shot.
	Cannon bool
	Along  hex.Heading
	Split  []int
	From   []string // what pays for cannon, in this order
	Target engine.ShipID
	On     int   // the impulse; 0: the first possible
	Done   []int // weapons that have fired by this order
}

// LeaveOrder is an order to leave the battle.
type LeaveOrder struct {
	Order
	On int
}

// Order has what all orders have in common.
type Order struct {
	Line     int
	Text     string
	When     *orders.Cond
	Standing bool // a standing order; mistakes were reported when it was given
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
	Sheet             *sheet.Sheet  // nil if unknown
	ShuttleOf         engine.ShipID // the ship that launched it
}

// KnownInGame returns the ships of a game, as orders may name them.
func KnownInGame(g *engine.Game) (out []Known) {
	for _, s := range g.Ships {
		if !s.Small() || s.Status == engine.Active {
			out = append(out, Known{s.ID, s.Name, s.Short, s.Side, s.Small(), &s.Hex, &state.Of(s).Sheet, state.ShuttleOf(s.Kind, s.Parent)})
		}
	}
	return out
}

// KnownOf returns the ships of a view; in the dark, also under the numbers of their contacts.
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

// Act is what a ship does in a phase besides moving and firing.
type Act struct {
	Order
	Verb   string
	Target engine.ShipID // id of a ship, or nearestEnemy; blank for none
	N      int           // the verb's number
	Box    string        // a word for a bank, or several
	Steal  bool          // steal data, not the box
	Carry  bool          // a probe carries a message
	Craft  engine.ShipID // a shuttle, by id
	What   string        // what it does
	At     hex.Hex
	On     int // the impulse; 0: the first possible
	Done   bool
}

// SpeedOrder is an order to change speed in a phase.
type SpeedOrder struct {
	Order
	To, On int
	Done   bool
}
