// Package identity knows who wrote a mail: which captains and referees have its sender's
// address, what proves that one of them asked for something, and which games that opens.
//
// It reads no orders and no commands. What is asked for comes to it as a [Claim], with the
// lines of the mail where it stands; which keys came with it, [Mail.Given] gathers.
//
// Invariants:
//   - From alone proves nothing, see package auth.
//   - What proved one thing is noted with it, so that no older proof counts for the same
//     thing later ([Mail.Noted]).
//   - Keys that stood anywhere in the mail are gathered, so that no answer shows them.
package identity
