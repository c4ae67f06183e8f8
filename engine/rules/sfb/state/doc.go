// Package state has a ship's state in battle, and the events that change it.
//
// A ship's [System] is her sheet of boxes and the rest of her state: energy, weapons and their charge, standing orders,
// and in [Dealings] what she does to other ships besides fire. A drone, torpedo, probe, shuttle or shot is a System with
// a [Flight]. [Open] is what all captains know of another's ship. Each event is a struct with a Type and an Apply
// method that only records what happened. Packages above decide why it happened, what it costs and who sees it.
//
// Invariants: only events and fields set by a referee change a System; an event that does not fit the current state is
// an error; JSON names never change, because archives contain them.
package state
