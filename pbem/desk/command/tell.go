package command

import (
	"fmt"
	"strings"

	"starpost/pbem/auth"
	"starpost/pbem/desk/effect"
	"starpost/pbem/lobby"
	"starpost/pbem/outgoing"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
	"starpost/templates/composer"
)

// sendFile sends a file about the game of a command in a separate mail.
func sendFile(c *Task, d *Result, subject string, way composer.Way, file outgoing.Attachment, text string) error {
	at, to := d.Game.Newest(), d.Captain
	to.Address = c.To
	m, err := c.Robot.CaptainMail(d.Game, to, at, subject, c.In.Received, templates.Notice{Kind: templates.Plain, Turn: at.Turn, Text: []string{text}})
	if err != nil {
		return err
	}
	m.Text, m.Attachments = way.Below(m.Text), []outgoing.Attachment{file}
	m.MessageID = c.id(effect.KindReport, d, effect.CaptainWord(d.Game.Settings(), d.Captain.Name))
	c.Mails = append(c.Mails, effect.Outgoing{Kind: effect.KindReport, Game: d.Game.ID(), Message: m, Answer: true})
	d.Subject = subject
	return nil
}

// lastReport sends the last report to the present holder of the seat, with the holder's key.
func (c *Task) lastReport(d *Result, to string) error {
	return c.sendReport(d, d.Game.Newest(), to, d.Changes, false)
}

// sendReport sends a report again to an address, with the key of a seat that has changed hands the given
// number of times; answer means that it goes to the sender of the mail.
func (c *Task) sendReport(d *Result, at vault.Stage, to string, changes int, answer bool) error {
	holder := d.Captain
	holder.Address = to
	m, err := c.Robot.ReportMail(d.Game, turn.Repeat{
		Turn: at.Turn, Round: at.Round, Captain: holder, Changes: changes,
		ID: c.id(effect.KindReport, d, effect.CaptainWord(d.Game.Settings(), holder.Name)), Now: c.In.Received,
	})
	if err != nil {
		return err
	}
	c.Mails = append(c.Mails, effect.Outgoing{Kind: effect.KindReport, Game: d.Game.ID(), Message: m, Answer: answer})
	return nil
}

// id returns the Message-ID of a mail that a command causes to a captain or another address; who is a word of
// letters and digits.
func (c *Task) id(kind string, d *Result, who string) string {
	_, domain, _ := strings.Cut(c.Robot.Address, "@")
	return fmt.Sprintf("<%s.%s.%d.%s@%s>", kind, effect.AnswerName(c.In.SHA256), d.Cmd.N, who, domain)
}

// ToCaptain returns a mail to a captain of the command's game, in the thread of the captain's last report.
func (c *Task) ToCaptain(kind string, d *Result, to vault.Captain, subject string, n templates.Notice) (effect.Outgoing, error) {
	n.Kind, n.Turn = templates.Plain, d.Pos.Due()
	m, err := c.Robot.CaptainMail(d.Game, to, d.Game.Newest(), subject, c.In.Received, n)
	m.MessageID = c.id(kind, d, effect.CaptainWord(d.Game.Settings(), to.Name))
	return effect.Outgoing{Kind: kind, Game: d.Game.ID(), Message: m}, err
}

// tellOthers tells the other captains by mail what a captain did.
func (c *Task) tellOthers(d *Result, subject string, text ...string) error {
	return c.tell(d, d.others(), subject, text...)
}

// tell tells the given captains by mail what the captain of the command did.
func (c *Task) tell(d *Result, captains []vault.Captain, subject string, text ...string) error {
	for _, to := range captains {
		out, err := c.ToCaptain(effect.KindTold, d, to, subject, templates.Notice{Text: text})
		if err != nil {
			return err
		}
		c.Mails = append(c.Mails, out)
	}
	return nil
}

// ask adds a mail that asks an address to confirm a claim.
func (c *Task) ask(q effect.Query, bounds []effect.DailyLimit, text ...string) error {
	m, err := c.Robot.Ask(q, c.In.Received.UTC(), text...)
	c.Mails = append(c.Mails, effect.Outgoing{Kind: effect.KindConfirm, Game: q.Game.ID, Message: m, Limits: bounds})
	return err
}

// offer asks an address to take a seat.
func (c *Task) offer(d *Result, subject string, claim auth.Claim, bounds []effect.DailyLimit, wish string) error {
	text, err := d.offered(c.Robot, wish)
	if err != nil {
		return err
	}
	return c.ask(d.query(subject, claim), bounds, text...)
}

// query returns a question about the command's game.
func (d *Result) query(subject string, claim auth.Claim) effect.Query {
	s := d.Game.Settings()
	return effect.Query{Game: s, Shown: s.ID, Subject: subject, Secret: d.Game.Secret(), Claim: claim}
}

// offered returns the text that offers a seat: wish, the rules and sides of the game, its state, how long a
// turn is, and where its page is.
func (d *Result) offered(r *effect.Robot, wish string) ([]string, error) {
	l, err := lobby.List(d.Game, d.Pos)
	if err != nil {
		return nil, err
	}
	s := d.Game.SharedSettings()
	what := "a turn"
	if s.InRounds() {
		what = "a phase"
	}
	time := fmt.Sprintf("You have at most %s for %s.", spanWords(s.Mail.Deadline), what)
	if s.Mail.Schedule != "" {
		time = fmt.Sprintf("Orders for %s are due by %s.", what, s.Mail.Schedule)
	}
	out := []string{wish, fmt.Sprintf("The game %s.", l.Describe(s)), time}
	if page := r.PageOf(s.ID); page != "" {
		out = append(out, "Its page: "+page)
	}
	return out, nil
}

// tellReferee mails the referees of the command's game, and the address in the configuration.
func (c *Task) tellReferee(d *Result, subject string, text ...string) error {
	n := templates.Notice{Kind: templates.Plain, Turn: d.Pos.Due(), Text: text, Words: d.Cmd.Text}
	for _, r := range c.Robot.RefereeContacts(d.Game) {
		m, err := c.Robot.RefereeMail(d.Game, r, subject, c.In.Received, n)
		if err != nil {
			return err
		}
		word := "referee"
		if r.Key != "" {
			word = effect.RefereeWord(r.Name)
		}
		m.MessageID = c.id(effect.KindTold, d, word)
		c.Mails = append(c.Mails, effect.Outgoing{Kind: effect.KindTold, Game: d.Game.ID(), Message: m})
	}
	return nil
}
