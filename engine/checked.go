package engine

import "starpost/orders"

// Checked is the result of checking an order set.
type Checked struct {
	Diagnostics []orders.Diagnostic
	Effects     []Effect // what each line does, in order of lines
	Summary     []string // power left over, movement split, ...
	Path        []Step   // the ship's own plotted path
	Aimed       []Aimed  // what the weapons ordered to fire can do, as things stand
	Power       Power    // for order sets that say how all power is used
}

// Power is how much power a ship has in a turn, and how much each line of an order set takes: in all perhaps more.
type Power struct {
	Have int
	Uses []Use
}

// Use is the power that a line takes. On the first line of the set it is what the ship uses without orders.
type Use struct{ Line, Power int }

// Aimed is what a weapon, or a bank of them, can do at a target as things stand when a line of orders fires it.
type Aimed struct {
	Line   int
	Weapon string
	Target ShipID
	Chance string // of a hit, or what it does; "" if it can do nothing
	Why    string // why it can do nothing
}

// Chooser returns what else could be in an order set.
type Chooser interface {
	// Names returns what a placeholder of the language can stand for on the ship: her weapons, her shields. It is
	// nil if that is unknown.
	Names(placeholder string) []string
	// Reach returns where the ship could be after the moves of a phase if she had other movement orders.
	Reach(phase int) []Reached
}

// Reached is a place where a ship can be, the words of the movement order that takes her there, and their cost.
type Reached struct {
	At    Place
	Words []string
	Cost  int
}

// Effect is the meaning of one line of an order set.
type Effect struct {
	Line int
	Text string
}

// Word is what posts of a ship are told at once when another post sends an order set.
type Word struct {
	Posts []string // recipients; "" for the captain
	Title string   // for the subject: "totals of the engineer"
	Lines []string
}
