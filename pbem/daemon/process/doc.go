// Package process holds what all parts of a daemon share: its options, clock, log, store and state
// directory, the steps at which it may be interrupted, the events that it emits, and the queueing
// of mails for the outbox (see package sender).
//
// It knows no mailbox and no game. [Fatal] reports whether an error ends the process.
package process
