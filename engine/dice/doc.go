// Package dice makes the rolls of a game: each has a name, and its value is a
// function of the game's secret and that name alone (rulings D1 to D3).
//
// A game has one secret of 32 bytes. Its SHA-256 (Commit) is published with
// the first report and the secret itself with the last, so that anyone can
// recompute every roll. Words sent by captains for luck are hashed into the
// dice of the turn they were sent for and of all later ones, so that no host
// can have chosen a secret for the dice that it gives. A turn may have a round of a public
// beacon besides ([ForBeacon]): no one knew it when the orders were closed, so that not even who
// has the secret knew the dice. What a beacon is, and whether its signature holds, this package is not
// to know: it takes what came of it as text.
//
// [Recipe] tells how, for those who check; [ForTurn] is how it was done for games
// whose state has format 1.
//
// The package is not a stream of random numbers: there is no "next" roll, and
// the order of calls means nothing. Asking for one name twice gives the same
// value twice; Recorder finds names that were used more than once. It opens
// no source of randomness itself.
package dice
