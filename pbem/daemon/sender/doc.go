// Package sender sends queued mails, mailbox by mailbox.
//
// A mail enters the store's outbox under its Message-ID; queueing it again changes nothing. From then on it is in one
// of four states:
//
//	queued     waits until NextTry, which is at first the time of queueing
//	ambiguous  the connection broke after the end of its data: the server may have it
//	sent       the server accepted it; final, unless doctor sends it again after a bounce
//	failed     permanently refused, or given up; final, and the referee is told
//
// A round of sending reads the due mails of this mailbox, the longest due first. Nothing is claimed in the store,
// because only one process serves a mailbox at a time; that is verified again right before the server gets the end of
// each mail. The server's response is recorded (MarkSent, MarkRetry, MarkAmbiguous, MarkFailed) while the next mail
// is being sent, and before that mail ends. So if the process is killed, at most one mail is with the server and not
// recorded; it is sent again under its own Message-ID.
//
//	the server accepted it           -> sent
//	a temporary failure              -> queued again after a minute, then longer, up to four hours; after 40 tries failed
//	the connection broke at the end  -> ambiguous, due again as after a temporary failure
//	permanently refused              -> failed, once the server accepted another mail; if it refuses all, queued again
//	refused because of the sender    -> deferred for an hour; this does not count as a try
//	the server cannot be talked to   -> not recorded: the mailbox waits, see package watch, Retry
//
// Nothing here depends on the content of a mail.
package sender
