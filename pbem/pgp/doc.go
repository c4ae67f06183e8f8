// Package pgp checks OpenPGP signatures on mails: texts that are signed within
// themselves and PGP/MIME, against the one public key that is registered for a
// captain.
//
// It neither signs nor decrypts, asks no key server, and knows no web of trust:
// whose a key is the referee says by putting it into the game directory. Whether
// a signed order set may be taken is for package auth.
//
// Invariants: of a mail only what a good signature covers is handed on as
// signed; a key that is expired or revoked now, and a hash that can be
// forged, prove nothing; time and memory are bounded however many signatures a
// mail has. No type of the library leaves the package.
package pgp
