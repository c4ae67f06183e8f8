package outgoing

import (
	"bytes"
	"context"
	"errors"
	"net/textproto"
	"strings"
	"time"
)

// begin says MAIL, RCPT and DATA. Where the server offers it (RFC 2920) they are
// said at once, which spares two journeys to and fro for each mail, or have been
// said with the end of the mail before, which spares a third. A refusal leaves the
// session ready for the next mail.
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

// announced is the beginning of the mail that will follow, "" if it is to be said
// later. RFC 2920, 3.1, allows it in one group with the mail before.
func (s *Session) announced(next *Envelope) string {
	if next == nil || s.alone || !s.pipelining() || s.check(*next) != nil || int64(len(next.Data)) > s.most() {
		return ""
	}
	s.ahead, s.since = next, time.Now()
	return s.commands(*next)
}

// patient is how long a server surely waits for a mail that was begun.
const patient = 10 * time.Second

// fulfil makes sure that a mail begun ahead is this one, and that the server still
// waits for it. Else it gets none of them on this connection.
func (s *Session) fulfil(env Envelope) {
	if a := s.ahead; a != nil && (a.From != env.From || a.To != env.To || int64(len(env.Data)) > s.most() || time.Since(s.since) > patient) {
		s.cut()
	}
}

// commands are the three commands that begin a mail. The addresses were checked:
// no line end is in them.
func (s *Session) commands(env Envelope) string {
	var b strings.Builder
	b.WriteString("MAIL FROM:<" + env.From + ">")
	if ok, _ := s.smtp.Extension("8BITMIME"); ok {
		b.WriteString(" BODY=8BITMIME")
	}
	b.WriteString("\r\nRCPT TO:<" + env.To + ">\r\nDATA\r\n")
	return b.String()
}

// command says something and reads the reply, which must have that code, or
// begin with it.
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

// skip reads the replies to the commands that were said together with one that
// was refused. A server that would take a mail nevertheless gets none: the
// connection is cut. It gives the refusal.
func (s *Session) skip(ctx context.Context, refusal error, pipelining bool, replies int) error {
	for n := replies; pipelining && n > 0 && s.wire != nil; n-- {
		err := s.step(ctx, StageData, s.sender.cfg.Timeout, func() error { return s.reply(354) })
		if err == nil && n == 1 {
			s.cut()
		}
	}
	return refusal
}

// maxKept is how much memory a session keeps from one mail to the next.
const maxKept = 1 << 20

// body says the mail itself, its end, and the beginning of the next mail. Its last part ends with linger only,
// unless ctx ended before it is said.
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
		// Unless its whole end was sent, no server takes the mail.
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

// last tells why the server is not to have the end of a mail.
func last(ctx context.Context, env Envelope) error {
	if env.Last != nil {
		if err := env.Last(); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// say says something, and tells how many bytes of it were left when that failed.
func (s *Session) say(part []byte) (unsaid int, err error) {
	w := s.smtp.Text.W
	n, err := w.Write(part)
	if err == nil {
		err = w.Flush()
	}
	return len(part) - n + w.Buffered(), err
}

// end hears whether the mail was taken.
func (s *Session) end() error {
	err := s.reply(250)
	if said, ok := errors.AsType[*textproto.Error](err); ok && said.Code/100 == 2 {
		return nil
	}
	return err
}

// appendDotted appends a mail as it is said: every line ends in CRLF, and one that
// begins with a dot gets another (RFC 5321, 4.5.2).
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

// appendLines does so with any text.
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
