// Package board is the map as ships of the family move on it: movement words and where
// they lead, where ships may go, the words with which an order is best carried out, the
// way round what is closed, and the kinds of terrain.
//
// It knows no rule book and changes no game: whether a ship may use a word is asked of
// the book.
//
// Invariants: a search is bounded whatever a game's tables say; of places that are as
// good as each other the first by the order of the words is taken, so that the same
// orders always lead to the same place.
package board
