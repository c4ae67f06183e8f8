package desk

import (
	"errors"
	"fmt"
	"strconv"

	"starpost/pbem/desk/codes"
	"starpost/pbem/orderset"
	"starpost/pbem/outgoing"
	"starpost/pbem/rehearse"
	"starpost/pbem/turn"
	"starpost/templates"
	"starpost/templates/composer"
)

// replay sends the battle so far as a page, to the registered address.
func replay(c *task, d *commandResult) error {
	if again(c, d, 1, "one replay") {
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
	return sendFile(c, d, fmt.Sprintf("Replay up to %s", at), composer.Way{}, outgoing.Attachment{Name: fmt.Sprintf("%s-replay-%s.html", d.game.ID(), at.Slug()), Type: "text/html", Data: page},
		fmt.Sprintf("The battle up to %s comes with this mail as a page. Save it and open it in a browser: it needs no network. It holds %s.", at, r.Whose))
}

// compose sends what the orders that are due are composed with, to the registered address.
func compose(c *task, d *commandResult) error {
	if again(c, d, 1, "one compose") {
		return nil
	}
	view, way, err := turn.Composing(d.game, d.pos, c.robot.Composer, d.captain.Name)
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
	return sendFile(c, d, fmt.Sprintf("Compose orders for %s", d.pos.DueStage()), way, view, "What you know of the battle comes with this mail as a file. "+how)
}

// sendFile sends a file about the game of a command in a mail of its own.
func sendFile(c *task, d *commandResult, subject string, way composer.Way, file outgoing.Attachment, text string) error {
	at, to := d.game.Newest(), d.captain
	to.Address = c.to
	m, err := c.robot.CaptainMail(d.game, to, at, subject, c.in.Received, templates.Notice{Kind: templates.Plain, Turn: at.Turn, Text: []string{text}})
	if err != nil {
		return err
	}
	m.Text, m.Attachments = way.Below(m.Text), []outgoing.Attachment{file}
	m.MessageID = c.id(KindReport, d, captainWord(d.game.Settings(), d.captain.Name))
	c.Mails = append(c.Mails, Outgoing{Kind: KindReport, Game: d.game.ID(), Message: m, Answer: true})
	d.subject = subject
	return nil
}

// again refuses a command once most of its kind were carried out for the same mail; what names that limit in words.
func again(c *task, d *commandResult, most int, what string) bool {
	done := 0
	for _, o := range c.commandResults {
		if o != d && o.done && o.cmd.Verb.Name == d.cmd.Verb.Name {
			done++
		}
	}
	if done >= most {
		d.refuse(codes.TooMuch, "one mail may ask for "+what, "ask for the others in another mail")
	}
	return done >= most
}

// seedOf derives a seed from the mail: the same mail, judged again, gets the same answer.
func seedOf(c *task, d *commandResult) uint64 {
	seed, err := strconv.ParseUint(c.in.SHA256[:min(8, len(c.in.SHA256))], 16, 32)
	if err != nil {
		seed = 0 // a mail without a hash is one of a test
	}
	return seed + uint64(d.cmd.N)
}

// rehearseTurn plays what is due from what the captain knows, by the order sets of the mail or by those in force.
func rehearseTurn(c *task, d *commandResult) error {
	if again(c, d, 1, "one rehearsal") || !d.running() {
		return nil
	}
	var sent orderset.Reading
	for i := range c.orderResults {
		if s := &c.orderResults[i]; s.game == d.game && s.captain.Name == d.captain.Name {
			sent.Sets = append(sent.Sets, s.set)
		}
	}
	text, refused, err := c.services.Rehearsals.ByMail(d.pos, rehearse.Mail{Game: d.game, Captain: d.captain.Name, Sent: sent, Words: d.cmd.Words, Seed: seedOf(c, d), SHA256: c.in.SHA256, Received: c.in.Received})
	d.subject, d.out.Shown = "Rehearsal", text
	if refused != nil {
		d.refuse(codes.BadCommand, refused.Problem, refused.Way)
	}
	return err
}
