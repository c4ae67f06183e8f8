// Package intake takes in the mails of a mailbox, lets package desk decide about them, carries out
// the decisions, and queues the answers, within their limits.
//
// A mail is stored, then acted on and answered, then moved. The store records each step when it is
// done, and each may be repeated. The results of many mails are committed together: first the
// games' files, then the store.
//
// Invariants:
//   - A mail leaves the inbox last of all, and only while the mailbox is ours.
//   - A mail waits while its game is locked or the disk or store fails, and so do later ones for that game.
//   - A bounce is never answered, and counts only for a mail that was sent from here.
package intake
