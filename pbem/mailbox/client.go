package mailbox

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"

	"starpost/pbem/transport"
)

// replyBudget limits how many bytes a server may send for one command, in addition to the requested
// mails.
const replyBudget = 4 << 20

// Client is a logged-in connection to one mailbox. It must be used by one goroutine only.
type Client struct {
	cfg  Config
	log  *slog.Logger
	wire *wire
	tail *tail // nil under STARTTLS
	imap *imapclient.Client
	news chan struct{} // cap 1: the server announced mail

	validity uint32            // of the selected mailbox, 0 before Select
	messages uint32            // in it, at the time of Select
	folders  map[string]string // server's names by configured name
	busy     bool              // Fetch is passing on mails
	strange  sync.Once         // see other
}

// Dial connects, secures the connection as configured and logs in.
// Errors are *Error.
func Dial(ctx context.Context, cfg Config, log *slog.Logger) (*Client, error) {
	full, err := cfg.complete()
	if err != nil {
		return nil, &Error{Op: "configure", Mailbox: cfg.Name, Kind: KindConfig, Err: err}
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	c := &Client{
		cfg:     full,
		log:     log.With("mailbox", full.Name),
		news:    make(chan struct{}, 1),
		folders: make(map[string]string),
	}
	// First of all: a server does not wait long for a login.
	var bearer *transport.Bearer
	if full.Auth != transport.Password {
		if bearer, err = full.Bearer(ctx); err != nil {
			return nil, classify(full.Name, "login", err)
		}
	}
	if err := c.connect(ctx); err != nil {
		return nil, err
	}
	if err := c.login(ctx, bearer); err != nil {
		c.Close()
		return nil, err
	}
	c.log.Debug("mailbox opened", "host", full.Host, "port", full.Port, "tls", full.TLS)
	return c, nil
}

// connect dials and waits for the greeting, under TLS unless configured not to.
func (c *Client) connect(ctx context.Context) error {
	conn, err := c.cfg.Connect(ctx)
	if err != nil {
		e := classify(c.cfg.Name, "dial", err)
		if e.Kind == KindSilentServer {
			e.Kind = KindNoServer
		}
		return e
	}
	c.wire = newWire(conn, c.cfg.Timeout)
	tlsConfig := c.cfg.TLSConfig()
	opts := &imapclient.Options{
		TLSConfig: tlsConfig,
		UnilateralDataHandler: &imapclient.UnilateralDataHandler{
			Fetch: c.other, // runs in a separate goroutine
			// Runs in the library's reader, so it must never block.
			Mailbox: func(data *imapclient.UnilateralDataMailbox) {
				if data.NumMessages == nil {
					return
				}
				select {
				case c.news <- struct{}{}:
				default:
				}
			},
		},
	}
	switch c.cfg.TLS {
	case transport.TLSImplicit:
		secure := tls.Client(c.wire, tlsConfig)
		if err := c.await(ctx, "tls handshake", replyBudget, func() error { return secure.HandshakeContext(ctx) }); err != nil {
			c.wire.Close()
			return c.tlsError(err)
		}
		c.tail = &tail{Conn: secure}
		c.imap = imapclient.New(c.tail, opts)
	case transport.TLSStart:
		err := c.await(ctx, "starttls", replyBudget, func() error {
			var err error
			c.imap, err = imapclient.NewStartTLS(c.wire, opts)
			return err
		})
		if err != nil {
			c.wire.Close()
			return c.tlsError(err)
		}
		return nil
	default:
		c.tail = &tail{Conn: c.wire}
		c.imap = imapclient.New(c.tail, opts)
	}
	if err := c.await(ctx, "greeting", replyBudget, c.greeting); err != nil {
		c.Close()
		return err
	}
	return nil
}

// greeting waits for the server's greeting. If a server says BYE and hangs up, the library picks
// one of the two errors at random. BYE is more informative, so greeting asks again. On a closed
// connection the library answers at once.
func (c *Client) greeting() error {
	const often = 30
	err := c.imap.WaitGreeting()
	for range often {
		if said := new(imap.Error); err == nil || errors.As(err, &said) {
			break
		}
		if again := c.imap.WaitGreeting(); again != nil {
			err = again
		}
	}
	return err
}

// tlsError refines an error while securing the connection: a server that hangs up then usually does
// so because of the encryption.
func (c *Client) tlsError(err error) error {
	var e *Error
	if errors.As(err, &e) && e.Kind == KindLost && c.wire.fate() == nil {
		e.Kind = KindTLS
	}
	return err
}

// login authenticates with the access token, if there is one, otherwise with LOGIN, or with PLAIN
// if LOGIN is disabled.
func (c *Client) login(ctx context.Context, bearer *transport.Bearer) error {
	return c.await(ctx, "login", replyBudget, func() error {
		if c.imap.State() == imap.ConnStateAuthenticated {
			return nil // already authenticated (PREAUTH)
		}
		caps := c.imap.Caps()
		if bearer != nil {
			return c.loginBy(bearer, caps)
		}
		if !caps.Has(imap.CapLoginDisabled) {
			return c.imap.Login(c.cfg.User, c.cfg.Password).Wait()
		}
		if !caps.Has(imap.AuthCap(sasl.Plain)) {
			return &Error{
				Op: "login", Mailbox: c.cfg.Name, Kind: KindUnsupported,
				Err: errors.New("the server offers no password login on this connection"),
			}
		}
		return c.imap.Authenticate(sasl.NewPlainClient("", c.cfg.User, c.cfg.Password))
	})
}

// loginBy authenticates with an access token.
func (c *Client) loginBy(bearer *transport.Bearer, caps imap.CapSet) error {
	if !caps.Has(imap.AuthCap(bearer.Mechanism())) {
		return &Error{
			Op: "login", Mailbox: c.cfg.Name, Kind: KindUnsupported,
			Err: fmt.Errorf("the server does not offer %s on this connection", bearer.Mechanism()),
		}
	}
	err := c.imap.Authenticate(bearer)
	if said := new(imap.Error); errors.As(err, &said) {
		return bearer.Explain(err, c.cfg.Tokens)
	}
	return err
}

// await runs fn, which blocks in the library, and closes the connection under it if ctx ends or the
// server is silent for too long.
func (c *Client) await(ctx context.Context, op string, budget int64, fn func() error) error {
	if c.busy {
		return &Error{Op: op, Mailbox: c.cfg.Name, Err: errBusy}
	}
	if err := context.Cause(ctx); err != nil {
		return classify(c.cfg.Name, op, err)
	}
	if err := c.wire.fate(); err != nil {
		return classify(c.cfg.Name, op, c.farewell(err))
	}
	stop := context.AfterFunc(ctx, func() { c.wire.Close() })
	defer stop()
	c.wire.arm(budget)
	err := fn()
	c.wire.pause()
	if err == nil {
		return nil
	}
	if plain := new(imap.Error); !errors.As(err, &plain) {
		// No response of the server, so the reason is found here.
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		} else if fate := c.wire.fate(); fate != nil && !errors.Is(fate, errUnusable) {
			err = fate
		} else {
			err = c.farewell(err)
		}
	}
	return classify(c.cfg.Name, op, err)
}

