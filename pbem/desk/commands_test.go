package desk_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/desk"
	"starpost/pbem/mime"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

const (
	kirk  = "kirk@example.org"
	kor   = "kor@example.org"
	khan  = "khan@example.com"
	judge = "judge@example.org"
)

// keyed is the robot's address with a captain's key for the turn that is due.
func (o *office) keyed(captain string) string { return auth.WithKey(robot, o.key(captain)) }

// subject is receive for a mail with a subject and no text.
func (o *office) subject(from, to, subject string) handled {
	o.t.Helper()
	o.mail++
	raw := fmt.Sprintf("From: %s\r\nTo: %s\r\nSubject: %s\r\nMessage-ID: <%d@example.org>\r\n\r\n\r\n", from, to, subject, o.mail)
	l := desk.Letter{SHA256: vault.Hash([]byte(raw)), Received: began.Add(time.Duration(o.mail) * time.Minute)}
	l.Mail, l.Err = mime.Read([]byte(raw))
	return o.settle(l)
}

// settings changes game.toml.
func (o *office) settings(old, now string) {
	o.t.Helper()
	path := o.game.Dir() + "/game.toml"
	data, err := os.ReadFile(path)
	if err != nil {
		o.t.Fatal(err)
	}
	if !strings.Contains(string(data), old) {
		o.t.Fatalf("game.toml has no %q:\n%s", old, data)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), old, now, 1)), 0o644); err != nil {
		o.t.Fatal(err)
	}
	if err := o.game.Refresh(); err != nil {
		o.t.Fatal(err)
	}
}

func (o *office) standing() vault.Standings {
	o.t.Helper()
	st, err := o.game.Standing()
	if err != nil {
		o.t.Fatal(err)
	}
	return st
}

// mailTo is the mail of a kind to an address.
func (h handled) mailTo(kind, address string) *desk.Outgoing {
	for i := range h.Mails {
		if h.Mails[i].Kind == kind && h.Mails[i].Message.To.Addr == address {
			return &h.Mails[i]
		}
	}
	return nil
}

// show prints an answer and all mails when SHOW is set.
func (h handled) show(t *testing.T) {
	t.Helper()
	if os.Getenv("SHOW") == "" {
		return
	}
	if h.answer != nil {
		t.Logf("ANSWER to %s, reply-to %s: %s\n%s", h.answer.Message.To.Addr, h.answer.Message.ReplyTo.Addr, h.answer.Message.Subject, h.answer.Message.Text)
	}
	for _, m := range h.Mails {
		text := m.Message.Text
		if m.Message.Pages != nil {
			text = string(m.Message.Pages.Text[:200])
		}
		t.Logf("MAIL %s to %s, reply-to %s: %s\n%s", m.Kind, m.Message.To.Addr, m.Message.ReplyTo.Addr, m.Message.Subject, text)
	}
}

func TestShow(t *testing.T) {
	o := newOffice(t)
	o.desk.Referee = judge
	o.settings("open = false", "open = true")
	o.receive(kirk, o.keyed("Kirk"), "help").show(t)
	o.receive(kirk, robot, "#status").show(t)
	o.receive(kirk, robot, "#report wolf").show(t)
	o.receive(kirk, o.keyed("Kirk"), "#check\n"+o.order("power", " move 8")).show(t)
	o.receive(kirk, o.keyed("Kirk"), "final").show(t)
	o.receive(kirk, o.keyed("Kirk"), "final\n\n"+o.order("power", " move 8")).show(t)
	o.receive(kirk, o.keyed("Kirk"), "#wait\n#statos\n").show(t)
	o.receive(kirk, o.keyed("Kirk"), "#cancel\n").show(t)
	o.receive(kirk, o.keyed("Kirk"), "#message to Riskadh\nYield!\n#orders wolf\n\n\n#end").show(t)
	o.receive(kirk, o.keyed("Kirk"), "#message to Riskadh\nYield!\n\nOr else.\n#end").show(t)
	o.receive(kirk, o.keyed("Kirk"), "#away 2026-03-03 to 2026-03-05\n#back").show(t)
	o.receive(kirk, o.keyed("Kirk"), "#vote draw").show(t)
	o.receive(kirk, o.keyed("Kirk"), "#address new@example.net").show(t)
	o.resolve()
	o.receive(kirk, o.keyed("Kirk"), "#protest 1.3 the helm did not answer").show(t)
	o.receive(kirk, o.keyed("Kirk"), "#protest 1").show(t)
	o.receive(kirk, o.keyed("Kirk"), "#resign").show(t)
	h := o.receive(khan, robot, "join wolf as Hood")
	h.show(t)
	q := h.mailTo(desk.KindConfirm, khan)
	o.receive(khan, q.Message.ReplyTo.Addr, "confirm").show(t)
	if turn.Key(o.game, 2, "Kirk") == "" {
		t.Error()
	}
}
