// Package process has what all parts of a daemon share: its options, clock, log, store and
// state directory, the steps at which it may be cut short, what it tells who watches it, and
// the way into the outbox (see package sender).
//
// It knows no mailbox and no game. What an error means for the process, [Fatal] tells.
package process