// farewell returns the server's BYE, if there was one, in place of the error from the end of the
// connection.
func (c *Client) farewell(err error) error {
	if c.tail != nil && !errors.Is(err, transport.ErrSilent) && !errors.Is(err, transport.ErrFlood) {
		if bye := c.tail.bye(); bye != nil {
			return bye
		}
	}
	return err
}

// Select opens the configured mailbox. It returns the UIDVALIDITY that every UID of this mailbox
// depends on, and the next UID (0 if the server does not say).
func (c *Client) Select(ctx context.Context) (validity, uidNext uint32, err error) {
	err = c.await(ctx, "select", replyBudget, func() error {
		data, err := c.imap.Select(c.cfg.Inbox, nil).Wait()
		if err != nil {
			return err
		}
		validity, uidNext, c.messages = data.UIDValidity, uint32(data.UIDNext), data.NumMessages
		return nil
	})
	if e := new(Error); errors.As(err, &e) && e.Kind == KindMailboxMissing {
		e.there = c.names(ctx)
	}
	if err != nil {
		return 0, 0, err
	}
	if validity == 0 {
		return 0, 0, &Error{
			Op: "select", Mailbox: c.cfg.Name, Kind: KindUnsupported,
			Err: fmt.Errorf("the server gives %s no UIDVALIDITY", c.cfg.Inbox),
		}
	}
	c.validity = validity
	return validity, uidNext, nil
}

