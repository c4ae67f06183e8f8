// Package ship holds the state of one ship under a rule book of the family, and the events
// that change it: her design, power, shields, banks of weapons and standing orders, a
// share for each part of the book, and a use of power as an order set has it.
//
// It carries out no phase and knows no order.
//
// Invariants: a ship's state holds the figures of her design, so that a game does not
// change with the tables; no struct lists the parts, whose shares are found by their
// types and written under their keys; a missing share reads as an empty one.
package ship
