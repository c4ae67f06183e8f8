package daemon

import (
	"context"
	"crypto/x509"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/mailbox"
	"starpost/pbem/outgoing"
	"starpost/pbem/token"
	"starpost/pbem/transport"
)

// Inbox is the mailbox as the daemon needs it. But for Wake it belongs to one
// goroutine; an error ends its use, a new one is then opened.
type Inbox interface {
	// Look gives validity and the UIDs above after, which counts only under
	// the same validity.
	Look(ctx context.Context, validity, after uint32) (now uint32, uids []uint32, err error)
	// Infos tells of each mail that still exists when the server got it, and whether
	// someone has read it.
	Infos(ctx context.Context, uids []uint32) (map[uint32]mailbox.Info, error)
	// Fetch hands over each mail that still exists.
	Fetch(ctx context.Context, uids []uint32, take func(mailbox.Mail) error) error
	// Move puts mails into a folder; vanished ones are no error.
	Move(ctx context.Context, uids []uint32, folder string) error
	Waiter
}

// Waiter rings when mail comes.
type Waiter interface {
	// Wait returns nil when mail may have come, after most, or after Wake; an
	// error when ctx ends.
	Wait(ctx context.Context, most time.Duration) error
	// Wake ends the Wait that is under way, or the next one. Any goroutine may
	// call it.
	Wake()
	Close()
}

// Sender is where mails go out. It asks Last of each before the mail can go out.
type Sender interface {
	Send(ctx context.Context, env outgoing.Envelope) (outgoing.Outcome, error)
	Close()
}

// connector opens connections as they are configured. It keeps the sources of
// access tokens from one connection to the next.
type connector struct {
	log *slog.Logger

	mu     sync.Mutex
	oauths map[string]transport.Tokens // by their settings: a mailbox often reads and sends by one grant
}

func newConnector(log *slog.Logger) *connector {
	return &connector{log: log, oauths: map[string]transport.Tokens{}}
}

// inbox opens the mailbox.
func (w *connector) inbox(ctx context.Context, box config.Mailbox) (Inbox, error) {
	client, err := w.dial(ctx, box)
	if err != nil {
		return nil, err
	}
	return imapInbox{client}, nil
}

func (w *connector) dial(ctx context.Context, box config.Mailbox) (*mailbox.Client, error) {
	server, err := w.server(box.IMAP.Server)
	if err != nil {
		return nil, err
	}
	return mailbox.Dial(ctx, mailbox.Config{Server: server, Name: box.Address, Inbox: box.IMAP.Inbox}, w.log)
}

type imapInbox struct{ *mailbox.Client }

// Look selects the mailbox again each time: that is where a changed validity
// shows.
func (i imapInbox) Look(ctx context.Context, validity, after uint32) (uint32, []uint32, error) {
	now, _, err := i.Select(ctx)
	if err != nil {
		return 0, nil, err
	}
	if now != validity {
		after = 0
	}
	uids, err := i.List(ctx, after)
	return now, uids, err
}

// sender opens a session with the outgoing server.
func (w *connector) sender(ctx context.Context, box config.Mailbox) (Sender, error) {
	server, err := w.server(box.SMTP)
	if err != nil {
		return nil, err
	}
	sender, err := outgoing.NewSender(outgoing.Config{Server: server}, w.log.With("mailbox", box.Address))
	if err != nil {
		return nil, err
	}
	// Not the session itself: a nil one in an interface is not nil.
	session, err := sender.Open(ctx)
	if err != nil {
		return nil, err
	}
	return session, nil
}

// server is a configured server with all that it takes to log in.
func (w *connector) server(s config.Server) (transport.Server, error) {
	roots, err := roots(s.CAFile)
	if err != nil {
		return transport.Server{}, err
	}
	return transport.Server{
		Host: s.Host, Port: s.Port, TLS: s.TLS, Timeout: s.Timeout.Duration(), RootCAs: roots,
		User: s.User, Auth: s.Auth, Password: s.Password.Reveal(), Tokens: w.tokens(s),
	}, nil
}

// tokens is where a server's access tokens come from; nil for a password.
func (w *connector) tokens(s config.Server) transport.Tokens {
	switch o := s.OAuth; {
	case len(s.TokenCommand) > 0:
		return token.Command{Args: s.TokenCommand, Limit: s.Timeout.Duration()}
	case s.TokenFile != "":
		return token.File(s.TokenFile)
	case s.TokenEnv != "":
		return token.Fixed(s.Token.Reveal())
	case o != nil:
		key := fmt.Sprintf("%+v", *o) // secrets print as nothing
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.oauths[key] == nil {
			w.oauths[key] = token.NewRefresher(token.OAuth{
				TokenURL: o.TokenURL, ClientID: o.ClientID, ClientSecret: o.ClientSecret.Reveal(),
				RefreshToken: o.RefreshToken.Reveal(), RefreshTokenFile: o.RefreshTokenFile, Scopes: o.Scopes,
				Limit: s.Timeout.Duration(), Log: w.log,
			})
		}
		return w.oauths[key]
	}
	return nil
}

// roots reads certificates to trust; nil for the system's.
func roots(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read ca_file: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("read ca_file: %s holds no certificate in PEM form", file)
	}
	return pool, nil
}
