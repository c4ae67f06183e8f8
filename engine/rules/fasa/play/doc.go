// Package play carries out the phases of a turn: power, movement, sensors, fire, damage, repair,
// and what happens to ships on their way. Each function here is a row of some book: a stage of
// its sequence, a gate or modifier of its fire, an effect of a hit, a rule of its movement.
//
// What one phase must tell a later one of the same turn stands in the notes of the turn
// (notes.go); what outlasts a turn stands in the ship, and only events change it.
package play
