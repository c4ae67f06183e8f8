package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/lobby"
	"starpost/pbem/vault"
)

// request records the sender's request, and asks the sender to confirm it.
func request(c *Task, d *Result, sender, about, what string) error {
	return requestWith(c, d, sender, about, what, "")
}

// requestWith is request with the text of a scenario, or "".
func requestWith(c *Task, d *Result, sender, about, what, text string) error {
	h := c.Services.Hosting
	q := lobby.Request{Address: sender, Line: d.Cmd.String(), Asked: c.In.Received.UTC(), Scenario: text}
	others := 0
	for _, o := range h.Requests.As(c.In.SHA256) {
		switch {
		case o.Game != "" || !auth.SameAddress(o.Address, sender):
		case o.Line == q.Line:
			q = o
		case c.In.Received.Sub(o.Asked) < effect.TokenDays*24*time.Hour:
			others++
		}
	}
	if others >= lobby.RequestsOf {
		d.Refuse(codes.TooMuch, fmt.Sprintf("you have %d requests still open", others), "answer a question that went to you; the line leave list drops them all")
		return nil
	}
	if q.Waits() {
		d.Subject = "You wait for a game"
		d.Say("You are already on the waiting list for that.")
		return nil
	}
	c.Steps = append(c.Steps, lobby.RequestStep{Requests: h.Requests, Put: q})
	d.Subject = "A question went to you"
	d.Say("A mail with a question goes to %s. What you asked for is done when you answer it. At most %d such mails a day go to one address.", sender, QuestionsTo)
	return c.ask(effect.Query{Game: vault.Settings{ID: effect.LobbyGame, Title: c.Robot.Name}, Shown: effect.LobbyGame, Secret: h.Requests.Secret(), Claim: requestClaim(q)}, []effect.DailyLimit{{Who: auth.Canonical(sender), PerDay: QuestionsTo}, {Who: "lobby/" + what, PerDay: 4 * questionsGame}}, about+".")
}

// confirmedStep returns the step that records that a request was confirmed.
func confirmedStep(c *Task, q lobby.Request) lobby.RequestStep {
	return lobby.RequestStep{Requests: c.Services.Hosting.Requests, Confirm: q, Mail: c.In.SHA256, At: c.In.Received}
}

// listed reports whether a join means the waiting list.
func (c *Task) listed(d *Result) bool {
	h := c.Services.Hosting
	return h != nil && len(h.Offers) > 0 && d.Cmd.Ship == "" && d.Cmd.Side == "" &&
		(strings.EqualFold(d.Cmd.Game, lobby.AnyScenario) || slices.ContainsFunc(h.Offers, func(w lobby.Wish) bool { return strings.EqualFold(w.Scenario, d.Cmd.Game) }))
}

// waitForGame asks the sender to confirm the request for a place on the waiting list.
func waitForGame(c *Task, d *Result) error {
	sender := c.In.Mail.Senders()[0]
	if !effect.Answerable(sender) {
		d.Refuse(codes.BadAddress, "no mails can be sent to your address", "")
		return nil
	}
	d.Cmd.Game = strings.ToLower(d.Cmd.Game)
	return request(c, d, sender, fmt.Sprintf("A person asked from this address to wait for a game: %s", d.Cmd), "wait")
}

// leaveList removes the sender from the waiting list.
func leaveList(c *Task, d *Result) error {
	h, sender := c.Services.Hosting, c.In.Mail.Senders()[0]
	if h == nil || !slices.ContainsFunc(h.Requests.As(c.In.SHA256), func(q lobby.Request) bool { return q.Game == "" && auth.SameAddress(q.Address, sender) }) {
		d.Refuse(codes.NoSeat, "you are not on the waiting list", "")
		return nil
	}
	c.Steps = append(c.Steps, lobby.RequestStep{Requests: h.Requests, Drop: sender})
	d.Subject = "You left the waiting list"
	d.Say("You are no longer on the waiting list, and your unconfirmed requests are dropped.")
	return nil
}
