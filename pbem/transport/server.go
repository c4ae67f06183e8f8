package transport

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Values of Server.TLS.
const (
	TLSImplicit = "tls"      // TLS from the first byte
	TLSStart    = "starttls" // STARTTLS, mandatory
	TLSNone     = "none"     // plain text, loopback hosts only
)

// Values of Server.Auth.
const (
	Password    = "password"
	XOAuth2     = "xoauth2"     // an access token, as Google and Microsoft defined it
	OAuthBearer = "oauthbearer" // an access token, RFC 7628
)

const defaultTimeout = 30 * time.Second

// Server is a server and the login there.
type Server struct {
	Host     string // host name; the certificate must match it
	Port     int    // 0 means the default
	TLS      string // "tls", "starttls" or "none"; "" means the default
	User     string
	Auth     string // Password, XOAuth2 or OAuthBearer; "" means Password
	Password string
	Tokens   Tokens        // for XOAuth2 and OAuthBearer
	Timeout  time.Duration // longest silence of the server; 0 means 30 s

	// RootCAs replaces the system's certificate authorities when not nil.
	RootCAs *x509.CertPool
	// Dial replaces the network when not nil.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Tokens is a source of access tokens. It is safe for concurrent use.
type Tokens interface {
	// Token returns a token that should be valid for a while.
	Token(ctx context.Context) (string, error)
	// Refused reports a token that the server rejected. It is not returned again if another can be obtained.
	Refused(token string)
}

// Complete fills in the defaults and refuses settings that cannot or must not work. The first of ways is the default
// for securing a connection; each has its port.
func (s Server) Complete(ways ...LoginWay) (Server, error) {
	if s.Host == "" {
		return s, errors.New("no host is configured")
	}
	if s.Port < 0 || s.Port > 65535 {
		return s, fmt.Errorf("port %d is not between 1 and 65535", s.Port)
	}
	if s.TLS == "" {
		s.TLS = ways[0].TLS
	}
	port := 0
	for _, w := range ways {
		if w.TLS == s.TLS {
			port = w.Port
		}
	}
	if port == 0 {
		return s, fmt.Errorf("tls is %q; it must be %q, %q or %q", s.TLS, TLSImplicit, TLSStart, TLSNone)
	}
	s.Port = cmp.Or(s.Port, port)
	if s.TLS == TLSNone && !IsLoopback(s.Host) {
		return s, fmt.Errorf("tls %q is only allowed for a loopback host, not for %s", TLSNone, s.Host)
	}
	switch s.Auth {
	case "":
		s.Auth = Password
	case Password:
	case XOAuth2, OAuthBearer:
		if s.Tokens == nil {
			return s, fmt.Errorf("auth is %q, but there is no source of tokens", s.Auth)
		}
	default:
		return s, fmt.Errorf("auth is %q; it must be %q, %q or %q", s.Auth, Password, XOAuth2, OAuthBearer)
	}
	if s.Timeout <= 0 {
		s.Timeout = defaultTimeout
	}
	if s.Dial == nil {
		s.Dial = new(net.Dialer).DialContext
	}
	return s, nil
}

// LoginWay is one way to secure a connection, and its usual port.
type LoginWay struct {
	TLS  string
	Port int
}

// Address returns host:port.
func (s *Server) Address() string { return net.JoinHostPort(s.Host, strconv.Itoa(s.Port)) }

// TLSConfig returns the configuration for checking the server's certificate.
func (s *Server) TLSConfig() *tls.Config {
	return &tls.Config{ServerName: s.Host, RootCAs: s.RootCAs, MinVersion: tls.VersionTLS12}
}

// Connect dials, within Timeout. If ctx ended, the error is its cause.
func (s *Server) Connect(ctx context.Context) (net.Conn, error) {
	dialCtx, cancel := context.WithTimeoutCause(ctx, s.Timeout, ErrSilent)
	defer cancel()
	conn, err := s.Dial(dialCtx, "tcp", s.Address())
	if err == nil {
		return conn, nil
	}
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	return nil, err
}

// IsLoopback reports whether a host is this machine by name. Nothing is looked up, because an answer could be forged.
func IsLoopback(host string) bool {
	host = strings.TrimSuffix(strings.Trim(host, "[]"), ".")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback()
}

// LocalSocket splits a local listening address, "unix:/PATH" or "127.0.0.1:2424", into network and address. The error
// says what is expected.
func LocalSocket(listen string) (network, address string, err error) {
	if path, ok := strings.CutPrefix(listen, "unix:"); ok {
		if !strings.HasPrefix(path, "/") || len(path) > maxSocketPath {
			return "", "", fmt.Errorf("%q: the path of a socket begins with / and has at most %d characters", listen, maxSocketPath)
		}
		return "unix", path, nil
	}
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", "", fmt.Errorf("%q: want unix:/PATH, or an address and port of this machine such as 127.0.0.1:2424", listen)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) || port == "" {
		return "", "", fmt.Errorf("%q: only this machine may connect, as there is no login: want unix:/PATH, or 127.0.0.1 or [::1] and a port", listen)
	}
	return "tcp", listen, nil
}

// maxSocketPath is what operating systems accept.
const maxSocketPath = 100

// Misbehaviour of a server without an error reply.
var (
	ErrSilent = errors.New("the server did not answer in time")
	ErrFlood  = errors.New("the server sent more than was asked for")
)

// IsTLS reports whether err is a failed handshake other than a lost connection.
func IsTLS(err error) bool {
	var (
		record    tls.RecordHeaderError
		alert     tls.AlertError
		verify    *tls.CertificateVerificationError
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
		invalid   x509.CertificateInvalidError
	)
	return errors.As(err, &record) || errors.As(err, &alert) || errors.As(err, &verify) ||
		errors.As(err, &authority) || errors.As(err, &host) || errors.As(err, &invalid)
}

// Sanitise makes a server's text safe for a terminal and a log line, and cuts it after most bytes.
func Sanitise(s string, most int) string {
	var b strings.Builder
	for _, r := range s {
		if b.Len() >= most {
			b.WriteString("...")
			break
		}
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteByte(' ')
		}
	}
	return strings.TrimSpace(b.String())
}
