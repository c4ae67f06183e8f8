package command

import (
	"fmt"
	"slices"
	"strings"

	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/lobby"
)

// The words after offers.
const (
	offersOn  = "on"
	offersOff = "off"
)

// offers starts or ends mails to the sender about seats that their captains gave up or lost.
func offers(c *Task, d *Result, _ []identity.Seat) error {
	h, sender := c.Services.Hosting, c.In.Mail.Senders()[0]
	if h == nil {
		d.Refuse(codes.NotMade, "seats are not offered by mail here", "send games for a list of those you can join")
		return nil
	}
	told, mine := 0, false
	for _, o := range h.Requests.ObserversAs(c.In.SHA256) {
		if o.Watches() && o.Game == lobby.SeatOffers {
			told++
			mine = mine || auth.SameAddress(o.Address, sender)
		}
	}
	on := d.Cmd.Words[0] == offersOn
	switch {
	case !on && !mine:
		d.Refuse(codes.NoSeat, "you are not told of free seats", "offers on asks for it")
	case !on:
		c.Steps = append(c.Steps, lobby.ObserverStep{Requests: h.Requests, Address: sender, Game: lobby.SeatOffers, Mail: c.In.SHA256, At: c.In.Received})
		d.Subject = "No more offers"
		d.Say("You will get no more mails about free seats.")
	case mine:
		d.Subject = "Free seats"
		d.Say("You are already told of free seats. To end that, send a mail with the line: offers off")
	case !effect.Answerable(sender):
		d.Refuse(codes.BadAddress, "no mails can be sent to your address", "")
	case told >= lobby.OfferedTo:
		d.Refuse(codes.TooMuch, fmt.Sprintf("%d people are already told of free seats, which is the limit", told), "send games for a list of those you can join")
	default:
		return request(c, d, sender, "A person asked from this address to be told of seats that captains give up", "offers")
	}
	return nil
}

// offersConfirmed starts mails to the sender, who has just confirmed it, about each seat that becomes free.
func offersConfirmed(c *Task, d *Result, q lobby.Request) {
	h := c.Services.Hosting
	c.Steps = append(c.Steps, confirmedStep(c, q),
		lobby.ObserverStep{Requests: h.Requests, Put: lobby.Observer{Address: q.Address, Game: lobby.SeatOffers, Since: c.In.Received, Cause: c.In.SHA256}},
		lobby.RequestStep{Requests: h.Requests, Made: []lobby.Request{q}, Game: lobby.SeatOffers, Mail: c.In.SHA256})
	d.Subject = "Free seats"
	d.Say("You are told whenever a captain gives up or loses a seat in a battle that anybody may join. Taking it over costs you no rating. To end this, send a mail with the line: offers off")
}

// offers reads one word.
func (r *commandReader) offers() {
	w, ok := r.next()
	if word := strings.ToLower(w.Text); ok && slices.Contains([]string{offersOn, offersOff}, word) {
		r.cmd.Words = []string{word}
		return
	}
	r.fail(w, "write offers on, or offers off")
}
