// Package mailbox reads one mailbox of an IMAP server: it lists new mails, returns their raw bytes,
// and moves handled ones.
//
// It does not parse mails and keeps no state of its own: the store knows which mails are known. A
// cursor is valid only together with its UIDVALIDITY (RFC 3501, 2.3.1.1), so Select returns both.
//
// Invariants:
//   - No call outlives its context, and none waits longer than Config.Timeout
//     for a silent server. The protocol library does not support contexts, so
//     a watchdog closes the connection under it.
//   - After its connection was closed, by the watchdog or by the server, a Client
//     only returns errors. Reconnecting is normal and left
//     to the caller: Dial again, Select, compare the validity.
//   - A Client must be used by one goroutine only.
//   - Passwords never reach a log or an error.
//   - Without TLS only loopback hosts are used.
package mailbox
