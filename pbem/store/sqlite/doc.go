// Package sqlite keeps what a store holds (package store) in a file of SQLite, in the state directory of a daemon. It
// sends nothing, reads no mail and has no clock of its own.
//
// Invariants: every method may be repeated with the same arguments without
// further effect; states only move forward; what a method has returned without
// error survives a loss of power, and of the database: a copy follows it commit by
// commit.
package sqlite
