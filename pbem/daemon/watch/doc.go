// Package watch monitors the daemon itself. It has the heartbeat that shows others that the daemon
// is running, the guard that notices outages and clock jumps, the marks that keep other daemons off
// its mailbox ([Presence]), the timing of retries ([Retry]), and a summary of all that for people
// ([Health]).
//
// It pauses no game and reads no mail; its callers do.
package watch
