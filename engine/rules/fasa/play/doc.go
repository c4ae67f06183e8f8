// Package play carries out the phases of a turn: power, movement, sensors, fire, damage, repair,
// and what happens to ships on their way. Books list its functions: as a stage of their sequence,
// a gate or modifier of fire, an effect of a hit, a rule of movement.
//
// What one phase must tell a later one of the same turn is kept in the notes of the turn
// (notes.go); what outlasts a turn is kept in the ship, which only events change.
package play
