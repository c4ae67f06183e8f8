package desk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/outgoing"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
)

// bare tells whether the mail holds neither a command nor anything that someone
// meant to be an order set: at most the templates of reports that it quotes.
func (c *Decision) bare() bool {
	return len(c.commandResults) == 0 && !slices.ContainsFunc(c.orderResults, func(s orderResult) bool { return !s.echo })
}

// bareAnswer is the answer to such a mail: what is wrong with it, if anything is,
// and how the sender's games stand.
func (c *Decision) bareAnswer(a *Answer, now time.Time) error {
	if err := c.ownKeys(); err != nil {
		return err
	}
	r := templates.Reply{
		Notices:     append(slices.Clone(c.in.Mail.Warnings), c.notices...),
		Diagnostics: append(report.Diagnostics(c.in.Mail.Text, c.strays, 1), report.Diagnostics(c.body.Source, c.loose, 1)...), Foot: []string{helpHint},
	}
	var subject string
	if subject, r.Text = c.bareWords(); len(r.Diagnostics) == 0 {
		r.Text = append(r.Text, c.quotedOnly()...)
	}
	seats := c.people.seats(c.in.Mail.Senders()[0])
	stand, err := c.standing(seats, now)
	if err != nil {
		return err
	}
	if c.framed != nil {
		r.Commands = append(r.Commands, c.framed.example(c.robot.NoPlus))
	}
	if u := c.unsent; u != nil {
		how := "Answer this mail with these lines, without the bars in front of them:"
		if c.robot.NoPlus {
			how = "Send these lines, without the bars in front of them, and with the word key and the turn key of your last report behind the first:"
		}
		r.Commands = append(r.Commands, templates.CommandResult{
			Command: "To write to " + u.to, Text: []string{how}, Example: u.lines,
		})
	}
	r.Commands = append(r.Commands, templates.CommandResult{Command: "How things stand", Text: stand.out.Text, List: stand.out.List})
	g, pos, captain, one := stand.game, stand.pos, stand.captain, len(seats) == 1
	if s := c.framed; s != nil { // who has several seats answers for that one
		g, pos, captain, one = s.game.game, s.game.pos, s.seat.captain, true
	}
	if g != nil {
		settings := g.Settings()
		a.Game, r.Game, r.Title, subject = g.ID(), g.ID(), settings.Title, "["+g.ID()+"] "+subject
		a.Message.From.Name, a.Message.ListID = c.robot.Name+" "+settings.Title, ListID(settings, c.robot.Address)
		if due := pos.Due(); due > 0 && one {
			a.Message.To.Name = string(captain.Name)
			a.Message.ReplyTo = outgoing.Address{Name: a.Message.From.Name, Addr: auth.WithKey(c.robot.Address, turn.Key(g, due, captain.Name))}
			r.Foot = howTo(pos, c.robot.NoPlus, false, false)
		}
	}
	errs, warns := r.Counts()
	text, err := c.robot.Templates.ReplyText(r)
	a.Message.Subject, a.Message.Text = auth.Mask(subject+counted(errs, warns), c.keys), auth.Mask(text, c.keys)
	return err
}

