// Package identity determines who wrote a mail: which captains and referees have its sender's
// address, what proves that one of them made a request, and which games this opens.
//
// It reads no orders and no commands. A request comes to it as a [Claim], with its
// lines in the mail; [Mail.Given] gathers the keys that came with it.
//
// Invariants:
//   - A From address alone proves nothing, see package auth.
//   - The proof of a request is recorded with it, so that no older proof counts for the same
//     thing later ([Mail.Noted]).
//   - Keys anywhere in the mail are gathered, so that no answer shows them.
package identity
