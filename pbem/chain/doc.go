// Package chain makes the public form of a game's record: its journal and the
// manifests of its turns without addresses, each linked by hash to its
// predecessors. A game's directory and its archive give the same result,
// so that a hash from a report can be compared
// with what is published when the game is over.
//
// It does not store games: it reads a game directory and changes nothing.
// Its output is itself in the form of a game directory.
//
// Invariants:
//   - The hash of a turn covers the turn's whole input and outcome, all
//     turns before it, and the journal up to then.
//   - It contains no mail address and no order set in its original form.
//   - It contains no messages between captains that were only relayed.
package chain
