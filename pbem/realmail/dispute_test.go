//go:build integration

package realmail_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"starpost/pbem/demo"
	"starpost/pbem/mailbox"
	"starpost/pbem/outgoing"
)

// TestRealDispute handles a dispute by mail, through real mail servers. A captain
// protests; the referee is told, investigates, tries a ruling, applies it and
// decides. The captain gets a corrected report, and all captains are told. The
// daemon is killed while it applies the ruling.
func TestRealDispute(t *testing.T) {
	s := realServers(t).world(t, "court")
	bin, dir := build(t), t.TempDir()
	game := filepath.Join(dir, "games", "wolf")
	if out, err := run(t.Context(), "", nil, "", bin, "new", game, "--scenario", "big-bad-wolf", "--robot", s.address("starpost"), "--seed", "1", "--missing", "hold",
		"--captain", "Hood=Ann <"+s.address("ann")+">", "--captain", "Riskadh=Bob <"+s.address("bob")+">", "--referee", "Rita="+s.address("umpire")); err != nil {
		t.Fatal(err, out)
	}
	d := newDaemon(t, bin, configure(t, s, dir))
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := lasting(t)
	defer cancel()
	ann, bob, rita := person(t, s, "ann"), person(t, s, "bob"), person(t, s, "umpire")
	for _, c := range []*captain{ann, bob} {
		first := c.await(ctx, t, "begins")
		r, err := demo.ReadReport(first.raw, catalogue())
		if err != nil {
			t.Fatal(err)
		}
		c.reply(ctx, t, first, keyInHead.ReplaceAllString(r.Orders, "$1"))
	}
	report := ann.await(ctx, t, "Turn 1: report")
	bob.await(ctx, t, "Turn 1: report")
	rita.await(ctx, t, "Turn 1 is out")

	ann.reply(ctx, t, report, "#protest 1.1 the log is wrong")
	protest := rita.await(ctx, t, "Protest of Ann against event 1.1")
	rita.reply(ctx, t, protest, "#trace 1.1 --as Hood")
	rita.says(ctx, t, "[wolf] trace", "The event")
	rita.reply(ctx, t, protest, "#rerun 1 --with set Hood superstructure 12")
	rita.says(ctx, t, "[wolf] rerun", "nothing was written")

	rita.reply(ctx, t, protest, "#rerun 1 --with set Hood superstructure 12 --commit --why the log was wrong")
	if err := errors.Join(d.stop(syscall.SIGKILL), d.start()); err != nil {
		t.Fatal(err)
	}
	rita.says(ctx, t, "[wolf] rerun", "it now counts")
	if corrected := ann.await(ctx, t, "CORRECTED"); !strings.Contains(corrected.Subject, "revision 2") {
		t.Errorf("the corrected report is called %q", corrected.Subject)
	}
	rita.reply(ctx, t, protest, "#dispute 1 uphold --why You are right. --revision 1.2")
	rita.says(ctx, t, "[wolf] dispute", "is upheld")
	ann.await(ctx, t, "Your protest against event 1.1 was upheld")
	bob.await(ctx, t, "A protest on turn 1 was upheld")
	if err := d.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	for _, l := range bob.letters {
		if strings.Contains(l.Subject, "CORRECTED") {
			t.Errorf("a captain who saw nothing of it got %q", l.Subject)
		}
	}
	journal, err := os.ReadFile(filepath.Join(game, "journal.jsonl"))
	if err != nil || strings.Count(string(journal), `"kind":"revise"`) != 1 {
		t.Errorf("the journal: %v\n%s", err, journal)
	}
	if out, err := run(t.Context(), dir, nil, "", bin, "verify", game); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// person returns a captain with a user's mailbox open.
func person(t *testing.T, s *servers, user string) *captain {
	t.Helper()
	c := &captain{name: user, address: s.address(user), s: s, home: t.TempDir()}
	var err error
	if c.box, err = mailbox.Dial(t.Context(), s.inbox(user, "INBOX"), nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.box.Close)
	return c
}

// await waits for a mail with certain words in its subject, and never returns the same mail twice.
func (c *captain) await(ctx context.Context, t *testing.T, subject string) letter {
	t.Helper()
	for {
		for i := range c.letters {
			if l := &c.letters[i]; !l.awaited && strings.Contains(l.Subject, subject) {
				l.awaited = true
				return *l
			}
		}
		if _, err := c.news(ctx); err != nil {
			var have []string
			for _, l := range c.letters {
				have = append(have, fmt.Sprintf("%t %s", l.awaited, l.Subject))
			}
			t.Fatalf("%s waits for %q and has:\n%s\n%v", c.name, subject, strings.Join(have, "\n"), err)
		}
	}
}

// says waits for an answer and fails if it does not contain words.
func (c *captain) says(ctx context.Context, t *testing.T, subject, words string) {
	t.Helper()
	if l := c.await(ctx, t, subject); !strings.Contains(oneLine(l.Text), words) {
		t.Fatalf("%s\n%s", l.Subject, l.Text)
	}
}

// reply answers a mail, to its Reply-To.
func (c *captain) reply(ctx context.Context, t *testing.T, to letter, text string) {
	t.Helper()
	r := reportOf(t, to)
	c.post(ctx, t, outgoing.Message{
		To: outgoing.Address{Addr: r.Mail.ReplyTo[0].Addr}, Subject: "Re: " + to.Subject, Text: text + "\n",
		InReplyTo: r.Mail.MessageID, References: []string{r.Mail.MessageID},
	})
}

// mail sends a new mail to an address.
func (c *captain) mail(ctx context.Context, t *testing.T, to, text string) {
	t.Helper()
	c.post(ctx, t, outgoing.Message{To: outgoing.Address{Addr: to}, Subject: "A mail", Text: text + "\n"})
}

// post renders and sends a mail from the captain.
func (c *captain) post(ctx context.Context, t *testing.T, m outgoing.Message) {
	t.Helper()
	c.hand(ctx, t, m.To.Addr, c.render(t, m))
}

// render returns the bytes of a mail from the captain.
func (c *captain) render(t *testing.T, m outgoing.Message) []byte {
	t.Helper()
	c.sent++
	m.From, m.Date = outgoing.Address{Addr: c.address}, time.Now()
	m.MessageID = fmt.Sprintf("<mail-%d.%s@%s>", c.sent, c.name, c.s.domain)
	raw, err := outgoing.Render(m)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// hand passes a rendered mail to the captain's server.
func (c *captain) hand(ctx context.Context, t *testing.T, to string, raw []byte) {
	t.Helper()
	sender, err := outgoing.NewSender(c.s.outbox(c.name), nil)
	if err != nil {
		t.Fatal(err)
	}
	session, err := sender.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if _, err = session.Send(ctx, outgoing.Envelope{From: c.address, To: to, Data: raw}); err != nil {
		t.Fatal(err)
	}
}
