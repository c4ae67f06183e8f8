package engine

import "starpost/orders"

// Checked is what a look at an order set gives.
type Checked struct {
	Diagnostics []orders.Diagnostic
	Effects     []Effect // what each line does, in order of line
	Summary     []string // power left over, movement split, ...
	Path        []Step   // the ship's own plotted path
	Aimed       []Aimed  // what weapons that are to fire can do, as things stand
	Power       Power    // of a set that says how all of it is used
}

// Power is what a ship has of it in a turn, and what of it the lines of an order set take: perhaps more in all.
type Power struct {
	Have int
	Uses []Use
}

// Use is the power that a line takes; that of the set's first is what the ship takes of herself.
type Use struct{ Line, Power int }

// Aimed is what a weapon, or a bank of them, can do at a target as things stand when a line of orders fires it.
type Aimed struct {
	Line   int
	Weapon string
	Target ShipID
	Range  int
	Chance string // of a hit, or what it does; "" if it can do nothing
	Why    string // it can do nothing
}

// Chooser tells of an order set what else could stand in it.
type Chooser interface {
	// Names are what of the ship a placeholder of the language can stand for: her weapons, her shields. Nil for
	// placeholders of which that is not known.
	Names(placeholder string) []string
	// Reach is where the ship can be after the moves of a phase, if its movement were another.
	Reach(phase int) []Reached
}

// Reached is a place where a ship can be, the words of the movement order that leads there, and what they cost.
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

// Word is what is told to posts of a ship at once, when an order set of another comes in.
type Word struct {
	Posts []string // who are told; "" for the captain
	Title string   // for the subject: "totals of the engineer"
	Lines []string
}
