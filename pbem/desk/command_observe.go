package desk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/lobby"
	"starpost/pbem/mime"
	"starpost/pbem/outgoing"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
)

// ObserverStep notes who watches a game, or who has enough of one; of all for "".
type ObserverStep struct {
	Requests *lobby.Requests
	Put      lobby.Observer
	// Address is whose watching ends; "" for none.
	Address, Game, Mail string
	At                  time.Time
}

// Do makes the change.
func (s ObserverStep) Do() error {
	if s.Address != "" {
		return s.Requests.Unobserve(s.Address, s.Game, s.Mail, s.At)
	}
	return s.Requests.Observe(s.Put)
}

// watches are the games that an address watches now.
func (c *task) watches(address string) (games []string) {
	h := c.services.Hosting
	if h == nil {
		return nil
	}
	for _, o := range h.Requests.ObserversAs(c.in.SHA256) {
		if o.Watches() && auth.SameAddress(o.Address, address) {
			games = append(games, o.Game)
		}
	}
	return games
}

// watched is the game that a command without a seat means: one that the sender watches, or the only
// one; "" for none.
func watched(c *task, d *commandResult, seats []seat) string {
	mine := c.watches(c.in.Mail.Senders()[0])
	if d.cmd.Game == "" && len(mine) == 1 && len(seats) == 0 {
		return mine[0]
	}
	for _, id := range mine {
		if strings.EqualFold(id, d.cmd.Game) && !slices.ContainsFunc(seats, func(s seat) bool { return s.game == id }) {
			return id
		}
	}
	return ""
}

// hasWatched tells whether an address watches a game that shows everything, or did.
func hasWatched(c *task, address string, s *vault.Settings) bool {
	h := c.services.Hosting
	return h != nil && s.Watched().Delay > 0 && slices.ContainsFunc(h.Requests.ObserversAs(c.in.SHA256), func(o lobby.Observer) bool {
		return strings.EqualFold(o.Game, s.ID) && auth.SameAddress(o.Address, address)
	})
}

// observe asks who wants to watch a game whether it was he; who watches it already gets the battle
// so far.
func observe(c *task, d *commandResult, seats []seat) error {
	sender := c.in.Mail.Senders()[0]
	mine := c.watches(sender)
	if d.cmd.Vote == command.VoteOff {
		return unobserve(c, d, sender, mine)
	}
	s, ok := observable(c, d, sender, seats)
	switch {
	case !ok:
		return nil
	case slices.ContainsFunc(mine, func(id string) bool { return strings.EqualFold(id, s.ID) }):
		return showObserver(c, d, s.ID, sender)
	case len(mine) >= lobby.WatchedBy:
		d.refuse(codes.TooMuch, fmt.Sprintf("you watch %d games already", len(mine)), "the line observe off ends all of it")
		return nil
	}
	d.cmd.Game = s.ID
	return request(c, d, sender, "A person asked from this address to watch the game "+s.Title, "observe")
}

// observable finds a game that the sender may watch, or says why he may not.
func observable(c *task, d *commandResult, sender string, seats []seat) (s *vault.Settings, ok bool) {
	h, page := c.services.Hosting, ""
	if c.robot.Site != "" {
		page = "the pages of the games are at " + c.robot.Site
	}
	for _, o := range c.people.Games.Settings() {
		if at := c.robot.pageOf(o.ID); at != "" && strings.EqualFold(o.ID, d.cmd.Game) && Listed(o) {
			page = "how it goes stands at " + at
		}
	}
	if h == nil {
		d.refuse(codes.NotMade, "no games are watched by mail here", page)
		return s, false
	}
	var ids []string
	for _, o := range c.people.Games.Settings() {
		if !o.Watched().May {
			continue
		}
		if ids = append(ids, o.ID); strings.EqualFold(o.ID, d.cmd.Game) {
			s, ok = o, true
		}
	}
	watching := 0
	for _, o := range h.Requests.ObserversAs(c.in.SHA256) {
		if ok && o.Watches() && strings.EqualFold(o.Game, s.ID) && !auth.SameAddress(o.Address, sender) {
			watching++
		}
	}
	switch {
	case !ok: // which games there are that no one may watch is not told
		d.refuse(codes.NoSeat, fmt.Sprintf("there is no game %q that one may watch", command.Shorten(d.cmd.Game)), cmp.Or(page, orders.DidYouMean("%s", d.cmd.Game, ids, "the word games brings those that there are")))
	case slices.ContainsFunc(seats, func(o seat) bool { return o.game == s.ID }):
		d.refuse(codes.NoSeat, "you play in this game", "replay "+s.ID+" brings what you may know of it")
	case !answerable(sender):
		d.refuse(codes.BadAddress, "no mails can be sent to your address", "")
	case watching >= lobby.ObserversOf:
		d.refuse(codes.TooMuch, fmt.Sprintf("%d people watch this game, and more may not", watching), page)
	default:
		return s, true
	}
	return s, false
}

