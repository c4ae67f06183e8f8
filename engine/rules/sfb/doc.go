// Package sfb is the family of rules with ship sheets made of boxes: energy allotted each turn, impulses in which
// ships move one hex at a time, turn modes, weapons that are armed over several turns and fire by chart and die,
// drones that seek their targets, and damage allocated box by box from a chart.
//
// A rule set of the family is a [rulebook.Book], a value of numbers, charts and citations (cadet.go and house.go).
// Features that only some books have are [part] values in parts_list.go, each with the rows of its events: tractor
// beams, the cloak that hides a ship, raids and boarding, repairs in battle, the need for a bridge, probes and shuttles.
//
// # Packages
//
// Each of these packages below imports only those on the lines above it:
//
//	sheet     sheets of boxes, and damage allocated to them
//	state     what a ship has in battle beside her sheet, and the events that change it
//	rulebook  the type of a book, the language of orders, and plans made from order sets
//	play      carries out a turn impulse by impulse
//	tell      reports, panels, maps and sentences
//	forecast  comments on an order set for its captain
//
// This package has the books, their parts, the commissioning of ships (rules.go), robots (robot*.go), and
// the order sets offered to captains (template.go, first_orders.go, conn.go).
//
// Hexes, dice and visibility belong to the engine.
//
// Invariants: only a ruling or a repair restores a lost box; energy is never spent twice or without a source; sheets,
// places and speeds are public; energy is known only to the ship's captain.
package sfb
