package desk_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"starpost/pbem/record"
	"starpost/pbem/record/directory"
	"starpost/pbem/testkit/processortest"

	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/pbem/desk"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/mime"
	"starpost/pbem/readonly"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// A captain gets the battle as a page of what they may know, at the registered address.
func TestReplayByMail(t *testing.T) {
	o := newOffice(t)
	o.resolve()
	h := o.receive(kirk, robot, "#replay")
	m := h.mail(t, effect.KindReport, kirk)
	if h.Outcome != desk.Done || len(h.Mails) != 1 || !m.Answer || len(m.Message.Attachments) != 1 {
		t.Fatalf("%s: %s", h.Outcome, h.text())
	}
	page := m.Message.Attachments[0]
	if page.Name != "wolf-replay-1.html" || page.Type != "text/html" || strings.Contains(string(page.Data), "@example.org") {
		t.Errorf("%s, %s, %d bytes", page.Name, page.Type, len(page.Data))
	}
	if !strings.Contains(words(m.Message.Text), "It shows what Kirk of Hood may know.") {
		t.Errorf("%s", m.Message.Text)
	}
	if h := o.receive(kirk, robot, "#replay\n#replay wolf"); len(h.Mails) != 1 || !strings.Contains(h.text(), "one mail may ask for one replay") {
		t.Errorf("%d mails: %s", len(h.Mails), h.text())
	}
	if h := o.receive(khan, robot, "#replay wolf"); len(h.Mails) != 0 {
		t.Error("a stranger gets a replay")
	}
}

// A captain gets what is needed to compose orders: the known facts as a file, and the URL of the page if
// the host has one.
func TestComposeByMail(t *testing.T) {
	o := newOffice(t)
	o.resolve()
	h := o.receive(kirk, robot, "#compose")
	m := h.mail(t, effect.KindReport, kirk)
	if h.Outcome != desk.Done || len(h.Mails) != 1 || !m.Answer || len(m.Message.Attachments) != 1 {
		t.Fatalf("%s: %s", h.Outcome, h.text())
	}
	view := m.Message.Attachments[0]
	if view.Name != "wolf-hood-1.json" || view.Type != "application/json" || !strings.Contains(string(view.Data), `"due":2`) {
		t.Errorf("%s, %s: %s", view.Name, view.Type, view.Data)
	}
	if text := words(m.Message.Text); !strings.Contains(text, "starpost compose --view wolf-hood-1.json") || strings.Contains(text, "Compose your orders:") {
		t.Errorf("where there is no page: %s", text)
	}
	o.desk.Composer = "https://club.example/compose/v1/"
	const link = "\n\nCompose your orders: https://club.example/compose/v1/#1."
	if text := o.receive(kirk, robot, "#compose").mail(t, effect.KindReport, kirk).Message.Text; !strings.Contains(text, link) || strings.Contains(text, "key ") {
		t.Errorf("where there is a page: %s", text)
	}
	if m := o.receive(kirk, robot, "#report").mail(t, effect.KindReport, kirk).Message; !strings.Contains(m.Text, link) || !strings.Contains(m.HTML, `<a href="https://club.example/compose/v1/#1.`) {
		t.Errorf("the last report, sent again, does not lead to the page: %s", m.Text)
	}
	if m := o.receive(kirk, robot, "#report 0").mail(t, effect.KindReport, kirk).Message; strings.Contains(m.Text+m.HTML, "club.example") {
		t.Error("a report whose orders were carried out leads to the page")
	}
	if h := o.receive(kirk, robot, "#compose\n#compose wolf"); len(h.Mails) != 1 || !strings.Contains(h.text(), "one mail may ask for one compose") {
		t.Errorf("%d mails: %s", len(h.Mails), h.text())
	}
	if h := o.receive(khan, robot, "#compose wolf"); len(h.Mails) != 0 {
		t.Error("a stranger gets a view")
	}
}

// A captain who has the name of another's ship gets their own battle, not hers.
func TestReplayOfOneCalledAsAShip(t *testing.T) {
	o := officeOf(t, "big-bad-wolf", vault.DefaultMail(),
		vault.Captain{Name: "Riskadh", Address: kirk, Ships: []string{"Hood"}}, vault.Captain{Name: "Hood", Address: kor, Ships: []string{"Riskadh"}})
	o.resolve()
	if m := o.receive(kirk, robot, "#replay").mail(t, effect.KindReport, kirk); !strings.Contains(words(m.Message.Text), "It shows what Riskadh of Hood may know.") {
		t.Errorf("%s", m.Message.Text)
	}
}

// BenchmarkGames answers the command games with 5,000 games, one in fifty of them open.
func BenchmarkGames(b *testing.B) {
	all, err := fasa.Scenarios()
	if err != nil {
		b.Fatal(err)
	}
	root := b.TempDir()
	var trees []record.Tree
	for i := range uint64(5000) {
		mail := vault.DefaultMail()
		mail.Robot, mail.Open = robot, i%50 == 0
		dir := filepath.Join(root, fmt.Sprintf("g%04d", i))
		if _, err := turn.Create(dir, catalogue(), turn.Setup{Scenario: all["big-bad-wolf"], Mail: mail, ID: filepath.Base(dir), Secret: dice.FromSeed(i), Seed: &i, Options: turn.Options{Now: began}}); err != nil {
			b.Fatal(err)
		}
		trees = append(trees, directory.At(dir))
	}
	book, err := readonly.Open(trees, catalogue())
	if err != nil {
		b.Fatal(err)
	}
	d := &desk.Desk{Robot: effect.Robot{Address: robot, Name: "Starpost"}, Registry: identity.Registry{Games: book, Senders: &identity.Index{}}, Services: command.Services{Listings: book, Lobby: true}, Strangers: true}
	m, err := mime.Read([]byte("From: " + stranger + "\r\nTo: " + robot + "\r\nSubject: games\r\nMessage-ID: <1@example.org>\r\n\r\ngames\r\n"))
	if err != nil {
		b.Fatal(err)
	}
	for range 2 { // one mail does not read all of them
		if _, err := d.Decide(identity.Incoming{Mail: m, SHA256: vault.Hash(nil), Received: began}); err != nil {
			b.Fatal(err)
		}
	}
	before, n := processortest.Time(b), 0
	for b.Loop() {
		n++
		c, err := d.Decide(identity.Incoming{Mail: m, SHA256: vault.Hash(nil), Received: began})
		if err != nil {
			b.Fatal(err)
		}
		a, err := c.Answer(began)
		if err != nil || a == nil {
			b.Fatal(err)
		}
		if err := a.WriteText(); err != nil || !strings.Contains(words(a.Message.Text), "80 games more have free seats") {
			b.Fatalf("%v\n%s", err, a.Message.Text)
		}
	}
	b.ReportMetric(float64((processortest.Time(b)-before).Microseconds())/1000/float64(n), "cpu-ms/op")
}
