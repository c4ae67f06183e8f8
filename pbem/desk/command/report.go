package command

import (
	"errors"
	"fmt"
	"strings"

	"starpost/orders"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/outgoing"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
	"starpost/templates/composer"
)

// maxReports is how many reports one mail may ask for.
const maxReports = 3

func (r *commandReader) report() {
	r.game()
	r.turn()
}

// reportAgain sends a report once more, to the registered address.
func reportAgain(c *Task, d *Result) error {
	g, at := d.Game, vault.At(d.Cmd.Turn)
	if newest := g.Newest(); d.Cmd.TurnPos == (orders.Pos{}) || at.Turn == newest.Turn {
		at = newest
	}
	switch {
	case at.Round == 0 && at.Turn > g.Turn():
		d.Refuse(codes.NoReport, fmt.Sprintf("there is no report of turn %d yet", at.Turn), resolvedLast(g.Turn()))
		return nil
	case again(c, d, maxReports, fmt.Sprintf("%d reports", maxReports)):
		return nil
	}
	d.Subject = fmt.Sprintf("Report of %s", at)
	d.Say("Your report of %s goes out again, in a mail of its own.", at)
	return c.sendReport(d, at, c.To, g.Changes(d.Captain.Name), true)
}

// replayOf sends the battle so far to a captain, or to one who watches it.
func replayOf(c *Task, d *Result, seats []identity.Seat) error {
	if id := watched(c, d, seats); id != "" {
		return showObserver(c, d, id, c.In.Mail.Senders()[0])
	}
	if len(seats) == 0 {
		d.Refuse(codes.NoSeat, "you neither play nor watch such a game", "observe and the name of a game asks to watch it; the word games tells which may be watched")
		return nil
	}
	return c.forSeat(d, seats, replay)
}

// replay sends the battle so far as a page, to the registered address.
func replay(c *Task, d *Result) error {
	if again(c, d, 1, "one replay") {
		return nil
	}
	r, err := turn.Replay(d.Game, turn.SeatOfCaptain(d.Pos, d.Captain.Name))
	if err != nil {
		return err
	}
	page, err := templates.ReplayHTML(r)
	if err != nil {
		return err
	}
	at := d.Game.Newest()
	d.Say("The battle up to %s goes out as a page, in a mail of its own.", at)
	return sendFile(c, d, fmt.Sprintf("Replay up to %s", at), composer.Way{}, outgoing.Attachment{Name: fmt.Sprintf("%s-replay-%s.html", d.Game.ID(), at.Slug()), Type: "text/html", Data: page},
		fmt.Sprintf("The battle up to %s comes with this mail as a page. Save it and open it in a browser: it needs no network. It holds %s.", at, r.Whose))
}

// compose sends what the orders that are due are composed with, to the registered address.
func compose(c *Task, d *Result) error {
	if again(c, d, 1, "one compose") {
		return nil
	}
	view, way, err := turn.Composing(d.Game, d.Pos, c.Robot.Composer, d.Captain.Name)
	if errors.Is(err, turn.ErrNoOrders) {
		d.Refuse(codes.NoReport, "no orders of yours are wanted now", "")
		return nil
	}
	if err != nil {
		return err
	}
	how := "This host has no page to open it on. With starpost on your own machine you make one: starpost compose --view " + view.Name + " --out orders.html"
	if way.Address != "" {
		how = "The link below opens it on a page, where you write your orders by clicking on the map. Send them by mail, with your turn key."
	}
	d.Say("What you compose your orders with goes out in a mail of its own.")
	return sendFile(c, d, fmt.Sprintf("Compose orders for %s", d.Pos.DueStage()), way, view, "What you know of the battle comes with this mail as a file. "+how)
}

// feedOf gives the sender the address of his feed, a new one, or ends it. It takes no proof: the answer goes to the address
// whose feed it is, and to no other.
func feedOf(c *Task, d *Result, seats []identity.Seat) error {
	sender, word := c.In.Mail.Senders()[0], strings.ToLower(strings.Join(d.Cmd.Words, " "))
	switch {
	case c.Robot.Site == "" || c.Services.Feeds == nil:
		d.Refuse(codes.NotMade, "this host has no pages, and so no feeds", "the command report brings a report again")
		return nil
	case len(seats) == 0:
		d.Refuse(codes.NoSeat, "you play in no game here", "the word games brings those that can be joined")
		return nil
	case !effect.Answerable(sender):
		d.Refuse(codes.BadAddress, "no mails can be sent to your address", "")
		return nil
	}
	d.Subject = "Your feed"
	if word == "off" {
		step, err := c.Services.Feeds.Without(sender)
		if step != nil {
			c.Steps = append(c.Steps, *step)
		}
		d.Say("You have no feed any more. What was at its address is removed within minutes.")
		return err
	}
	r, step, err := c.Services.Feeds.After(sender, c.In.SHA256, word == "new")
	if err != nil {
		return err
	}
	if step != nil {
		c.Steps = append(c.Steps, *step)
	}
	c.To = sender
	d.Out.Example = strings.TrimSuffix(c.Robot.Site, "/") + "/feeds/" + r.Word + ".xml"
	d.Say("Your feed has the last reports of your games, with their turn keys, for a feed reader. It is there within minutes of each turn. Whoever knows its address can read it: " +
		"keep it to yourself, and have it changed with the line: feed new. To end it: feed off.")
	return nil
}

// plainFeed tells the command from a sentence.
func plainFeed(_ *Finder, cmd *Command) bool {
	switch strings.ToLower(strings.Join(cmd.Words, " ")) {
	case "", "new", "off":
		return true
	}
	return false
}
