package post

import (
	"bytes"
	"context"
	"errors"
	"net/textproto"
	"strings"
)

// begin says MAIL, RCPT and DATA. Where the server offers it (RFC 2920) they are
// said at once, which spares two journeys to and fro for each mail. A refusal
// leaves the session ready for the next mail.
func (s *Session) begin(ctx context.Context, env Envelope) error {
	timeout := s.sender.cfg.Timeout
	mail := func() error { return s.smtp.Mail("<" + env.From + ">") }
	rcpt := func() error { return s.smtp.Rcpt("<" + env.To + ">") }
	data := func() error { return s.command("DATA\r\n", 354) }
	pipelining, _ := s.smtp.Extension("PIPELINING")
	if pipelining {
		mail = func() error { return s.command(s.commands(env), 250) }
		rcpt = func() error { return s.reply(25) }
		data = func() error { return s.reply(354) }
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

// body says the mail itself, without its end.
func (s *Session) body(ctx context.Context, data []byte) error {
	timeout := s.sender.cfg.Timeout
	stuffed := dotted(data)
	for len(stuffed) > 0 {
		part := stuffed[:min(chunk, len(stuffed))]
		stuffed = stuffed[len(part):]
		err := s.step(ctx, StageBody, timeout, func() error {
			if _, err := s.smtp.Text.W.Write(part); err != nil {
				return err
			}
			return s.smtp.Text.W.Flush()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// end says the end of the mail and hears whether it was taken.
func (s *Session) end() error {
	err := s.command(".\r\n", 250)
	if said, ok := errors.AsType[*textproto.Error](err); ok && said.Code/100 == 2 {
		return nil
	}
	return err
}

// dotted is a mail as it is said: every line ends in CRLF, and one that begins
// with a dot gets another (RFC 5321, 4.5.2). The usual mail needs no copy.
func dotted(data []byte) []byte {
	lines := bytes.Count(data, []byte("\n"))
	ends := bytes.HasSuffix(data, []byte("\r\n"))
	dots := bytes.HasPrefix(data, []byte(".")) || bytes.Contains(data, []byte("\n."))
	if ends && !dots && lines == bytes.Count(data, []byte("\r\n")) {
		return data
	}
	out := make([]byte, 0, len(data)+lines+2)
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
