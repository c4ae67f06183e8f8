package desk

import (
	"errors"
	"fmt"
	"slices"

	"starpost/pbem/desk/codes"
	"starpost/pbem/outgoing"
	"starpost/pbem/turn"
	"starpost/templates"
	"starpost/templates/composer"
)

// replay sends the battle so far as a page, to the registered address.
func replay(c *Decision, d *commandResult) error {
	if asksTwice(c, d) {
		return nil
	}
	r, err := turn.Replay(d.game, turn.SeatOfCaptain(d.pos, d.captain.Name))
	if err != nil {
		return err
	}
	page, err := templates.ReplayHTML(r)
	if err != nil {
		return err
	}
	at := d.game.Newest()
	d.say("The battle up to %s goes out as a page, in a mail of its own.", at)
	return c.sendFile(d, fmt.Sprintf("Replay up to %s", at), composer.Way{}, outgoing.Attachment{Name: fmt.Sprintf("%s-replay-%s.html", d.game.ID(), at.Slug()), Type: "text/html", Data: page},
		fmt.Sprintf("The battle up to %s comes with this mail as a page. Save it and open it in a browser: it needs no network. It holds %s.", at, r.Whose))
}

// compose sends what the orders that are due are composed with, to the registered address.
func compose(c *Decision, d *commandResult) error {
	if asksTwice(c, d) {
		return nil
	}
	view, way, err := turn.Composing(d.game, d.pos, c.desk.Composer, d.captain.Name)
	if errors.Is(err, turn.ErrNoOrders) {
		d.refuse(codes.NoReport, "no orders of yours are wanted now", "")
		return nil
	}
	if err != nil {
		return err
	}
	how := "This host has no page to open it on. With starpost on your own machine you make one: starpost compose --view " + view.Name + " --out orders.html"
	if way.Address != "" {
		how = "The link below opens it on a page, where you write your orders by clicking on the map. Send them by mail, with your turn key."
	}
	d.say("What you compose your orders with goes out in a mail of its own.")
	return c.sendFile(d, fmt.Sprintf("Compose orders for %s", d.pos.DueStage()), way, view, "What you know of the battle comes with this mail as a file. "+how)
}

// asksTwice refuses a second command that brings a file.
func asksTwice(c *Decision, d *commandResult) bool {
	verb := d.cmd.Verb.Name
	twice := slices.ContainsFunc(c.commandResults, func(o *commandResult) bool { return o != d && o.done && o.cmd.Verb.Name == verb })
	if twice {
		d.refuse(codes.TooMuch, "one mail may ask for one "+verb, "ask for the others in another mail")
	}
	return twice
}

// sendFile sends a file about the game of a command in a mail of its own.
func (c *Decision) sendFile(d *commandResult, subject string, way composer.Way, file outgoing.Attachment, text string) error {
	at, to := d.game.Newest(), d.captain
	to.Address = c.to
	m, err := c.desk.CaptainMail(d.game, to, at, subject, c.in.Received, templates.Notice{Kind: templates.Plain, Turn: at.Turn, Text: []string{text}})
	if err != nil {
		return err
	}
	m.Text, m.Attachments = way.Below(m.Text), []outgoing.Attachment{file}
	m.MessageID = c.id(KindReport, d, captainWord(d.game.Settings(), d.captain.Name))
	c.Mails = append(c.Mails, Outgoing{Kind: KindReport, Game: d.game.ID(), Message: m, Answer: true})
	d.subject = subject
	return nil
}
