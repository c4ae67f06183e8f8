package desk

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/outgoing"
	"starpost/pbem/report"
	"starpost/templates"
)

// readCommands finds the commands of a captain's mail, and returns the scanner's remarks that are
// not about one of them.
func (c *Decision) readCommands(diags []orders.Diagnostic) []orders.Diagnostic {
	c.FindCommands(c.Body.Of(c.In.Mail.Text))
	return slices.DeleteFunc(slices.Clone(diags), func(d orders.Diagnostic) bool {
		return d.Code == orders.CodeNearOrders && slices.ContainsFunc(c.Commands, func(cmd *command.Command) bool { return cmd.Pos.Line == d.Pos.Line })
	})
}

// subjectAlone reports whether a mail without a text has a command in its subject.
func (c *Decision) subjectAlone() bool {
	c.FindCommands(blocks.NewPage(c.In.Mail.Text, nil))
	return len(c.Commands) > 0
}

// decideStranger decides a mail from an address that no game knows. It may ask to join, or confirm
// something; anything else gets one short answer a day, or none.
func (c *Decision) decideStranger(sender string) error {
	c.Reason, c.Unknown = "stranger", true
	page := blocks.NewPage(c.In.Mail.Text, nil)
	if c.In.Err == nil {
		c.Body = blocks.Plain(c.In.Mail.Text)
		page = c.Body.Page
	}
	c.FindCommands(page)
	c.Strays = nil
	c.Commands = slices.DeleteFunc(c.Commands, func(cmd *command.Command) bool { return !cmd.Verb.Anybody || cmd.Verb.Lobby && !c.Services.Lobby })
	if err := c.doCommands(nil); err != nil {
		return err
	}
	c.reply = noReply
	for _, d := range c.Results {
		switch {
		case !d.Done && c.why == "" && len(d.Diags) > 0:
			c.why = "Your command was not carried out: " + d.Diags[0].Message + "."
			if hint := d.Diags[0].Hint; hint != "" {
				c.why += " " + strings.TrimSuffix(report.UpperFirst(hint), "?")
				c.why += map[bool]string{true: "?", false: "."}[strings.HasSuffix(hint, "?")]
			}
		case d.Done:
			c.Unknown = false
		}
		switch {
		case d.Done && (d.Cmd.Verb.Name == "confirm" || d.Cmd.Verb.Name == "undo"):
			c.reply = ackReply // no longer a stranger
		case d.Done && !d.Cmd.Verb.Lobby && len(c.Mails) == 0: // no question goes out: the address is known to wait for a game
			c.reply, c.To = ackReply, sender
		case d.Cmd.Verb.Lobby && effect.Answerable(sender):
			c.reply, c.To = textReply, sender
		}
	}
	if c.In.Old() && c.reply != ackReply { // even if it asks for a text
		c.Outcome, c.Mails, c.reply, c.Reason = Ignored, nil, noReply, "stranger, and the mail is old"
		return nil
	}
	asked, err := c.askedBefore(sender)
	if err != nil {
		return err
	}
	if c.reply == textReply || c.reply == ackReply || c.Outcome == Done && !asked {
		return nil // for a join, the question is the answer
	}
	if c.open, err = c.OpenQuestions(sender); err != nil {
		return err
	}
	if len(c.open) > 0 && effect.Answerable(sender) {
		c.reply, c.To = strangerReply, sender
		return nil
	}
	c.Outcome = Ignored
	if len(c.Results) == 0 {
		c.Reason = "stranger"
	}
	if c.desk.Strangers && effect.Answerable(sender) {
		c.reply, c.To = strangerReply, sender
	}
	return nil
}

// askedBefore reports whether this mail asks for questions but none goes out: the same one went out
// today, or the limit is reached.
func (c *Decision) askedBefore(sender string) (bool, error) {
	if c.Services.Asked == nil || len(c.Mails) == 0 {
		return false, nil
	}
	ids, err := c.Services.Asked(auth.Canonical(sender), c.In.Received.Add(-24*time.Hour), c.In.Received)
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(c.Mails, func(m effect.Outgoing) bool {
		return m.Kind != effect.KindConfirm || len(ids) < command.QuestionsTo && !slices.Contains(ids, m.Message.MessageID)
	}), nil
}

// stranger returns the answer to a mail from an address that no game knows.
func (c *Decision) stranger(now time.Time) (*Answer, error) {
	a := &Answer{Kind: KindStranger, Message: c.message(KindStranger, c.day(now), now)}
	if len(c.open) > 0 {
		return c.reminder(now)
	}
	if c.why != "" && c.Services.Lobby { // the sender knows what to do, and may try again at once
		a = &Answer{Kind: KindText, Message: c.message(KindText, effect.AnswerName(c.In.SHA256), now)}
	}
	n := templates.Notice{Kind: templates.Stranger, Robot: c.Robot.Address, Reason: c.why}
	if c.Services.Lobby {
		var err error
		if n.Text, err = c.Welcome(); err != nil {
			return nil, err
		}
	}
	return a, c.notice(a, "Your mail to "+c.Robot.Address, n)
}

// remind words the questions that the sender has not answered.
func remind(r *effect.Robot, open []effect.Question) (out []string) {
	for i, q := range open {
		out = append(out, fmt.Sprintf("A question to you has been open since %s: %s Nothing happens until you confirm it.", q.Day.Format("2 Jan 2006"), q.What))
		if how := r.How("confirm", q.Token); i == 0 {
			out = append(out, how...)
		} else {
			out = append(out, "The line for this one:", how[1])
		}
	}
	return out
}

// reminder returns the answer to a stranger who has not answered a question.
func (c *Decision) reminder(now time.Time) (*Answer, error) {
	a := &Answer{Kind: KindText, Message: c.message(KindText, effect.AnswerName(c.In.SHA256), now)}
	if !c.Robot.NoPlus {
		a.Message.ReplyTo = outgoing.Address{Name: a.Message.From.Name, Addr: auth.WithKey(c.Robot.Address, c.open[0].Token)}
	}
	n := templates.Notice{Kind: templates.Confirm, Text: remind(c.Robot, c.open)}
	if c.why != "" {
		n.Text = append([]string{c.why}, n.Text...)
	}
	return a, c.notice(a, "Please confirm: a question to you is open", n)
}
