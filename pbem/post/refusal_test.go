package post_test

import (
	"testing"

	"starpost/pbem/post"
)

// What providers really say. Those of the sender and of how much he sends must never
// cost a mail.
func TestClassify(t *testing.T) {
	for _, c := range []struct {
		stage post.Stage
		code  int
		words string
		want  post.Refusal
	}{
		{post.StageEnd, 550, "5.4.5 Daily user sending limit exceeded. For more information on Gmail\n5.4.5 sending limits go to\n5.4.5  https://support.google.com/a/answer/166852 - gsmtp", post.RefusedSender},
		{post.StageEnd, 550, "5.4.5 Daily sending quota exceeded - gsmtp", post.RefusedSender},
		{post.StageEnd, 550, "5.7.1 Our system has detected an unusual rate of unsolicited mail originating from your IP address", post.RefusedSender},
		{post.StageEnd, 554, "5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; Failed to process message due to a permanent exception", post.RefusedSender},
		{post.StageRcpt, 550, "5.1.90 Your message can't be sent because you've reached your daily limit for message recipients", post.RefusedSender},
		{post.StageEnd, 550, "5.1.8 Access denied, bad outbound sender", post.RefusedSender},
		{post.StageEnd, 550, "5.7.60 SMTP; Client does not have permissions to send as this sender", post.RefusedSender},
		{post.StageRcpt, 550, "5.7.708 Service unavailable. Access denied, traffic not accepted from this IP", post.RefusedSender},
		{post.StageRcpt, 550, "5.4.6 mail rate exceeded limit", post.RefusedSender},
		{post.StageRcpt, 554, "5.7.1 <x@example.org>: Recipient address rejected: You have exceeded your quota", post.RefusedSender},
		{post.StageRcpt, 550, "Domain example.org has exceeded the max emails per hour (200/200 (100%)) allowed. Message discarded.", post.RefusedSender},
		{post.StageEnd, 554, "Message rejected: Email address is not verified", post.RefusedSender},
		{post.StageEnd, 554, "Sending suspended for this account", post.RefusedSender},
		{post.StageEnd, 554, "5.7.1 [P4] Message blocked due to spam content in the message", post.RefusedSender},
		{post.StageEnd, 550, "Connection frequency limited", post.RefusedSender},
		{post.StageRcpt, 550, "relay not permitted", post.RefusedSender},
		{post.StageRcpt, 550, "Too many invalid recipients", post.RefusedSender},
		{post.StageRcpt, 550, "Temporary lookup failure, please try again", post.RefusedSender},
		{post.StageMail, 553, "sorry", post.RefusedSender},
		{post.StageMail, 550, "5.1.7 <x>: Sender address rejected", post.RefusedSender},
		{post.StageRcpt, 550, "5.3.2 System not accepting network messages", post.RefusedSender},

		{post.StageRcpt, 552, "5.2.2 Over quota", post.RefusedForNow},
		{post.StageRcpt, 550, "5.2.2 <x@example.org> Mailbox is full / Blocks limit exceeded / Inode limit exceeded", post.RefusedForNow},
		{post.StageRcpt, 550, "Requested action not taken: mailbox is full", post.RefusedForNow},
		{post.StageEnd, 552, "Requested mail action aborted: exceeded storage allocation", post.RefusedForNow},

		{post.StageRcpt, 550, "5.1.1 The email account that you tried to reach does not exist. Please try\n5.1.1 double-checking the recipient's email address for typos or\n5.1.1 unnecessary spaces.", post.RefusedMail},
		{post.StageRcpt, 550, "5.2.1 The email account that you tried to reach is disabled", post.RefusedMail},
		{post.StageRcpt, 550, "5.1.1 <x@example.org>: Recipient address rejected: User unknown in local recipient table", post.RefusedMail},
		{post.StageRcpt, 550, "5.4.1 Recipient address rejected: Access denied", post.RefusedMail},
		{post.StageRcpt, 556, "5.1.10 Recipient address has a null MX", post.RefusedMail},
		{post.StageRcpt, 550, "no such user here", post.RefusedMail},
		{post.StageRcpt, 550, "Requested action not taken: mailbox unavailable", post.RefusedMail},
		{post.StageEnd, 552, "5.3.4 Your message exceeded Google's message size limits", post.RefusedMail},
		{post.StageMail, 552, "Message size exceeds fixed maximum message size", post.RefusedMail},
		{post.StageRcpt, 550, "5.7.17 Mailbox owner has changed", post.RefusedMail},
	} {
		if got := post.Classify(c.stage, c.code, c.words); got != c.want {
			t.Errorf("%s: %d %s: %d, want %d", c.stage, c.code, c.words, got, c.want)
		}
	}
}
