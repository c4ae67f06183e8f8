package engine

import "starpost/orders"

// Sheet is the orders of one seat for a turn. Without a Block, Policy says what the
// game does about it: "standing" or "forfeit" (ruling D12); it is blank for a ship that
// owes no orders.
type Sheet struct {
	Ship   ShipID
	Post   string // "" for the ship's captain
	Block  *orders.Block
	Policy string
	Later  []Reply // of the second round and those after it, in a turn played in rounds
}

// Seat is where the orders come from.
func (s Sheet) Seat() Seat { return Seat{s.Ship, s.Post} }

// Reply is what came from a ship for a round after the first. Without a Block and
// a Policy, what was said earlier in the turn holds on.
type Reply struct {
	Block  *orders.Block
	Policy string // as that of a Sheet
}

// Ref is what an event follows from: an earlier event of its turn, or orders. The zero Ref
// stands for nothing, and is no cause.
type Ref struct {
	Event  int        // its number in the turn; 0 with orders
	Orders *ordersRef // nil with an event
}

// ordersRef is what a captain wrote for a ship: the statement of a line, or, without one, the
// statements of a section that have a verb.
type ordersRef struct {
	Ship    ShipID
	Post    string // whose set it is; "" for the captain's, anyPost for all of the ship
	Line    int    // of the set that is in force
	Text    string // of the statement in canonical form, which tells sets of several rounds apart; "" for any
	Section string // "" for what stands in none
	Verb    string // "" for all of the section
}

// anyPost in an ordersRef stands for the sets of all posts of a ship.
const anyPost = "*"

// matches tells whether a statement of a group is one that a reference means.
func (o *ordersRef) matches(g orders.Group, st orders.Statement) bool {
	if o.Line > 0 {
		return st.Pos.Line == o.Line && (o.Text == "" || orders.FormatStatement(st) == o.Text)
	}
	return g.Name == o.Section && (o.Verb == "" || st.Verb == o.Verb)
}

// Causes are what each event of a turn follows from, in the order of the events.
type Causes [][]Ref

// OrderSet is a set that a turn was played with.
type OrderSet struct {
	Name    string // "Hood" for a ship, "@Kirk" for what a captain says for all his ships
	Ship    ShipID // id; "" for a captain's
	Post    string // on her; "" for her captain's
	Captain CaptainName
	Round   int // of a turn that is played in rounds: from which on it holds; 0 for all of the turn
	Block   orders.Block
}

// Account is how an event came about.
type Account struct {
	// From are the events that it follows from directly: indexes into
	// Story.Events, in order, all smaller than its own.
	From []int
	// Orders are the lines that asked for it. Of several any may be the one, where
	// the events do not tell which.
	Orders []Ordered
	// Why says what the rules made of it, in sentences: tables, sums, choices.
	Why []string
}

// Ordered is a line of an order set.
type Ordered struct {
	Set  string // as OrderSet.Name
	Line int    // of the text in canonical form
	Text string
}
