package desk

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// Listing is a game as the list of games tells of it, made when it was looked at last: with many
// games no list has time to read them.
type Listing struct {
	Who    string // the sides; a game in the dark does not tell who fights
	Stands string // how far it is, and its rhythm; of a game that is over its result
	Phase  ListPhase
	// Free are the seats that were free, in order of the settings, by captain.
	Free []FreeSeat
}

// FreeSeat is a seat that anybody may join.
type FreeSeat struct {
	Captain engine.CaptainName
	Name    string // as its order set is called: "Hood", "Hood.engineer"
	Hull    int    // of its ship in a battle that is on, in percent; -1 where no one may know
}

// ListPhase is which part of the list a game stands in.
type ListPhase uint8

// The parts, in order.
const (
	PhaseWaits ListPhase = iota // it has not begun
	PhaseRuns
	PhaseOver
)

// Listed tells whether strangers are told of a game.
func Listed(s *vault.Settings) bool {
	return s.Mail.Open || s.Watched().May || slices.ContainsFunc(s.Captains, s.Joinable)
}

// List makes the listing of a game as it stands.
func List(g *vault.Game, pos *turn.Position) (*Listing, error) {
	s, state := g.SharedSettings(), pos.State()
	l := &Listing{Who: "in the dark", Phase: PhaseRuns}
	if !turn.InTheDark(state) {
		var sides []string
		for _, side := range state.Sides {
			sides = append(sides, side.Name)
		}
		l.Who = strings.Join(sides, " against ")
	}
	for _, c := range s.Captains {
		if !s.Joinable(c) || state.Result != nil {
			continue
		}
		for _, name := range shownSeats(pos, c) {
			l.Free = append(l.Free, FreeSeat{c.Name, name, hullLeft(g, pos, name)})
		}
	}
	return l, l.stand(g, pos)
}

// stand fills in how far the game is.
func (l *Listing) stand(g *vault.Game, pos *turn.Position) error {
	if r := pos.State().Result; r != nil {
		l.Phase, l.Stands = PhaseOver, fmt.Sprintf("over since turn %d: %s", r.Turn, r.Describe(pos.State().SideName))
		return nil
	}
	s := g.SharedSettings()
	every := fmt.Sprintf("a turn in %s", s.Mail.Deadline)
	if s.InRounds() {
		every = fmt.Sprintf("a phase in %s", s.Mail.Deadline)
	}
	timing, err := g.Timing()
	switch {
	case err != nil:
		return err
	case timing.Waits != nil || timing.Paused != nil:
		l.Stands = fmt.Sprintf("%s is due, paused, %s", pos.DueStage(), every)
	case timing.Opening == nil:
		l.Stands = fmt.Sprintf("%s is due by %s, %s", pos.DueStage(), report.FormatTime(timing.Ends(), g.Zone()), every)
	case !timing.Opening.Cancelled.IsZero():
		l.Phase, l.Stands = PhaseOver, "called off before it began"
	case timing.Opening.Full:
		l.Phase, l.Stands = PhaseWaits, "it begins when all seats are taken, "+every
	default:
		l.Phase, l.Stands = PhaseWaits, fmt.Sprintf("it begins at %s, %s", report.FormatTime(timing.Opening.At, g.Zone()), every)
	}
	return nil
}

// hullLeft is how much of the hull of a seat's ship is left in a battle that is on, in percent, as far
// as anybody may know; -1 where no one may.
func hullLeft(g *vault.Game, pos *turn.Position, name string) int {
	state, hull := pos.State(), g.Rules().Hull
	ship, _, ok := engine.FindShip(state.Ships, strings.SplitN(name, ".", 2)[0])
	if !ok || state.Turn == 0 || state.Blind != nil || hull == nil {
		return -1
	}
	if left, all := hull(ship); all > 0 {
		return 100 * left / all
	}
	return -1
}

// listing is a game as lists tell of it: what is known of it, or else as it stands now.
func (c *task) listing(id string) (*Listing, error) {
	if l := c.services.Listings.Known(id); l != nil {
		return l, nil
	}
	t, err := c.looked(id)
	if err != nil {
		return nil, err
	}
	l, err := List(t.game, t.pos)
	if err != nil {
		return nil, fmt.Errorf("read game %s: %w", id, err)
	}
	c.services.Listings.Keep(id, l)
	return l, nil
}

// listedGame is a game of the list.
type listedGame struct {
	settings *vault.Settings
	listing  *Listing
	free     []FreeSeat // that can still be joined
}

// Bounds of the list.
const (
	maxListed  = 20 // games with free seats
	maxRunning = 10 // others that have not ended
	maxOver    = 10
	maxReads   = 60 // games that are read for one list; after a start most are over, and known the next time
)

