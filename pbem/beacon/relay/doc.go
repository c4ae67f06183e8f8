// Package relay fetches rounds of a public beacon from relays, by HTTP.
//
// A relay is only asked for a round and trusted for nothing: its answer counts if the signature is
// valid. If it lies, is slow or is dead, that only costs time, and the next one is asked. The
// relays' clocks are checked as well, because the round of a closing depends on ours.
//
// Nothing is fetched except by these calls. No redirection is followed, no more than 4 KB are read,
// and each relay has a time limit.
package relay
