//go:build integration

package realmail_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"starpost/pbem/demo"
	"starpost/pbem/outgoing"
)

// TestRealMailboxes has one daemon serve two mailboxes, each with a game. The server
// changes UIDVALIDITY of both while the daemon has them open and they contain mails.
// Each mail must be acted on and answered once.
func TestRealMailboxes(t *testing.T) {
	s := realServers(t).world(t, "twice")
	bin, dir := build(t), t.TempDir()
	newGame(t, s, bin, filepath.Join(dir, "games", "wolf"), "starpost", "big-bad-wolf", "Hood=ann", "Riskadh=bob")
	newGame(t, s, bin, filepath.Join(dir, "games", "cub"), "club", "big-bad-wolf", "Hood=cid", "Riskadh=ann")
	file := configure(t, s, dir, "answers_per_hour = 100")
	addMailbox(t, s, file, "club", s.byPassword(t, dir))
	d := newDaemon(t, bin, file)
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := lasting(t)
	defer cancel()
	ann, bob, cid := person(t, s, "ann"), person(t, s, "bob"), person(t, s, "cid")
	annWolf, annCub := ann.await(ctx, t, "[wolf]"), ann.await(ctx, t, "[cub]")
	bobWolf, cidCub := bob.await(ctx, t, "[wolf]"), cid.await(ctx, t, "[cub]")
	for user, l := range map[string]letter{"starpost": annWolf, "club": annCub} {
		if from := l.Senders(); len(from) != 1 || from[0] != s.address(user) {
			t.Errorf("%q comes from %v", l.Subject, from)
		}
	}

	// Orders for a game through its own mailbox, the other one, and both at once.
	ann.reply(ctx, t, annWolf, annWolf.orders(t, ""))
	cid.mail(ctx, t, s.address("starpost"), cidCub.keyed(t, ""))
	both := bob.render(t, outgoing.Message{To: outgoing.Address{Addr: s.address("starpost")}, Subject: "orders", Text: bobWolf.keyed(t, "")})
	for _, robot := range []string{"starpost", "club"} {
		bob.hand(ctx, t, s.address(robot), both)
	}
	ann.await(ctx, t, "[wolf] Turn 1: orders for Hood accepted")
	cid.await(ctx, t, "[cub] Turn 1: orders for Hood accepted")
	bob.await(ctx, t, "[wolf] Turn 1: orders for Riskadh accepted")

	// Change UIDVALIDITY while the daemon waits, and put mails that it has handled
	// back into the inboxes.
	if err := d.signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	ann.reply(ctx, t, annWolf, annWolf.orders(t, "wait\n"))
	ann.reply(ctx, t, annCub, annCub.orders(t, "wait\n"))
	old := s.folder(t, "starpost", "Starpost/Done")
	for _, raw := range old {
		s.put1(t, "starpost", raw)
	}
	validity := uint32(time.Now().Unix())
	for _, user := range []string{"starpost", "club"} {
		validity++
		s.renumber(t, user, validity)
	}
	if err := d.signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	ann.await(ctx, t, "[wolf] Turn 1: orders for Hood accepted")
	ann.await(ctx, t, "[cub] Turn 1: orders for Riskadh accepted")

	// Change it while mails arrive, too.
	const more = 5
	for i := range more {
		bob.reply(ctx, t, bobWolf, bobWolf.orders(t, "")+fmt.Sprintf("\nTry %d.\n", i))
		validity++
		s.renumber(t, "starpost", validity)
	}
	for range more {
		bob.await(ctx, t, "[wolf] Turn 1: orders for Riskadh accepted")
	}
	ann.reply(ctx, t, annWolf, "#final")
	bob.reply(ctx, t, bobWolf, "#final")
	ann.await(ctx, t, "[wolf] Turn 1: report")
	bob.await(ctx, t, "[wolf] Turn 1: report")
	if err := d.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}

	for _, c := range []*captain{ann, bob, cid} {
		if got := c.acknowledged(); got != c.sent-map[*captain]int{ann: 1, bob: 1}[c] { // a command is not an order set
			t.Errorf("%s sent %d mails, and %d were acknowledged", c.name, c.sent, got)
		}
		seen := map[string]bool{}
		for _, l := range c.letters {
			if seen[l.MessageID] {
				t.Errorf("%s got %q twice", c.name, l.Subject)
			}
			seen[l.MessageID] = true
		}
	}
	if turns := lastTurn(t, filepath.Join(dir, "games", "wolf")); turns != 1 {
		t.Errorf("%d turns were played", turns)
	}
	for _, game := range []string{"wolf", "cub"} {
		if out, err := run(t.Context(), dir, nil, "", bin, "verify", filepath.Join(dir, "games", game)); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	for _, user := range []string{"starpost", "club"} {
		if left := s.folder(t, user, "INBOX"); len(left) != 0 {
			t.Errorf("%d mails are left in the inbox of %s", len(left), user)
		}
	}
	log, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil || strings.Count(string(log), "UIDVALIDITY changed") < 3 {
		t.Errorf("the daemon has not noticed that mails were numbered anew: %v", err)
	}
}

// renumber sets the UIDVALIDITY of the inbox of a user.
func (s *servers) renumber(t *testing.T, user string, validity uint32) {
	t.Helper()
	if _, err := run(t.Context(), "", nil, "", "doveadm", "-c", os.Getenv("STARPOST_TEST_DOVECOT"),
		"mailbox", "update", "-u", s.address(user), "--uid-validity", strconv.FormatUint(uint64(validity), 10), "INBOX"); err != nil {
		t.Fatal(err)
	}
}

// put1 puts a mail into the inbox of a user.
func (s *servers) put1(t *testing.T, user string, raw []byte) {
	t.Helper()
	c := s.client(t, user)
	defer shut(c)
	put(t, c, raw)
}

// reportOf reads a report or another mail to a captain, which must have a Reply-To.
func reportOf(t *testing.T, l letter) demo.Report {
	t.Helper()
	r, err := demo.ReadReport(l.raw, catalogue())
	if err != nil || len(r.Mail.ReplyTo) == 0 {
		t.Fatalf("%q says nowhere to answer to: %v", l.Subject, err)
	}
	return r
}
