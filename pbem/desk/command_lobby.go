package desk

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/pbem/lobby"
	"starpost/pbem/report"
	"starpost/pbem/turn"
)

// text answers with a text of the library.
func (c *Decision) text(d *commandResult, seats []seat) error {
	if c.desk.Library == nil {
		d.refuse(CodeNoText, "there are no texts here", "")
		return nil
	}
	var sets []string
	for _, s := range c.desk.Games.Settings() {
		if slices.ContainsFunc(seats, func(o seat) bool { return o.game == s.ID }) && !slices.Contains(sets, s.Rules) {
			sets = append(sets, s.Rules)
		}
	}
	page, err := c.desk.Library.Page(d.cmd.Verb.Name, d.cmd.Words, sets)
	if unknown, ok := errors.AsType[*lobby.Error](err); ok {
		d.refuse(CodeNoText, unknown.Error(), unknown.Hint())
		return nil
	}
	if err != nil {
		return fmt.Errorf("find a text: %w", err)
	}
	d.subject = page.Title
	d.say("%s. %s", page.Title, page.Next)
	d.out.Shown = page.Text
	return nil
}

// maxListed is how many games one mail tells of.
const maxListed = 20

// listGames lists the games that the sender may join, and his own.
func (c *Decision) listGames(d *commandResult, seats []seat) error {
	d.subject = "Games"
	open, more, err := c.offers(seats)
	if err != nil {
		return err
	}
	for _, s := range seats {
		t, err := c.opened(s.game)
		if err != nil {
			return err
		}
		d.out.List = append(d.out.List, fmt.Sprintf("%s: you play %s", t.describe(), titled(s.captain)))
	}
	for _, o := range open {
		d.out.List = append(d.out.List, o.line())
	}
	if len(open) == 0 {
		d.say("No game has a free seat now.")
	} else {
		d.say("To take a seat write join, the game and the ship on a line of their own, such as: %s", open[0].join())
	}
	if more > 0 {
		d.say("%s more have free seats; the list is cut.", report.Count(more, "game"))
	}
	return nil
}

// offer is a game with seats that the sender may join.
type offer struct {
	openGame
	free  []string // as order sets are called
	place []string // of those in a battle that is on: "Hood (hull 60 %)"
}

// line tells of the game and its free seats.
func (o offer) line() string {
	return fmt.Sprintf("%s; free: %s", o.describe(), strings.Join(o.place, ", "))
}

// join is the command that takes the first of its seats.
func (o offer) join() string {
	return "join " + o.game.ID() + " as " + strings.ReplaceAll(o.free[0], ".", " ")
}

// offers are the games with seats that the sender may join, in order of id, and how many
// more there are. Of games whose seats are not offered nothing is told.
func (c *Decision) offers(seats []seat) (open []offer, more int, err error) {
	for _, s := range c.desk.Games.Settings() {
		if !slices.ContainsFunc(s.Captains, s.Joinable) || slices.ContainsFunc(seats, func(o seat) bool { return o.game == s.ID }) {
			continue
		}
		if len(open) == maxListed {
			more++
			continue
		}
		t, err := c.looked(s.ID)
		if err != nil {
			return nil, 0, err
		}
		d := commandResult{game: t.game, pos: t.pos}
		if _, free := d.free(); t.pos.Due() > 0 && len(free) > 0 {
			open = append(open, offer{t, free, d.places(free)})
		}
	}
	return open, more, nil
}

// places are free seats, each with how its ship stands in a battle that is on, as far as
// anybody may know.
func (d *commandResult) places(free []string) []string {
	state, hull := d.pos.State(), d.game.Rules().Hull
	if state.Turn == 0 || state.Blind != nil || hull == nil {
		return free
	}
	out := slices.Clone(free)
	for i, name := range out {
		ship, _, ok := engine.FindShip(state.Ships, strings.SplitN(name, ".", 2)[0])
		if !ok {
			continue
		}
		if left, all := hull(ship); all > 0 {
			out[i] = fmt.Sprintf("%s (hull %d %%)", name, 100*left/all)
		}
	}
	return out
}

// looked is a game that is only looked at.
func (c *Decision) looked(id string) (openGame, error) {
	g, err := c.desk.Games.Look(id)
	if err != nil {
		return openGame{}, fmt.Errorf("look at game %s: %w", id, err)
	}
	pos, err := turn.Load(g)
	if err != nil {
		return openGame{}, fmt.Errorf("read game %s: %w", id, err)
	}
	return openGame{g, pos}, nil
}

// describe is a game in a line: its id, title, rules, sides and where it stands. A game in
// the dark does not tell who fights.
func (t openGame) describe() string {
	s := t.game.Settings()
	who := "in the dark"
	if t.pos.State().Blind == nil {
		var sides []string
		for _, side := range t.pos.State().Sides {
			sides = append(sides, side.Name)
		}
		who = strings.Join(sides, " against ")
	}
	return fmt.Sprintf("%s: %s, rules %s, %s, %s", s.ID, s.Title, s.Rules, who, t.stands())
}

// stands is how far a game is, and its rhythm.
func (t openGame) stands() string {
	if t.pos.Due() == 0 {
		return "over"
	}
	s := t.game.SharedSettings()
	every := fmt.Sprintf("a turn in %s", s.Mail.Deadline)
	if s.InRounds() {
		every = fmt.Sprintf("a phase in %s", s.Mail.Deadline)
	}
	timing, err := t.game.Timing()
	switch {
	case err != nil || timing.Waits != nil || timing.Paused != nil:
		return fmt.Sprintf("%s is due, paused, %s", t.pos.DueStage(), every)
	case timing.Opening == nil:
		return fmt.Sprintf("%s is due by %s, %s", t.pos.DueStage(), report.FormatTime(timing.Ends(), t.game.Zone()), every)
	case timing.Opening.Full:
		return "it begins when all seats are taken, " + every
	}
	return fmt.Sprintf("it begins at %s, %s", report.FormatTime(timing.Opening.At, t.game.Zone()), every)
}

// welcome is what a stranger is told who said nothing that is understood: which games he
// can join, and how he goes on.
func (c *Decision) welcome() ([]string, error) {
	open, _, err := c.offers(nil)
	if err != nil {
		return nil, err
	}
	out := []string{"Do you want to play? No game has a free seat now."}
	if len(open) > 0 {
		out = []string{fmt.Sprintf("Do you want to play? Seats are free in %s. To take one, write a mail whose first line is: %s", report.Count(len(open), "game"), open[0].join())}
		for _, o := range open {
			out = append(out, o.line())
		}
	}
	return append(out,
		"What it is about: write a mail with nothing but the word scenarios, or rules, or handbook.",
		"All that may be asked: a mail with nothing but the word help."), nil
}
