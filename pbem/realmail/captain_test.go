//go:build integration

package realmail_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"starpost/pbem/demo"
	"starpost/pbem/mailbox"
	"starpost/pbem/mime"
	"starpost/pbem/outgoing"
)

// letter is a mail in a captain's mailbox.
type letter struct {
	raw []byte
	mime.Mail
	awaited bool
}

// captain is a player with a mail client.
type captain struct {
	name, address string
	s             *servers
	home          string // directory
	// write mails orders as an answer to a report.
	write func(ctx context.Context, c *captain, r demo.Report, raw []byte) error
	// before and after are called around the answer to the report for a turn;
	// they may be nil.
	before, after func(due int) error

	box     *mailbox.Client
	last    uint32
	letters []letter
	sent    int // order mails
	copies  int // second copies of order mails that went to the robot
}

// captains returns the captains of the game, by user. Each writes mails in a different way.
func captains(t *testing.T, s *servers) map[string]*captain {
	t.Helper()
	all := map[string]*captain{}
	for user, write := range map[string]func(context.Context, *captain, demo.Report, []byte) error{
		"ann": inTurn(byReplyTo, byMH), "bob": inTurn(byNail, byNailInside), "cid": onceAt(2, byAlpine, bySwaks), "dee": inTurn(byMuttInside, byMutt),
	} {
		c := &captain{name: user, address: s.address(user), s: s, home: t.TempDir(), write: write}
		var err error
		if c.box, err = mailbox.Dial(t.Context(), s.inbox(user, "INBOX"), nil); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.box.Close)
		all[user] = c
	}
	return all
}

// news waits for new mails, keeps them and returns them.
func (c *captain) news(ctx context.Context) ([]letter, error) {
	for {
		if _, _, err := c.box.Select(ctx); err != nil {
			return nil, err
		}
		uids, err := c.box.List(ctx, c.last)
		if err != nil {
			return nil, err
		}
		var fresh []letter
		if err := c.box.Fetch(ctx, uids, func(m mailbox.Mail) error {
			read, err := mime.Read(m.Raw)
			if err != nil {
				return fmt.Errorf("a mail to %s cannot be read: %w", c.name, err)
			}
			c.last = m.Ref.UID
			fresh = append(fresh, letter{raw: m.Raw, Mail: read})
			return nil
		}); err != nil {
			return nil, err
		}
		c.letters = append(c.letters, fresh...)
		if len(fresh) > 0 {
			return fresh, nil
		}
		if err := c.box.Wait(ctx, time.Minute); err != nil {
			return nil, err
		}
	}
}

// play answers reports until one says that the game is over, and waits until
// every order mail was acknowledged.
func (c *captain) play(ctx context.Context) error {
	answered := map[string]bool{} // reports by Message-ID
	over := false
	for !over || c.acknowledged() < c.sent {
		fresh, err := c.news(ctx)
		if err != nil {
			return fmt.Errorf("captain %s, %d letters, %d of %d orders acknowledged: %w", c.name, len(c.letters), c.acknowledged(), c.sent, err)
		}
		for _, l := range fresh {
			r, err := demo.ReadReport(l.raw, catalogue())
			switch {
			case err != nil:
				return fmt.Errorf("captain %s: %w", c.name, err)
			case r.View == nil:
				if strings.Contains(l.Subject, "not accepted") {
					return fmt.Errorf("captain %s: %s\n%s", c.name, l.Subject, l.Text)
				}
				continue
			case r.View.Result != nil:
				over = true
			}
			if r.Orders == "" || answered[l.MessageID] {
				continue
			}
			answered[l.MessageID] = true
			if err := c.answer(ctx, r, l.raw); err != nil {
				return fmt.Errorf("captain %s: %w", c.name, err)
			}
		}
	}
	return nil
}

func (c *captain) answer(ctx context.Context, r demo.Report, raw []byte) error {
	if c.before != nil {
		if err := c.before(r.View.Due); err != nil {
			return err
		}
	}
	c.sent++
	if err := c.write(ctx, c, r, raw); err != nil {
		return err
	}
	if c.after != nil {
		return c.after(r.View.Due)
	}
	return nil
}

// acknowledged counts the order mails that were accepted.
func (c *captain) acknowledged() int {
	found := map[string]bool{}
	for _, l := range c.letters {
		if strings.HasPrefix(l.MessageID, "ack.") && strings.Contains(l.Subject, "accepted") {
			found[l.MessageID] = true
		}
	}
	return len(found)
}

var keyInHead = regexp.MustCompile(`(?m)^(#orders .*) key \S+`)

