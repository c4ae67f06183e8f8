// Package journal defines the lines of a game's journal: who joined, left or moved, when the clock stood still, what a
// referee did. Each kind of entry is one row, with its data and requirements.
//
// It knows no files and no games: package vault stores the lines, links them by their hashes and folds them into the
// current state.
package journal
