// Package turn holds the steps that the commands, the daemon, a referee and the tests all take:
// create a game, check order sets, find who is missing, resolve the due turn, resolve a turn again.
// Package proof, which builds on this one, shows that resolved turns can be trusted.
//
// It connects the layers: files from package vault, rules from the engine, reports from package
// report, mails as bytes from package outgoing. It knows no phase of any rule set, reads no clock
// and sends nothing. The caller decides where orders come from and where mails go.
//
// Invariants:
//   - Resolve either commits the whole turn or changes nothing.
//   - The order in which sets came in does not matter.
//   - PlayAgain plays what Resolve stored to the same bytes.
//   - A Drawing of a stored turn has the same bytes each time, as long as the program is
//     the same.
//   - If turns have rounds, a round plays the whole turn again from the state before it;
//     nothing half done is carried on.
//   - A set with errors is never taken as orders, and never ignored in silence.
package turn
