package outgoing

import (
	"bytes"
	"context"
	"errors"
	"net/textproto"
	"strings"
	"time"
)

// begin sends MAIL, RCPT and DATA. If the server offers pipelining (RFC 2920), they are sent together, which
// saves two round trips for each mail, or were already sent with the end of the previous mail, which saves a
// third. After a refusal the session is ready for the next mail.
func (s *Session) begin(ctx context.Context, env Envelope) error {
	timeout := s.sender.cfg.Timeout
	mail := func() error { return s.smtp.Mail("<" + env.From + ">") }
	rcpt := func() error { return s.smtp.Rcpt("<" + env.To + ">") }
	data := func() error { return s.command("DATA\r\n", 354) }
	pipelining := s.pipelining()
	if pipelining {
		mail = func() error { return s.command(s.commands(env), 250) }
		rcpt = func() error { return s.reply(25) }
		data = func() error { return s.reply(354) }
	}
	if s.ahead != nil {
		s.ahead = nil
		mail = func() error { return s.reply(250) }
	}
	if err := s.step(ctx, StageMail, timeout, mail); err != nil {
		return s.refused(ctx, s.skip(ctx, err, pipelining, 2))
	}
	if err := s.step(ctx, StageRcpt, timeout, rcpt); err != nil {
		return s.refused(ctx, s.skip(ctx, err, pipelining, 1))
	}
	if err := s.step(ctx, StageData, timeout, data); err != nil {
		return s.refused(ctx, err)
	}
	return nil
}

func (s *Session) pipelining() bool {
	ok, _ := s.smtp.Extension("PIPELINING")
	return ok
}

// announced returns the commands that begin the next mail, "" if they must be sent later. RFC 2920, 3.1,
// allows them in one group with the previous mail.
func (s *Session) announced(next *Envelope) string {
	if next == nil || s.alone || !s.pipelining() || s.check(*next) != nil || int64(len(next.Data)) > s.most() {
		return ""
	}
	s.ahead, s.since = next, time.Now()
	return s.commands(*next)
}

// patient is how long a server certainly waits for a mail that was begun.
const patient = 10 * time.Second

// fulfil makes sure that a mail begun ahead is this one, and that the server still waits for it. Otherwise it
// cuts the connection.
func (s *Session) fulfil(env Envelope) {
	if a := s.ahead; a != nil && (a.From != env.From || a.To != env.To || int64(len(env.Data)) > s.most() || time.Since(s.since) > patient) {
		s.cut()
	}
}

// commands returns the three commands that begin a mail. The addresses were checked, so they contain no line
// end.
func (s *Session) commands(env Envelope) string {
	var b strings.Builder
	b.WriteString("MAIL FROM:<" + env.From + ">")
	if ok, _ := s.smtp.Extension("8BITMIME"); ok {
		b.WriteString(" BODY=8BITMIME")
	}
	b.WriteString("\r\nRCPT TO:<" + env.To + ">\r\nDATA\r\n")
	return b.String()
}

// command sends a line and reads the reply, which must have the given code, or begin with it.
func (s *Session) command(line string, code int) error {
	if _, err := s.smtp.Text.W.WriteString(line); err != nil {
		return err
	}
	if err := s.smtp.Text.W.Flush(); err != nil {
		return err
	}
	return s.reply(code)
}

func (s *Session) reply(code int) error {
	_, _, err := s.smtp.Text.ReadResponse(code)
	return err
}

// skip reads the replies to the commands that were sent together with a refused one, and returns the refusal.
// If the server would accept a mail nevertheless, the connection is cut.
func (s *Session) skip(ctx context.Context, refusal error, pipelining bool, replies int) error {
	for n := replies; pipelining && n > 0 && s.wire != nil; n-- {
		err := s.step(ctx, StageData, s.sender.cfg.Timeout, func() error { return s.reply(354) })
		if err == nil && n == 1 {
			s.cut()
		}
	}
	return refusal
}

// maxKept is how much memory a session keeps between mails.
const maxKept = 1 << 20

// body sends the mail itself, its end, and the commands of the next mail. Once its last part is being sent,
// only linger ends it, unless ctx ended before that.
func (s *Session) body(ctx, linger context.Context, env Envelope) error {
	text := append(appendDotted(s.text[:0], env.Data), ".\r\n"...)
	end := len(text)
	text = append(text, s.announced(env.Next)...)
	if s.text = text[:0]; cap(text) > maxKept {
		s.text = nil
	}
	for said := 0; said < len(text); {
		part := text[said:min(said+chunk, len(text))]
		if said < end && said+len(part) >= end {
			if err := last(ctx, env); err != nil {
				s.cut()
				return &Error{Stage: StageBody, Outcome: TemporaryFailure, Err: err}
			}
			ctx = linger
		}
		// Unless the whole end was sent, no server accepts the mail.
		stage := StageBody
		err := s.step(ctx, StageBody, s.sender.cfg.Timeout, func() error {
			unsaid, err := s.say(part)
			if said += len(part) - unsaid; said >= end && err != nil {
				stage = StageEnd
			}
			return err
		})
		if err != nil && stage == StageEnd {
			return classify(StageEnd, errors.Unwrap(err))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// last returns an error if the server must not get the end of a mail.
func last(ctx context.Context, env Envelope) error {
	if env.Last != nil {
		if err := env.Last(); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// say sends part, and on failure returns how many bytes of it were not sent.
func (s *Session) say(part []byte) (unsaid int, err error) {
	w := s.smtp.Text.W
	n, err := w.Write(part)
	if err == nil {
		err = w.Flush()
	}
	return len(part) - n + w.Buffered(), err
}

// end reads whether the mail was accepted.
func (s *Session) end() error {
	err := s.reply(250)
	if said, ok := errors.AsType[*textproto.Error](err); ok && said.Code/100 == 2 {
		return nil
	}
	return err
}

// appendDotted appends a mail as sent in DATA: every line ends in CRLF, and a line that begins with a dot gets
// another one (RFC 5321, 4.5.2).
func appendDotted(out, data []byte) []byte {
	proper := bytes.HasSuffix(data, []byte("\r\n")) && bytes.Count(data, []byte("\n")) == bytes.Count(data, []byte("\r\n"))
	if !proper {
		return appendLines(out, data)
	}
	if data[0] == '.' {
		out = append(out, '.')
	}
	for {
		dot := bytes.Index(data, []byte("\n."))
		if dot < 0 {
			return append(out, data...)
		}
		out = append(append(out, data[:dot+1]...), '.')
		data = data[dot+1:]
	}
}

// appendLines does that for text with any line ends.
func appendLines(out, data []byte) []byte {
	for len(data) > 0 {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		if len(line) > 0 && line[0] == '.' {
			out = append(out, '.')
		}
		out = append(append(out, bytes.TrimSuffix(line, []byte("\r"))...), "\r\n"...)
	}
	return out
}
