// Package backup copies all that a daemon would need to go on elsewhere: the
// games, the store, the mails as they came, the heartbeat and the
// configuration.
//
// It does not restore: the copies are plain directories and files, to be put
// where the configuration says. It copies no password and no token; those lie
// outside, where the configuration points.
//
// The daemon may be at work meanwhile. Games and store are copied while every
// game is locked, so that no mail is acted on between the two: a game that knew
// less than the store would have lost orders that were accepted.
//
// Invariants: what is copied is not changed; a backup is there whole under its
// name, or it is not there.
package backup
