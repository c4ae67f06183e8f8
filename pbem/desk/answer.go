package desk

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/desk/submission"
	"starpost/pbem/mime"
	"starpost/pbem/outgoing"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
)

// Kinds of answers, which also begin their Message-IDs.
const (
	KindAck      = effect.KindAck
	KindHelp     = effect.KindHelp
	KindStranger = "stranger"
	KindText     = "text" // to a stranger who asked for a text, or for something not allowed
)

// Answer is the answer to a mail. Its Message-ID is the same each time, so that it is sent only once.
type Answer struct {
	Kind    string
	Game    string // game ID; "" when it belongs to none or several
	Message outgoing.Message
	words   func(*outgoing.Message) error // writes its text; nil when it has one
	sent    func()                        // see Sent; may be nil
}

// Sent records that the answer is going out, so that the next one need not repeat what is in it.
func (a *Answer) Sent() {
	if a.sent != nil {
		a.sent()
	}
}

// WriteText writes the text of the message. It does not access games, so another goroutine may call it while the next
// mail is decided.
func (a *Answer) WriteText() error {
	words := a.words
	if a.words = nil; words == nil {
		return nil
	}
	return words(&a.Message)
}

// Answer composes the answer to the sender, after the steps were done; nil if there is none. It gives the remaining
// time as of now.
func (c *Decision) Answer(now time.Time) (*Answer, error) {
	switch c.reply {
	case ackReply:
		return c.ack(now)
	case textReply:
		a, err := c.ack(now)
		if a != nil {
			a.Kind = KindText
		}
		return a, err
	case helpReply:
		return c.help(now)
	case strangerReply:
		return c.stranger(now)
	case refereeReply:
		return c.refereeHelp(now)
	case largeReply:
		return c.tooLarge(now)
	case noReply:
	}
	return nil, nil
}

// message returns an answer without its text: from the robot to the sender, in the thread of the sender's mail.
func (c *Decision) message(kind, id string, now time.Time) outgoing.Message {
	m := &c.In.Mail
	_, domain, _ := strings.Cut(c.Robot.Address, "@")
	out := outgoing.Message{
		From: outgoing.Address{Name: c.Robot.Name, Addr: c.Robot.Address}, To: outgoing.Address{Addr: c.To},
		MessageID: fmt.Sprintf("<%s.%s@%s>", kind, id, domain),
		InReplyTo: m.MessageID, Auto: outgoing.AutoReplied, Date: now.UTC().Truncate(time.Second),
		Headers: []outgoing.Header{{Name: "X-Loop", Value: mime.LoopMark}},
	}
	out.References = append(out.References, m.References...)
	if m.MessageID != "" {
		out.References = append(out.References, m.MessageID)
	}
	return out
}

// ack returns the answer to a mail with orders: one for all its sets.
func (c *Decision) ack(now time.Time) (*Answer, error) {
	a := &Answer{Kind: KindAck, Message: c.message(KindAck, effect.AnswerName(c.In.SHA256), now)}
	if c.bare() {
		return a, c.bareAnswer(a, now)
	}
	if err := c.hideAllKeys(); err != nil {
		return nil, err
	}
	acks := make([]templates.Ack, 0, len(c.Sets)+1)
	w := wording{c: c, now: now, drawn: map[string]drawnWay{}}
	a.sent = func() { c.desk.Ways.note(w.drawn) }
	for i := range c.Sets {
		t, err := w.ack(&c.Sets[i])
		if err != nil {
			return nil, err
		}
		acks = append(acks, t)
	}
	report.JoinForecasts(acks)
	sayOnce(acks)
	if len(acks) > 0 {
		acks[0].Diagnostics = append(report.Diagnostics(c.Body.Source, c.loose, 1), acks[0].Diagnostics...)
		acks[0].Notices = append(append(acks[0].Notices, c.In.Mail.Warnings...), c.notices...)
	}
	var part string
	var reply templates.Reply
	if len(c.Results) > 0 || len(c.Strays) > 0 {
		var err error
		if part, reply, err = c.commandsPart(now); err != nil {
			return nil, err
		}
		c.addressReply(a)
	}
	a.Message.Subject = auth.Mask(c.subject(acks, reply), c.Keys)
	if s := c.first(); s != nil {
		a.Game = s.Game.ID()
		a.Message.To.Name = string(s.Captain.Name)
		a.Message.From.Name = c.Robot.Name + " " + s.Game.Settings().Title
		a.Message.ListID = effect.ListID(s.Game.Settings(), c.Robot.Address)
		if s.Trusted && s.Pos.Due() > 0 {
			a.Message.ReplyTo = outgoing.Address{Name: a.Message.From.Name, Addr: auth.WithKey(c.Robot.Address, s.Pos.Key(s.Captain.Name))}
		}
	}
	keys, page := c.Keys, len(acks) == 1 && len(reply.Commands) == 0 && len(c.Strays) == 0 && !c.plain()
	a.words = func(m *outgoing.Message) error { return c.desk.wordAcks(m, part, acks, keys, page) }
	return a, nil
}

