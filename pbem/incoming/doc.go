// Package incoming is a mailbox that lies in the state directory: the mail server hands mails over to it, by
// LMTP (package lmtp) or to "starpost deliver", and the daemon reads it as it reads one by IMAP.
//
//	state/incoming/battles@example.org/
//	  new/0000000007.eml       taken over, not dealt with yet; the number is its UID
//	  Done/ Refused/ Ignored/  dealt with
//	  next                     the UIDVALIDITY of the folder and the UID of the next mail
//	  incoming.lock            held while a mail gets its UID
//
// Invariants:
//   - When [Box.Put] returns nil the mail is on stable storage, under a UID above those of all mails before it. A reader
//     that goes by rising UIDs misses none.
//   - Any number of processes may put mails in at once; one reads.
//   - A mail that was cut off, or is too large, leaves nothing behind.
//   - When the file next is lost the validity changes, and all that is in new is read again.
package incoming
