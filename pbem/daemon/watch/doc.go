// Package watch looks after the daemon itself: the heartbeat by which others see that it is
// at work, the guard that notices outages and jumps of the clock, the marks by which it knows
// that no other daemon serves its mailbox ([Presence]), when to try again what failed
// ([Retry]), and the judgement of all that for people ([Health]).
//
// It pauses no game and reads no mail; who uses it does.
package watch
