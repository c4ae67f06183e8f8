// Package daemon is the loop that connects mailbox, desk, games and outgoing mail: it takes mails
// in, acts on them, answers, resolves due turns and sends the queued mails.
//
// Its parts are packages that call each other in one direction only: process (shared by all),
// watch, games, intake, and sender, which documents the queue of outgoing mails.
//
// It decides nothing itself: package desk decides what a mail means, package clock when a turn
// runs, package turn how it runs. It knows no phase of any rule set.
//
// Each mail goes through the same steps, and the store records each one when it is done:
//
//	fetch, store raw, record | act on the games, queue the answer, mark | move
//
// and each turn goes through these:
//
//	resolve and commit (one rename) | queue its outbox | send
//
// Invariants:
//   - Any step may be repeated, and the process may stop inside or between any
//     two of them: no order is lost, no turn is resolved twice, and every answer
//     and report keeps one Message-ID.
//   - A mail is moved out of the inbox last of all.
//   - No turn is resolved unless the mailbox was read just before: an order
//     that arrived in time counts.
//   - Trouble with one mail or one game stops no other. A game that fails is held
//     until someone changes its files.
//   - Keys, passwords and secrets in addresses (the key after a +) are never logged.
package daemon
