package outgoing_test

import (
	"testing"

	"starpost/pbem/outgoing"
)

// Real replies of providers. Refusals because of the sender or the amount sent must never cost a
// mail.
func TestClassify(t *testing.T) {
	for _, c := range []struct {
		stage outgoing.Stage
		code  int
		words string
		want  outgoing.Refusal
	}{
		{outgoing.StageEnd, 550, "5.4.5 Daily user sending limit exceeded. For more information on Gmail\n5.4.5 sending limits go to\n5.4.5  https://support.google.com/a/answer/166852 - gsmtp", outgoing.RefusedSender},
		{outgoing.StageEnd, 550, "5.4.5 Daily sending quota exceeded - gsmtp", outgoing.RefusedSender},
		{outgoing.StageEnd, 550, "5.7.1 Our system has detected an unusual rate of unsolicited mail originating from your IP address", outgoing.RefusedSender},
		{outgoing.StageEnd, 554, "5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; Failed to process message due to a permanent exception", outgoing.RefusedSender},
		{outgoing.StageRcpt, 550, "5.1.90 Your message can't be sent because you've reached your daily limit for message recipients", outgoing.RefusedSender},
		{outgoing.StageEnd, 550, "5.1.8 Access denied, bad outbound sender", outgoing.RefusedSender},
		{outgoing.StageEnd, 550, "5.7.60 SMTP; Client does not have permissions to send as this sender", outgoing.RefusedSender},
		{outgoing.StageRcpt, 550, "5.7.708 Service unavailable. Access denied, traffic not accepted from this IP", outgoing.RefusedSender},
		{outgoing.StageRcpt, 550, "5.4.6 mail rate exceeded limit", outgoing.RefusedSender},
		{outgoing.StageRcpt, 554, "5.7.1 <x@example.org>: Recipient address rejected: You have exceeded your quota", outgoing.RefusedSender},
		{outgoing.StageRcpt, 550, "Domain example.org has exceeded the max emails per hour (200/200 (100%)) allowed. Message discarded.", outgoing.RefusedSender},
		{outgoing.StageEnd, 554, "Message rejected: Email address is not verified", outgoing.RefusedSender},
		{outgoing.StageEnd, 554, "Sending suspended for this account", outgoing.RefusedSender},
		{outgoing.StageEnd, 554, "5.7.1 [P4] Message blocked due to spam content in the message", outgoing.RefusedSender},
		{outgoing.StageEnd, 550, "Connection frequency limited", outgoing.RefusedSender},
		{outgoing.StageRcpt, 550, "relay not permitted", outgoing.RefusedSender},
		{outgoing.StageRcpt, 550, "Too many invalid recipients", outgoing.RefusedSender},
		{outgoing.StageRcpt, 550, "Temporary lookup failure, please try again", outgoing.RefusedSender},
		{outgoing.StageMail, 553, "sorry", outgoing.RefusedSender},
		{outgoing.StageMail, 550, "5.1.7 <x>: Sender address rejected", outgoing.RefusedSender},
		{outgoing.StageRcpt, 550, "5.3.2 System not accepting network messages", outgoing.RefusedSender},

		{outgoing.StageRcpt, 552, "5.2.2 Over quota", outgoing.RefusedForNow},
		{outgoing.StageRcpt, 550, "5.2.2 <x@example.org> Mailbox is full / Blocks limit exceeded / Inode limit exceeded", outgoing.RefusedForNow},
		{outgoing.StageRcpt, 550, "Requested action not taken: mailbox is full", outgoing.RefusedForNow},
		{outgoing.StageEnd, 552, "Requested mail action aborted: exceeded storage allocation", outgoing.RefusedForNow},

		{outgoing.StageRcpt, 550, "5.1.1 The email account that you tried to reach does not exist. Please try\n5.1.1 double-checking the recipient's email address for typos or\n5.1.1 unnecessary spaces.", outgoing.RefusedMail},
		{outgoing.StageRcpt, 550, "5.2.1 The email account that you tried to reach is disabled", outgoing.RefusedMail},
		{outgoing.StageRcpt, 550, "5.1.1 <x@example.org>: Recipient address rejected: User unknown in local recipient table", outgoing.RefusedMail},
		{outgoing.StageRcpt, 550, "5.4.1 Recipient address rejected: Access denied", outgoing.RefusedMail},
		{outgoing.StageRcpt, 556, "5.1.10 Recipient address has a null MX", outgoing.RefusedMail},
		{outgoing.StageRcpt, 550, "no such user here", outgoing.RefusedMail},
		{outgoing.StageRcpt, 550, "Requested action not taken: mailbox unavailable", outgoing.RefusedMail},
		{outgoing.StageEnd, 552, "5.3.4 Your message exceeded Google's message size limits", outgoing.RefusedMail},
		{outgoing.StageMail, 552, "Message size exceeds fixed maximum message size", outgoing.RefusedMail},
		{outgoing.StageRcpt, 550, "5.7.17 Mailbox owner has changed", outgoing.RefusedMail},
	} {
		if got := outgoing.Classify(c.stage, c.code, c.words); got != c.want {
			t.Errorf("%s: %d %s: %d, want %d", c.stage, c.code, c.words, got, c.want)
		}
	}
}
