package loopback

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"fmt"
	"io"
	"log"

	"github.com/emersion/go-smtp"
)

func (s *Server) newSMTP(config *tls.Config, logger *log.Logger) *smtp.Server {
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		session := &smtpSession{server: s, conn: c}
		if err := session.trip(StageSMTPHello, nil); err != nil {
			return nil, err
		}
		return session, nil
	}))
	server.Domain = "localhost"
	server.ErrorLog = logger
	server.MaxMessageBytes = maxMessage
	server.MaxRecipients = maxRecipients
	server.MaxLineLength = maxLine
	server.ReadTimeout = readTimeout
	server.WriteTimeout = readTimeout
	server.AllowInsecureAuth = s.opts.TLS != StartTLS
	if s.opts.TLS == StartTLS {
		server.TLSConfig = config
	}
	return server
}

type smtpSession struct {
	server *Server
	conn   *smtp.Conn
	known  bool // logged in
	from   string
	to     []string
}

// trip fails if a fault is due at stage; deliver is called for Accept.
func (s *smtpSession) trip(stage Stage, deliver func() error) error {
	f, ok := s.server.faults.take(stage)
	if !ok {
		return nil
	}
	if f.Accept && deliver != nil {
		if err := deliver(); err != nil {
			return err
		}
	}
	if f.Hang {
		s.server.faults.wait()
	}
	if f.Hang || f.Drop {
		s.conn.Conn().Close()
		return errDropped
	}
	code, text := f.Code, f.Text
	code = cmp.Or(code, 451)
	text = cmp.Or(text, "Refused on purpose")
	return refusal(code, text)
}

func refusal(code int, text string) error {
	return &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 0, 0}, Message: text}
}

// Reset drops the current mail.
func (s *smtpSession) Reset() { s.from, s.to = "", nil }

// Logout ends the session.
func (s *smtpSession) Logout() error { return nil }

// Mail starts a mail.
func (s *smtpSession) Mail(from string, _ *smtp.MailOptions) error {
	if err := s.trip(StageSMTPMail, nil); err != nil {
		return err
	}
	if s.server.opts.RequireLogin && !s.known {
		return refusal(530, "Log in first")
	}
	s.from, s.to = from, nil
	return nil
}

// Rcpt adds a recipient, who must be known.
func (s *smtpSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	if err := s.trip(StageSMTPRcpt, nil); err != nil {
		return err
	}
	if s.server.account(to) == nil && !s.server.sinks(to) {
		return refusal(550, fmt.Sprintf("No mailbox %s here", to))
	}
	s.to = append(s.to, to)
	return nil
}

// Data reads the mail and delivers it. An incomplete mail is not delivered.
func (s *smtpSession) Data(r io.Reader) error {
	if err := s.trip(StageSMTPBody, nil); err != nil {
		return err
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := s.trip(StageSMTPEnd, func() error { return s.deliver(raw) }); err != nil {
		return err
	}
	return s.deliver(raw)
}

func (s *smtpSession) deliver(raw []byte) error {
	for _, to := range s.to {
		if err := s.server.Deliver(s.from, to, bytes.Clone(raw)); err != nil {
			return refusal(451, err.Error())
		}
	}
	return nil
}

// samePassword compares in constant time.
func samePassword(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}
