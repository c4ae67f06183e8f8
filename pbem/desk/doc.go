// Package desk decides what a mail means: which games and ships it speaks of,
// whether it may, which order sets are stored or dropped, what its commands
// change, and what the sender and others are told.
//
// A mail holds order sets and commands side by side. Each step is a package that sees those
// before it alone: blocks finds what is whose in the text, identity who wrote it, submission
// decides the order sets, command the commands. What is decided is a [Decision]: steps to do,
// mails to send (package effect), and one answer for all of it, which is worded here.
//
// It neither fetches nor sends mails, keeps no record of its own, and changes nothing
// until [effect.Step] is called on what it decided. It knows no phase of any rule
// set: what an order means is for package turn and the engine behind it.
//
// Invariants:
//   - From alone changes nothing: an order set or a command that changes
//     something needs a registered address and a proof such as the turn key.
//   - A set with errors never displaces another; sets are replaced whole.
//   - Nothing automatic is answered, and answers go to registered addresses
//     only, but for one bounded answer a day to a stranger, and bounded questions
//     to an address that must be registered.
//   - The same mail decided again, as if its own entries were not yet in the
//     journals (see [vault.Game.Disregard]), gives the same steps and the same
//     mails, and its answer has the same Message-ID.
//   - No captain is shown another's address, nor told of one whose ships are
//     still to come and are not of his side.
//   - No answer holds a turn key in its text.
package desk
