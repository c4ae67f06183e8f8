package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/connect"
	"starpost/pbem/fault"
	"starpost/pbem/mailbox"
	"starpost/pbem/pgp"
	"starpost/pbem/spare"
	"starpost/pbem/store"
	"starpost/pbem/vault"
)

// Check is one thing that Doctor looked at. Problem is "" when it is well.
type Check struct {
	What    string `json:"what"`
	Found   string `json:"found,omitempty"`
	Problem string `json:"problem,omitempty"`
	Hint    string `json:"hint,omitempty"`
}

// checked is what came of a look.
func checked(what, found string, err error) Check {
	c := Check{What: what, Found: found}
	if err != nil {
		c.Found, c.Problem, c.Hint = "", err.Error(), fault.Hint(err)
	}
	return c
}

// OK reports whether nothing is wrong.
func (c Check) OK() bool { return c.Problem == "" }

// Doctor tries what the daemon needs: the mailbox, the outgoing server, the
// clock, the state directory and every game. Each mailbox that can be read and sent
// from gets a mail to its own address with a plus tag, which is waited for for so
// long; with no patience none is sent. Nothing else that lasts is changed. Tell is
// called after each look.
func Doctor(ctx context.Context, c *config.Config, cat vault.Catalogue, patience time.Duration, tell func(Check)) {
	look := func(what string, f func() (string, error)) (ok bool) {
		found, err := f()
		tell(checked(what, found, err))
		return err == nil
	}
	look("state directory "+c.State, func() (string, error) { return writable(c.State) })
	for _, check := range daemonProblems(c, time.Now()) {
		tell(check)
	}
	look("store", func() (string, error) { return tryStore(ctx, filepath.Join(c.State, "ledger.db")) })
	look("addresses", func() (string, error) { return tryAddresses(ctx, filepath.Join(c.State, "ledger.db")) })
	look("clock", clockSane)
	boxes, wires := c.Mailboxes(), connect.New(slog.New(slog.DiscardHandler))
	var addresses []string
	for _, box := range boxes {
		addresses = append(addresses, box.Address)
		whose := ""
		if len(boxes) > 1 {
			whose = " of " + box.Address
		}
		if box.LMTP != nil {
			look("mails handed over to "+box.Address, func() (string, error) { return tryHanded(box, c.State) })
		}
		read := box.IMAP != nil && look(fmt.Sprintf("mailbox %s%s at %s:%d", box.IMAP.Inbox, whose, box.IMAP.Host, box.IMAP.Port), func() (string, error) { return tryInbox(ctx, wires, box, c) })
		send := look(fmt.Sprintf("outgoing mail%s at %s:%d", whose, box.SMTP.Host, box.SMTP.Port), func() (string, error) { return trySender(ctx, wires, box) })
		if read && send && patience > 0 {
			look("plus addresses"+whose, func() (string, error) { return tryPlus(ctx, wires, box, c.State, patience) })
		}
	}
	dirs, err := c.GameDirs()
	if err != nil {
		look("games", func() (string, error) { return "", err })
	}
	for _, dir := range dirs {
		look("game "+dir, func() (string, error) { return tryGame(dir, addresses, cat) })
	}
	tryRelays(ctx, c, cat, look)
	look("what may go", func() (string, error) {
		all, err := spare.Find(ctx, c, cat, time.Now().Add(-spare.Age))
		return spare.Words(all, c.File), err
	})
}

// daemonProblems are what a daemon that is at work says that it cannot do. Of one that does
// not run, nothing is told.
func daemonProblems(c *config.Config, now time.Time) (bad []Check) {
	h, err := ReadHeartbeat(c.State)
	if err != nil || now.Sub(h.Time) > maxAge {
		return nil
	}
	for _, box := range c.Mailboxes() {
		one := h.Mailboxes[box.Address]
		if one.Reading == nil && one.Sending == nil {
			continue
		}
		if check := lookCheck(h, box.Address, c, now); !check.OK() {
			check.What, check.Hint = "daemon, "+check.What, ""
			bad = append(bad, check)
		}
	}
	return bad
}

// writable tries to write a file and to sync it.
func writable(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return "", err
	}
	_, werr := f.WriteString("starpost\n")
	if err := errors.Join(werr, f.Sync(), f.Close(), os.Remove(f.Name())); err != nil {
		return "", err
	}
	return "can be written", nil
}

