package command

import (
	"slices"
	"strings"

	"starpost/orders"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/identity"
	"starpost/pbem/lobby"
)

// DecideCommands decides every command of the mail, in order.
func (c *Task) DecideCommands(seats []identity.Seat) error {
	c.all = commands
	for _, cmd := range c.Commands {
		d := &Result{Cmd: cmd}
		c.Results = append(c.Results, d)
		if !cmd.OK() {
			d.Diags = cmd.Diagnostics
			continue
		}
		if from := c.In.Mail.Senders(); cmd.Verb.members != nil && cmd.Verb.members(cmd) && len(from) > 0 {
			if ok, err := c.member(d, from[0]); err != nil || !ok {
				if err != nil {
					return err
				}
				continue
			}
		}
		if err := cmd.Verb.do(c, d, seats); err != nil {
			return err
		}
		d.Done = !orders.HasErrors(d.Diags)
	}
	return nil
}

// FindCommands finds commands in the mail's own text p, and in its subject.
func (c *Task) FindCommands(p *blocks.Page) {
	c.Commands, c.Strays = c.Finder(p).Find(c.In.Mail.Subject, c.answersQuestion)
	for _, cmd := range c.Commands {
		c.Keys = append(c.Keys, cmd.Key)
	}
}

// GameNamed reports whether there is a game of that name that the sender may know about: one of the sender's own,
// or a public one.
func (c *Task) GameNamed(name string) bool {
	all := c.People.Named(name)
	if len(all) == 0 {
		return false
	}
	sender := ""
	if from := c.In.Mail.Senders(); len(from) > 0 {
		sender = from[0]
	}
	is := func(id string) bool { return strings.EqualFold(id, name) }
	return slices.ContainsFunc(all, lobby.Listed) || slices.ContainsFunc(c.People.Seats(sender, c.In.Received), func(s identity.Seat) bool { return is(s.Game) }) ||
		slices.ContainsFunc(c.People.RefereeSeats(sender), func(s identity.RefereeSeat) bool { return is(s.Game) })
}

// scenarioNamed reports whether there is a scenario of that name, if games are made by mail.
func (c *Task) scenarioNamed(name string) bool {
	if c.Services.Hosting == nil || strings.EqualFold(name, lobby.AnyScenario) {
		return c.Services.Hosting != nil
	}
	_, err := c.Services.Library.Scenario(name, "")
	return err == nil
}

// cited reports whether reports cite the rules by these words.
func (c *Task) cited(words []string) bool {
	if c.Services.Library == nil {
		return false
	}
	_, ok, err := c.Services.Library.Citation(words, nil)
	return ok && err == nil
}

// Finder returns a Finder for a text.
func (c *Task) Finder(p *blocks.Page) *Finder {
	return &Finder{Page: p, Games: c.GameNamed, Scenario: c.scenarioNamed, Cited: c.cited}
}
