package desk

import (
	"fmt"

	"starpost/pbem/desk/codes"
	"starpost/pbem/outgoing"
	"starpost/pbem/turn"
	"starpost/templates"
)

// replay sends the battle so far as a page, to the registered address.
func (c *Decision) replay(d *commandResult) error {
	for _, o := range c.commandResults {
		if o != d && o.done && o.cmd.Verb.Name == "replay" {
			d.refuse(codes.TooMuch, "one mail may ask for one replay", "ask for the others in another mail")
			return nil
		}
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
	to := d.captain
	to.Address = c.to
	m, err := c.desk.CaptainMail(d.game, to, at, fmt.Sprintf("Replay up to %s", at), c.in.Received, templates.Notice{
		Kind: templates.Plain, Turn: at.Turn,
		Text: []string{fmt.Sprintf("The battle up to %s comes with this mail as a page. Save it and open it in a browser: it needs no network. It holds %s.", at, r.Whose)},
	})
	if err != nil {
		return err
	}
	m.MessageID = c.id(KindReport, d, captainWord(d.game.Settings(), d.captain.Name))
	m.Attachments = []outgoing.Attachment{{Name: fmt.Sprintf("%s-replay-%s.html", d.game.ID(), at.Slug()), Type: "text/html", Data: page}}
	c.Mails = append(c.Mails, Outgoing{Kind: KindReport, Game: d.game.ID(), Message: m, Answer: true})
	d.subject = fmt.Sprintf("Replay up to %s", at)
	d.say("The battle up to %s goes out as a page, in a mail of its own.", at)
	return nil
}
