package post

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// Values of Config.TLS.
const (
	TLSImplicit = "tls"      // TLS from the first byte, usually port 465
	TLSStart    = "starttls" // STARTTLS, mandatory, usually port 587
	TLSNone     = "none"     // plain text, loopback hosts only
)

const (
	defaultTimeout = 30 * time.Second
	// defaultEndTimeout: servers scan a mail before they accept it, and to give
	// up early there means to send it twice (RFC 5321, 4.5.3.2.6 asks for ten).
	defaultEndTimeout = 5 * time.Minute
)

// Config says which server takes our mail and how.
type Config struct {
	Host     string // host name; the certificate is checked against it
	Port     int    // 0 means 465 for "tls", 587 for "starttls", 25 for "none"
	TLS      string // "tls", "starttls" or "none"; "" means "starttls"
	User     string // "" means no login
	Password string
	HELO     string        // our own name; "" means localhost
	Timeout  time.Duration // longest silence of the server in a stage; 0 means 30 s
	// EndTimeout is the longest silence after the end of a mail; 0 means five
	// minutes, or Timeout if that is longer.
	EndTimeout time.Duration

	// RootCAs replaces the system's certificate authorities when not nil.
	RootCAs *x509.CertPool
	// Dial replaces the network when not nil.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// complete fills the defaults in and refuses what cannot or must not work.
func (c Config) complete() (Config, error) {
	if c.Host == "" {
		return c, errors.New("no host is configured")
	}
	if c.Port < 0 || c.Port > 65535 {
		return c, fmt.Errorf("port %d is not between 1 and 65535", c.Port)
	}
	if c.TLS == "" {
		c.TLS = TLSStart
	}
	ports := map[string]int{TLSImplicit: 465, TLSStart: 587, TLSNone: 25}
	port, ok := ports[c.TLS]
	if !ok {
		return c, fmt.Errorf("tls is %q; it must be %q, %q or %q", c.TLS, TLSImplicit, TLSStart, TLSNone)
	}
	if c.TLS == TLSNone && !loopback(c.Host) {
		return c, fmt.Errorf("tls %q is only allowed for a loopback host, not for %s", TLSNone, c.Host)
	}
	if c.Port == 0 {
		c.Port = port
	}
	if c.HELO == "" {
		c.HELO = "localhost"
	}
	if strings.ContainsFunc(c.HELO, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return c, fmt.Errorf("helo %q is not a host name", c.HELO)
	}
	if c.Timeout <= 0 {
		c.Timeout = defaultTimeout
	}
	if c.EndTimeout <= 0 {
		c.EndTimeout = max(defaultEndTimeout, c.Timeout)
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
