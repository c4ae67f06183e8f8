// Package board is the map as ships of the family move on it: movement words and where
// they lead, where ships may go, the words that best carry out an order, routes round
// closed hexes, and the kinds of terrain.
//
// It knows no rule book and changes no game: the book decides whether a ship may use a word.
//
// Invariants: a search is bounded whatever a game's tables say; among equally good places
// the first by the order of the words is taken, so that the same orders always lead to the
// same place.
package board
