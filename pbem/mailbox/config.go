package mailbox

import (
	"context"
	"crypto/x509"
	"fmt"
	"net"
	"strings"
	"time"
)

// Values of Config.TLS.
const (
	TLSImplicit = "tls"      // TLS from the first byte, usually port 993
	TLSStart    = "starttls" // STARTTLS, mandatory, usually port 143
	TLSNone     = "none"     // plain text, loopback hosts only
)

const (
	defaultTimeout  = 30 * time.Second
	defaultMaxBytes = 10 << 20
	defaultInbox    = "INBOX"
)

// Config says which mailbox to read and how.
type Config struct {
	Name     string // what Ref.Mailbox carries; "" means User@Host
	Host     string // host name; the certificate is checked against it
	Port     int    // 0 means 993 for "tls", else 143
	TLS      string // "tls", "starttls" or "none"; "" means "tls"
	User     string
	Password string
	Inbox    string        // mailbox to read, as the server names it; "" means INBOX
	Timeout  time.Duration // longest silence of the server; 0 means 30 s
	MaxBytes int64         // mails above are not downloaded; 0 means 10 MiB

	// RootCAs replaces the system's certificate authorities when not nil.
	RootCAs *x509.CertPool
	// Dial replaces the network when not nil.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// complete fills the defaults in and refuses what cannot or must not work.
func (c Config) complete() (Config, error) {
	if c.Host == "" {
		return c, fmt.Errorf("no host is configured")
	}
	if c.User == "" {
		return c, fmt.Errorf("no user is configured for %s", c.Host)
	}
	if c.Port < 0 || c.Port > 65535 {
		return c, fmt.Errorf("port %d is not between 1 and 65535", c.Port)
	}
	if c.TLS == "" {
		c.TLS = TLSImplicit
	}
	switch c.TLS {
	case TLSImplicit:
		if c.Port == 0 {
			c.Port = 993
		}
	case TLSStart, TLSNone:
		if c.Port == 0 {
			c.Port = 143
		}
	default:
		return c, fmt.Errorf("tls is %q; it must be %q, %q or %q", c.TLS, TLSImplicit, TLSStart, TLSNone)
	}
	if c.TLS == TLSNone && !loopback(c.Host) {
		return c, fmt.Errorf("tls %q is only allowed for a loopback host, not for %s", TLSNone, c.Host)
	}
	if c.Name == "" {
		c.Name = c.User + "@" + c.Host
	}
	if c.Inbox == "" {
		c.Inbox = defaultInbox
	}
	if c.Timeout <= 0 {
		c.Timeout = defaultTimeout
	}
	if c.MaxBytes <= 0 {
		c.MaxBytes = defaultMaxBytes
	}
	if c.Dial == nil {
		c.Dial = new(net.Dialer).DialContext
	}
	return c, nil
}

// loopback tells whether a host can only be this machine: the name localhost
// or an address of the loopback net.
func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return ip != nil && ip.IsLoopback()
}
