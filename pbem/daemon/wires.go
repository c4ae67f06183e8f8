package daemon

import (
	"context"
	"crypto/x509"
	"fmt"
	"os"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/mailbox"
	"starpost/pbem/post"
)

// Inbox is the mailbox as the daemon needs it. But for Wake it belongs to one
// goroutine; an error ends its use, a new one is then opened.
type Inbox interface {
	// Look gives validity and the UIDs above after, which counts only under
	// the same validity.
	Look(ctx context.Context, validity, after uint32) (now uint32, uids []uint32, err error)
	// Fetch hands over each mail that still exists.
	Fetch(ctx context.Context, uids []uint32, take func(mailbox.Mail) error) error
	// Move puts mails into a folder; vanished ones are no error.
	Move(ctx context.Context, uids []uint32, folder string) error
	Bell
}

// Bell rings when mail comes.
type Bell interface {
	// Wait returns nil when mail may have come, after most, or after Wake; an
	// error when ctx ends.
	Wait(ctx context.Context, most time.Duration) error
	// Wake ends the Wait that is under way, or the next one. Any goroutine may
	// call it.
	Wake()
	Close()
}

// Outlet is where mails go out.
type Outlet interface {
	Send(ctx context.Context, env post.Envelope) (post.Outcome, error)
	Close()
}

// imap opens a configured mailbox.
func (d *Daemon) imap(ctx context.Context, box config.Mailbox) (Inbox, error) {
	c, err := MailboxConfig(box)
	if err != nil {
		return nil, err
	}
	client, err := mailbox.Dial(ctx, c, d.log)
	if err != nil {
		return nil, err
	}
	return imapInbox{client}, nil
}

type imapInbox struct{ *mailbox.Client }

// Look selects the mailbox anew each time: that is where a changed validity
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

// smtp opens a session with a configured server.
func (d *Daemon) smtp(ctx context.Context, box config.Mailbox) (Outlet, error) {
	c, err := PostConfig(box.SMTP)
	if err != nil {
		return nil, err
	}
	sender, err := post.NewSender(c, d.log)
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

// MailboxConfig is how a configured mailbox is read.
func MailboxConfig(box config.Mailbox) (mailbox.Config, error) {
	s := box.IMAP.Server
	roots, err := roots(s.CAFile)
	if err != nil {
		return mailbox.Config{}, err
	}
	return mailbox.Config{
		Name: box.Address, Host: s.Host, Port: s.Port, TLS: s.TLS, User: s.User, Password: s.Password.Reveal(),
		Inbox: box.IMAP.Inbox, Timeout: s.Timeout.Duration(), RootCAs: roots,
	}, nil
}

// PostConfig is how a configured server is sent through.
func PostConfig(s config.Server) (post.Config, error) {
	roots, err := roots(s.CAFile)
	if err != nil {
		return post.Config{}, err
	}
	return post.Config{
		Host: s.Host, Port: s.Port, TLS: s.TLS, User: s.User, Password: s.Password.Reveal(),
		Timeout: s.Timeout.Duration(), RootCAs: roots,
	}, nil
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
