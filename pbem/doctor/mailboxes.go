package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/connect"
	"starpost/pbem/incoming"
	"starpost/pbem/mailbox"
	"starpost/pbem/store"
	"starpost/pbem/store/hosted"
	"starpost/pbem/store/sqlstore"
	"starpost/pbem/transport"
)

func tryInbox(ctx context.Context, w *connect.Connector, b config.Mailbox, c *config.Config) (string, error) {
	box, err := w.Dial(ctx, b)
	if err != nil {
		return "", err
	}
	defer box.Close()
	caps, err := box.Check(ctx)
	if err != nil {
		return "", err
	}
	old, err := oldMails(ctx, box, b, caps, c)
	if err != nil {
		return "", err
	}
	return inboxWords(b, c.Poll, caps, old), nil
}

// oldMails describes the mails that stay in the mailbox because they were there before the daemon.
func oldMails(ctx context.Context, box *mailbox.Client, b config.Mailbox, caps mailbox.Capabilities, c *config.Config) (string, error) {
	const way = "unless you run serve --from DATE"
	if caps.Messages == 0 {
		return "", nil
	}
	var start store.Start
	known := false
	err := hosted.View(ctx, c, func(l *sqlstore.Store) (err error) {
		start, known, err = l.Start(ctx, b.IMAP.StoreKey())
		return err
	})
	if err != nil {
		return "", err
	}
	switch {
	case !known:
		return "; mails present at the first start stay there, " + way, nil
	case start.Since.IsZero() || start.UIDValidity != caps.Validity:
		return "", nil
	}
	uids, err := box.List(ctx, 0)
	if err != nil {
		return "", err
	}
	n := 0
	for _, uid := range uids {
		if uid <= start.UID {
			n++
		}
	}
	if n == 0 {
		return "", nil
	}
	return fmt.Sprintf("; %d of them from before %s stay there, %s", n, start.Since.UTC().Format("2006-01-02 15:04 UTC"), way), nil
}

// inboxWords describes a mailbox; old is about mails that stay there.
func inboxWords(b config.Mailbox, poll clock.Span, caps mailbox.Capabilities, old string) string {
	mails := "no mail in it"
	switch caps.Messages {
	case 0:
	case 1:
		mails = "1 mail in it"
	default:
		mails = fmt.Sprintf("%d mails in it", caps.Messages)
	}
	news := fmt.Sprintf("new mail is noticed within %s", poll)
	if caps.Idle {
		news = "new mail is noticed at once"
	}
	return fmt.Sprintf("logged in as %s%s; %s; %s", b.IMAP.User, tlsWords(b.IMAP.TLS), mails+old, news)
}

// tlsWords describes how a connection is protected.
func tlsWords(tls string) string {
	switch tls {
	case config.TLSImplicit:
		return ", by TLS"
	case config.TLSStart:
		return ", by STARTTLS"
	}
	return ", in the clear on this machine"
}

func trySender(ctx context.Context, w *connect.Connector, b config.Mailbox) (string, error) {
	session, err := w.Sender(ctx, b)
	if err != nil {
		return "", err
	}
	session.Close()
	server := b.SMTP
	if server.User == "" {
		return "reached, no login" + tlsWords(server.TLS), nil
	}
	return "logged in as " + server.User + tlsWords(server.TLS), nil
}

// tryHanded checks whether mails can be handed over: the folder is writable, and the daemon listens at the socket, or
// could.
func tryHanded(box config.Mailbox, state string) (string, error) {
	if _, err := writable(state); err != nil {
		return "", err
	}
	folder := incoming.Dir(state, box.Address)
	const way = `"starpost deliver" puts them into %s`
	if box.LMTP.Listen == "" {
		return fmt.Sprintf(way, folder), nil
	}
	network, address, err := transport.LocalSocket(box.LMTP.Listen)
	if err != nil {
		return "", err
	}
	c, err := net.DialTimeout(network, address, time.Second)
	if err == nil {
		return fmt.Sprintf("listening at %s; mails are kept in %s", box.LMTP.Listen, folder), c.Close()
	}
	if network == "unix" {
		if _, err := writable(filepath.Dir(address)); err != nil {
			return "", errors.Join(fmt.Errorf("the daemon cannot make the socket %s", address), err)
		}
	}
	return fmt.Sprintf("not listening at %s now; the daemon does while it runs", box.LMTP.Listen), nil
}
