package cup

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"starpost/pbem/fault"
)

// The reasons why there is no next round.
var (
	ErrUnfinished = errors.New("the round is not over")
	ErrOver       = errors.New("the cup is over")
	errTooFew     = errors.New("a cup needs two entrants")
	errExhausted  = errors.New("all possible pairs have met")
)

// gamesNamed limits how many unfinished games an error names.
const gamesNamed = 5

// pairer pairs the next round of a cup without changing it.
type pairer struct{ *Cup }

// next pairs the next round by the cup's format, as a function of the cup alone. The error is one of those above;
// after errExhausted no further round of that kind is possible.
func (c pairer) next() ([]Match, error) {
	active := c.active()
	switch open := c.Open(); {
	case c.Over():
		return nil, &fault.Fault{Problem: c.Settings.Title + " is over", Way: "the standings: starpost cup status " + c.Settings.Name, Err: ErrOver}
	case len(open) > 0 && c.Settings.Format != ladderCup:
		var names []string
		for _, o := range open[:min(len(open), gamesNamed)] {
			names = append(names, o.Game.ID)
		}
		if len(open) > gamesNamed {
			names = append(names, fmt.Sprintf("%d more", len(open)-gamesNamed))
		}
		return nil, &fault.Fault{
			Problem: fmt.Sprintf("round %d is not over: %s", c.Paired, strings.Join(names, ", ")),
			Way:     "wait for them to end, or decide one that will not: starpost cup rule " + c.Settings.Name + " " + names[0] + " RESULT", Err: ErrUnfinished,
		}
	case len(active) < 2 && c.Paired == 0:
		return nil, &fault.Fault{Problem: fmt.Sprintf("%s has %s: a cup needs two", c.Settings.Title, count(len(active), "entrant")), Way: "starpost cup enter " + c.Settings.Name + " NAME ADDRESS", Err: errTooFew}
	case len(active) < 2:
		return nil, errExhausted
	}
	var out []Match
	var err error
	switch c.Settings.Format {
	case swissCup:
		out, err = c.swiss(active)
	case roundRobinCup:
		out = c.roundRobin()
	case knockOutCup:
		out = c.knockOut()
	case ladderCup:
		if out = c.challenged(); len(out) == 0 {
			return nil, &fault.Fault{Problem: "there is no challenge between free entrants", Way: "starpost cup challenge " + c.Settings.Name + " FROM TO", Err: ErrUnfinished}
		}
	}
	if err != nil {
		return nil, err
	}
	c.nameGames(out)
	return out, nil
}

// nameGames adds games to matches.
func (c pairer) nameGames(round []Match) {
	n := 0
	for i := range round {
		m := &round[i]
		if m.Second == 0 || m.Walkover != 0 {
			continue
		}
		for board := range c.Settings.boards() {
			for leg := range c.legs(m) {
				n++
				m.Games = append(m.Games, Game{ID: fmt.Sprintf("%s-r%d-%d", c.Settings.Name, m.Round, n), Board: board, Swapped: (board+leg)%2 == 1})
			}
		}
	}
}

// meeting returns a match of two, one of whom may have withdrawn.
func (c pairer) meeting(first, second int) Match {
	m := Match{Round: c.Paired + 1, First: first, Second: second}
	switch {
	case second == 0:
	case c.entrant(second).Withdrawn:
		m.Walkover = second
	case c.entrant(first).Withdrawn:
		m.Walkover = first
	}
	return m
}

// roundRobin returns the next round by the circle method: all but one sit around a table and move on by one seat each
// round (de Werra, "Scheduling in sports", 1981, also for the sides). The player without an opponent has a bye.
func (c pairer) roundRobin() (out []Match) {
	field := c.field()
	if c.Paired == 0 {
		field = c.seeded(c.active())
	}
	seats := slices.Clone(field)
	if len(seats)%2 == 1 {
		seats = append(seats, 0)
	}
	last, turn := len(seats)-1, c.Paired
	add := func(a, b int) {
		if a == 0 {
			a, b = b, a
		}
		gone := func(n int) bool { return n == 0 || c.entrant(n).Withdrawn }
		if !gone(a) || !gone(b) {
			out = append(out, c.meeting(a, b))
		}
	}
	if turn%2 == 0 {
		add(seats[last], seats[turn%last])
	} else {
		add(seats[turn%last], seats[last])
	}
	for k := 1; k <= (last-1)/2; k++ {
		a, b := seats[(turn+k)%last], seats[(turn+last-k)%last]
		if k%2 == 1 {
			a, b = b, a
		}
		add(a, b)
	}
	return out
}

