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
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/desk/submission"
	"starpost/pbem/outgoing"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
)

// bare reports whether the mail holds neither a command nor anything meant as an order set: at most
// the templates of quoted reports.
func (c *Decision) bare() bool {
	return len(c.Results) == 0 && !slices.ContainsFunc(c.Sets, func(s submission.Set) bool { return !s.Echo })
}

// bareAnswer writes the answer to such a mail: any mistakes in it, and the status of the sender's
// games.
func (c *Decision) bareAnswer(a *Answer, now time.Time) error {
	if err := c.OwnKeys(); err != nil {
		return err
	}
	r := templates.Reply{
		Notices:     append(slices.Clone(c.In.Mail.Warnings), c.notices...),
		Diagnostics: append(report.Diagnostics(c.In.Mail.Text, c.Strays, 1), report.Diagnostics(c.Body.Source, c.loose, 1)...), Foot: []string{helpHint},
	}
	var subject string
	if subject, r.Text = c.bareWords(); len(r.Diagnostics) == 0 {
		r.Text = append(r.Text, c.quotedOnly()...)
	}
	seats := c.People.Seats(c.In.Mail.Senders()[0], c.In.Received)
	stand, err := c.standing(seats, now)
	if err != nil {
		return err
	}
	if c.framed != nil {
		r.Commands = append(r.Commands, c.framed.example(c.Robot.NoPlus))
	}
	if u := c.unsent; u != nil {
		how := "Reply to this mail with these lines, without the bars in front of them:"
		if c.Robot.NoPlus {
			how = "Send these lines, without the bars in front of them; at the end of the first, add the word key and the turn key of your last report:"
		}
		r.Commands = append(r.Commands, templates.CommandResult{
			Command: "To write to " + u.to, Text: []string{how}, Example: u.lines,
		})
	}
	r.Commands = append(r.Commands, templates.CommandResult{Command: "The situation", Text: stand.Out.Text, List: stand.Out.List})
	g, pos, captain, one := stand.Game, stand.Pos, stand.Captain, len(seats) == 1
	if s := c.framed; s != nil { // with several seats, the answer is about this one
		g, pos, captain, one = s.game.Game, s.game.Pos, s.seat.Captain, true
	}
	if g != nil {
		settings := g.Settings()
		a.Game, r.Game, r.Title, subject = g.ID(), g.ID(), settings.Title, "["+g.ID()+"] "+subject
		a.Message.From.Name, a.Message.ListID = c.Robot.Name+" "+settings.Title, effect.ListID(settings, c.Robot.Address)
		if due := pos.Due(); due > 0 && one {
			a.Message.To.Name = string(captain.Name)
			a.Message.ReplyTo = outgoing.Address{Name: a.Message.From.Name, Addr: auth.WithKey(c.Robot.Address, turn.Key(g, due, captain.Name))}
			r.Foot = howTo(pos, c.Robot.NoPlus, false, false)
		}
	}
	errs, warns := r.Counts()
	text, err := c.Robot.Templates.ReplyText(r)
	a.Message.Subject, a.Message.Text = auth.Mask(subject+counted(errs, warns), c.Keys), auth.Mask(text, c.Keys)
	return err
}

