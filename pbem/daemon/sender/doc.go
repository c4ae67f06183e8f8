// Package sender sends what is queued, mailbox by mailbox.
//
// The queue, in one place. A mail enters the outbox of the store by its Message-ID: the same
// one queued again changes nothing. From then on it is in one of four states:
//
//	queued     waits for its moment (NextTry): at first that is now
//	ambiguous  the connection broke after the end of its data: the server may have it
//	sent       the server took it; final, but for a bounce that lets doctor send it again
//	failed     refused for good, or given up; final, and the referee is told
//
// A try goes so: the mails that are due are read, the longest due first, from those whose
// sender is this mailbox; nothing is claimed in the store, for one process serves a mailbox at
// a time, which is made sure again right before the server gets the end of each mail. What
// the server said is noted (MarkSent, MarkRetry, MarkAmbiguous, MarkFailed) while the next
// mail is on its way, and before that one's end: whenever the process is killed, one mail at
// most is with the server and not noted, and goes out once more under its own Message-ID.
//
//	the server took it               -> sent
//	a passing failure                -> queued again after a minute, then longer, up to four hours; after 40 tries failed
//	the connection broke at the end  -> ambiguous, due again as after a passing failure
//	refused for good                 -> failed, once the server took another mail; if it refuses all, queued again
//	refused for who sends it         -> put off for an hour, which is no try
//	the server cannot be talked to   -> nothing is noted: the mailbox waits, see package watch, Retry
//
// Nothing here knows what a mail says.
package sender
