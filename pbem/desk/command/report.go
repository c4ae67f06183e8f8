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

// maxReports limits how many reports one mail may ask for.
const maxReports = 3

func (r *commandReader) report() {
	r.game()
	r.turn()
}

// reportAgain sends a report again, to the registered address.
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
	d.Say("Your report of %s goes out again, in a separate mail.", at)
	return c.sendReport(d, at, c.To, g.Changes(d.Captain.Name), true)
}

// replayOf sends the battle so far to a captain, or to an observer.
func replayOf(c *Task, d *Result, seats []identity.Seat) error {
	if id := watched(c, d, seats); id != "" {
		return showObserver(c, d, id, c.In.Mail.Senders()[0])
	}
	if len(seats) == 0 {
		d.Refuse(codes.NoSeat, "you neither play nor watch such a game", "send observe and a game's name to watch it; send games for a list")
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
	d.Say("The battle up to %s goes out as a page, in a separate mail.", at)
	return sendFile(c, d, fmt.Sprintf("Replay up to %s", at), composer.Way{}, outgoing.Attachment{Name: fmt.Sprintf("%s-replay-%s.html", d.Game.ID(), at.Slug()), Type: "text/html", Data: page},
		fmt.Sprintf("The battle up to %s is attached as a page. Save it and open it in a browser; it needs no network. It shows %s.", at, r.Whose))
}

// compose sends the page for composing the orders that are due, to the registered address.
func compose(c *Task, d *Result) error {
	if again(c, d, 1, "one compose") {
		return nil
	}
	view, way, err := turn.Composing(d.Game, d.Pos, c.Robot.Composer, d.Captain.Name)
	if errors.Is(err, turn.ErrNoOrders) {
		d.Refuse(codes.NoReport, "you owe no orders now", "")
		return nil
	}
	if err != nil {
		return err
	}
	how := "This host has no page to open it with. With starpost on your own machine you can make one: starpost compose --view " + view.Name + " --out orders.html"
	if way.Address != "" {
		how = "The link below opens a page where you compose your orders by clicking on the map. Send them by mail, with your turn key."
	}
	d.Say("The file to compose your orders with goes out in a separate mail.")
	return sendFile(c, d, fmt.Sprintf("Compose orders for %s", d.Pos.DueStage()), way, view, "What you know of the battle is attached as a file. "+how)
}

// feedOf gives the sender the address of their feed, or a new one, or ends it. It needs no proof: the answer goes only
// to the registered address.
func feedOf(c *Task, d *Result, seats []identity.Seat) error {
	sender, word := c.In.Mail.Senders()[0], strings.ToLower(strings.Join(d.Cmd.Words, " "))
	switch {
	case c.Robot.Site == "" || c.Services.Feeds == nil:
		d.Refuse(codes.NotMade, "this host has no pages, and so no feeds", "the command report sends a report again")
		return nil
	case len(seats) == 0:
		d.Refuse(codes.NoSeat, "you do not play in a game here", "send games for a list of those you can join")
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
		d.Say("You no longer have a feed. Its address is removed within minutes.")
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
	d.Say("Your feed has the last reports of your games, with their turn keys, for a feed reader. It is updated within minutes of each turn. Whoever knows its address can read it: " +
		"keep it to yourself. To change it, send the line: feed new. To end it: feed off.")
	return nil
}

// plainFeed distinguishes the command from a sentence.
func plainFeed(_ *Finder, cmd *Command) bool {
	switch strings.ToLower(strings.Join(cmd.Words, " ")) {
	case "", "new", "off":
		return true
	}
	return false
}
