package process

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/config"
	"starpost/pbem/mime"
	"starpost/pbem/outgoing"
	"starpost/pbem/store"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
)

// Dress has the mails of a drawing look as a mailbox sends them.
func (d *Process) Dress(of *turn.Drawing, box config.Mailbox, settings *vault.Settings) {
	of.Templates, of.Foot, of.Composer, of.House = d.Config.For(box).Templates, d.Foot(box.Address, store.Report, settings), d.Options.Composer, box.Name
}

// DrawMail draws a mail of a turn, without its page if need be.
func (d *Process) DrawMail(of *turn.Drawing, name, id string) ([]byte, error) {
	raw, without, err := of.Mail(name)
	if without != nil {
		d.Log.Warn("sending the mail without its page", "message_id", id, "err", without)
	}
	return raw, err
}

// Queue renders a mail and puts it into the outbox. One that is there already
// stays as it is.
func (d *Process) Queue(ctx context.Context, kind store.Kind, game string, of *vault.Settings, m outgoing.Message) error {
	m.Foot = d.Foot(m.From.Addr, kind, of)
	raw, err := Compose(d.WithoutPaths(m))
	if err != nil {
		return err
	}
	return d.QueueRaw(ctx, kind, game, m, raw)
}

// helpLine stands below reports, short enough for a line of any mail.
const helpLine = "For a list of commands, send help as the first line of a mail."

// askLine stands below it where there is a referee to ask; his address follows.
const askLine = "To ask the referee, send #message to referee, then your question, then #end."

// Foot is what stands below a mail of a mailbox: in a report where help is, and whom to ask about its game; in all
// the host's line. It is not in the reports of game directories, which others keep and compare.
func (d *Process) Foot(mailbox string, kind store.Kind, of *vault.Settings) []string {
	return FootOf(d.Config.At(mailbox), kind, of)
}

// FootOf is what stands below a mail by a configuration, see Process.Foot.
func FootOf(cfg *config.Config, kind store.Kind, of *vault.Settings) (lines []string) {
	if kind == store.Report {
		lines = append(lines, helpLine)
	}
	if kind == store.Report && of != nil && of.Origin == vault.OriginPractice {
		lines = append(lines, "To play another battle, send games (with people) or practice (with robots).")
	}
	if kind == store.Report && of != nil {
		var to []string
		for _, r := range of.Referees {
			if r.Plays == "" { // else the address is a captain's
				to = append(to, r.Address)
			}
		}
		if cfg.Referee != "" && !auth.HasAddress(to, cfg.Referee) {
			to = append(to, cfg.Referee)
		}
		if len(to) > 0 {
			lines = append(lines, askLine, "Or write to "+strings.Join(to, ", ")+".")
		}
	}
	if cfg.Mail.Footer != "" {
		lines = append(lines, cfg.Mail.Footer)
	}
	return lines
}

// QueueRaw is queue for a mail that is rendered.
func (d *Process) QueueRaw(ctx context.Context, kind store.Kind, game string, m outgoing.Message, raw []byte) error {
	if err := d.Before("queue"); err != nil {
		return err
	}
	_, err := d.Store.Queue(ctx, store.OutboxMessage{
		Game: game, Kind: kind, MessageID: m.MessageID, From: m.From.Addr, To: m.To.Addr, Bytes: raw, QueuedAt: d.Clock.Now(),
	})
	if err != nil {
		return err
	}
	d.WakeSender(m.From.Addr)
	return nil
}

// Compose renders a mail to bytes with the mark that all our mails bear. It is
// what turns are composed with.
func Compose(m outgoing.Message) ([]byte, error) {
	if !slices.ContainsFunc(m.Headers, func(h outgoing.Header) bool { return h.Name == "X-Loop" }) {
		m.Headers = append(slices.Clone(m.Headers), outgoing.Header{Name: "X-Loop", Value: mime.LoopMark})
	}
	return outgoing.Render(m)
}

// MailOperator queues a notice about the mailbox to the referee whom the host's configuration
// names, by way of a mailbox that may be another one. The word is for its Message-ID.
func (d *Process) MailOperator(ctx context.Context, about, by config.Mailbox, game, word, subject string, n templates.Notice, foot string) error {
	return d.mailReferee(ctx, d.Config, about, by, game, word, subject, n, foot)
}

// MailReferee is MailOperator for trouble with people of a mailbox: it goes to the referee of its club, if it is one.
func (d *Process) MailReferee(ctx context.Context, about config.Mailbox, game, word, subject string, n templates.Notice) error {
	return d.mailReferee(ctx, d.Config.For(about), about, about, game, word, subject, n, "")
}

func (d *Process) mailReferee(ctx context.Context, cfg *config.Config, about, by config.Mailbox, game, word, subject string, n templates.Notice, foot string) error {
	n.Captain = "Referee"
	text, err := cfg.Templates.NoticeText(n)
	if err != nil {
		return err
	}
	_, domain, _ := strings.Cut(about.Address, "@")
	return d.Queue(ctx, store.Notice, game, nil, outgoing.Message{
		From: outgoing.Address{Name: by.Name, Addr: by.Address}, To: outgoing.Address{Addr: cfg.Referee}, Subject: subject,
		MessageID: fmt.Sprintf("<%s@%s>", word, domain), Auto: outgoing.AutoGenerated, Date: d.Clock.Now().UTC().Truncate(time.Second), Text: text + foot,
	})
}

// OtherSender is a mailbox that sends by another account, if there is one.
func (d *Process) OtherSender(box config.Mailbox) config.Mailbox {
	for _, o := range d.Config.Mailboxes() {
		if o.SMTP.Host != box.SMTP.Host || o.SMTP.User != box.SMTP.User {
			return o
		}
	}
	return box
}