// sayOnce keeps the closing lines that several sets of an answer share below the last of these sets only.
func sayOnce(acks []templates.Ack) {
	ends := func(a *templates.Ack) []string {
		return slices.Concat([]string{a.Game, a.Deadline, a.Left, ""}, a.Missing, []string{""}, a.Answer)
	}
	for i := range max(len(acks)-1, 0) {
		a, last := &acks[i], &acks[len(acks)-1]
		if slices.Equal(ends(a), ends(last)) {
			a.Deadline, a.Left, a.Missing, a.Answer = "", "", nil, nil
		}
	}
}

// plain reports whether the answer needs no HTML page to a mail that has none. Either the mail replies to one of ours,
// which shows that its program writes no HTML, and the captain gets a text; or no set was accepted, so that the text
// says everything.
func (c *Decision) plain() bool {
	m := &c.In.Mail
	if m.Source == mime.SourceHTML || m.HTMLTextPart() != "" {
		return false
	}
	_, ours := strings.CutSuffix(m.InReplyTo, c.Robot.Address[strings.LastIndexByte(c.Robot.Address, '@'):])
	return ours && m.Source == mime.SourcePlain || !slices.ContainsFunc(c.Sets, func(s submission.Set) bool { return s.Taken || s.Checked && s.Read.OK() })
}

// wordAcks writes the text of an answer: the results of its commands, then the sets. A single set gets an HTML page as
// well.
func (d *Desk) wordAcks(m *outgoing.Message, commands string, acks []templates.Ack, keys []string, page bool) error {
	parts := make([]string, 0, len(acks)+1)
	if commands != "" {
		parts = append(parts, commands)
	}
	for _, t := range acks {
		text, err := d.Templates.AckText(t)
		if err != nil {
			return err
		}
		parts = append(parts, text)
	}
	m.Text = auth.Mask(strings.Join(parts, separator), keys)
	if page {
		html, err := d.Templates.AckHTML(acks[0])
		if err != nil {
			return err
		}
		m.HTML = auth.Mask(html, keys)
	}
	return nil
}

// hideAllKeys adds the sender's keys in all games if a block belongs to none of them, because a key may be anywhere in
// it, or if there are warnings or refused commands, because these may quote a key.
func (c *Decision) hideAllKeys() error {
	if len(c.Sets) > 0 && len(c.In.Mail.Warnings) == 0 && !slices.ContainsFunc(c.Sets, func(s submission.Set) bool { return s.Game == nil }) &&
		!slices.ContainsFunc(c.Results, func(d *command.Result) bool { return !d.Done }) {
		return nil
	}
	return c.OwnKeys()
}

// first returns the first set with a known game, or nil.
func (c *Decision) first() *submission.Set {
	for i := range c.Sets {
		if c.Sets[i].Game != nil {
			return &c.Sets[i]
		}
	}
	return nil
}

// subject returns the result of the mail for the subject line, with the counts of errors and warnings.
func (c *Decision) subject(acks []templates.Ack, reply templates.Reply) string {
	errs, warns := reply.Counts()
	taken, dropped, checked := 0, 0, 0
	for i, t := range acks {
		e, w := t.Counts()
		errs, warns = errs+e, warns+w
		if i < len(c.Sets) && c.Sets[i].Taken {
			if taken++; c.Sets[i].Cancel {
				dropped++
			}
		}
		if i < len(c.Sets) && c.Sets[i].Checked {
			checked++
		}
	}
	counts := counted(errs, warns)
	if len(acks) == 0 {
		return c.where() + c.commandsSubject() + counts
	}
	if len(c.Results) > 0 && checked == 0 {
		counts = "; " + c.commandsSubject() + counts
	}
	where, what := "", "Orders"
	if len(acks) > 0 && acks[0].Game != "" {
		where = "[" + acks[0].Game + "] "
	}
	if len(c.Sets) == 1 {
		s := &c.Sets[0]
		if s.Read.Turn > 0 {
			what = "T" + turn.StageOf(s.Read).String()[1:] + ": orders"
		}
		if n := s.Name(); n != "" {
			what += " for " + n
		}
	}
	verdict := "not accepted"
	switch {
	case taken > 0 && len(c.Sets) > 1:
		verdict = fmt.Sprintf("%d of %d sets accepted", taken, len(c.Sets))
	case checked > 0:
		verdict = "checked, not stored"
	case dropped > 0:
		verdict = "dropped"
	case taken > 0:
		verdict = "accepted"
	case !slices.ContainsFunc(c.Sets, func(s submission.Set) bool { return !s.Played }):
		verdict, counts = "played already", ""
	}
	return fmt.Sprintf("%s%s %s%s", where, what, verdict, counts)
}

