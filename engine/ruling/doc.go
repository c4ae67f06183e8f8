// Package ruling implements a referee's changes to a turn: the value of a die, the place and state of a ship, what
// a captain has found. A [Ruling] is one change in words, with who made it and why.
//
// Rulings are an input of the turn like its orders: a replay with the same orders, rulings and secret gives the
// same events. Each change is an event, [Ruled], shown to those who may know it. [Upon] returns a rule set that
// resolves a turn with rulings, and [Setup] makes rulings on a game before its first turn. A rule set says by
// [Editable] what can be set of a ship; what captains have found in the dark is changed by the game's extension.
//
// The core knows no rulings: a rule set uses this package as its [engine.Referee].
package ruling
