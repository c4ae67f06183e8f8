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

// Dress sets how a mailbox presents the mails of a drawing.
func (d *Process) Dress(of *turn.Drawing, box config.Mailbox, settings *vault.Settings) {
	of.Templates, of.Foot, of.Composer, of.House = d.Config.For(box).Templates, d.Foot(box.Address, store.Report, settings), d.Options.Composer, box.Name
}

// DrawMail draws a mail of a turn. If the HTML page fails, it draws the mail without.
func (d *Process) DrawMail(of *turn.Drawing, name, id string) ([]byte, error) {
	raw, without, err := of.Mail(name)
	if without != nil {
		d.Log.Warn("sending the mail without its page", "message_id", id, "err", without)
	}
	return raw, err
}

// Queue renders a mail and puts it into the outbox. It does nothing if the mail is already there.
func (d *Process) Queue(ctx context.Context, kind store.Kind, game string, of *vault.Settings, m outgoing.Message) error {
	m.Foot = d.Foot(m.From.Addr, kind, of)
	raw, err := Compose(d.WithoutPaths(m))
	if err != nil {
		return err
	}
	return d.QueueRaw(ctx, kind, game, m, raw)
}

// helpLine is the foot of reports. It is short enough for a line of any mail.
const helpLine = "For a list of commands, send help as the first line of a mail."

// askLine follows it if the game has a referee; the next line has the address.
const askLine = "To ask the referee, send #message to referee, then your question, then #end."

// Foot returns the lines below a mail: in reports how to get help and whom to ask about the game, in all mails the
// host's footer. The reports in game directories do not have them, because others store and compare those.
func (d *Process) Foot(mailbox string, kind store.Kind, of *vault.Settings) []string {
	return FootOf(d.Config.At(mailbox), kind, of)
}

// FootOf is Process.Foot for a given configuration.
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
			if r.Plays == "" { // otherwise the address is a captain's
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

// QueueRaw is Queue for a mail that is already rendered.
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

// Compose renders a mail to bytes, with the X-Loop header that all our mails have. Turns use it to compose mails.
func Compose(m outgoing.Message) ([]byte, error) {
	if !slices.ContainsFunc(m.Headers, func(h outgoing.Header) bool { return h.Name == "X-Loop" }) {
		m.Headers = append(slices.Clone(m.Headers), outgoing.Header{Name: "X-Loop", Value: mime.LoopMark})
	}
	return outgoing.Render(m)
}

// MailOperator queues a notice about a mailbox to the host's referee. The mail is sent from the mailbox by, which may
// differ from about. word becomes the local part of its Message-ID.
func (d *Process) MailOperator(ctx context.Context, about, by config.Mailbox, game, word, subject string, n templates.Notice, foot string) error {
	return d.mailReferee(ctx, d.Config, about, by, game, word, subject, n, foot)
}

// MailReferee is MailOperator for trouble with people of a mailbox: the notice goes to the referee of its club, if it
// has one.
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

// OtherSender returns a mailbox that sends through another account, or box if there is none.
func (d *Process) OtherSender(box config.Mailbox) config.Mailbox {
	for _, o := range d.Config.Mailboxes() {
		if o.SMTP.Host != box.SMTP.Host || o.SMTP.User != box.SMTP.User {
			return o
		}
	}
	return box
}
