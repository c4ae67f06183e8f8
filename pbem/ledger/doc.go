// Package ledger remembers what the mail robot has done, so that doing it
// again changes nothing: which mails came and how far each was handled, what
// must be sent, which reminders went out, whom was answered. Next to it is
// the spool, which keeps every raw mail as a file named by its content.
//
// It is not where games are kept: a turn is committed by the directory that
// holds it, and a lost ledger is rebuilt from those directories and from the
// mailbox. It sends nothing, reads no mail and has no clock of its own.
//
// Invariants: every method may be repeated with the same arguments without
// further effect; states only move forward; a row about a mail is written
// after the mail's bytes are safely on disk; what a method has returned without
// error survives a loss of power.
package ledger
