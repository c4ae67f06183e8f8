package loopback

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// The mechanisms for access tokens.
const (
	xoauth2     = "XOAUTH2"
	oauthBearer = "OAUTHBEARER"
)

// scope is the scope that a rejected token should have had.
const scope = "https://mail.example.org/"

// mechanisms returns the login mechanisms other than LOGIN.
func (s *Server) mechanisms() []string {
	all := []string{sasl.Plain}
	if s.opts.CheckToken != nil {
		all = append(all, xoauth2, oauthBearer)
	}
	return all
}

// byToken is the server's side of a login with an access token. welcome is called for a user with a
// valid token. Its error, and refused, are errors of the protocol.
func (s *Server) byToken(mechanism string, welcome func(*account) error, refused error) sasl.Server {
	check := func(user, token string) (*account, bool) {
		a := s.account(user)
		return a, a != nil && s.opts.CheckToken(user, token)
	}
	t := &tokenServer{refused: refused}
	if mechanism == xoauth2 {
		t.take = func(response []byte) ([]byte, error) {
			user, token, ok := parseXOAuth2(response)
			if a, good := check(user, token); ok && good {
				return nil, welcome(a)
			}
			return json.Marshal(map[string]string{"status": "400", "schemes": "Bearer", "scope": scope})
		}
		return t
	}
	var failed error
	inner := sasl.NewOAuthBearerServer(func(o sasl.OAuthBearerOptions) *sasl.OAuthBearerError {
		a, good := check(o.Username, o.Token)
		if !good {
			return &sasl.OAuthBearerError{Status: "invalid_token", Schemes: "bearer", Scope: scope}
		}
		failed = welcome(a)
		return nil
	})
	t.take = func(response []byte) ([]byte, error) {
		reason, done, err := inner.Next(response)
		if done && err == nil {
			return nil, failed
		}
		return reason, err
	}
	return t
}

// tokenServer reads one response, and a second one after a reason for refusal.
type tokenServer struct {
	// take returns the reason for refusal; nil for success.
	take    func(response []byte) (reason []byte, err error)
	refused error
	said    bool
}

// Next implements sasl.Server.
func (t *tokenServer) Next(response []byte) (challenge []byte, done bool, err error) {
	switch {
	case t.said:
		return nil, true, t.refused
	case response == nil: // the command had no initial response
		return []byte{}, false, nil
	}
	reason, err := t.take(response)
	if err != nil || reason == nil {
		return nil, err == nil, err
	}
	t.said = true
	return reason, false, nil
}

// parseXOAuth2 reads "user=NAME^Aauth=Bearer TOKEN^A^A".
func parseXOAuth2(response []byte) (user, token string, ok bool) {
	parts := bytes.Split(response, []byte{1})
	if len(parts) != 4 || len(parts[2])+len(parts[3]) != 0 {
		return "", "", false
	}
	user, okUser := strings.CutPrefix(string(parts[0]), "user=")
	token, okToken := strings.CutPrefix(string(parts[1]), "auth=Bearer ")
	return user, token, okUser && okToken
}

// AuthenticateMechanisms returns the login mechanisms.
func (s *imapSession) AuthenticateMechanisms() []string { return s.server.mechanisms() }

// Authenticate logs in with a mechanism other than LOGIN.
func (s *imapSession) Authenticate(mechanism string) (sasl.Server, error) {
	switch {
	case mechanism == sasl.Plain:
		return sasl.NewPlainServer(func(_, name, password string) error { return s.Login(name, password) }), nil
	case s.server.opts.CheckToken != nil && (mechanism == xoauth2 || mechanism == oauthBearer):
		return s.server.byToken(mechanism, func(a *account) error {
			if err := s.trip(StageIMAPLogin); err != nil {
				return err
			}
			s.welcome(a)
			return nil
		}, imapserver.ErrAuthFailed), nil
	}
	return nil, &imap.Error{Type: imap.StatusResponseTypeNo, Text: "Mechanism not supported"}
}

// AuthMechanisms returns the login mechanisms.
func (s *smtpSession) AuthMechanisms() []string { return s.server.mechanisms() }

// Auth logs in.
func (s *smtpSession) Auth(mechanism string) (sasl.Server, error) {
	if mechanism != sasl.Plain {
		return s.server.byToken(mechanism, func(*account) error {
			err := s.trip(StageSMTPLogin, nil)
			s.known = err == nil
			return err
		}, smtp.ErrAuthFailed), nil
	}
	return sasl.NewPlainServer(func(_, name, password string) error {
		if err := s.trip(StageSMTPLogin, nil); err != nil {
			return err
		}
		a := s.server.account(name)
		if a == nil || !samePassword(password, a.Password) {
			return smtp.ErrAuthFailed
		}
		s.known = true
		return nil
	}), nil
}

var errDropped = errors.New("connection dropped on purpose")
