// Package state is what is kept of a ship of this family in battle, and the events that change it.
//
// A ship's [System] is her sheet of boxes with what stands beside it: energy, weapons and their
// charge, standing orders, and in [Dealings] what she does to others beside fire. A drone, torpedo,
// probe, shuttle or shot is a System with a [Flight]. What all captains know of another's ship is an
// [Open]. Each event is a struct with its Type and an Apply that does no more than write down what
// happened; why it happened, what it costs and who sees it is decided by the rules above, which no
// file here knows.
//
// Invariants: a System changes by events and a referee's fields alone; an event that does not fit
// the state that it finds is an error; names in JSON, which archives hold, never change.
package state
