package transport_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"starpost/pbem/transport"
)

var ways = []transport.LoginWay{{TLS: transport.TLSImplicit, Port: 993}, {TLS: transport.TLSStart, Port: 143}, {TLS: transport.TLSNone, Port: 143}}

// one provides one token.
type one string

func (o one) Token(context.Context) (string, error) { return string(o), nil }
func (one) Refused(string)                          {}

func TestComplete(t *testing.T) {
	s, err := transport.Server{Host: "mail.example.org"}.Complete(ways...)
	if err != nil || s.Port != 993 || s.TLS != transport.TLSImplicit || s.Auth != transport.Password || s.Timeout != 30*time.Second || s.Dial == nil {
		t.Errorf("completed to %+v, %v", s, err)
	}
	if s, err := (transport.Server{Host: "h", TLS: transport.TLSStart, Port: 99, Auth: transport.XOAuth2, Tokens: one("x")}).Complete(ways...); err != nil || s.Port != 99 {
		t.Errorf("completed to %+v, %v", s, err)
	}
	for name, s := range map[string]transport.Server{
		"no host":       {},
		"port":          {Host: "h", Port: 65536},
		"tls":           {Host: "h", TLS: "ssl"},
		"in the clear":  {Host: "localhost.example.org", TLS: transport.TLSNone},
		"auth":          {Host: "h", Auth: "cram"},
		"without token": {Host: "h", Auth: transport.OAuthBearer},
	} {
		if _, err := s.Complete(ways...); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestIsLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST": true, "localhost.": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true, "[::1]": true, "::ffff:127.0.0.1": true,
		"": false, "localhost.example.org": false, "mylocalhost": false, "128.0.0.1": false, "0.0.0.0": false, "127.0.0.1.example.org": false, "2130706433": false,
	} {
		if transport.IsLoopback(host) != want {
			t.Errorf("%q: %v", host, !want)
		}
	}
}

// Connect ends with its own limit, and with the context.
func TestConnect(t *testing.T) {
	silent := func(ctx context.Context, _, addr string) (net.Conn, error) {
		if addr != "h:993" {
			t.Errorf("dialed %s", addr)
		}
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	s, err := transport.Server{Host: "h", Timeout: time.Millisecond, Dial: silent}.Complete(ways...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Connect(t.Context()); !errors.Is(err, transport.ErrSilent) {
		t.Errorf("connect: %v", err)
	}
	s.Timeout = time.Hour
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	if _, err := s.Connect(ctx); !errors.Is(err, why) {
		t.Errorf("connect: %v", err)
	}
}

func bearer(t *testing.T, s transport.Server) *transport.Bearer {
	t.Helper()
	s, err := s.Complete(ways...)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Bearer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The responses equal the examples in Google's guide and RFC 7628.
func TestBearerSays(t *testing.T) {
	for auth, want := range map[string]string{
		transport.XOAuth2:     "user=someuser@example.com\x01auth=Bearer vF9dft4qmT\x01\x01",
		transport.OAuthBearer: "n,a=someuser@example.com,\x01host=mail.example.com\x01port=993\x01auth=Bearer vF9dft4qmT\x01\x01",
	} {
		b := bearer(t, transport.Server{Host: "mail.example.com", User: "someuser@example.com", Auth: auth, Tokens: one("vF9dft4qmT")})
		mechanism, said, err := b.Start()
		if err != nil || mechanism != strings.ToUpper(auth) || b.Mechanism() != mechanism || string(said) != want {
			t.Errorf("%s: %s %q %v", auth, mechanism, said, err)
		}
		if got, err := b.Next([]byte(`{"status":"401","schemes":"bearer","scope":"https://mail.example.com/"}`)); err != nil || string(got) != "\x01" {
			t.Errorf("%s: answers %q %v", auth, got, err)
		}
		if _, err := b.Next([]byte(`{}`)); err == nil {
			t.Errorf("%s: goes on for ever", auth)
		}
		err = b.Explain(errors.New("no"), one("vF9dft4qmT"))
		if got := err.Error(); got != strings.ToUpper(auth)+": no (status 401; scope https://mail.example.com/)" {
			t.Errorf("%s: %s", auth, got)
		}
	}
}

func TestBearerHidesTheToken(t *testing.T) {
	b := bearer(t, transport.Server{Host: "h", User: "u", Auth: transport.XOAuth2, Tokens: one("vF9dft4qmT")})
	if _, err := b.Next([]byte(`{"status":"400","error_description":"bad token vF9dft4qmT\u0007"}`)); err != nil {
		t.Fatal(err)
	}
	if got := b.Explain(errors.New("no"), one("")).Error(); got != "XOAUTH2: no (status 400; bad token (hidden))" {
		t.Errorf("%q", got)
	}
}

func TestBearerRefuses(t *testing.T) {
	for name, s := range map[string]transport.Server{
		"empty":        {Tokens: one("")},
		"a space":      {Tokens: one("a b")},
		"an end":       {Tokens: one("a\x01auth=Bearer b")},
		"a line":       {Tokens: one("a\r\nb")},
		"an odd user":  {User: "u\x01auth=Bearer x", Tokens: one("a")},
		"another user": {User: "u,a=v", Tokens: one("a")},
	} {
		s.Host, s.Auth = "h", transport.XOAuth2
		s, err := s.Complete(ways...)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Bearer(t.Context())
		var e *transport.TokenError
		if !errors.As(err, &e) || e.Temporary() || e.Hint() == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSanitise(t *testing.T) {
	if got := transport.Sanitise("\x1b[31m red\r\nline\x00 \u202e", 100); strings.ContainsAny(got, "\x1b\r\n\x00\u202e") || !strings.Contains(got, "red") {
		t.Errorf("%q", got)
	}
	if got := transport.Sanitise(strings.Repeat("é", 1000), 20); len(got) > 30 || !strings.HasSuffix(got, "...") {
		t.Errorf("%q", got)
	}
}
