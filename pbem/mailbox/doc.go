// Package mailbox reads one mailbox of an IMAP server: it lists what is new,
// hands over raw bytes, and moves what has been dealt with.
//
// It is not a mail parser and keeps no state of its own: which mails are known
// is the store's to say. A cursor is valid only together with the UIDVALIDITY
// it was taken under (RFC 3501, 2.3.1.1), so Select gives both.
//
// Invariants:
//   - No call outlives its context, and none waits longer than Config.Timeout
//     for a server that says nothing. The protocol library knows no context, so
//     a watchdog closes the connection under it.
//   - A Client whose connection was closed, by the watchdog or by the server,
//     only returns errors from then on. Reconnecting is normal flow and belongs
//     to the caller: Dial again, Select, compare the validity.
//   - A Client belongs to one goroutine.
//   - Passwords never reach a log or an error.
//   - Without TLS only a loopback host is spoken to.
package mailbox
