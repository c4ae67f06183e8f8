package command

import (
	"starpost/pbem/cup/bymail"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/lobby"
)

// cups answers the command cup. What changes a cup is asked back first.
func cups(c *Task, d *Result, _ []identity.Seat) error {
	h, sender := c.Services.Hosting, c.In.Mail.From[0]
	if h == nil {
		d.Refuse(codes.NotMade, "no cups are played by mail here", "")
		return nil
	}
	a, err := bymail.Ask(h.Cups, d.Cmd.Words, sender.Addr, sender.Name, c.In.Received)
	if err != nil || a.Ask == "" || a.Problem != "" {
		tellOfCup(d, a)
		return err
	}
	if !effect.Answerable(sender.Addr) {
		d.Refuse(codes.BadAddress, "no mails can be sent to your address", "")
		return nil
	}
	d.Cmd.Words = bymail.Line(d.Cmd.Words, sender.Name)
	return request(c, d, sender.Addr, a.Ask, "cup")
}

func tellOfCup(d *Result, a bymail.Answer) {
	if a.Problem != "" {
		d.Refuse(codes.NotMade, a.Problem, a.Way)
		return
	}
	d.Subject, d.Out.Shown, d.Out.After = a.Subject, a.Shown, a.Next
	if a.Say != "" {
		d.Say("%s", a.Say)
	}
}

// cupConfirmed does what the sender confirmed just now about a cup.
func cupConfirmed(c *Task, d *Result, q lobby.Request) error {
	h := c.Services.Hosting
	step, a, err := bymail.Confirmed(h.Cups, q.Line, q.Address, c.In.SHA256, c.In.Received)
	if tellOfCup(d, a); err != nil || a.Problem != "" {
		return err
	}
	c.Steps = append(c.Steps, confirmedStep(c, q))
	if step != nil {
		c.Steps = append(c.Steps, *step)
	}
	c.Steps = append(c.Steps, lobby.RequestStep{Requests: h.Requests, Made: []lobby.Request{q}, Game: lobby.OriginCup, Mail: c.In.SHA256})
	return nil
}

// plainCup tells the command from a cup of tea.
func plainCup(_ *Finder, cmd *Command) bool { return bymail.Asks(cmd.Words) }
