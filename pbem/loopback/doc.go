// Package loopback is a mail provider within the process: an SMTP and an IMAP
// server on 127.0.0.1 for `starpost demo` and for tests. What is sent to a
// known user by SMTP stands in that user's INBOX.
//
// It is not a mail server for anybody else: it listens on the loopback address
// only, holds everything in memory and forgets it on Close. It can be told to
// fail on purpose; see Fault.
//
// Invariants: mail for an unknown address is refused with 550 and relayed
// nowhere; every read is bounded in size and time; a UIDVALIDITY is not kept
// from one run to the next, so a cursor must not be either.
package loopback
