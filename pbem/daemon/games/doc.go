// Package games keeps the games of a daemon and does what is due in them. A [Keeper] knows the
// games and when each must be looked at again, a stepper makes one decision after the other about a
// game, and a teller queues the mails that tell captains and referees about it.
//
// Package clock decides when a turn runs, package turn how. No mail is read or sent here.
//
// Invariants:
//   - A game is changed only by a holder of its mu, its lock and its lease, taken in this order.
//     Keeper.Mu may be held meanwhile, but must not be waited for inside a store transaction.
//   - Nothing resolves unless the mailbox was just read.
//   - Trouble with one game stops no other.
package games
