package outgoing

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"starpost/pbem/transport"
)

// Envelope is one mail to one recipient.
type Envelope struct {
	From string // "" is the null return path, for mails that must never bounce
	To   string
	Data []byte // the whole mail with CRLF line ends, as Render returns it

	// Next is the mail that will be sent after this one; nil if unknown. If the server supports it, its commands
	// are sent early, which saves a round trip.
	Next *Envelope
	// Meanwhile, if not nil, may be called once while waiting for the server's reply to the mail. It must not use
	// the session.
	Meanwhile func()
	// Last, if not nil, is called right before the end of the mail is sent, which completes it. After an error
	// the end is not sent, and the outcome is TemporaryFailure.
	Last func() error
}

// Sender opens sessions with the configured server. It is safe for concurrent use; its sessions are not.
type Sender struct {
	cfg Config
	log *slog.Logger
}

// NewSender checks the configuration; it does not use the network.
func NewSender(cfg Config, log *slog.Logger) (*Sender, error) {
	full, err := cfg.complete()
	if err != nil {
		return nil, classify(StageConfig, err)
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Sender{cfg: full, log: log.With("smtp", full.Host)}, nil
}

// Open connects, secures the connection as configured and logs in.
// Errors are *Error with the outcome TemporaryFailure.
func (s *Sender) Open(ctx context.Context) (*Session, error) {
	session := &Session{sender: s}
	if err := session.dial(ctx); err != nil {
		return nil, err
	}
	return session, nil
}

// defaultEndTimeout: servers scan a mail before they accept it, and giving up too early means sending it twice
// (RFC 5321, 4.5.3.2.6 asks for ten).
const defaultEndTimeout = 5 * time.Minute

// defaultLinger: most servers have scanned a mail by then, and service managers wait longer for a stop.
const defaultLinger = 10 * time.Second

// Config describes the server for our mail. The usual TLS is "starttls"; without User there is no login.
type Config struct {
	transport.Server
	HELO string // our own name; "" means localhost
	// EndTimeout is the longest silence after the end of a mail; 0 means five
	// minutes, or Timeout if that is longer.
	EndTimeout time.Duration
	// Linger is how long the reply to a completely sent mail is awaited after the context has ended; 0 means ten
	// seconds.
	Linger time.Duration
	// Sign, if not nil, returns a mail as it is sent, with a signature at the top. It is called for each attempt.
	Sign func(mail []byte) ([]byte, error)
}

// complete fills in the defaults and refuses settings that cannot or must not work.
func (c Config) complete() (Config, error) {
	var err error
	if c.Server, err = c.Complete(transport.LoginWay{TLS: transport.TLSStart, Port: 587}, transport.LoginWay{TLS: transport.TLSImplicit, Port: 465}, transport.LoginWay{TLS: transport.TLSNone, Port: 25}); err != nil {
		return c, err
	}
	c.HELO = cmp.Or(c.HELO, "localhost")
	if strings.ContainsFunc(c.HELO, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return c, fmt.Errorf("helo %q is not a host name", c.HELO)
	}
	if c.EndTimeout <= 0 {
		c.EndTimeout = max(defaultEndTimeout, c.Timeout)
	}
	if c.Linger <= 0 {
		c.Linger = defaultLinger
	}
	return c, nil
}
