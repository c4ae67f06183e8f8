package desk

import (
	"fmt"
	"strconv"

	"starpost/pbem/desk/codes"
	"starpost/pbem/orderset"
	"starpost/pbem/outgoing"
	"starpost/pbem/rehearse"
	"starpost/pbem/turn"
	"starpost/templates"
)

// replay sends the battle so far as a page, to the registered address.
func (c *Decision) replay(d *commandResult) error {
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

// again refuses a command of which so many were done for this mail already; what says how many of what that is.
func again(c *Decision, d *commandResult, most int, what string) bool {
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

// seedOf are dice that hang on the mail, so that the same mail, judged again, brings the same.
func seedOf(c *Decision, d *commandResult) uint64 {
	seed, err := strconv.ParseUint(c.in.SHA256[:min(8, len(c.in.SHA256))], 16, 32)
	if err != nil {
		seed = 0 // a mail without a hash is one of a test
	}
	return seed + uint64(d.cmd.N)
}

// rehearseTurn plays what is due from what the captain knows, by the order sets of the mail or by those in force.
func rehearseTurn(c *Decision, d *commandResult) error {
	if again(c, d, 1, "one rehearsal") || !d.running() {
		return nil
	}
	var sent orderset.Reading
	for i := range c.orderResults {
		if s := &c.orderResults[i]; s.game == d.game && s.captain.Name == d.captain.Name {
			sent.Sets = append(sent.Sets, s.set)
		}
	}
	text, refused, err := rehearse.ByMail(d.pos, rehearse.Mail{Game: d.game, Captain: d.captain.Name, Sent: sent, Words: d.cmd.Words, Seed: seedOf(c, d)})
	d.subject, d.out.Shown = "Rehearsal", text
	if refused != nil {
		d.refuse(codes.BadCommand, refused.Problem, refused.Way)
		return err
	}
	d.say("Nothing was stored, and the dice are not those of the game.")
	return err
}