// day names the one answer a day for strangers, and for referees who need help.
func (c *Decision) day(now time.Time) string { return c.once(now.UTC().Format(time.DateOnly)) }

// once names the one answer that a sender gets in a period.
func (c *Decision) once(when string) string {
	sum := vault.Hash([]byte(auth.Canonical(c.In.Mail.Senders()[0])))
	return when + "." + sum[:16]
}

func (c *Decision) notice(a *Answer, subject string, n templates.Notice) error {
	n.Text = append(n.Text, c.notices...)
	text, err := c.Robot.Templates.NoticeText(n)
	a.Message.Subject, a.Message.Text = subject, auth.Mask(text, c.Keys)
	return err
}

// Diagnostics returns all remarks about the mail, in the order of its text.
func (c *Decision) Diagnostics() []orders.Diagnostic {
	var out []orders.Diagnostic
	out = append(out, c.loose...)
	for i := range c.Sets {
		out = append(out, c.Sets[i].Read.Diagnostics...)
	}
	orders.Sort(out)
	return out
}

// AddNotice adds a sentence to the answer that is not about this mail. Call it before Answer.
func (c *Decision) AddNotice(sentence string) { c.notices = append(c.notices, sentence) }

// oversize describes a mail of which only the header was read.
type oversize struct {
	size, limit int64  // in bytes
	who         string // name of a captain or a referee
}

// TooLarge decides a mail of size bytes that was not downloaded because it exceeds limit; l holds only its header. The
// mail has no effect; a captain or referee is told so. A stranger gets no answer, because the content is unknown.
func (d *Desk) TooLarge(l identity.Incoming, size, limit int64) *Decision {
	c := d.newDecision(l)
	c.Outcome, c.Reason = Refused, "too large"
	senders := l.Mail.Senders()
	if l.Mail.Automatic != "" || len(senders) == 0 || d.IsOwn(senders[0]) {
		return c
	}
	c.large = oversize{size: size, limit: limit}
	if seats := d.Seats(senders[0], l.Received); len(seats) > 0 {
		c.To, c.large.who, c.reply = seats[0].Address, string(seats[0].Captain.Name), largeReply
	} else if seats := d.RefereeSeats(senders[0]); len(seats) > 0 {
		c.To, c.large.who, c.reply = seats[0].Referee.Address, seats[0].Referee.Name, largeReply
	}
	return c
}

// tooLarge returns the answer to a mail that was not downloaded.
func (c *Decision) tooLarge(now time.Time) (*Answer, error) {
	a := &Answer{Kind: KindAck, Message: c.message(KindAck, effect.AnswerName(c.In.SHA256), now)}
	a.Message.To.Name = c.large.who
	return a, c.notice(a, "Your mail is too large and was not read", templates.Notice{
		Kind: templates.Plain, Captain: c.large.who, Robot: c.Robot.Address, Text: []string{
			fmt.Sprintf("Your mail has %s; the limit is %s. It was not read, and nothing was changed: orders in it do not count, and your earlier orders stay in force.",
				megabytes(c.large.size), megabytes(c.large.limit)),
			"Please send it again as plain text, without pictures and attachments.",
		},
	})
}

// megabytes formats a number of bytes, rounded up to a tenth of a megabyte.
func megabytes(n int64) string {
	const mega = 1 << 20
	n = (n*10 + mega - 1) / mega
	if n%10 == 0 {
		return fmt.Sprintf("%d MB", n/10)
	}
	return fmt.Sprintf("%d.%d MB", n/10, n%10)
}
