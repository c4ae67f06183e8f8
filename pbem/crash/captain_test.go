package crash_test

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// want is the expected outcome of a captain's mail.
type want uint8

const (
	accepted  want = iota // orders stored or withdrawn; answered; Done
	refused               // answered; Refused
	ignored               // no answer; Ignored
	doneAgain             // exactly the bytes of an earlier mail: no second answer; same folder
	answered              // changes nothing; answered; Done
)

func (w want) answered() bool { return w == accepted || w == refused || w == answered }

// bounceHeaders are header fields of a bounce; bounceOf returns its body.
var bounceHeaders = []string{
	"MIME-Version: 1.0", "Auto-Submitted: auto-replied", `Content-Type: multipart/report; report-type=delivery-status; boundary="b"`,
}

func bounceOf(id string) string {
	return "--b\nContent-Type: text/plain\n\nThat did not work.\n" +
		"--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; x@x\nAction: failed\nStatus: 5.1.1\n\n" +
		"--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: <" + id + ">\n\n--b--\n"
}

// mail is a mail that a captain wrote.
type mail struct {
	id      string
	to      string // what it is, for messages of the test
	raw     string
	want    want
	folder  string
	flawed  bool // refused at any time
	at      time.Time
	answers int // number of different answers
}

// write sends the orders for a turn, and around them, at random, mails that a real
// captain might send: flawed, late and repeated ones. The last valid set is the one
// of the rule set's robot, so that all battles of a seed are the same. If write
// returns an error, it has sent nothing.
func (c *captain) write(w *world, g *vault.Game, due int, report string) error {
	p, err := turn.Load(g)
	if err != nil {
		return err
	}
	ship, err := p.FindShip(c.ship)
	if err != nil {
		return err
	}
	text, err := p.Robot(ship.ID)
	if err != nil {
		return err
	}
	lines := inside.FindStringSubmatch(text)[1]
	key := turn.Key(g, due, c.name)
	body := func(due int, key, lines string) string {
		return fmt.Sprintf("#orders %s turn %d ship %s key %s\n%s#end\n", g.ID(), due, c.ship, key, lines)
	}
	set := func(lines string) string { return body(due, key, lines) }
	changing := strings.Replace(lines, "final\n", "", 1)

	luck := c.luck(due)
	maybe := func(send func()) {
		if luck.IntN(2) == 0 {
			send()
		}
	}
	send := func(what string, wanted want, text string, headers ...string) *mail {
		return c.send(w, due, what, wanted, text, headers...)
	}
	if due > 1 {
		maybe(func() { send("late set", refused, body(due-1, turn.Key(g, due-1, c.name), lines)) })
	}
	first := send("first set", accepted, set("standing\n  missing repeat\n"))
	maybe(func() { send("bad set", refused, set(changing+"bogus\n")).flawed = true })
	maybe(func() { send("wrong key", refused, body(due, "0000-0000", lines)).flawed = true })
	maybe(func() { c.again(w, first, doneAgain, "") })
	maybe(func() { send("second set", accepted, set(changing)) })
	maybe(func() { send("cancel", accepted, set("cancel\n")) })
	maybe(func() {
		send("vacation", ignored, "I am away. "+set(lines), "Auto-Submitted: auto-replied")
	})
	other := map[string]string{"Hood": "Riskadh", "Riskadh": "Hood"}[c.ship]
	maybe(func() {
		words := fmt.Sprintf("%s to %s in turn %d of %s", c.ship, other, due, g.ID())
		w.relays[words] = 0
		w.owed++
		send("message", accepted, fmt.Sprintf("#message %s to %s key %s\n%s\n#end\n", g.ID(), other, key, words))
	})
	maybe(func() { send("status", answered, "#status "+g.ID()+"\n") })
	if due == 2 {
		w.lost[c.address] = true
		send("bounce", ignored, bounceOf(report), bounceHeaders...)
	}
	if c.game.moves%2 == 0 {
		// The first captain may still change a final set, because the orders of
		// the second lie behind it in the mailbox.
		maybe(func() { send("final set", accepted, set("final\n")) })
	}
	maybe(func() { c.again(w, first, ignored, "Received: by another way\r\n") })
	send("last set", accepted, set(lines))
	maybe(func() { send("bad set after it", refused, set("bogus\n"+changing)).flawed = true })
	maybe(func() { c.again(w, first, doneAgain, "") })
	maybe(func() { c.again(w, first, ignored, "Received: by a third way\r\n") })
	c.game.moves++
	c.answered[due], c.inForce[due] = true, text
	return nil
}

var inside = regexp.MustCompile(`(?s)^[^\n]*\n(.*)#end`)

// send writes a mail and puts it into the robot's mailbox.
func (c *captain) send(w *world, due int, what string, wanted want, text string, headers ...string) *mail {
	m := &mail{
		id: fmt.Sprintf("%s.%d.%d@%s", strings.ToLower(c.ship+"."+c.game.id), due, len(w.mails), domain),
		to: fmt.Sprintf("%s turn %d %s: %s", c.game.id, due, c.ship, what), want: wanted,
		folder: [...]string{"Done", "Refused", "Ignored", "", "Done"}[wanted],
	}
	m.raw = fmt.Sprintf("From: %s <%s>\r\nTo: %s\r\nSubject: %s\r\nMessage-ID: <%s>\r\n", c.name, c.address, robot, what, m.id)
	for _, h := range headers {
		m.raw += h + "\r\n"
	}
	m.raw += "\r\n" + strings.ReplaceAll(text, "\n", "\r\n")
	w.byID[m.id] = m
	w.put(c, m)
	return m
}

// again sends a mail once more, unchanged or with a Received line as if by another route.
func (c *captain) again(w *world, m *mail, wanted want, received string) {
	again := *m
	again.to += ", again"
	again.want, again.raw = wanted, received+m.raw
	if wanted == ignored {
		again.folder = "Ignored"
	}
	w.put(c, &again)
}

func (w *world) put(c *captain, m *mail) {
	m.at = time.Now()
	w.mails = append(w.mails, m)
	if m.want.answered() {
		w.owed++
	}
	if err := w.server.Deliver(c.address, robot, []byte(m.raw)); err != nil {
		w.t.Error(err)
	}
}
