// Package games keeps the games of a daemon, and does what is due in them: a [Keeper] knows
// which there are and when each must be looked at again, a stepper takes one decision after
// the other about a game that is looked at, and a teller queues the mails by which captains
// and referees learn of it.
//
// When a turn runs is decided by package clock, how it runs by package turn. No mail is read
// or sent here.
//
// Invariants:
//   - A game is changed by who has its mu, its lock and its lease, in this order; Keeper.Mu may
//     be held meanwhile, and is not waited for with the store in hand.
//   - Nothing resolves unless the mailbox was just read.
//   - Trouble with one game stops no other.
package games