// names lists mailboxes of the server, for a hint; none on failure.
func (c *Client) names(ctx context.Context) []string {
	const most = 1000
	var names []string
	err := c.await(ctx, "list mailboxes", replyBudget, func() error {
		list, err := c.imap.List("", "*", nil).Collect()
		for _, l := range list[:min(len(list), most)] {
			if !slices.Contains(l.Attrs, imap.MailboxAttrNoSelect) {
				names = append(names, transport.Sanitise(l.Mailbox, mostWords))
			}
		}
		return err
	})
	if err != nil {
		c.log.Debug("listing mailboxes failed", "err", err)
	}
	slices.SortFunc(names, func(a, b string) int {
		if inbox := strings.EqualFold(a, defaultInbox); inbox != strings.EqualFold(b, defaultInbox) {
			return map[bool]int{true: -1, false: 1}[inbox]
		}
		return strings.Compare(a, b)
	})
	return names
}

// Close closes the connection without LOGOUT. It may be called twice.
func (c *Client) Close() {
	c.wire.Close()
	if c.imap != nil {
		// Waits for the library's reader, which ends with the connection. It only reports the
		// closing that we asked for.
		_ = c.imap.Close()
	}
}

// Capabilities is the result of Check.
type Capabilities struct {
	Idle     bool   // RFC 2177: new mail is announced
	Validity uint32 // its UIDVALIDITY
	Messages uint32 // mails in it
}

// Check opens the mailbox and returns what the server supports.
func (c *Client) Check(ctx context.Context) (Capabilities, error) {
	validity, _, err := c.Select(ctx)
	if err != nil {
		return Capabilities{}, err
	}
	out := Capabilities{Validity: validity, Messages: c.messages}
	err = c.await(ctx, "check", replyBudget, func() error {
		caps := c.imap.Caps()
		if caps == nil {
			return errUnusable
		}
		out.Idle = caps.Has(imap.CapIdle)
		return c.imap.Noop().Wait()
	})
	if err != nil {
		return Capabilities{}, err
	}
	return out, nil
}

const (
	defaultMaxBytes = 10 << 20
	defaultInbox    = "INBOX"
)

// Config says which mailbox to read and how. The usual TLS is "tls".
type Config struct {
	transport.Server
	Name     string // the value of Ref.Mailbox; "" means User@Host
	Inbox    string // mailbox to read, as the server names it; "" means INBOX
	MaxBytes int64  // larger mails are not downloaded; 0 means 10 MiB
}

// complete fills in the defaults and refuses settings that cannot or must not work.
func (c Config) complete() (Config, error) {
	var err error
	if c.Server, err = c.Complete(transport.LoginWay{TLS: transport.TLSImplicit, Port: 993}, transport.LoginWay{TLS: transport.TLSStart, Port: 143}, transport.LoginWay{TLS: transport.TLSNone, Port: 143}); err != nil {
		return c, err
	}
	if c.User == "" {
		return c, fmt.Errorf("no user is configured for %s", c.Host)
	}
	c.Name = cmp.Or(c.Name, c.User+"@"+c.Host)
	c.Inbox = cmp.Or(c.Inbox, defaultInbox)
	if c.MaxBytes <= 0 {
		c.MaxBytes = defaultMaxBytes
	}
	return c, nil
}
