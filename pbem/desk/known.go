package desk

import (
	"slices"
	"strings"

	"starpost/orders"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/command"
)

// findCommands looks for commands in the mail's own text, and in its subject. p is that text.
func (c *task) findCommands(p *blocks.Page) {
	c.commands, c.strays = c.finder(p).Find(c.in.Mail.Subject, c.answersQuestion)
	for _, cmd := range c.commands {
		c.keys = append(c.keys, cmd.Key)
	}
}

// gameNamed tells whether there is a game of that name of which the sender may know: his own, or one that strangers
// are told of.
func (c *task) gameNamed(name string) bool {
	all := c.people.named(name)
	if len(all) == 0 {
		return false
	}
	sender := ""
	if from := c.in.Mail.Senders(); len(from) > 0 {
		sender = from[0]
	}
	is := func(id string) bool { return strings.EqualFold(id, name) }
	return slices.ContainsFunc(all, Listed) || slices.ContainsFunc(c.people.seats(sender), func(s seat) bool { return is(s.game) }) ||
		slices.ContainsFunc(c.people.refereeSeats(sender), func(s refereeSeat) bool { return is(s.game) })
}

// scenarioNamed tells whether there is a scenario of that name, where games are made by mail.
func (c *task) scenarioNamed(name string) bool {
	if c.services.Hosting == nil || strings.EqualFold(name, anyScenario) {
		return c.services.Hosting != nil
	}
	_, err := c.services.Library.Scenario(name, "")
	return err == nil
}

// cited tells whether reports cite the rules by these words.
func (c *task) cited(words []string) bool {
	if c.services.Library == nil {
		return false
	}
	_, ok, err := c.services.Library.Citation(words, nil)
	return ok && err == nil
}

// finder is a search in a text.
func (c *task) finder(p *blocks.Page) *command.Finder {
	return &command.Finder{Page: p, Games: c.gameNamed, Scenario: c.scenarioNamed, Cited: c.cited}
}

// nearly looks, in a mail in which nothing was found, for lines of the sender's
// own that may have been meant for us. An answer that says
// what is wrong with it is worth more than help, or silence.
func (c *Decision) nearly() []orders.Diagnostic {
	if len(c.commands) > 0 || len(c.strays) > 0 || slices.ContainsFunc(c.orderResults, func(s orderResult) bool { return !s.echo }) {
		return nil
	}
	return c.finder(c.body.Page).Near()
}
