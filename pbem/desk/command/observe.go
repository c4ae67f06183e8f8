package command

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/lobby"
	"starpost/pbem/outgoing"
	"starpost/pbem/report"
	"starpost/pbem/vault"
)

// watches returns the games that an address watches now.
func (c *Task) watches(address string) (games []string) {
	h := c.Services.Hosting
	if h == nil {
		return nil
	}
	for _, o := range h.Requests.ObserversAs(c.In.SHA256) {
		if o.Watches() && o.Game != lobby.SeatOffers && auth.SameAddress(o.Address, address) {
			games = append(games, o.Game)
		}
	}
	return games
}

// watched returns the game that a command without a seat means: one that the sender watches, or the
// only one; "" for none.
func watched(c *Task, d *Result, seats []identity.Seat) string {
	mine := c.watches(c.In.Mail.Senders()[0])
	if d.Cmd.Game == "" && len(mine) == 1 && len(seats) == 0 {
		return mine[0]
	}
	for _, id := range mine {
		if strings.EqualFold(id, d.Cmd.Game) && !slices.ContainsFunc(seats, func(s identity.Seat) bool { return s.Game == id }) {
			return id
		}
	}
	return ""
}

// hasWatched reports whether an address watches, or has watched, a game that shows everything.
func hasWatched(c *Task, address string, s *vault.Settings) bool {
	h := c.Services.Hosting
	return h != nil && s.Watched().Delay > 0 && slices.ContainsFunc(h.Requests.ObserversAs(c.In.SHA256), func(o lobby.Observer) bool {
		return strings.EqualFold(o.Game, s.ID) && auth.SameAddress(o.Address, address)
	})
}

// observe asks the sender to confirm the request to watch a game; if they already watch it, it
// sends the battle so far.
func observe(c *Task, d *Result, seats []identity.Seat) error {
	sender := c.In.Mail.Senders()[0]
	mine := c.watches(sender)
	if d.Cmd.Vote == VoteOff {
		return unobserve(c, d, sender, mine)
	}
	s, ok := observable(c, d, sender, seats)
	switch {
	case !ok:
		return nil
	case slices.ContainsFunc(mine, func(id string) bool { return strings.EqualFold(id, s.ID) }):
		return showObserver(c, d, s.ID, sender)
	case len(mine) >= lobby.WatchedBy:
		d.Refuse(codes.TooMuch, fmt.Sprintf("you already watch %d games", len(mine)), "the line observe off ends all of it")
		return nil
	}
	d.Cmd.Game = s.ID
	return request(c, d, sender, "A person asked from this address to watch the game "+s.Title, "observe")
}

// observable returns a game that the sender may watch, or refuses the command.
func observable(c *Task, d *Result, sender string, seats []identity.Seat) (s *vault.Settings, ok bool) {
	h, page := c.Services.Hosting, ""
	if c.Robot.Site != "" {
		page = "the pages of the games are at " + c.Robot.Site
	}
	for _, o := range c.People.Games.Settings() {
		if at := c.Robot.PageOf(o.ID); at != "" && strings.EqualFold(o.ID, d.Cmd.Game) && lobby.Listed(o) {
			page = "follow the battle at " + at
		}
	}
	if h == nil {
		d.Refuse(codes.NotMade, "games cannot be watched by mail here", page)
		return s, false
	}
	var ids []string
	for _, o := range c.People.Games.Settings() {
		if !o.Watched().May {
			continue
		}
		if ids = append(ids, o.ID); strings.EqualFold(o.ID, d.Cmd.Game) {
			s, ok = o, true
		}
	}
	watching := 0
	for _, o := range h.Requests.ObserversAs(c.In.SHA256) {
		if ok && o.Watches() && strings.EqualFold(o.Game, s.ID) && !auth.SameAddress(o.Address, sender) {
			watching++
		}
	}
	switch {
	case !ok: // do not reveal which games cannot be watched
		d.Refuse(codes.NoSeat, fmt.Sprintf("there is no game %q to watch", effect.Shortened(d.Cmd.Game)), cmp.Or(page, orders.DidYouMean("%s", d.Cmd.Game, ids, "send games for a list")))
	case slices.ContainsFunc(seats, func(o identity.Seat) bool { return o.Game == s.ID }):
		d.Refuse(codes.NoSeat, "you play in this game", "replay "+s.ID+" shows you what you may know of it")
	case !effect.Answerable(sender):
		d.Refuse(codes.BadAddress, "no mails can be sent to your address", "")
	case watching >= lobby.ObserversOf:
		d.Refuse(codes.TooMuch, fmt.Sprintf("%d people already watch this game, which is the limit", watching), page)
	default:
		return s, true
	}
	return s, false
}

