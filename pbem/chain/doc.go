// Package chain makes the public form of a game's record: its journal and the
// manifests of its turns without anybody's address, each linked by hash to what
// was there before it. From the game's directory and from an archive of the game
// comes the same, so that a hash which a report told a captain can be held
// against what he is shown when the game is over.
//
// It is not where a game is kept: it reads a game directory and changes nothing.
// What it makes is itself in the form of a game directory.
//
// Invariants:
//   - The hash of a turn covers all that the turn was made of and came to, all
//     turns that it was made after, and the journal up to then.
//   - No mail address and no order set as it came is in it.
//   - Messages between captains that were only relayed are not in it.
package chain