// gameList is the games that the sender may be told of, and how many more there are.
type gameList struct {
	own, open, running, over []listedGame
	moreOpen, more           int // of the others
}

// list gathers the games that the sender has seats in, and those that everybody may be told of, in
// order of id. Of other games nothing is told.
func (c *task) list(seats []seat) (out gameList, err error) {
	reads := 0
	for _, s := range c.people.Games.Settings() {
		own := slices.ContainsFunc(seats, func(o seat) bool { return o.game == s.ID })
		if !own && !Listed(s) {
			continue
		}
		if c.services.Listings.Known(s.ID) == nil {
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
		case l.Phase == PhaseOver:
			add(&out.over, &out.more, maxOver)
		case len(g.free) > 0:
			add(&out.open, &out.moreOpen, maxListed)
		default:
			add(&out.running, &out.more, maxRunning)
		}
	}
	return out, nil
}

// line tells of the game and its free seats.
func (g listedGame) line() string {
	line := g.listing.describe(g.settings)
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

// join is the command that takes the first of its seats.
func (g listedGame) join() string {
	return "join " + g.settings.ID + " as " + strings.ReplaceAll(g.free[0].Name, ".", " ")
}

// describe is a game in a line: its id, title, rules, sides and where it stands.
func (l *Listing) describe(s *vault.Settings) string {
	return fmt.Sprintf("%s: %s, rules %s, %s, %s", s.ID, s.Title, s.Rules, l.Who, l.Stands)
}

// listGames lists the games that the sender may join, his own, and those that others play.
func listGames(c *task, d *commandResult, seats []seat) error {
	d.subject = "Games"
	all, err := c.list(seats)
	if err != nil {
		return err
	}
	for _, g := range all.own {
		for _, s := range seats {
			if s.game == g.settings.ID {
				d.out.List = append(d.out.List, fmt.Sprintf("%s: you play %s", g.listing.describe(g.settings), titled(s.captain)))
			}
		}
	}
	for _, g := range slices.Concat(all.open, all.running, all.over) {
		d.out.List = append(d.out.List, g.line())
	}
	if len(all.open) == 0 {
		d.say("No game has a free seat now.")
	} else {
		d.say("To take a seat write join, the game and the ship on a line of their own, such as: %s", all.open[0].join())
	}
	for _, line := range c.otherWays() {
		d.say("%s", line)
	}
	if all.moreOpen > 0 {
		d.say("%s more have free seats; the list is cut.", report.Count(all.moreOpen, "game"))
	}
	if all.more > 0 {
		d.say("There are %s more; the list is cut.", report.Count(all.more, "game"))
	}
	return nil
}

// otherWays tell how one comes to a game without a free seat: robots, and the waiting list.
func (c *task) otherWays() []string {
	h := c.services.Hosting
	if h == nil {
		return nil
	}
	if h.Practice == 0 {
		return c.waitingLines()
	}
	how := "To play at once, against robots, answer with a mail whose first line is practice."
	if len(h.Offers) > 0 {
		how += " To choose the battle, add its name: practice " + h.Offers[0].Scenario
	}
	return append([]string{how}, c.waitingLines()...)
}

// waitingLines tell of the waiting list.
func (c *task) waitingLines() []string {
	h := c.services.Hosting
	if len(h.Offers) == 0 {
		return nil
	}
	var out, names []string
	waiting := h.Requests.As(c.in.SHA256)
	for _, o := range h.Offers {
		if slices.Contains(names, o.Scenario) {
			continue
		}
		names = append(names, o.Scenario)
		there := 0
		for _, r := range waiting {
			if _, what, _ := strings.Cut(r.Line, " "); r.Waits() && (what == anyScenario || what == o.Scenario) {
				there++
			}
		}
		how := "none waits yet"
		if there > 0 {
			how = fmt.Sprintf("%d waiting", there)
		}
		out = append(out, fmt.Sprintf("%s (%s)", o.Scenario, how))
	}
	return []string{fmt.Sprintf("To wait for a game against people, answer with join and one of these names, or with join any; it is made when enough are there: %s.", strings.Join(out, ", "))}
}

// welcome is what a stranger is told who said nothing that is understood: which games he
// can join, and how he goes on.
func (c *task) welcome() ([]string, error) {
	all, err := c.list(nil)
	if err != nil {
		return nil, err
	}
	out := []string{"Welcome. No game has a free seat now."}
	if len(all.open) > 0 {
		out = []string{fmt.Sprintf("Welcome. Seats are free in %s. To take one, write a mail whose first line is: %s", report.Count(len(all.open), "game"), all.open[0].join())}
		for _, g := range all.open {
			out = append(out, g.line())
		}
	}
	return append(append(out, c.otherWays()...),
		"What it is about: write a mail with nothing but the word scenarios, or rules, or handbook.",
		"All that may be asked: a mail with nothing but the word help."), nil
}
