package sfb

import (
	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/tactical"
	"starpost/orders"
)

// plan is an order set made ready to carry out: all names resolved, all energy within
// bounds. What had an error is not in it.
type plan struct {
	energy     state.Energy
	phases     []phasePlan
	surrenders []order
	pool       int // of movement energy
	standing   state.Standing
	diags      []orders.Diagnostic
	effects    []engine.Effect
	spent      []tactical.Spending
}

// phasePlan is the part of a plan that is for one phase.
type phasePlan struct {
	moves  []moveOrder
	speeds []speedOrder
	fires  []fireOrder
	leaves []leaveOrder
	brakes []leaveOrder
	acts   []act
}

// moveOrder is one movement order.
type moveOrder struct {
	order
	verb   string
	words  []string
	wordAt []orders.Pos
	target engine.ShipID // id of a ship, or nearestEnemy
	rng    int
	side   int // that is turned to the target, clockwise from the bow
	at     hex.Hex
	// Of a high energy turn: its sides, clockwise, the impulse that it waits for, and whether it
	// was made or told.
	sides, on int
	done      bool
}

// fireOrder is an order to fire weapons, or to launch drones.
type fireOrder struct {
	order
	weapons []int
	group   bool // by a word for several: what cannot fire is left out without a word
	launch  bool
	row     int  // of the damage allocation chart that it is aimed at; 0: none
	blind   bool // at what is hidden there
	// Of cannon: the row of hexes, and the points of each shot; none: one shot of all.
	cannon bool
	along  hex.Heading
	split  []int
	from   []string // what pays for cannon, in this order
	target engine.ShipID
	on     int   // the impulse; 0: the first that will do
	done   []int // weapons that have fired by it
}

// leaveOrder is an order to leave the battle.
type leaveOrder struct {
	order
	on int
}

// order is what all orders have.
type order struct {
	line     int
	text     string
	when     *orders.Cond
	standing bool // it lasts; a mistake of its making was told when it was given
}

func orderOf(st orders.Statement) order {
	return order{line: st.Pos.Line, text: orders.FormatStatement(st), when: st.When}
}

// known is a ship as orders may name it.
type known struct {
	id                engine.ShipID
	name, short, side string
	small             bool
	at                *hex.Hex      // nil off the map
	sheet             *sheet.Sheet  // nil where it is not known
	shuttleOf         engine.ShipID // the ship that launched it
}

func knownInGame(g *engine.Game) (out []known) {
	for _, s := range g.Ships {
		if !s.Small() || s.Status == engine.Active {
			out = append(out, known{s.ID, s.Name, s.Short, s.Side, s.Small(), &s.Hex, &state.Of(s).Sheet, state.ShuttleOf(s.Kind, s.Parent)})
		}
	}
	return out
}

// knownOf are ships of a view; of a game in the dark also by the numbers that they have.
func knownOf(ships []*engine.ShipView) (out []known) {
	for _, s := range ships {
		if s.Kind != engine.KindShip && s.Status != engine.Active {
			continue
		}
		k := known{s.ID, s.Name, s.Short, s.Side, s.Kind != engine.KindShip, s.Hex, nil, state.ShuttleOf(s.Kind, s.Parent)}
		if open, ok := state.OpenOf(s); ok {
			k.sheet = &open.Sheet
		}
		out = append(out, k)
		if s.Sensed != nil && s.Sensed.No.Name() != s.ID {
			k.name, k.short = string(s.Sensed.No.Name()), ""
			out = append(out, k)
		}
	}
	return out
}

// act is what a ship does in a phase beside moving and firing.
type act struct {
	order
	verb   string
	target engine.ShipID // id of a ship, or nearestEnemy; blank for none
	n      int           // of what the verb counts
	box    string        // a bank, or some, by a word
	steal  bool          // what is known, not the box
	carry  bool          // words, by a probe
	craft  engine.ShipID // a shuttle, by id
	what   string        // it does
	at     hex.Hex
	on     int // the impulse; 0: the first that will do
	done   bool
}

// speedOrder is an order to change speed in a phase.
type speedOrder struct {
	order
	to, on int
	done   bool
}
