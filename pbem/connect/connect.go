// Package connect opens connections to mail servers from a configuration: it logs in, and keeps the sources of access
// tokens between connections.
package connect

import (
	"context"
	"crypto/x509"
	"fmt"
	"log/slog"
	"os"
	"sync"

	"starpost/pbem/config"
	"starpost/pbem/mailbox"
	"starpost/pbem/outgoing"
	"starpost/pbem/token"
	"starpost/pbem/transport"
)

// Connector opens configured connections. It keeps the sources of access tokens between connections.
type Connector struct {
	log *slog.Logger

	mu     sync.Mutex
	oauths map[string]transport.Tokens // by their settings: a mailbox often reads and sends with one grant
}

// New returns a connector.
func New(log *slog.Logger) *Connector {
	return &Connector{log: log, oauths: map[string]transport.Tokens{}}
}

// Inbox opens a mailbox.
func (w *Connector) Inbox(ctx context.Context, box config.Mailbox) (*Inbox, error) {
	client, err := w.Dial(ctx, box)
	if err != nil {
		return nil, err
	}
	return &Inbox{client}, nil
}

// Dial logs in to the server of a mailbox.
func (w *Connector) Dial(ctx context.Context, box config.Mailbox) (*mailbox.Client, error) {
	server, err := w.server(box.IMAP.Server)
	if err != nil {
		return nil, err
	}
	return mailbox.Dial(ctx, mailbox.Config{Server: server, Name: box.Address, Inbox: box.IMAP.Inbox}, w.log)
}

// Inbox is an open mailbox.
type Inbox struct{ *mailbox.Client }

// Look selects the mailbox again each time, which is how it notices a changed validity.
func (i *Inbox) Look(ctx context.Context, validity, after uint32) (uint32, []uint32, error) {
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

// Sender opens a session with the outgoing server.
func (w *Connector) Sender(ctx context.Context, box config.Mailbox) (*outgoing.Session, error) {
	server, err := w.server(box.SMTP)
	if err != nil {
		return nil, err
	}
	signer, err := box.DKIM.Signer()
	if err != nil {
		return nil, err
	}
	sender, err := outgoing.NewSender(outgoing.Config{Server: server, Sign: signer.Sign}, w.log.With("mailbox", box.Address))
	if err != nil {
		return nil, err
	}
	return sender.Open(ctx)
}

// server returns a configured server with everything needed to log in.
func (w *Connector) server(s config.Server) (transport.Server, error) {
	roots, err := roots(s.CAFile)
	if err != nil {
		return transport.Server{}, err
	}
	return transport.Server{
		Host: s.Host, Port: s.Port, TLS: s.TLS, Timeout: s.Timeout.Duration(), RootCAs: roots,
		User: s.User, Auth: s.Auth, Password: s.Password.Reveal(), Tokens: w.tokens(s),
	}, nil
}

// tokens returns the source of a server's access tokens; nil for a password.
func (w *Connector) tokens(s config.Server) transport.Tokens {
	switch o := s.OAuth; {
	case len(s.TokenCommand) > 0:
		return token.Command{Args: s.TokenCommand, Limit: s.Timeout.Duration()}
	case s.TokenFile != "":
		return token.File(s.TokenFile)
	case s.TokenEnv != "":
		return token.Fixed(s.Token.Reveal())
	case o != nil:
		key := fmt.Sprintf("%+v", *o) // secrets do not print
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