// help returns the answer to a captain's mail that holds nothing for the robot. It is sent once an
// hour, so that two programs that answer each other soon stop. But a captain who is proven by a
// key, or has no battle left, gets an answer to each different text.
func (c *Decision) help(now time.Time) (*Answer, error) {
	hour := now.UTC().Format("2006-01-02T15")
	once, words := cmp.Or(c.wordsMail, c.once(hour)), c.once(hour+"."+vault.Hash([]byte(c.ownText()))[:8])
	a := &Answer{Kind: KindHelp, Message: c.message(KindHelp, once, now)}
	n := templates.Notice{Kind: templates.Help, Robot: c.Robot.Address, Reason: cmp.Or(c.prosaic, "Your mail has no order set and no command, so nothing was changed.")}
	subject := "How to send orders"
	if c.wordsMail != "" && strings.HasPrefix(c.In.SHA256, c.wordsMail) {
		subject = "Your words went to the referee"
	}
	if err := c.OwnKeys(); err != nil {
		return nil, err
	}
	seats := c.People.Seats(c.In.Mail.Senders()[0], c.In.Received)
	for _, s := range seats {
		g, err := c.People.Games.Game(s.Game)
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
		if c.wordsMail == "" && auth.EqualKeys(c.Plus, pos.Key(s.Captain.Name)) {
			once = words
		}
		example, err := pos.Template(s.Captain.Name, false)
		if err != nil {
			return nil, err
		}
		if example != "" {
			a.Game, n.Example = g.ID(), example
			n.Reason += " All you need to do: reply to your last report, edit the orders at its end, and send it."
			need := "The first line of such a block also needs the word key and the turn key of your last report, unless you reply to that report or to this mail."
			if c.Robot.NoPlus {
				need = "The first line of such a block also needs the word key and the turn key, as in the block at the end of your last report."
			} else {
				a.Message.ReplyTo = outgoing.Address{Name: c.Robot.Name, Addr: auth.WithKey(c.Robot.Address, pos.Key(s.Captain.Name))}
			}
			n.Text = append(n.Text, need)
			break
		}
	}
	if n.Example == "" && c.Services.Lobby { // all battles are over: say what to do next
		var err error
		once = words
		if n.Text, err = c.Welcome(); err != nil {
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
	n.Text = append(append(n.Text, c.In.Mail.Warnings...), strings.Join(stand.Out.Text, " "))
	if list := strings.Join(stand.Out.List, "; "); list != "" {
		n.Text = append(n.Text, report.UpperFirst(list)+".")
	}
	return a, c.notice(a, subject, n)
}

// standing returns the status of the sender's games, as the command status does. Its game is nil if
// there are several.
func (c *Decision) standing(seats []identity.Seat, now time.Time) (*command.Result, error) {
	d := &command.Result{Cmd: &command.Command{}}
	if err := command.StatusOfAll(c.Task, d, seats); err != nil {
		return nil, err
	}
	return d, d.Tell(now)
}

// bareWords returns the subject of the answer, and its first paragraphs.
func (c *Decision) bareWords() (subject string, words []string) {
	if c.framed != nil {
		return c.framed.words()
	}
	code, all := "", slices.Concat(c.Strays, c.loose)
	if at := submission.FirstError(all); at >= 0 {
		code = all[at].Code
	} else if len(all) > 0 && all[0].Code == orders.CodeNearOrders {
		code = codes.NoHead
	}
	switch code {
	case "":
		if c.wordsMail != "" && strings.HasPrefix(c.In.SHA256, c.wordsMail) {
			return "Your words went to the referee", []string{c.prosaic}
		}
		if c.prosaic != "" {
			return "No orders in your mail", []string{c.prosaic}
		}
		return "No orders in your mail", []string{"Your mail has no orders of yours, so nothing was changed. That is fine if you only meant to say something, but nobody except the robot reads what is sent here."}
	case codes.Unreadable:
		return "Your mail could not be read", []string{"Your mail could not be read, so nothing was changed."}
	case codes.NotSentOn:
		return "Message not sent", []string{fmt.Sprintf("Your words were not sent to %s: the robot forwards only what is between a line #message and a line #end.", c.unsent.to)}
	case codes.NoHead:
		return "No new orders found", []string{"No new orders were found in your mail, so nothing was changed."}
	case codes.UnknownCommand, codes.BadCommand:
		return "Command not understood", []string{"Nothing in your mail could be read as a command, so nothing was changed."}
	}
	return "Orders not accepted", []string{"No order set of yours could be read, so nothing was changed."}
}

// quotedOnly names the ships that the mail holds only the quoted template for.
func (c *Decision) quotedOnly() []string {
	var out []string
	for done := 0; done < len(c.Sets); {
		first := &c.Sets[done]
		var names []string
		for _, s := range c.Sets[done:] {
			if s.Read.Turn != first.Read.Turn || s.Read.Diagnostics[0].Message != first.Read.Diagnostics[0].Message {
				break
			}
			names, done = append(names, s.Name()), done+1
		}
		d := first.Read.Diagnostics[0]
		out = append(out, fmt.Sprintf("It also holds the orders for %s, turn %d: %s; %s.", effect.Enumerated(names), first.Read.Turn, d.Message, d.Hint))
	}
	return out
}
