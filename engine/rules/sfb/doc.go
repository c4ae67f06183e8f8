// Package sfb is the family of rules with sheets of boxes: energy that is allotted each
// turn, impulses in which ships move one hex at a time, turn modes, weapons that are
// armed over turns and fire by chart and die, drones that fly by themselves, and damage
// that a chart allocates box by box.
//
// A rule set of the family is a [rulebook.Book], a value of numbers, charts and citations (cadet.go
// is one; house.go is another). What only some books have is a [part] in parts_list.go, with the
// rows of its events: tractor beams, the cloak that hides a ship, raids and boarding, boxes mended
// in battle, the need for a bridge, probes and shuttles.
//
// # Packages
//
// What the books are made of stands in packages below, each of which imports those of the lines
// above it alone:
//
//	sheet     sheets of boxes, and damage allocated to them
//	state     what a ship has beside her sheet in battle, and the events that change it
//	rulebook  what a book is, the language of orders, and plans made of order sets
//	play      a turn carried out impulse by impulse
//	tell      reports, panels, maps and sentences
//	forecast  what a captain is told of his set
//
// Here: the books, their parts, how ships are commissioned (rules.go), robots (robot*.go), and
// the order sets that are offered (template.go, first_orders.go, conn.go).
//
// It is not a place for hexes, dice or who may see what: those are the engine's.
//
// Invariants: a box that is lost comes back by a ruling alone; energy that is spent was
// there; sheets, places and speeds are open to all, energy is its captain's secret.
package sfb
