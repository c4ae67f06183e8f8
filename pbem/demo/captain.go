package demo

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/mailbox"
	"starpost/pbem/mime"
	"starpost/pbem/outgoing"
	"starpost/pbem/vault"
)

// captain is a robot with a mailbox.
type captain struct {
	name      engine.CaptainName
	address   string
	inbox     mailbox.Config
	outbox    outgoing.Config
	catalogue vault.Catalogue
	news      chan struct{} // cap 1: a mail was delivered
	sent      int
}

// play answers reports with orders until a report says that the game is over.
func (c *captain) play(ctx context.Context) (*engine.View, error) {
	sender, err := outgoing.NewSender(c.outbox, nil)
	if err != nil {
		return nil, err
	}
	client, err := mailbox.Dial(ctx, c.inbox, nil)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	if _, _, err := client.Select(ctx); err != nil {
		return nil, err
	}
	last := uint32(0)
	for {
		uids, err := client.List(ctx, last)
		if err != nil {
			return nil, err
		}
		var mails [][]byte
		if err := client.Fetch(ctx, uids, func(m mailbox.Mail) error {
			mails = append(mails, m.Raw)
			last = max(last, m.Ref.UID)
			return nil
		}); err != nil {
			return nil, err
		}
		for _, raw := range mails {
			v, err := c.read(ctx, sender, raw)
			if err != nil {
				return nil, fmt.Errorf("captain %s: %w", c.name, err)
			}
			if v != nil && v.Result != nil {
				return v, nil
			}
		}
		if len(uids) > 0 {
			continue
		}
		if err := c.wait(ctx, client); err != nil {
			return nil, err
		}
	}
}

// wait returns when a mail was announced, by the server or through news.
func (c *captain) wait(ctx context.Context, client *mailbox.Client) error {
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-c.news:
			client.Wake()
		case <-over:
		}
	}()
	err := client.Wait(ctx, time.Minute)
	close(over)
	<-ended
	return err
}

// errRefused says that the desk did not accept a robot's orders.
var errRefused = errors.New("the orders were not accepted")

// read reads one mail: it replies to a report, and checks an answer. The view is that of a report,
// nil for any other mail.
func (c *captain) read(ctx context.Context, sender *outgoing.Sender, raw []byte) (*engine.View, error) {
	r, err := ReadReport(raw, c.catalogue)
	if err != nil {
		return nil, err
	}
	if r.View == nil && strings.Contains(r.Mail.Subject, "not accepted") {
		return nil, fmt.Errorf("%w: %s\n%s", errRefused, r.Mail.Subject, r.Mail.Text)
	}
	if r.Orders == "" {
		return r.View, nil
	}
	return r.View, c.reply(ctx, sender, r.Mail, r.View, r.Orders)
}

// reply mails orders as a reply to the report, with the report quoted below as by people's mail
// programs.
func (c *captain) reply(ctx context.Context, sender *outgoing.Sender, m mime.Mail, v *engine.View, text string) error {
	to := m.From
	if len(m.ReplyTo) > 0 {
		to = m.ReplyTo
	}
	if len(to) == 0 {
		return errors.New("the report has no address to answer")
	}
	subject := m.Subject
	if !strings.HasPrefix(strings.ToLower(subject), "re:") {
		subject = "Re: " + subject
	}
	c.sent++
	var body strings.Builder
	fmt.Fprintf(&body, "%s\nOn %s, %s wrote:\n", text, m.Date.Format("Mon, 2 Jan 2006 at 15:04"), to[0].Addr)
	for line := range strings.Lines(m.Text) {
		body.WriteString("> " + strings.TrimRight(line, "\r\n") + "\n")
	}
	_, domain, _ := strings.Cut(c.address, "@")
	local, _, _ := strings.Cut(c.address, "@")
	raw, err := outgoing.Render(outgoing.Message{
		From: outgoing.Address{Name: string(c.name), Addr: c.address}, To: outgoing.Address{Addr: to[0].Addr}, Subject: subject,
		MessageID: fmt.Sprintf("<%s.turn-%d.%d@%s>", local, v.Due, c.sent, domain),
		InReplyTo: m.MessageID, References: append(m.References, m.MessageID), Date: time.Now(), Text: body.String(),
	})
	if err != nil {
		return err
	}
	session, err := sender.Open(ctx)
	if err != nil {
		return err
	}
	defer session.Close()
	_, err = session.Send(ctx, outgoing.Envelope{From: c.address, To: to[0].Addr, Data: raw})
	return err
}
