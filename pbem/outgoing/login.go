package outgoing

import (
	"errors"
	"fmt"
	"net/textproto"
	"slices"
	"strings"

	"github.com/wneessen/go-mail/smtp"

	"starpost/pbem/transport"
)

// login logs in with the access token, or with the first password mechanism that the server offers.
// The library's own choice excludes PLAIN on a connection that it did not dial itself.
type login struct {
	cfg    *Config
	bearer *transport.Bearer // nil for a password
	chosen smtp.Auth
}

// Start implements the library's Auth.
func (l *login) Start(server *smtp.ServerInfo) (string, []byte, error) {
	c := l.cfg
	plainText := c.TLS == transport.TLSNone // complete allows this only for loopback
	offers := func(name string) bool {
		return slices.ContainsFunc(server.Auth, func(s string) bool { return strings.EqualFold(s, name) })
	}
	if l.bearer != nil {
		if !offers(l.bearer.Mechanism()) {
			return "", nil, fmt.Errorf("%w: %s is not among %s", errNoLogin, l.bearer.Mechanism(), transport.Sanitise(strings.Join(server.Auth, " "), mostWords))
		}
		return l.bearer.Start()
	}
	switch {
	case offers("PLAIN"):
		l.chosen = smtp.PlainAuth("", c.User, c.Password, c.Host, plainText)
	case offers("LOGIN"):
		l.chosen = smtp.LoginAuth(c.User, c.Password, c.Host, plainText)
	case offers("SCRAM-SHA-256"):
		l.chosen = smtp.ScramSHA256Auth(c.User, c.Password)
	default:
		return "", nil, fmt.Errorf("%w: PLAIN, LOGIN and SCRAM-SHA-256 are not among %s", errNoLogin, transport.Sanitise(strings.Join(server.Auth, " "), mostWords))
	}
	return l.chosen.Start(server)
}

// Next implements the library's Auth.
func (l *login) Next(fromServer []byte, more bool) ([]byte, error) {
	switch {
	case l.bearer == nil:
		return l.chosen.Next(fromServer, more)
	case !more:
		return nil, nil
	}
	answer, err := l.bearer.Next(fromServer)
	if err == nil && l.cfg.Auth == transport.XOAuth2 {
		answer = []byte{} // required by XOAUTH2
	}
	return answer, err
}

// explain adds what the server said about the token to a refusal.
func (l *login) explain(err error) error {
	if said, ok := errors.AsType[*textproto.Error](err); ok && l.bearer != nil && said.Code >= 500 {
		return l.bearer.Explain(err, l.cfg.Tokens)
	}
	return err
}
