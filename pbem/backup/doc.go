// Package backup copies everything that a daemon needs to continue elsewhere: the
// games, the store, the mails as they came, the heartbeat and the
// configuration.
//
// It does not restore: the copies are plain directories and files, to be put
// where the configuration says. It copies no password and no token; those are
// outside, where the configuration points.
//
// The daemon may be running meanwhile. Games and store are copied while every
// game is locked, so that no mail is handled between the two: a game that knew
// less than the store would have lost accepted orders.
//
// Invariants: copied files are not changed; a backup exists under its
// name only if it is complete.
package backup
