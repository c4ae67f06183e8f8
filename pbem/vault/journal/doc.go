// Package journal is what the lines of a game's journal say: who joined, left or moved, when the clock stood, what a
// referee did. Each kind of entry is one row, with what belongs to it and what it must hold.
//
// It knows no files and no games: package vault keeps the lines, links them by their hashes and folds them into what
// holds now.
package journal
