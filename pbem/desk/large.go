package desk

import (
	"fmt"
	"time"

	"starpost/templates"
)

// oversize is what is known of a mail of which only the header was read.
type oversize struct {
	size, limit int64  // in bytes
	who         string // a captain or a referee, by name
}

// TooLarge decides a mail of size bytes that was not downloaded, for more than limit
// are not; what came holds only its header. Nothing comes of it, and a captain or referee
// is told so. What a stranger sent is unknown, so he is not answered.
func (d *Desk) TooLarge(l Incoming, size, limit int64) *Decision {
	c := d.newDecision(l)
	c.Outcome, c.Reason = Refused, "too large"
	senders := l.Mail.Senders()
	if l.Mail.Automatic != "" || len(senders) == 0 || d.isOwn(senders[0]) {
		return c
	}
	c.large = oversize{size: size, limit: limit}
	if seats := d.seats(senders[0]); len(seats) > 0 {
		c.to, c.large.who, c.reply = seats[0].address, string(seats[0].captain.Name), largeReply
	} else if seats := d.refereeSeats(senders[0]); len(seats) > 0 {
		c.to, c.large.who, c.reply = seats[0].referee.Address, seats[0].referee.Name, largeReply
	}
	return c
}

// tooLarge is the answer to a mail that was not downloaded.
func (c *Decision) tooLarge(now time.Time) (*Answer, error) {
	a := &Answer{Kind: KindAck, Message: c.message(KindAck, c.in.SHA256[:min(32, len(c.in.SHA256))], now)}
	a.Message.To.Name = c.large.who
	return a, c.notice(a, "Your mail is too large and was not read", templates.Notice{
		Kind: templates.Plain, Captain: c.large.who, Robot: c.robot.Address, Text: []string{
			fmt.Sprintf("Your mail has %s; more than %s are not read. Nothing of it was looked at, and nothing was changed: orders in it do not count, and what was in force before is in force.",
				megabytes(c.large.size), megabytes(c.large.limit)),
			"Please send it again without pictures and attachments, as plain text.",
		},
	})
}

// megabytes is a number of bytes in words, rounded up to a tenth.
func megabytes(n int64) string {
	const mega = 1 << 20
	n = (n*10 + mega - 1) / mega
	if n%10 == 0 {
		return fmt.Sprintf("%d MB", n/10)
	}
	return fmt.Sprintf("%d.%d MB", n/10, n%10)
}
