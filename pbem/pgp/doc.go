// Package pgp checks OpenPGP signatures on mails, cleartext and PGP/MIME, against the one public
// key registered for a captain.
//
// It neither signs nor decrypts, asks no key server, and knows no web of trust: the referee says
// whose key it is by putting it into the game directory. Package auth decides whether a signed
// order set is accepted.
//
// Invariants: only what a good signature covers is passed on as signed. A key that is expired or
// revoked now, and a hash that can be forged, prove nothing. Time and memory are bounded however
// many signatures a mail has. No type of the library leaves the package.
package pgp
