package desk

import (
	"slices"
	"strings"
	"time"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/command"
	"starpost/pbem/report"
)

// readCommands finds the commands of a captain's mail, and gives the remarks of
// the scanner that are not about one of them.
func (c *Decision) readCommands(diags []orders.Diagnostic) []orders.Diagnostic {
	c.findCommands(c.body.Of(c.in.Mail.Text))
	return slices.DeleteFunc(slices.Clone(diags), func(d orders.Diagnostic) bool {
		return d.Code == orders.CodeNearOrders && slices.ContainsFunc(c.commands, func(cmd *command.Command) bool { return cmd.Pos.Line == d.Pos.Line })
	})
}

// subjectAlone tells whether a mail without a text says something all the same.
func (c *Decision) subjectAlone() bool {
	c.findCommands(blocks.NewPage(c.in.Mail.Text, nil))
	return len(c.commands) > 0
}

// maxAge is how old a mail of a stranger may be that is answered: he has long
// forgotten it, or never was a person.
const maxAge = 3 * 24 * time.Hour

// old tells by the clock of the mail server whether a mail came long ago. What its
// sender says of that does not matter.
func (l Incoming) old() bool { return !l.Arrived.IsZero() && l.Received.Sub(l.Arrived) > maxAge }

// decideStranger decides a mail from an address that no game knows. It may ask to
// join, or confirm something; what comes of anything else is one short answer a
// day, or none.
func (c *Decision) decideStranger(sender string) error {
	c.Reason, c.Unknown = "stranger", true
	page := blocks.NewPage(c.in.Mail.Text, nil)
	if c.in.Err == nil {
		c.body = blocks.Plain(c.in.Mail.Text)
		page = c.body.Page
	}
	c.findCommands(page)
	c.strays = nil
	c.commands = slices.DeleteFunc(c.commands, func(cmd *command.Command) bool { return !cmd.Verb.Anybody || cmd.Verb.Lobby && !c.services.Lobby })
	if err := c.doCommands(nil); err != nil {
		return err
	}
	c.reply = noReply
	for _, d := range c.commandResults {
		switch {
		case !d.done && c.why == "" && len(d.diags) > 0:
			c.why = "Your command was not carried out: " + d.diags[0].Message + "."
			if hint := d.diags[0].Hint; hint != "" {
				c.why += " " + strings.TrimSuffix(report.UpperFirst(hint), "?")
				c.why += map[bool]string{true: "?", false: "."}[strings.HasSuffix(hint, "?")]
			}
		case d.done:
			c.Unknown = false
		}
		switch {
		case d.done && (d.cmd.Verb.Name == "confirm" || d.cmd.Verb.Name == "undo"):
			c.reply = ackReply // he is no stranger any more
		case d.done && !d.cmd.Verb.Lobby && len(c.Mails) == 0: // no question goes to him: he is known to wait for a game
			c.reply, c.to = ackReply, sender
		case d.cmd.Verb.Lobby && answerable(sender):
			c.reply, c.to = textReply, sender
		}
	}
	if c.in.old() && c.reply != ackReply { // also who asked for a text
		c.Outcome, c.Mails, c.reply, c.Reason = Ignored, nil, noReply, "stranger, and the mail is old"
		return nil
	}
	asked, err := c.askedBefore(sender)
	if err != nil {
		return err
	}
	if c.reply == textReply || c.reply == ackReply || c.Outcome == Done && !asked {
		return nil // the question is the answer to who wants to join
	}
	if c.open, err = c.openQuestions(sender); err != nil {
		return err
	}
	if len(c.open) > 0 && answerable(sender) {
		c.reply, c.to = strangerReply, sender
		return nil
	}
	c.Outcome = Ignored
	if len(c.commandResults) == 0 {
		c.Reason = "stranger"
	}
	if c.desk.Strangers && answerable(sender) {
		c.reply, c.to = strangerReply, sender
	}
	return nil
}

// askedBefore tells whether no question goes out because of this mail, though it asks for one:
// the same one went out today, or as many as may.
func (c *Decision) askedBefore(sender string) (bool, error) {
	if c.services.Asked == nil || len(c.Mails) == 0 {
		return false, nil
	}
	ids, err := c.services.Asked(auth.Canonical(sender), c.in.Received.Add(-24*time.Hour), c.in.Received)
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(c.Mails, func(m Outgoing) bool {
		return m.Kind != KindConfirm || len(ids) < questionsTo && !slices.Contains(ids, m.Message.MessageID)
	}), nil
}
