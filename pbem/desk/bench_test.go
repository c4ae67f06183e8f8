package desk_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/pbem/desk"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/mime"
	"starpost/pbem/outgoing"
	"starpost/pbem/readonly"
	"starpost/pbem/record"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// orderMails returns a desk with some games, and for each of their captains an order mail as mail
// programs write it: a reply with the report quoted below.
func orderMails(tb testing.TB) (*desk.Desk, [][]byte) {
	tb.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		tb.Fatal(err)
	}
	settings := vault.DefaultMail()
	settings.Robot, settings.ChangeWindow = robot, settings.Deadline
	var trees []record.Tree
	var mails [][]byte
	for i := range uint64(4) {
		id := fmt.Sprintf("g%03d", i)
		captain := func(name string, ships ...string) vault.Captain {
			return vault.Captain{Name: engine.CaptainName(name), Address: fmt.Sprintf("%s.%s@example.org", strings.ToLower(name), id), Ships: ships}
		}
		dir := filepath.Join(tb.TempDir(), id)
		if _, err := turn.Create(dir, catalogue(), turn.Setup{
			Scenario: all["three-on-three"], ID: id, Mail: settings,
			Captains: []vault.Captain{captain("Ann", "Kongo", "Loknar"), captain("Bob", "Chilkoot"), captain("Cid", "Devisor", "Talon"), captain("Dee", "Saber")},
			Secret:   dice.FromSeed(i), Seed: &i, Options: turn.Options{Now: began},
		}); err != nil {
			tb.Fatal(err)
		}
		trees = append(trees, directory.At(dir))
		g, err := vault.Open(directory.At(dir), catalogue())
		if err != nil {
			tb.Fatal(err)
		}
		for _, c := range g.Settings().Captains {
			mails = append(mails, orderMail(tb, g, c))
		}
	}
	book, err := readonly.Open(trees, catalogue())
	if err != nil {
		tb.Fatal(err)
	}
	return &desk.Desk{Robot: effect.Robot{Address: robot, Name: "Starpost"}, Registry: identity.Registry{Games: book, Senders: &identity.Index{}}, Services: command.Services{Listings: book}, Strangers: true}, mails
}

// orderMail replies to a captain's newest report with orders from a robot.
func orderMail(tb testing.TB, g *vault.Game, captain vault.Captain) []byte {
	tb.Helper()
	drawn, err := turn.Draw(g, vault.Stage{Turn: g.Turn()})
	if err != nil {
		tb.Fatal(err)
	}
	raw, without, err := drawn.Mail(drawn.MailTo(captain.Name))
	if err != nil || without != nil {
		tb.Fatal(err, without)
	}
	report, err := mime.Read(raw)
	if err != nil {
		tb.Fatal(err)
	}
	pos, err := turn.Load(g)
	if err != nil {
		tb.Fatal(err)
	}
	var body strings.Builder
	for _, name := range captain.Ships {
		ship, err := pos.FindShip(name)
		if err != nil {
			tb.Fatal(err)
		}
		orders, err := pos.Robot(ship.ID)
		if err != nil {
			tb.Fatal(err)
		}
		head, rest, _ := strings.Cut(orders, "\n")
		body.WriteString(head + " key " + pos.Key(captain.Name) + "\n" + strings.ReplaceAll(rest, "final\n", ""))
	}
	fmt.Fprintf(&body, "\nOn %s, Starpost wrote:\n", report.Date.Format("Mon, 2 Jan 2006 at 15:04"))
	for line := range strings.Lines(report.Text) {
		body.WriteString("> " + strings.TrimRight(line, "\r\n") + "\n")
	}
	mail, err := outgoing.Render(outgoing.Message{
		From: outgoing.Address{Addr: report.To[0].Addr}, To: outgoing.Address{Addr: report.ReplyTo[0].Addr},
		Subject: "Re: " + report.Subject, MessageID: "<orders@example.org>",
		InReplyTo: report.MessageID, References: []string{report.MessageID}, Date: began, Text: body.String(),
	})
	if err != nil {
		tb.Fatal(err)
	}
	return mail
}

func letter(raw []byte) identity.Incoming {
	l := identity.Incoming{SHA256: vault.Hash(raw), Received: began}
	l.Mail, l.Err = mime.Read(raw)
	return l
}

// BenchmarkMail reads, decides and answers one order mail, without storing it.
func BenchmarkMail(b *testing.B) {
	d, mails := orderMails(b)
	judge := func(l identity.Incoming) *desk.Decision {
		c, err := d.Decide(l)
		if err != nil || c.Outcome != desk.Done {
			b.Fatal(c.Outcome, c.Reason, err)
		}
		return c
	}
	answer := func(c *desk.Decision) {
		a, err := c.Answer(began)
		if err != nil {
			b.Fatal(err)
		}
		if err := a.WriteText(); err != nil {
			b.Fatal(err)
		}
		if _, err := outgoing.Render(a.Message); err != nil {
			b.Fatal(err)
		}
	}
	letters := make([]identity.Incoming, len(mails))
	for i, raw := range mails {
		letters[i] = letter(raw)
		for _, s := range judge(letters[i]).Steps {
			if err := s.Do(); err != nil {
				b.Fatal(err)
			}
		}
	}
	run := func(name string, f func(i int)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				f(n % len(mails))
			}
		})
	}
	run("read", func(i int) {
		if _, err := mime.Read(mails[i]); err != nil {
			b.Fatal(err)
		}
	})
	run("judge", func(i int) { judge(letters[i]) })
	run("all", func(i int) { answer(judge(letter(mails[i]))) })
}
