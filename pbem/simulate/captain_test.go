package simulate_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"starpost/engine"
	"starpost/pbem/demo"
	"starpost/pbem/outgoing"
	"starpost/pbem/store"
)

// captain is a player: a robot's orders, sent as people send them.
type captain struct {
	w             *world
	ship, address string

	// Used by one goroutine at a time: that of an incoming mail.
	copies map[string][]string // received mails, by Message-ID
	done   bool                // has the last report

	sent  []*sent
	count int
}

// sent is a mail that a captain sent.
type sent struct {
	id      string
	turn    int
	lines   string // of the set
	raw     []byte
	answers []string // subjects of the different answers
}

func newCaptain(w *world, ship string) *captain {
	return &captain{w: w, ship: ship, address: strings.ToLower(ship) + "@" + domain, copies: map[string][]string{}}
}

var messageID = regexp.MustCompile(`(?mi)^Message-ID: *<([^>]*)>`)

// taken is a mail that the outgoing server accepted.
type taken struct {
	by      *life
	asked   time.Time // when its sender last made sure that it may send
	at      time.Time
	unknown atomic.Bool // its sender does not know that
	cut     bool        // its sender could not reach the store then
}

// excused reports whether a sent mail may be sent again: its sender did not learn that it was sent, could not reach the
// store to record that, or was killed before, or one of the senders was stopped after making sure that it may send.
func (t *taken) excused(again *taken) bool {
	frozen := func(l *life, since time.Time) bool { return time.Unix(0, l.frozen.Load()).After(since) }
	return t.unknown.Load() || t.cut || t.by.killed.Load() || frozen(t.by, t.asked) || frozen(again.by, again.asked)
}

// take delivers a mail that the outgoing server accepts to a captain, some time later.
func (w *world) take(by *life, asked time.Time, env outgoing.Envelope) *taken {
	id := "none"
	if m := messageID.FindSubmatch(env.Data); m != nil {
		id = string(m[1])
	}
	w.note(by.host.name, "sends", env.To, id)
	mail := &taken{by: by, asked: asked, at: time.Now(), cut: by.host.isCut("store")}
	w.mu.Lock()
	before := w.taken[id]
	w.taken[id] = append(before, mail)
	w.mu.Unlock()
	for _, t := range before {
		if !t.excused(mail) {
			w.broke("host %s sends %s, which host %s had sent after %s", by.host.name, id, t.by.host.name, t.at.Sub(w.began))
		}
	}
	for _, c := range w.captains {
		if c.address == env.To {
			raw := bytes.Clone(env.Data)
			w.busy.Add(1)
			w.people.Go(func() {
				defer w.busy.Add(-1)
				time.Sleep(w.within("mail to "+c.ship, time.Minute))
				if err := c.receive(id, raw); err != nil {
					w.broke("captain %s: mail %s: %w", c.ship, id, err)
				}
			})
		}
	}
	return mail
}

// receive reads a mail, and answers it if it is a report.
func (c *captain) receive(id string, raw []byte) error {
	w := c.w
	w.mu.Lock()
	known := len(c.copies[id]) > 0
	c.copies[id] = append(c.copies[id], string(raw))
	w.mu.Unlock()
	if known {
		return nil
	}
	r, err := demo.ReadReport(raw, catalogue())
	if err != nil {
		return err
	}
	w.note(c.ship, "reads", id, r.Mail.Subject)
	w.mu.Lock()
	for _, s := range c.sent {
		if s.id == r.Mail.InReplyTo {
			s.answers = append(s.answers, r.Mail.Subject)
		}
	}
	last := r.View != nil && r.View.Result != nil && !c.done
	if last {
		c.done = true
	}
	over := last
	for _, o := range w.captains {
		over = over && o.done
	}
	w.mu.Unlock()
	if over {
		close(w.over)
	}
	if r.View != nil && r.Orders != "" {
		c.answer(r.View, r.Orders)
	}
	return nil
}

// answer sends orders as people do: in time, late or not at all, after a mistake, with corrections, and twice.
func (c *captain) answer(v *engine.View, orders string) {
	w := c.w
	often := func(what string, often uint64) bool { return w.happens(c.ship+" is "+what, often) }
	if often("away", 100) {
		w.note(c.ship, "is away")
		return
	}
	most := 10 * time.Minute
	if often("late", 150) {
		most = 90 * time.Minute
	}
	time.Sleep(w.within(c.ship+" thinks", most))
	if often("wrong", 200) {
		c.send(v.Due, strings.Replace(orders, "\n#end", "\nbogus\n#end", 1))
	}
	if often("unsure", 300) {
		c.send(v.Due, strings.Replace(orders, "\nfinal\n", "\n", 1))
		time.Sleep(w.within(c.ship+" thinks again", 5*time.Minute))
	}
	last := c.send(v.Due, orders)
	if often("heard twice", 200) {
		time.Sleep(w.within(c.ship+" is heard again", 30*time.Minute))
		w.note(c.ship, "is heard again", last.id)
		w.post.put(last.raw)
	}
}

// send sends a set.
func (c *captain) send(turn int, lines string) *sent {
	w := c.w
	w.mu.Lock()
	c.count++
	s := &sent{id: fmt.Sprintf("%s.%d@%s", strings.ToLower(c.ship), c.count, domain), turn: turn, lines: lines}
	s.raw = fmt.Appendf(nil, "From: %s <%s>\r\nTo: %s\r\nSubject: orders\r\nMessage-ID: <%s>\r\n\r\n%s", c.ship, c.address, robot, s.id, strings.ReplaceAll(lines, "\n", "\r\n"))
	c.sent = append(c.sent, s)
	w.mu.Unlock()
	time.Sleep(w.within("mail from "+c.ship, time.Minute))
	w.note(c.ship, "sends", s.id, store.ContentHash(s.raw)[:8])
	w.post.put(s.raw)
	return s
}