// clockSane catches machines that forgot the time.
func clockSane() (string, error) {
	now := time.Now()
	if now.Year() < 2025 {
		return "", fmt.Errorf("the clock says %s: deadlines would be wrong", now.Format(time.RFC3339))
	}
	return now.Format(time.RFC3339), nil
}

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
	old, err := oldMails(ctx, box, b, caps, filepath.Join(c.State, "ledger.db"))
	if err != nil {
		return "", err
	}
	return inboxWords(b, c.Poll, caps, old), nil
}

// oldMails tells of the mails that stay where they are, for they were there before the
// daemon.
func oldMails(ctx context.Context, box *mailbox.Client, b config.Mailbox, caps mailbox.Capabilities, path string) (string, error) {
	const way = "unless serve --from DATE takes them in"
	if caps.Messages == 0 {
		return "", nil
	}
	var start store.Start
	known := false
	err := store.View(ctx, path, func(l *store.Store) (err error) {
		start, known, err = l.Start(ctx, b.IMAP.StoreKey())
		return err
	})
	if err != nil {
		return "", err
	}
	switch {
	case !known:
		return "; what is there at the first start stays there, " + way, nil
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

// inboxWords tells what was found of a mailbox; old is of mails that stay there.
func inboxWords(b config.Mailbox, poll clock.Span, caps mailbox.Capabilities, old string) string {
	mails := "no mail in it"
	switch caps.Messages {
	case 0:
	case 1:
		mails = "1 mail in it"
	default:
		mails = fmt.Sprintf("%d mails in it", caps.Messages)
	}
	news := fmt.Sprintf("new mail is seen within %s", poll)
	if caps.Idle {
		news = "new mail is announced at once"
	}
	return fmt.Sprintf("logged in as %s%s; %s; %s", b.IMAP.User, tlsWords(b.IMAP.TLS), mails+old, news)
}

// tlsWords tells how a connection is protected.
func tlsWords(tls string) string {
	switch tls {
	case config.TLSImplicit:
		return ", by TLS"
	case config.TLSStart:
		return ", by STARTTLS"
	}
	return ", in the clear on this machine"
}

// tryStore looks through the store, if there is one yet.
func tryStore(ctx context.Context, path string) (string, error) {
	o, err := store.Inspect(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return "none yet; the first run makes it", nil
	}
	if err != nil {
		return "", err
	}
	found := fmt.Sprintf("whole; %d mails wait to be sent", o.Waiting)
	if o.Waiting == 1 {
		found = "whole; 1 mail waits to be sent"
	}
	if o.GivenUp > 0 {
		found += fmt.Sprintf("; given up in the last 30 days: %d, which --resend sends again", o.GivenUp)
	}
	return found, nil
}

// Resend has all mails that were given up lately wait to be sent again: a daemon that
// runs sends them within a poll, any other at its next start. Tell is called for each.
func Resend(ctx context.Context, c *config.Config, tell func(Check)) error {
	again, err := store.Resend(ctx, filepath.Join(c.State, "ledger.db"), time.Now())
	if err != nil {
		return err
	}
	for _, l := range again {
		tell(Check{What: fmt.Sprintf("%s to %s", l.Kind, l.To), Found: fmt.Sprintf("waits to be sent again, as %s; it was given up: %s", l.MessageID, l.LastError)})
	}
	if len(again) == 0 {
		tell(Check{What: "mails", Found: "none was given up in the last 30 days"})
	}
	return nil
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

func tryGame(dir string, addresses []string, cat vault.Catalogue) (string, error) {
	g, err := vault.Open(dir, cat)
	if err != nil {
		return "", err
	}
	if _, err := writable(filepath.Join(dir, vault.OrdersDir)); err != nil {
		return "", err
	}
	if err := sameRobot(g, addresses...); err != nil {
		return "", err
	}
	if err := errors.Join(pgp.CheckKeys(g, time.Now())...); err != nil {
		return "", err
	}
	var silent []string
	for _, captain := range g.Settings().Captains {
		if captain.Address == "" {
			silent = append(silent, string(captain.Name))
		}
	}
	found := fmt.Sprintf("%s, turn %d played", g.ID(), g.Turn())
	if len(silent) > 0 {
		found += "; without an address: " + strings.Join(silent, ", ")
	}
	return found, nil
}
