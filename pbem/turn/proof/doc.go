// Package proof shows that a game is what its files say: it plays every turn again
// and compares.
//
// A game that can be trusted is one where dice come of a secret that was fixed
// beforehand, turns come of the orders that are stored with them, and nothing was put
// in, taken off or altered later. Verify looks at all of it, in this order, and goes
// on after what it finds, so that one fault does not hide another:
//
//   - the journal, as a chain of hashes, and that it holds what it held at each turn;
//   - each resolution of each turn, also of those that were set aside: its files
//     against the hashes in its manifest, its manifest against that of the turn before;
//   - its events and its state, byte for byte against what comes of playing the turn
//     again (turn.PlayAgain), dice included;
//   - the rounds of a turn that was played in rounds, each in the same way and
//     against the whole turn.
//
// Turns of another version of the rule set cannot be played again. Of those the events
// must lead from state to state, and each die have the value that the secret gives.
//
// What is found is a Finding, with the file, the place in it and what is wrong. An
// error is for what kept Verify from looking.
//
// Nothing is written and nothing mended. Package vault says what the files of a game
// are, package chain how a record is sealed, package archive takes a game
// and its proof to people who had no part in it. Most tests stand with those of
// package turn, beside the small rule set that they play.
package proof
