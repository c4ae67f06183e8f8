// Package proof shows that a game is what its files say: it plays every turn again and compares.
//
// A game can be trusted if its dice come from a secret that was fixed beforehand, its turns come
// from the orders stored with them, and nothing was added, removed or altered later. Verify checks
// all of this, in the following order, and continues after each finding, so that one fault does not
// hide another:
//
//   - the journal, as a chain of hashes, and that it contains what it contained at each turn;
//   - each resolution of each turn, including those set aside: its files
//     against the hashes in its manifest, its manifest against that of the turn before;
//   - its events and its state, byte for byte against the result of playing the turn
//     again (turn.PlayAgain), dice included;
//   - the rounds of a turn that was played in rounds, each in the same way and
//     against the whole turn.
//
// Turns of another version of the rule set cannot be played again. Their events must lead from
// state to state, and each die must have the value that the secret gives.
//
// Each Finding has the file, the place in it and what is wrong. An error says what kept Verify from
// checking.
//
// Nothing is written or repaired. Package vault defines the files of a game, package chain how a
// record is sealed, and package archive gives a game and its proof to people who had no part in it.
// Most tests are with those of package turn, which has the small rule set that they play.
package proof