// knockOut returns the next round: the first by the seeds, so that the top two can meet only in the last round, later
// ones from the winners of neighbouring matches.
func (c pairer) knockOut() (out []Match) {
	var through []int // by place in the table; 0 for an empty one
	if c.Paired == 0 {
		seeds := c.seeded(c.active())
		places := []int{0}
		for len(places) < len(seeds) {
			var more []int
			for _, p := range places {
				more = append(more, p, 2*len(places)-1-p)
			}
			places = more
		}
		for _, p := range places {
			if p < len(seeds) {
				through = append(through, seeds[p])
			} else {
				through = append(through, 0)
			}
		}
	} else {
		before := c.round(c.Paired)
		for i := range before {
			through = append(through, c.winner(&before[i]))
		}
	}
	for i := 0; i+1 < len(through); i += 2 {
		a, b := through[i], through[i+1]
		if a == 0 {
			a, b = b, a
		}
		if c.Paired > 0 && b == 0 && a != 0 { // no opponent advanced: a walkover, because a player has at most one bye
			out = append(out, Match{Round: c.Paired + 1, First: a, Walkover: noOpponent})
			continue
		}
		out = append(out, c.meeting(a, b))
	}
	return out
}

// noOpponent stands for the missing opponent of a walkover.
const noOpponent = -1

// rungs returns the order of a ladder, from the top: entrants in order of entry, moved by the results of their matches.
// The winner against a higher entrant takes that rung, and those between move down by one.
func (c *Cup) rungs() []int {
	var first, later, order []int
	for i, e := range c.Entrants {
		if e.Since == 0 {
			first = append(first, i+1)
		} else {
			later = append(later, i+1)
		}
	}
	order = append(c.seeded(first), later...)
	var matches []*Match
	for i := range c.Matches {
		if m := &c.Matches[i]; m.done() {
			matches = append(matches, m)
		}
	}
	slices.SortStableFunc(matches, func(a, b *Match) int { return a.settled() - b.settled() })
	for _, m := range matches {
		if a, b := c.score(m); a <= b { // the challenger is the first
			continue
		}
		from, to := slices.Index(order, m.First), slices.Index(order, m.Second)
		if from > to {
			order = slices.Insert(slices.Delete(order, from, from+1), to, m.First)
		}
	}
	return slices.DeleteFunc(order, func(n int) bool { return c.entrant(n).Withdrawn })
}

// settled returns the place of a match's last result among all results.
func (m *Match) settled() (last int) {
	for _, g := range m.Games {
		if g.Result != nil {
			last = max(last, g.Result.order)
		}
	}
	return last
}

// challenged returns the matches of all open challenges whose two entrants are free to play.
func (c pairer) challenged() (out []Match) {
	busy := map[int]bool{}
	for _, o := range c.Open() {
		busy[o.Match.First], busy[o.Match.Second] = true, true
	}
	for _, ch := range c.Challenges {
		if busy[ch.From] || busy[ch.To] || c.entrant(ch.From).Withdrawn || c.entrant(ch.To).Withdrawn {
			continue
		}
		busy[ch.From], busy[ch.To] = true, true
		out = append(out, Match{Round: c.Paired + 1, First: ch.From, Second: ch.To})
	}
	return out
}

// mayChallenge returns an error if a challenge is not allowed.
func (c *Cup) mayChallenge(from, to int) error {
	rungs := c.rungs()
	a, b := slices.Index(rungs, from), slices.Index(rungs, to)
	switch {
	case c.Settings.Format != ladderCup:
		return fail("", "%s is not a ladder", c.Settings.Title)
	case a <= b:
		return fail("challenge someone who ranks above", "%s does not rank above %s", c.Name(to), c.Name(from))
	case a-b > c.Settings.Rungs:
		return fail(fmt.Sprintf("challenge someone at most %d rungs above", c.Settings.Rungs), "%s ranks %d rungs above %s", c.Name(to), a-b, c.Name(from))
	case slices.ContainsFunc(c.Challenges, func(o Challenge) bool { return o.From == from }):
		return fail("wait for that match", "%s already has a challenge open", c.Name(from))
	case slices.ContainsFunc(c.Challenges, func(o Challenge) bool { return o.To == to }):
		return fail("choose another one", "%s is already challenged", c.Name(to))
	}
	for i := len(c.Matches) - 1; i >= 0; i-- { // no immediate rematch: one of them must have another match in between
		there := c.Matches[i].entrants()
		if with := slices.Contains(there, from) && slices.Contains(there, to); with {
			return fail("each must play someone else first", "%s and %s have just met", c.Name(from), c.Name(to))
		} else if slices.Contains(there, from) || slices.Contains(there, to) {
			break
		}
	}
	return nil
}
