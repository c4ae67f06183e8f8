// Package desk decides what a mail means: which games and ships it concerns, whether its
// sender may do what it asks, which order sets are stored or dropped, what its commands
// change, and what the sender and others are told.
//
// A mail holds order sets and commands side by side. Each step is a package that imports only
// the earlier ones: blocks finds the parts of the text, identity finds who wrote it, submission
// decides the order sets, command the commands. The result is a [Decision]: steps to do,
// mails to send (package effect), and one answer that covers everything, worded in this package.
//
// It neither fetches nor sends mails, keeps no records of its own, and changes nothing
// until the caller calls [effect.Step]. It knows no phase of any rule set: what an order
// means is up to package turn and the engine behind it.
//
// Invariants:
//   - A From address alone changes nothing: an order set or a command that changes
//     something needs a registered address and a proof such as the turn key.
//   - A set with errors never replaces another; sets are replaced whole.
//   - Automatic mail is never answered, and answers go to registered addresses only.
//     Exceptions: one bounded answer a day to a stranger, and bounded questions to an
//     address that is to be registered.
//   - The same mail decided again, as if its own entries were not yet in the
//     journals (see [vault.Game.Disregard]), gives the same steps and the same
//     mails, and its answer has the same Message-ID.
//   - No captain is shown another's address, nor told of a captain on another side
//     whose ships are still to arrive.
//   - No answer holds a turn key in its text.
package desk
