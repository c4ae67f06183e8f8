//go:build integration

package realmail_test

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/pbem/demo"
	"starpost/pbem/outgoing"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// newBench builds the program, the games, and an order mail from every captain:
// a reply with the report quoted below, as mail programs write it.
func newBench(t *testing.T, games int) *bench {
	t.Helper()
	b := &bench{t: t, games: games, bin: os.Getenv("STARPOST_BENCH_PROGRAM"), dir: t.TempDir(), acks: map[int][]taken{}}
	if b.bin == "" {
		b.bin = build(t)
	}
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	mailing := vault.DefaultMail()
	mailing.Robot, mailing.ChangeWindow = "starpost@fleet.test", mailing.Deadline
	if err := os.Mkdir(filepath.Join(b.dir, "games"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range games {
		seed := uint64(i)
		id := fmt.Sprintf("g%03d", i)
		captain := func(name string, ships ...string) vault.Captain {
			return vault.Captain{Name: engine.CaptainName(name), Address: fmt.Sprintf("%s.%s@void.test", strings.ToLower(name), id), Ships: ships}
		}
		dir := filepath.Join(b.dir, "games", id)
		if _, err := turn.Create(dir, catalogue(), turn.Setup{
			Scenario: all["three-on-three"], ID: id, Mail: mailing,
			Captains: []vault.Captain{captain("Ann", "Kongo", "Loknar"), captain("Bob", "Chilkoot"), captain("Cid", "Devisor", "Talon"), captain("Dee", "Saber")},
			Secret:   dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: time.Now()},
		}); err != nil {
			t.Fatal(err)
		}
		b.answers(dir)
	}
	return b
}

// answers makes the order mails of the captains of a game.
func (b *bench) answers(game string) {
	b.t.Helper()
	g, err := vault.Open(directory.At(game), catalogue())
	if err != nil {
		b.t.Fatal(err)
	}
	reports, err := g.Stages.Outbox(vault.Stage{})
	if err != nil || len(reports) != benchCaptains {
		b.t.Fatalf("%d reports of %s (%v)", len(reports), game, err)
	}
	d, err := turn.Draw(g, vault.Stage{})
	if err != nil {
		b.t.Fatal(err)
	}
	for _, m := range reports {
		raw, without, err := d.Mail(m.Name)
		if err != nil || without != nil {
			b.t.Fatal(err, without)
		}
		b.sent = append(b.sent, taken{to: m.Name + "@void.test", raw: raw})
		r, err := demo.ReadReport(raw, catalogue())
		if err != nil {
			b.t.Fatal(err)
		}
		var body strings.Builder
		fmt.Fprintf(&body, "%s\nOn %s, Starpost wrote:\n", strings.ReplaceAll(r.Orders, "final\n", ""), r.Mail.Date.Format("Mon, 2 Jan 2006 at 15:04"))
		for line := range strings.Lines(r.Mail.Text) {
			body.WriteString("> " + strings.TrimRight(line, "\r\n") + "\n")
		}
		page := ""
		if os.Getenv("STARPOST_BENCH_PAGES") != "" {
			page = "<html><body><pre>" + html.EscapeString(body.String()) + "</pre></body></html>"
		}
		mail, err := outgoing.Render(outgoing.Message{
			From: outgoing.Address{Addr: r.Mail.To[0].Addr}, To: outgoing.Address{Addr: r.Mail.ReplyTo[0].Addr},
			Subject: "Re: " + r.Mail.Subject, MessageID: "<number@void.test>",
			InReplyTo: r.Mail.MessageID, References: []string{r.Mail.MessageID}, Date: time.Now(), Text: body.String(), HTML: page,
		})
		if err != nil {
			b.t.Fatal(err)
		}
		b.mails = append(b.mails, mail)
	}
}

// shields matches the first line of shield power, which is in the set above the quoted report.
var shields = regexp.MustCompile(`(?m)^  shields \d:(\d+)(?: \d:(\d+))?`)

// numbered returns the i-th order mail of a run. All order sets of a captain differ, by
// the points in the first shields.
func numbered(t *testing.T, mails [][]byte, i int) []byte {
	t.Helper()
	raw := bytes.Replace(mails[i%len(mails)], []byte("<number@"), fmt.Appendf(nil, "<%d.%d@", i, time.Now().UnixNano()), 1)
	at, left := shields.FindSubmatchIndex(raw), i/len(mails)
	if at == nil {
		t.Fatalf("a set without shields:\n%s", raw)
	}
	for n := len(at) - 2; n > 0; n -= 2 { // backwards, so that earlier offsets stay valid
		if at[n] < 0 {
			continue
		}
		most, err := strconv.Atoi(string(raw[at[n]:at[n+1]]))
		if err != nil {
			t.Fatal(err)
		}
		raw = slices.Concat(raw[:at[n]], strconv.AppendInt(nil, int64(most-left%(most+1)), 10), raw[at[n+1]:])
		left /= most + 1
	}
	if left > 0 {
		t.Fatalf("%d mails are more than there are different sets", i)
	}
	return raw
}

// fill puts n order mails into the robot's mailbox.
func fill(t *testing.T, s *servers, mails [][]byte, n int) {
	t.Helper()
	if s.put != nil {
		for i := range n {
			if err := s.put(numbered(t, mails, i)); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	c := s.client(t, "starpost")
	defer shut(c)
	for i := range n {
		put(t, c, numbered(t, mails, i))
	}
}

// put puts a mail into the inbox of the user that the client is logged in as.
func put(t *testing.T, c *imapclient.Client, raw []byte) {
	t.Helper()
	cmd := c.Append("INBOX", int64(len(raw)), nil)
	if _, err := cmd.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

// emptyAll removes what earlier tests left in all users' mailboxes.
func emptyAll(t *testing.T, s *servers) {
	t.Helper()
	for _, user := range []string{"starpost", "club", "umpire", "ann", "bob", "cid", "dee", "eve", "fay"} {
		empty(t, s, user)
	}
}

// empty removes what an earlier run left in a mailbox.
func empty(t *testing.T, s *servers, user string) {
	t.Helper()
	c := s.client(t, user)
	defer shut(c)
	for _, name := range []string{"Starpost/Done", "Starpost/Ignored", "Starpost/Refused", "Starpost/Daemon", "Bare"} {
		_ = c.Delete(name).Wait() // fails if the folder does not exist
	}
	box, err := c.Select("INBOX", nil).Wait()
	if err != nil {
		t.Fatal(err)
	}
	if box.NumMessages == 0 {
		return
	}
	all := imap.SeqSet{imap.SeqRange{Start: 1, Stop: 0}}
	flag := &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted}}
	if err := c.Store(all, flag, nil).Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.Expunge().Close(); err != nil {
		t.Fatal(err)
	}
}

// count returns the number of mails in a folder.
func (s *servers) count(t *testing.T, user, folder string) int {
	t.Helper()
	c := s.client(t, user)
	defer shut(c)
	box, err := c.Select(folder, nil).Wait()
	if err != nil {
		t.Fatal(err)
	}
	return int(box.NumMessages)
}

// client returns a logged-in IMAP client of the library.
func (s *servers) client(t *testing.T, user string) *imapclient.Client {
	t.Helper()
	c, err := s.dial()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Login(s.address(user), s.password).Wait(); err != nil {
		t.Fatal(err)
	}
	return c
}
