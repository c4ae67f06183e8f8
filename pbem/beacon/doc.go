// Package beacon knows the rounds of a public randomness beacon: when each comes,
// whether its signature holds, what it gives, and how a turn's directory keeps it.
//
// A beacon of the kind drand signs the number of each round with a key that is shared
// among its members. No one can know the signature before enough of them have signed,
// everybody can check it afterwards by the chain's public key, and there is but one that holds,
// so who brings it makes no difference. This package asks no network and no clock; package
// relay fetches rounds.
//
// The scheme is bls-unchained-g1-rfc9380: signatures are points of G1, keys of G2 on
// BLS12-381, what is signed is the SHA-256 of the round as 8 bytes, highest first.
package beacon
