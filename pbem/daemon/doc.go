// Package daemon is the loop that connects mailbox, desk, games and outgoing mail: it
// takes mails in, acts on them, answers, resolves what is due and sends what is
// queued.
//
// Its parts are packages through which calls run one way: process (what all share), watch,
// games, intake, and sender, where the queue of mails that go out is told of.
//
// It decides nothing itself: what a mail means is package desk's, when a turn
// runs package clock's, how it runs package turn's. It knows no phase of any
// rule set.
//
// Each mail goes through the same steps, and each step is noted in the store
// when it is done:
//
//	fetch, store raw, record | act on the games, queue the answer, mark | move
//
// and each turn through these:
//
//	resolve and commit (one rename) | queue its outbox | send
//
// Invariants:
//   - Any step may be repeated, and the process may stop between or inside any
//     two of them: no order is lost, no turn is resolved twice, every answer
//     and report goes out under one Message-ID.
//   - A mail is moved out of the inbox last of all.
//   - No turn is resolved unless the mailbox was read just before: an order
//     that lies there in time counts.
//   - Trouble with one mail or one game stops no other; a game whose rules
//     broke is held until someone touches its files.
//   - Keys, passwords and secrets in addresses (the key after a +) are never logged.
package daemon
