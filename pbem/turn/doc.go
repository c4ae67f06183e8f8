// Package turn holds the steps that the commands, the daemon, a referee and the
// tests all take: make a game, look at order sets, see who is missing, resolve
// the turn that is due, resolve one again. That what was resolved can be trusted is
// shown by package proof, which stands on this one.
//
// It connects the layers: files from package vault, rules from the engine, reports
// from package report, mails as bytes from package outgoing. It knows no
// phase of any rule set, reads no clock and sends nothing; where orders come
// from and where mails go is the caller's.
//
// Invariants:
//   - Resolve either commits the whole turn or changes nothing.
//   - The order in which sets came in does not matter.
//   - What Resolve stored, PlayAgain plays to the same bytes.
//   - What a Drawing draws of a stored turn has the same bytes each time, as long as the
//     program is the same.
//   - Where turns have rounds, a round is the whole turn again from the state before
//     it; nothing half done is carried on.
//   - A set with errors is never taken as orders, and never ignored in silence.
package turn
