package outgoing

import (
	"strconv"

	"starpost/pbem/pattern"
)

// Refusal is what a 5xx reply, or a server's report, is about. Many servers refuse permanently what
// passes with time: the account has sent enough for today, or they distrust the sender just now.
type Refusal uint8

// The refusals.
const (
	RefusedMail   Refusal = iota + 1 // this recipient or this mail; it will never be accepted
	RefusedForNow                    // this recipient, as long as the mailbox is full
	RefusedSender                    // the sender, or the amount that it sends
)

// Phrases of replies, for codes that do not tell. Case is ignored.
var (
	// status is an enhanced status code (RFC 3463).
	status = pattern.New(`\b5\.(\d{1,3})\.(\d{1,3})\b`)
	large  = pattern.New(`(?i)(message|mail|size|content)[^.]{0,40}(too (large|big)|exceeds?)|exceeds?[^.]{0,40}\bsize\b|too (large|big)|maximum (message )?size`)
	unable = pattern.New(`(?i)(mailbox|inbox|account|user|recipient)[^.]{0,40}(is )?(full|over ?quota)|over its quota|storage allocation`)
	limits = pattern.New(`(?i)\btry(ing)? (it )?again\b|\b(try|retry|send)\b[^.]{0,20}\blater\b|temporar|\bgr[ae]ylist|too (many|much|fast|often|frequent)|` +
		`\brate\b|rate.?limit|throttl|\b(daily|hourly|monthly|sending|send|user|message|messages|recipient|recipients|outgoing|smtp|relay)\b[^.]{0,40}\b(limit|limits|quota|maximum)\b|` +
		`\b(limit|limits|quota|threshold|max emails)\b[^.]{0,40}\b(exceed|reach|hit\b|over\b|allowed)|\b(exceed|reach)\w*\b[^.]{0,60}\b(limit|quota|threshold|max|maximum|number)\b|` +
		`quotaexceeded|frequency limited|unusual (rate|sending)`)
	sender = pattern.New(`(?i)\bsender\b[^.]{0,60}\b(reject|refus|den|block|not |bad|unknown|invalid)|(reject|refus|den|block)\w*[^.]{0,20}\bsender\b|` +
		`\bsend ?as\b|not (allowed|permitted|authori[sz]ed|verified)|permission|\brelay(ing)?\b|\bspam|unsolicited|black ?list|block ?list|\bblocked\b|reputation|suspen|` +
		`authenticat|\bpolicy\b|(not accepted|rejected) from (this|your)`)
)

// Classify returns what a permanent refusal is about, from the reply's code (0 if there is none),
// the stage ("" if unknown) and its text, which may begin with an enhanced status code.
func Classify(stage Stage, code int, words string) Refusal {
	subject, detail := statusOf(words)
	is := func(s, d int) bool { return subject == s && detail == d }
	switch {
	case is(3, 4), is(2, 3):
		return RefusedMail
	case is(2, 2), subject < 0 && unable().MatchString(words):
		return RefusedForNow
	case (code == codeStorage || subject < 0) && large().MatchString(words):
		return RefusedMail
	case limits().MatchString(words):
		return RefusedSender
	case code == codeStorage:
		return RefusedForNow
	case is(7, 17), is(7, 18): // the mailbox or the domain has changed its owner (RFC 7293)
		return RefusedMail
	case subject == 7, is(4, 5), is(4, 6), is(1, 7), is(1, 8), is(1, 90), is(3, 0), is(3, 1), is(3, 2), stage == StageMail:
		return RefusedSender
	case subject == 1, subject == 2, subject == 4: // the address, the mailbox, the route to it
		return RefusedMail
	case sender().MatchString(words):
		return RefusedSender
	}
	return RefusedMail
}

// statusOf finds the first enhanced status code in words: subject and detail, -1 if there is none.
func statusOf(words string) (subject, detail int) {
	found := status().FindStringSubmatch(words)
	if found == nil {
		return -1, -1
	}
	subject, _ = strconv.Atoi(found[1]) // one to three digits
	detail, _ = strconv.Atoi(found[2])
	return subject, detail
}