// byReplyTo answers to the Reply-To address, with the key removed from the order
// set: the address alone must be enough.
func byReplyTo(ctx context.Context, c *captain, r demo.Report, _ []byte) error {
	sender, err := outgoing.NewSender(c.s.outbox(c.name), nil)
	if err != nil {
		return err
	}
	raw, err := outgoing.Render(outgoing.Message{
		From: outgoing.Address{Name: "Ann", Addr: c.address}, To: outgoing.Address{Addr: r.Mail.ReplyTo[0].Addr},
		Subject: "Re: " + r.Mail.Subject, MessageID: fmt.Sprintf("<turn-%d.ann@%s>", r.View.Due, c.s.domain),
		InReplyTo: r.Mail.MessageID, References: []string{r.Mail.MessageID}, Date: time.Now(),
		Text: keyInHead.ReplaceAllString(r.Orders, "$1"),
	})
	if err != nil {
		return err
	}
	session, err := sender.Open(ctx)
	if err != nil {
		return err
	}
	defer session.Close()
	_, err = session.Send(ctx, outgoing.Envelope{From: c.address, To: r.Mail.ReplyTo[0].Addr, Data: raw})
	return err
}

// byNail answers with the reply command of s-nail. The whole report is quoted, and
// the orders follow below it as typed.
func byNail(ctx context.Context, c *captain, r demo.Report, raw []byte) error {
	return c.nail(ctx, raw, "reply 1\n"+r.Orders+"~.\n")
}

// nail runs commands of s-nail on a mailbox that contains the report.
func (c *captain) nail(ctx context.Context, raw []byte, commands string, more ...string) error {
	box, err := c.mbox(raw)
	if err != nil {
		return err
	}
	user, password := strings.ReplaceAll(c.address, "@", "%40"), strings.ReplaceAll(c.s.password, " ", "%20")
	args := append([]string{
		"-:/", "-#", "-S", "v15-compat", "-S", "mta=submission://" + user + ":" + password + "@" + c.s.smtp.String(),
		"-S", "smtp-use-starttls", "-S", "smtp-auth=plain", "-S", "tls-ca-file=" + c.s.ca, "-S", "tls-ca-no-defaults", "-S", "tls-verify=strict",
		"-S", "from=" + c.address, "-S", "quote", "-S", "indentprefix=> ", "-S", "sendwait",
	}, more...)
	_, err = run(ctx, c.home, []string{"HOME=" + c.home, "MAILCAPS=/dev/null"}, commands, "s-nail", append(args, "-f", box)...)
	return err
}

// mbox writes a file in mbox format with one mail.
func (c *captain) mbox(raw []byte) (string, error) {
	box := filepath.Join(c.home, "mbox")
	text := append([]byte("From robot Sun Nov 22 02:40:38 2026\n"), bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))...)
	return box, os.WriteFile(box, append(text, '\n'), 0o600)
}

// bySwaks writes to the plain address, with the key in the order set and no
// reference to the report.
func bySwaks(ctx context.Context, c *captain, r demo.Report, _ []byte) error {
	body := filepath.Join(c.home, "body")
	if err := os.WriteFile(body, []byte(r.Orders), 0o600); err != nil {
		return err
	}
	_, err := run(ctx, c.home, nil, "", "swaks", "--server", c.s.smtp.host, "--port", strconv.Itoa(c.s.smtp.port), "--tls", "--tls-verify", "--tls-ca-path", c.s.ca,
		"--auth", "PLAIN", "--auth-user", c.address, "--auth-password", c.s.password,
		"--from", c.address, "--to", c.s.address("starpost"), "--h-Subject", fmt.Sprintf("turn %d", r.View.Due), "--body", "@"+body)
	return err
}

// byMutt sends a draft that answers the report, to the report's Reply-To.
func byMutt(ctx context.Context, c *captain, r demo.Report, _ []byte) error {
	draft := filepath.Join(c.home, "draft")
	mail := fmt.Sprintf("From: Dee <%s>\nTo: %s\nSubject: Re: %s\nIn-Reply-To: <%s>\n\n%s\n-- \nDee, IKV Saber\n",
		c.address, r.Mail.ReplyTo[0].Addr, r.Mail.Subject, r.Mail.MessageID, r.Orders)
	if err := os.WriteFile(draft, []byte(mail), 0o600); err != nil {
		return err
	}
	rc, err := c.muttrc("")
	if err != nil {
		return err
	}
	_, err = run(ctx, c.home, []string{"HOME=" + c.home}, "", "mutt", "-n", "-F", rc, "-H", draft)
	return err
}

// muttrc writes settings for mutt.
func (c *captain) muttrc(more string) (string, error) {
	rc := filepath.Join(c.home, "muttrc")
	settings := fmt.Sprintf("set from=%[1]q use_from=yes envelope_from=yes copy=no record=\"\" certificate_file=\"\"\n"+
		"set smtp_url=\"smtp://%[2]s@%[3]s/\" smtp_pass=%[4]q smtp_authenticators=plain\n"+
		"set ssl_starttls=yes ssl_force_tls=yes ssl_ca_certificates_file=%[5]q\n%[6]s",
		c.address, strings.ReplaceAll(c.address, "@", "%40"), c.s.smtp, c.s.password, c.s.ca, more)
	return rc, os.WriteFile(rc, []byte(settings), 0o600)
}
