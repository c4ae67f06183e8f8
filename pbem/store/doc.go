// Package store remembers what the mail robot has done, so that doing it
// again changes nothing: which mails came, byte for byte, and how far each was
// handled, what must be sent, which reminders went out, whom was answered.
//
// It is not where games are kept: a turn is committed by the directory that
// holds it. It sends nothing, reads no mail and has no clock of its own.
//
// Invariants: every method may be repeated with the same arguments without
// further effect; states only move forward; what a method has returned without
// error survives a loss of power, and of the database: a copy follows it commit by
// commit.
package store