// unobserve ends the sender's watching.
func unobserve(c *Task, d *Result, sender string, mine []string) error {
	if d.Cmd.Game != "" {
		mine = slices.DeleteFunc(mine, func(id string) bool { return !strings.EqualFold(id, d.Cmd.Game) })
	}
	if len(mine) == 0 {
		d.Refuse(codes.NoSeat, "you do not watch such a game", "")
		return nil
	}
	c.Steps = append(c.Steps, lobby.ObserverStep{Requests: c.Services.Hosting.Requests, Address: sender, Game: d.Cmd.Game, Mail: c.In.SHA256, At: c.In.Received})
	d.Subject = "You no longer watch"
	d.Say("You will get no more mails about %s.", strings.Join(mine, ", "))
	return nil
}

// observes makes the sender, who has just confirmed it, watch a game.
func observes(c *Task, d *Result, q lobby.Request, seats []identity.Seat) error {
	_, id, _ := strings.Cut(q.Line, " ")
	d.Cmd.Game = id
	s, ok := observable(c, d, q.Address, seats)
	if !ok {
		return nil
	}
	h := c.Services.Hosting
	c.Steps = append(c.Steps, confirmedStep(c, q),
		lobby.ObserverStep{Requests: h.Requests, Put: lobby.Observer{Address: q.Address, Game: s.ID, Since: c.In.Received, Cause: c.In.SHA256}},
		lobby.RequestStep{Requests: h.Requests, Made: []lobby.Request{q}, Game: s.ID, Mail: c.In.SHA256})
	d.Subject = "You watch " + s.Title
	late := ""
	if n := s.Watched().Delay; n > 0 {
		late = fmt.Sprintf(" You see everything, %s late. Observers cannot join this game.", report.Count(n, "turn"))
	}
	d.Say("After each turn you get a mail about the battle.%s To end that, send a mail with the line: observe off", late)
	return showObserver(c, d, s.ID, q.Address)
}

// showObserver sends an observer the battle so far.
func showObserver(c *Task, d *Result, id, to string) error {
	g, err := c.People.Games.Look(id)
	if err != nil {
		return fmt.Errorf("look at game %s: %w", id, err)
	}
	m, ok, err := c.Robot.WatchMail(g, c.In.Received)
	if err != nil {
		return err
	}
	if d.Subject == "" {
		d.Subject = "The battle so far"
	}
	if !ok {
		d.Say("Nothing of the battle may be shown yet.")
		return nil
	}
	d.Say("The battle so far goes out as a page, in a separate mail.")
	m.To.Addr, m.MessageID, m.Auto = to, c.id(effect.KindReport, d, "o1"), outgoing.AutoReplied
	c.Mails = append(c.Mails, effect.Outgoing{Kind: effect.KindReport, Game: id, Message: m, Answer: true})
	return nil
}

func tailOfObserve(c *Command) []string { return []string{c.Vote, c.Game} }

func (r *commandReader) observe() {
	if r.is(VoteOff) {
		r.cmd.Vote, r.rest = VoteOff, r.rest[1:]
	}
	r.game()
	if r.cmd.Game == "" && r.cmd.Vote == "" {
		r.fail(orders.Word{}, "which game do you want to watch? none is named")
	}
}
