// Package beacon knows the rounds of a public randomness beacon: the time of each, whether its
// signature is valid, its random value, and how a turn's directory stores it.
//
// A beacon like drand signs the number of each round with a key that is shared among its members.
// No one can know the signature before enough of them have signed, and everyone can check it
// afterwards with the chain's public key. There is only one valid signature, so it does not matter
// who supplies it. This package uses no network and no clock; package relay fetches rounds.
//
// The scheme is bls-unchained-g1-rfc9380: signatures are points of G1, keys of G2 on BLS12-381; the
// signed message is the SHA-256 of the round as 8 bytes, big-endian.
package beacon
