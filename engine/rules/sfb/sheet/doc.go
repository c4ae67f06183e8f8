// Package sheet is the sheet of boxes that a ship of this family is: its shields, its banks of
// boxes of a [Kind], and what is left of them.
//
// [Read] reads the file of a [Class], strict TOML with the source of every figure; [Classes] are
// the built-in ones of data, under a game's own, and [Designs] lists them. A [Sheet] is part of a
// ship's state, and its methods count boxes. [Allocate] is the damage allocation procedure of the
// cadet game as one pure function; [AllocateTask] works it out for someone who asks outside a game.
//
// What a kind of weapon does, what energy a ship has and what a turn changes is the business of
// the rules above. Invariants: a class that was read is whole and in bounds, and all games share it:
// a ship begins with a [Sheet.Clone]; [Allocate] leaves the sheet that it is handed as it is;
// mistakes in a file come all together, each with its place.
package sheet
