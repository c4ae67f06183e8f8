// Package sqlstore implements a store (package store) on an SQL database. It has the statements that all databases share;
// packages sqlite and postgres provide the connection, the tables, and the features of their database. It sends nothing, reads
// no mail and has no clock of its own.
//
// Invariants: every method may be repeated with the same arguments without further effect; states only move forward; once a
// method has returned without error, its result lasts as long as the database. After an error it is unknown whether anything
// was done: the caller repeats the call.
package sqlstore
