package engine

import "starpost/orders"

// Sheet is the orders of one seat for a turn. If Block is nil, Policy says what the game does about it: "standing"
// or "forfeit" (ruling D12). Policy is blank for a ship that owes no orders.
type Sheet struct {
	Ship   ShipID
	Post   string // "" for the ship's captain
	Block  *orders.Block
	Policy string
	Later  []Reply // for the second round and later ones, in a turn played in rounds
}

// Seat returns the seat that the orders come from.
func (s Sheet) Seat() Seat { return Seat{s.Ship, s.Post} }

// Reply is what a seat sent for a round after the first. If it has neither Block nor Policy, the earlier orders of
// the turn stay in force.
type Reply struct {
	Block  *orders.Block
	Policy string // as that of a Sheet
}

// Ref is a cause of an event: an earlier event of its turn, or orders. The zero Ref is no cause.
type Ref struct {
	Event  int        // number in the turn; 0 if the cause is orders
	Orders *ordersRef // nil if the cause is an event
}

// ordersRef refers to orders for a ship: the statement on a line or, if Line is 0, the statements of a section with
// a verb.
type ordersRef struct {
	Ship    ShipID
	Post    string // the post that sent the set; "" for the captain, anyPost for all of the ship
	Line    int    // in the set in force
	Text    string // the statement in canonical form, which distinguishes sets of several rounds; "" for any
	Section string // "" for statements outside all sections
	Verb    string // "" for all statements of the section
}

// anyPost in an ordersRef stands for the sets of all posts of a ship.
const anyPost = "*"

// matches reports whether the reference means this statement of a group.
func (o *ordersRef) matches(g orders.Group, st orders.Statement) bool {
	if o.Line > 0 {
		return st.Pos.Line == o.Line && (o.Text == "" || orders.FormatStatement(st) == o.Text)
	}
	return g.Name == o.Section && (o.Verb == "" || st.Verb == o.Verb)
}

// Causes lists what each event of a turn follows from, in the order of the events.
type Causes [][]Ref

// OrderSet is an order set that a turn was played with.
type OrderSet struct {
	Name    string // "Hood" for a ship, "@Kirk" for a captain's orders to all their ships
	Ship    ShipID // id; "" for a captain's orders to all their ships
	Post    string // on the ship; "" for her captain
	Captain CaptainName
	Round   int // the first round it holds for, in a turn played in rounds; 0 for all of the turn
	Block   orders.Block
}

// Account explains how an event came about.
type Account struct {
	// From are the events that it follows from directly: indexes into Story.Events, in order, all smaller than its
	// own.
	From []int
	// Orders are the lines that asked for it. If there are several, the events do not show which of them it was.
	Orders []Ordered
	// Why explains in sentences what the rules did: tables, sums, choices.
	Why []string
}

// Ordered is a line of an order set.
type Ordered struct {
	Set  string // as OrderSet.Name
	Line int    // of the text in canonical form
	Text string
}
