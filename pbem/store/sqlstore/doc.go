// Package sqlstore keeps what a store holds (package store) in the tables of an SQL database. The statements stand here once;
// packages sqlite and postgres bring a connection, the tables, and what only their database can do. It sends nothing, reads no
// mail and has no clock of its own.
//
// Invariants: every method may be repeated with the same arguments without further effect; states only move forward; what a
// method has returned without error lasts as long as the database. After an error it is not known whether anything was done:
// the caller repeats it.
package sqlstore
