// Package sheet has the ship sheets of this family: shields and banks of boxes, each bank of a [Kind], and how many
// boxes are left.
//
// [Read] reads the file of a [Class], strict TOML with a source for every figure. [Classes] returns the built-in ones,
// overridden by a game's own, and [Designs] lists them. A [Sheet] is part of a ship's state, and its methods count
// boxes. [Allocate] is the damage allocation procedure of the cadet game as one pure function; [AllocateTask] applies
// it on request outside a game.
//
// Other packages know what a kind of weapon does, what energy a ship has and what a turn changes.
// Invariants: a class is complete and within limits, and shared by all games, so a ship starts with a
// [Sheet.Clone]; [Allocate] does not change its sheet; all mistakes in a file are reported at once, each with its place.
package sheet
