// Package incoming is a mailbox in the state directory. The mail server hands mails over to it by LMTP (package lmtp)
// or through "starpost deliver", and the daemon reads it like an IMAP mailbox.
//
//	state/incoming/battles@example.org/
//	  new/0000000007.eml       taken over, not dealt with yet; the number is its UID
//	  Done/ Refused/ Ignored/  dealt with
//	  next                     the UIDVALIDITY of the folder and the UID of the next mail
//	  incoming.lock            held while a mail gets its UID
//
// Invariants:
//   - When [Box.Put] returns nil, the mail is on stable storage under a UID above those of all earlier mails. A
//     reader that follows ascending UIDs misses none.
//   - Any number of processes may put mails in at once; one reads.
//   - A mail that was cut off, or is too large, leaves nothing behind.
//   - If the file next is lost, the validity changes, and all mails in new are read again.
package incoming
