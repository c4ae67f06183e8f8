// Package beacon checks rounds of public randomness beacons, as the nodes of drand publish them: every few seconds
// a signature that no one can foresee, and that anyone can check with the public key of its chain.
//
// A chain has the scheme bls-unchained-g1-rfc9380: BLS signatures over BLS12-381, of 48 bytes in G1, with a key of 96
// bytes in G2. What is signed is the SHA-256 of the round's number, in eight bytes with the highest first; the
// randomness of a round is the SHA-256 of its signature. For a key and a round there is one signature, so it does not
// matter who brings it.
//
// Package relay, below, fetches rounds; this one reads no clock and opens no connection.
package beacon
