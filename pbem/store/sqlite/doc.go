// Package sqlite implements a store (package store) in an SQLite file, in the state directory of a daemon. It
// sends nothing, reads no mail and has no clock of its own.
//
// Invariants: every method may be repeated with the same arguments without
// further effect; states only move forward; once a method has returned without
// error, its result survives a power failure. It also survives the loss of the
// database file, because a copy is updated after every commit.
package sqlite
