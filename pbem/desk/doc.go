// Package desk decides what a mail means: which games and ships it speaks of,
// whether it may, which order sets are stored or dropped, and what the sender
// is told.
//
// It neither fetches nor sends, keeps no record of its own, and changes nothing
// until [Step.Do] is called on what it decided. It knows no phase of any rule
// set: what an order means is for package turn and the engine behind it.
//
// Invariants:
//   - From alone stores nothing: an order set needs a registered address and
//     the turn key.
//   - A set with errors never displaces another; sets are replaced whole.
//   - Nothing automatic is answered, and answers go to registered addresses
//     only, but for one bounded answer a day to a stranger.
//   - The same mail decided again gives the same steps, and its answer has the
//     same Message-ID.
//   - No answer holds a turn key in its text.
package desk
