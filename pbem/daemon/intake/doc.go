// Package intake takes the mails of a mailbox in, has package desk decide them, does what was
// decided, and queues the answers, within their limits.
//
// A mail is stored, then acted on and answered, then moved; each step is noted in the store
// when it is done and may be repeated. What many mails bring about is committed together:
// first the games' files, then the store.
//
// Invariants:
//   - A mail leaves the inbox last of all, and only while the mailbox is ours.
//   - A mail for a game that is taken waits, and so do later ones for it.
//   - A bounce is never answered, and counts only for a mail that was sent from here.
package intake
