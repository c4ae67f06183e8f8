// Package dice makes the rolls of a game. Each has a name, and its value is a function of the game's secret and
// that name alone (rulings D1 to D3).
//
// A game has one secret of 32 bytes. Its SHA-256 (Commit) is published with the first report and the secret itself
// with the last, so that anyone can recompute every roll. Words for luck that captains send are hashed into the
// dice of the turn they were sent for and of all later ones, so that no host can have chosen a secret for the dice
// that it gives. A turn may also have a round of a public beacon ([ForBeacon]): it was unknown when the orders were
// closed, so even the holder of the secret could not know the dice. This package does not know what a beacon is
// or check its signature: it uses its output as text.
//
// [Recipe] describes the method, for people who check dice; [ForTurn] is the older method, for games with state
// format 1.
//
// The package is not a stream of random numbers: there is no "next" roll, and the order of calls means nothing.
// Asking for one name twice gives the same value twice. It opens no source of randomness itself.
package dice