// help is the answer to a captain's mail with nothing for us in it: once an hour, so that two programs that talk
// tire soon, but each time to other words of a captain who proves himself by his key, or has no battle left.
func (c *Decision) help(now time.Time) (*Answer, error) {
	hour := now.UTC().Format("2006-01-02T15")
	once, words := cmp.Or(c.wordsMail, c.once(hour)), c.once(hour+"."+vault.Hash([]byte(c.ownText()))[:8])
	a := &Answer{Kind: KindHelp, Message: c.message(KindHelp, once, now)}
	n := templates.Notice{Kind: templates.Help, Robot: c.robot.Address, Reason: cmp.Or(c.prosaic, "There is no order set in your mail, and no command, so nothing was changed.")}
	subject := "How to send orders"
	if c.wordsMail != "" && strings.HasPrefix(c.in.SHA256, c.wordsMail) {
		subject = "Your words went to the referee"
	}
	if err := c.ownKeys(); err != nil {
		return nil, err
	}
	seats := c.people.seats(c.in.Mail.Senders()[0])
	for _, s := range seats {
		g, err := c.people.Games.Game(s.game)
		if err != nil {
			return nil, err
		}
		pos, err := turn.Load(g)
		if err != nil {
			return nil, err
		}
		if pos.Due() == 0 {
			continue
		}
		if c.wordsMail == "" && auth.EqualKeys(c.plus, pos.Key(s.captain.Name)) {
			once = words
		}
		example, err := pos.Template(s.captain.Name, false)
		if err != nil {
			return nil, err
		}
		if example != "" {
			a.Game, n.Example = g.ID(), example
			n.Reason += " The one thing to do: answer your last report, change the orders at its end to what you want, and send it."
			need := "The first line of such a block also needs the word key and the turn key of your last report, unless you answer that report or this mail."
			if c.robot.NoPlus {
				need = "The first line of such a block also needs the word key and the turn key of your last report, as the block at its end has it."
			} else {
				a.Message.ReplyTo = outgoing.Address{Name: c.robot.Name, Addr: auth.WithKey(c.robot.Address, pos.Key(s.captain.Name))}
			}
			n.Text = append(n.Text, need)
			break
		}
	}
	if n.Example == "" && c.services.Lobby { // all is over: where to go from here
		var err error
		once = words
		if n.Text, err = c.welcome(); err != nil {
			return nil, err
		}
		n.Kind, n.Text[0], subject = templates.Plain, strings.TrimPrefix(n.Text[0], "Welcome. "), "How to play on"
		n.Text = append([]string{n.Reason}, n.Text...)
	}
	a.Message.MessageID = c.message(KindHelp, once, now).MessageID
	stand, err := c.standing(seats, now)
	if err != nil {
		return nil, err
	}
	n.Text = append(append(n.Text, c.in.Mail.Warnings...), strings.Join(stand.out.Text, " "))
	if list := strings.Join(stand.out.List, "; "); list != "" {
		n.Text = append(n.Text, report.UpperFirst(list)+".")
	}
	return a, c.notice(a, subject, n)
}

// standing is how the sender's games stand, as the command status tells it. Its game
// is nil when there are several.
func (c *Decision) standing(seats []seat, now time.Time) (*commandResult, error) {
	d := &commandResult{cmd: &command.Command{}}
	if err := statusOfAll(c.task, d, seats); err != nil {
		return nil, err
	}
	return d, d.tell(now)
}

// bareWords are the subject of the answer, and what it says first.
func (c *Decision) bareWords() (subject string, words []string) {
	if c.framed != nil {
		return c.framed.words()
	}
	code, all := "", slices.Concat(c.strays, c.loose)
	if at := firstError(all); at >= 0 {
		code = all[at].Code
	} else if len(all) > 0 && all[0].Code == orders.CodeNearOrders {
		code = codes.NoHead
	}
	switch code {
	case "":
		if c.wordsMail != "" && strings.HasPrefix(c.in.SHA256, c.wordsMail) {
			return "Your words went to the referee", []string{c.prosaic}
		}
		if c.prosaic != "" {
			return "No orders in your mail", []string{c.prosaic}
		}
		return "No orders in your mail", []string{"Your mail holds no orders of yours, so nothing was changed. That is no mistake if you only meant to say something; nobody but the robot reads what is sent here."}
	case codes.Unreadable:
		return "Your mail could not be read", []string{"Nothing could be read in your mail, so nothing was changed."}
	case codes.NotSentOn:
		return "Message not sent", []string{fmt.Sprintf("Your words were not sent to %s: the robot sends on only what stands between a line #message and a line #end.", c.unsent.to)}
	case codes.NoHead:
		return "No new orders found", []string{"No new orders were found in your mail, so nothing was changed."}
	case codes.UnknownCommand, codes.BadCommand:
		return "Command not understood", []string{"Nothing in your mail could be read as a command, so nothing was changed."}
	}
	return "Orders not accepted", []string{"No order set of yours could be read, so nothing was changed."}
}

// quotedOnly says of which ships the mail holds the template alone.
func (c *Decision) quotedOnly() []string {
	var out []string
	for done := 0; done < len(c.orderResults); {
		first := &c.orderResults[done]
		var names []string
		for _, s := range c.orderResults[done:] {
			if s.set.Turn != first.set.Turn || s.set.Diagnostics[0].Message != first.set.Diagnostics[0].Message {
				break
			}
			names, done = append(names, s.name()), done+1
		}
		d := first.set.Diagnostics[0]
		out = append(out, fmt.Sprintf("It also holds the orders for %s, turn %d: %s; %s.", enumerated(names), first.set.Turn, d.Message, d.Hint))
	}
	return out
}
