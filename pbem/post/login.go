package post

import (
	"slices"
	"strings"

	"github.com/wneessen/go-mail/smtp"
)

// login picks the first way to log in that the server offers. The library's
// own choice excludes PLAIN on a connection that it did not dial itself.
type login struct {
	cfg    *Config
	chosen smtp.Auth
}

// Start implements the library's Auth.
func (l *login) Start(server *smtp.ServerInfo) (string, []byte, error) {
	c := l.cfg
	plainText := c.TLS == TLSNone // complete allows that for loopback only
	offers := func(name string) bool {
		return slices.ContainsFunc(server.Auth, func(s string) bool { return strings.EqualFold(s, name) })
	}
	switch {
	case offers("PLAIN"):
		l.chosen = smtp.PlainAuth("", c.User, c.Password, c.Host, plainText)
	case offers("LOGIN"):
		l.chosen = smtp.LoginAuth(c.User, c.Password, c.Host, plainText)
	case offers("SCRAM-SHA-256"):
		l.chosen = smtp.ScramSHA256Auth(c.User, c.Password)
	default:
		return "", nil, errNoLogin
	}
	return l.chosen.Start(server)
}

// Next implements the library's Auth.
func (l *login) Next(fromServer []byte, more bool) ([]byte, error) {
	return l.chosen.Next(fromServer, more)
}
