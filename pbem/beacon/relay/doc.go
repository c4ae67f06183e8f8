// Package relay fetches rounds of a public beacon from relays, by HTTP.
//
// A relay is asked for nothing but a round, and believed in nothing: what it answers counts when the
// signature holds. One that lies, is late, or is dead costs its time, and the next is asked. Their
// clocks are asked as well, since the round of a closing hangs on ours.
//
// Nothing is fetched but by these calls. No redirection is followed, no more than 4 KB are read, and
// each relay has its time.
package relay