// unobserve ends what the sender watches.
func unobserve(c *task, d *commandResult, sender string, mine []string) error {
	if d.cmd.Game != "" {
		mine = slices.DeleteFunc(mine, func(id string) bool { return !strings.EqualFold(id, d.cmd.Game) })
	}
	if len(mine) == 0 {
		d.refuse(codes.NoSeat, "you watch no such game", "")
		return nil
	}
	c.Steps = append(c.Steps, ObserverStep{Requests: c.services.Hosting.Requests, Address: sender, Game: d.cmd.Game, Mail: c.in.SHA256, At: c.in.Received})
	d.subject = "You watch no more"
	d.say("No more mails come to you about %s.", strings.Join(mine, ", "))
	return nil
}

// observes has the sender watch a game who confirmed just now that he wants to.
func observes(c *task, d *commandResult, q lobby.Request, seats []seat) error {
	_, id, _ := strings.Cut(q.Line, " ")
	d.cmd.Game = id
	s, ok := observable(c, d, q.Address, seats)
	if !ok {
		return nil
	}
	h := c.services.Hosting
	c.Steps = append(c.Steps, confirmedStep(c, q),
		ObserverStep{Requests: h.Requests, Put: lobby.Observer{Address: q.Address, Game: s.ID, Since: c.in.Received, Cause: c.in.SHA256}},
		RequestStep{Requests: h.Requests, Made: []lobby.Request{q}, Game: s.ID, Mail: c.in.SHA256})
	d.subject = "You watch " + s.Title
	late := ""
	if n := s.Watched().Delay; n > 0 {
		late = fmt.Sprintf(" You see everything, %s late. Who has seen it cannot join this game.", report.Count(n, "turn"))
	}
	d.say("After each turn a mail tells you how the battle goes.%s To end that, send a mail with the line: observe off", late)
	return showObserver(c, d, s.ID, q.Address)
}

// showObserver sends an observer the battle so far.
func showObserver(c *task, d *commandResult, id, to string) error {
	g, err := c.people.Games.Look(id)
	if err != nil {
		return fmt.Errorf("look at game %s: %w", id, err)
	}
	m, ok, err := c.robot.WatchMail(g, c.in.Received)
	if err != nil {
		return err
	}
	if d.subject == "" {
		d.subject = "The battle so far"
	}
	if !ok {
		d.say("Nothing of the battle may be shown yet.")
		return nil
	}
	d.say("The battle so far goes out as a page, in a mail of its own.")
	m.To.Addr, m.MessageID, m.Auto = to, c.id(KindReport, d, "o1"), outgoing.AutoReplied
	c.Mails = append(c.Mails, Outgoing{Kind: KindReport, Game: id, Message: m, Answer: true})
	return nil
}

// maxWatchedLines is how many lines about a turn an observer's mail has; its page has them all.
const maxWatchedLines = 60

// WatchMail is how a battle goes for those who watch it, still without its addressee and its
// Message-ID; ok tells whether anything may be shown.
func (d *Robot) WatchMail(g *vault.Game, now time.Time) (m outgoing.Message, ok bool, err error) {
	r, ok, err := turn.Observed(g)
	if err != nil || !ok {
		return m, false, err
	}
	page, err := templates.ReplayHTML(r)
	if err != nil {
		return m, false, err
	}
	s, last := g.SharedSettings(), r.Turns[len(r.Turns)-1]
	n := templates.Notice{Kind: templates.Plain, Game: s.ID, Title: s.Title, Turn: last.Turn, Gone: true}
	n.Text = []string{fmt.Sprintf("You watch this battle, and see %s. The page that comes with this mail shows it from the start: save it and open it in a browser.", r.Whose)}
	if last.Headline != "" {
		n.Text = append(n.Text, last.Headline)
	}
	lines := 0
	for _, moment := range last.Moments {
		for _, p := range moment.Told {
			var words []string
			for _, l := range p.Lines {
				if lines++; lines <= maxWatchedLines {
					words = append(words, strings.TrimSuffix(l.Text, ".")+".")
				}
			}
			if len(words) > 0 {
				n.Text = append(n.Text, p.Title+": "+strings.Join(words, " "))
			}
		}
	}
	if lines > maxWatchedLines {
		n.Text = append(n.Text, "The rest of the turn is on the page.")
	}
	n.Text = append(n.Text, "To watch no longer, send a mail with the line: observe off")
	m = outgoing.Message{
		From: d.from(*s), Subject: fmt.Sprintf("[%s] Turn %d, as it is watched", s.ID, last.Turn), ListID: ListID(*s, d.Address),
		Auto: outgoing.AutoGenerated, Date: now.UTC().Truncate(time.Second), Headers: []outgoing.Header{{Name: "X-Loop", Value: mime.LoopMark}},
		Attachments: []outgoing.Attachment{{Name: fmt.Sprintf("%s-replay-%d.html", s.ID, last.Turn), Type: "text/html", Data: page}},
	}
	m.Text, err = d.Templates.NoticeText(n)
	return m, err == nil, err
}

// pageOf is the address of the page about a game; "" where there are none on the web.
func (d *Robot) pageOf(id string) string {
	if d.Site == "" {
		return ""
	}
	return strings.TrimSuffix(d.Site, "/") + "/" + templates.GameFile(id)
}
