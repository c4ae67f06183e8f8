// Package loopback is a mail provider within the process: an SMTP and an IMAP server on 127.0.0.1
// for `starpost demo` and for tests. Mail sent to a known user by SMTP appears in that user's
// INBOX.
//
// It is not a general mail server: it listens on the loopback address only, keeps everything in
// memory and drops it on Close. It can be made to fail deliberately; see Fault.
//
// Invariants: mail for an unknown address is refused with 550 and never relayed. Every read is
// bounded in size and time. A UIDVALIDITY does not survive a restart, so a cursor must not either.
package loopback
