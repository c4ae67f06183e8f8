package command

import (
	"fmt"
	"slices"
	"strings"

	"starpost/pbem/desk/identity"
	"starpost/pbem/lobby"
	"starpost/pbem/report"
	"starpost/pbem/vault"
)

// listing returns a game's entry for lists, from the cache or else from the game.
func (c *Task) listing(id string) (*lobby.Listing, error) {
	if l := c.Services.Listings.Known(id); l != nil {
		return l, nil
	}
	t, err := c.Looked(id)
	if err != nil {
		return nil, err
	}
	l, err := lobby.List(t.Game, t.Pos)
	if err != nil {
		return nil, fmt.Errorf("read game %s: %w", id, err)
	}
	c.Services.Listings.Keep(id, l)
	return l, nil
}

// listedGame is a game of the list.
type listedGame struct {
	settings *vault.Settings
	listing  *lobby.Listing
	free     []lobby.FreeSeat // seats that can still be joined
}

// Limits of the list.
const (
	maxListed  = 20 // games with free seats
	maxRunning = 10 // others that have not ended
	maxOver    = 10
	maxReads   = 60 // games read for one list; after a start most are over, and cached for the next time
)

// gameList holds the games that the sender may know about, and how many more there are.
type gameList struct {
	own, open, running, over []listedGame
	moreOpen, more           int // numbers of games not shown
}

// list gathers the sender's games and the public ones, in order of ID.
func (c *Task) list(seats []identity.Seat) (out gameList, err error) {
	reads := 0
	for _, s := range c.People.Games.Settings() {
		own := slices.ContainsFunc(seats, func(o identity.Seat) bool { return o.Game == s.ID })
		if !own && !lobby.Listed(s) {
			continue
		}
		if c.Services.Listings.Known(s.ID) == nil {
			if full := len(out.open) == maxListed && len(out.running) == maxRunning && len(out.over) == maxOver; !own && (full || reads == maxReads) {
				out.more++
				continue
			}
			reads++
		}
		l, err := c.listing(s.ID)
		if err != nil {
			return out, err
		}
		g := listedGame{settings: s, listing: l}
		for _, f := range l.Free {
			if one, ok := s.Captain(f.Captain); ok && s.Joinable(one) {
				g.free = append(g.free, f)
			}
		}
		add := func(to *[]listedGame, more *int, most int) {
			if len(*to) == most {
				*more++
				return
			}
			*to = append(*to, g)
		}
		switch {
		case own:
			out.own = append(out.own, g)
		case l.Phase == lobby.PhaseOver:
			add(&out.over, &out.more, maxOver)
		case len(g.free) > 0:
			add(&out.open, &out.moreOpen, maxListed)
		default:
			add(&out.running, &out.more, maxRunning)
		}
	}
	return out, nil
}

// line describes the game and its free seats.
func (g listedGame) line() string {
	line := g.listing.Describe(g.settings)
	if g.settings.Watched().May {
		line += "; to watch: observe " + g.settings.ID
	}
	if len(g.free) == 0 {
		return line
	}
	var places []string
	for _, f := range g.free {
		place := f.Name
		if f.Hull >= 0 {
			place = fmt.Sprintf("%s (hull %d %%)", f.Name, f.Hull)
		}
		places = append(places, place)
	}
	return line + "; free: " + strings.Join(places, ", ")
}

// join returns the command that takes the first of its seats.
func (g listedGame) join() string {
	return "join " + g.settings.ID + " as " + strings.ReplaceAll(g.free[0].Name, ".", " ")
}

// listGames lists the games that the sender may join, the sender's own, and other public ones.
func listGames(c *Task, d *Result, seats []identity.Seat) error {
	d.Subject = "Games"
	all, err := c.list(seats)
	if err != nil {
		return err
	}
	for _, g := range all.own {
		for _, s := range seats {
			if s.Game == g.settings.ID {
				d.Out.List = append(d.Out.List, fmt.Sprintf("%s: you play %s", g.listing.Describe(g.settings), titled(s.Captain)))
			}
		}
	}
	for _, g := range slices.Concat(all.open, all.running, all.over) {
		d.Out.List = append(d.Out.List, g.line())
	}
	if len(all.open) == 0 {
		d.Say("No game has a free seat now.")
	} else {
		d.Say("To take a seat, write join, the game and the ship on a separate line, for example: %s", all.open[0].join())
	}
	for _, line := range c.otherWays() {
		d.Say("%s", line)
	}
	if all.moreOpen > 0 {
		d.Say("%s more have free seats; the list is cut.", report.Count(all.moreOpen, "game"))
	}
	if all.more > 0 {
		d.Say("There are %s more; the list is cut.", report.Count(all.more, "game"))
	}
	return nil
}

// otherWays describes how to play without a free seat: against robots, and by the waiting list.
func (c *Task) otherWays() []string {
	h := c.Services.Hosting
	if h == nil {
		return nil
	}
	if h.Practice == 0 {
		return c.waitingLines()
	}
	how := "To play against robots right away, reply with practice as the first line. To choose the battle, add its name: practice %s is one ship against one, good for a first time."
	return append([]string{fmt.Sprintf(how, lobby.DefaultScenario)}, c.waitingLines()...)
}

// waitingLines describes the waiting list.
func (c *Task) waitingLines() []string {
	h := c.Services.Hosting
	if len(h.Offers) == 0 {
		return nil
	}
	var out, names []string
	waiting := h.Requests.As(c.In.SHA256)
	for _, o := range h.Offers {
		if slices.Contains(names, o.Scenario) {
			continue
		}
		names = append(names, o.Scenario)
		there := 0
		for _, r := range waiting {
			if _, what, _ := strings.Cut(r.Line, " "); r.Waits() && (what == lobby.AnyScenario || what == o.Scenario) {
				there++
			}
		}
		how := "none waits yet"
		if there > 0 {
			how = fmt.Sprintf("%d waiting", there)
		}
		out = append(out, fmt.Sprintf("%s (%s)", o.Scenario, how))
	}
	return []string{fmt.Sprintf("To wait for a game against people, reply with join and one of these names, or with join any; the game is made when there are enough players: %s.", strings.Join(out, ", "))}
}

// Welcome returns the text for a stranger whose mail is not understood: which games have free
// seats, and what to do next.
func (c *Task) Welcome() ([]string, error) {
	all, err := c.list(nil)
	if err != nil {
		return nil, err
	}
	out := []string{"Welcome. No game has a free seat now."}
	if len(all.open) > 0 {
		out = []string{fmt.Sprintf("Welcome. Seats are free in %s. To take one, send a mail with this first line: %s", report.Count(len(all.open), "game"), all.open[0].join())}
		for _, g := range all.open {
			out = append(out, g.line())
		}
	}
	if club := c.Services.Club; club.Closed() {
		out = append(out, strings.TrimSpace("These games are for members of "+club.Name+"; anyone may look. "+club.Joining))
	}
	return append(append(out, c.otherWays()...),
		"To learn more, send a mail with only the word scenarios, or rules, or handbook.",
		"For all commands, send a mail with only the word help."), nil
}
