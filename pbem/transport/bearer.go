package transport

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/emersion/go-sasl"

	"starpost/pbem/fault"
)

// Bearer is one login with an access token: the client's side of XOAUTH2 or OAUTHBEARER. It fits
// both protocol libraries: IMAP's directly, SMTP's through an adapter.
//
// If the token is rejected, the server sends JSON with the reason, waits for an empty answer, and
// only then refuses; see Explain.
type Bearer struct {
	mechanism string
	token     string
	inner     sasl.Client // OAUTHBEARER's; nil for XOAUTH2
	user      string
	said      *reason
}

// reason is what a server says about a rejected token. Google and RFC 7628 (3.2.2) have these
// fields.
type reason struct {
	Status      string `json:"status"`
	Scope       string `json:"scope"`
	Description string `json:"error_description"`
}

// Bearer fetches a token for one login, within Timeout. An error is a *TokenError.
func (s *Server) Bearer(ctx context.Context) (*Bearer, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	token, err := s.Tokens.Token(ctx)
	if err != nil {
		return nil, &TokenError{Err: err}
	}
	// A token with other characters (RFC 6750, 2.1) could inject data.
	if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return nil, &TokenError{Err: errors.New("the access token is malformed")}
	}
	if strings.ContainsAny(s.User, "\x00\x01,=") {
		return nil, &TokenError{Err: fmt.Errorf("the user %q cannot log in with a token", s.User)}
	}
	b := &Bearer{mechanism: strings.ToUpper(s.Auth), token: token, user: s.User}
	if s.Auth == OAuthBearer {
		b.inner = sasl.NewOAuthBearerClient(&sasl.OAuthBearerOptions{Username: s.User, Token: token, Host: s.Host, Port: s.Port})
	}
	return b, nil
}

// Mechanism returns the name under which a server offers this login.
func (b *Bearer) Mechanism() string { return b.mechanism }

// Start returns the mechanism and the client's whole response.
func (b *Bearer) Start() (mechanism string, response []byte, err error) {
	if b.inner != nil {
		return b.inner.Start()
	}
	return b.mechanism, []byte("user=" + b.user + "\x01auth=Bearer " + b.token + "\x01\x01"), nil
}

// Next reads the server's reason for a refusal and answers, so that it refuses.
func (b *Bearer) Next(challenge []byte) ([]byte, error) {
	if b.said != nil {
		return nil, errors.New("the server sent an unexpected challenge")
	}
	b.said = new(reason)
	if err := json.Unmarshal(challenge, b.said); err != nil {
		b.said.Description = string(challenge) // some send plain text
	}
	// RFC 7628, 3.2.3. XOAUTH2 requires an empty answer, which the IMAP library cannot send;
	// servers wait for any.
	return []byte{1}, nil
}

// Explain turns the error that ended the login into one that says why the token was rejected, and
// reports the token to source as refused.
func (b *Bearer) Explain(err error, source Tokens) error {
	source.Refused(b.token)
	e := &RefusedError{Err: err, Mechanism: b.mechanism}
	if b.said != nil {
		clean := func(s string) string { return Sanitise(strings.ReplaceAll(s, b.token, "(hidden)"), 200) }
		e.Status, e.Scope, e.Description = clean(b.said.Status), clean(b.said.Scope), clean(b.said.Description)
	}
	return e
}

// RefusedError says that a server rejected an access token.
type RefusedError struct {
	Mechanism   string
	Status      string // the server's reason: an HTTP status or a word, such as 401 or invalid_token
	Scope       string // the scope that the token needs, if the server says
	Description string
	Err         error // the protocol's refusal
}

// Error returns the refusal and its reason.
func (e *RefusedError) Error() string {
	var why []string
	if e.Status != "" {
		why = append(why, "status "+e.Status)
	}
	if e.Scope != "" {
		why = append(why, "scope "+e.Scope)
	}
	if e.Description != "" {
		why = append(why, e.Description)
	}
	if len(why) == 0 {
		return fmt.Sprintf("%s: %v", e.Mechanism, e.Err)
	}
	return fmt.Sprintf("%s: %v (%s)", e.Mechanism, e.Err, strings.Join(why, "; "))
}

// Unwrap returns the refusal.
func (e *RefusedError) Unwrap() error { return e.Err }

// Hint returns the remedy.
func (e *RefusedError) Hint() string {
	if e.Scope != "" {
		return fmt.Sprintf("The token must be new, for this very user, and cover the scope %s.", e.Scope)
	}
	return "The token must be new, for this very user, and cover this protocol; the provider may also have to allow the program."
}

// TokenError says that there is no token for the login.
type TokenError struct{ Err error }

// Error returns the cause.
func (e *TokenError) Error() string { return fmt.Sprintf("no access token: %v", e.Err) }

// Unwrap returns the cause.
func (e *TokenError) Unwrap() error { return e.Err }

// Temporary reports whether there may be a token later without intervention.
func (e *TokenError) Temporary() bool {
	var t interface{ Temporary() bool }
	return errors.As(e.Err, &t) && t.Temporary() || errors.Is(e.Err, context.DeadlineExceeded) || errors.Is(e.Err, context.Canceled)
}

// Hint returns the token source's remedy.
func (e *TokenError) Hint() string {
	return cmp.Or(fault.Hint(e.Err), "Check where the token comes from: token_command, token_file, token_env or the section oauth.")
}
