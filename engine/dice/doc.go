// Package dice makes the rolls of a game: each has a name, and its value is a
// function of the game's secret and that name alone (rulings D1 to D3).
//
// A game has one secret of 32 bytes. Its SHA-256 (Commit) is published with
// the first report and the secret itself with the last, so that anyone can
// recompute every roll. Words sent by captains for luck are hashed into the
// secret of the one turn they were sent for, so that no referee can choose a
// secret that favours a side.
//
// The recipe, for those who check: a list of byte strings is framed by
// writing each with its length before it, as eight bytes, big end first. Then
//
//	turn secret = SHA-256(frame("starpost dice turn 1", secret, game, turn in decimal, ship, words, ship, words ...))
//	seed        = SHA-256(frame("starpost dice roll 1", turn secret, game, die, name))
//
// with ships sorted by id and only those that sent words; where nobody did,
// the turn secret is the game's secret. The seed starts ChaCha8 (C2SP
// chacha8rand). A number from 1 to n is v mod n + 1 for the first 64-bit
// output v below the largest multiple of n not above 2^64; 2d6 is the sum of
// two such numbers in a row.
//
// The package is not a stream of random numbers: there is no "next" roll, and
// the order of calls means nothing. Asking for one name twice gives the same
// value twice; Recorder finds names that were used more than once. It opens
// no source of randomness itself.
package dice
