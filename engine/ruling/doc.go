// Package ruling is what a referee may change of a turn, and how it is done: the value of a die, where a ship is and how
// she stands, what a captain has found. A [Ruling] is one change in words, with who rules so and why.
//
// Rulings are an input of the turn like its orders: with orders, rulings and the secret of the game a replay gets the same
// events again. Each change is an event, [Ruled], told to those who may know it. [Upon] gives a rule set by which a turn is
// resolved with rulings, and [Setup] rules on a game before its first turn. What can be set of a ship her rule set says by
// [Editable]; what captains have found in the dark is for the extension of the game to change.
//
// The core knows no ruling: a rule set takes this package in as its [engine.Referee].
package ruling
