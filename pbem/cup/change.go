package cup

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/auth"
)

// maxWhy limits a referee's reason, in characters.
const maxWhy = 500

// Source says who changes a cup, and why.
type Source struct {
	By    string // "referee", "game" or "mail"
	Why   string
	Cause string // each cause and kind has only one entry; "" for none
	Now   time.Time
}

// The values of Source.By.
const (
	ByReferee = "referee"
	ByGame    = "game"
	ByMail    = "mail"
	ByDaemon  = "daemon"
)

func (s Source) entry(kind string, data any) (Entry, error) {
	if utf8.RuneCountInString(s.Why) > maxWhy || strings.ContainsFunc(s.Why, func(r rune) bool { return r < ' ' }) {
		return Entry{}, fail("write it in one line", "the reason has more than %d characters or more than one line", maxWhy)
	}
	raw, err := json.Marshal(data)
	if err != nil {
		return Entry{}, fmt.Errorf("write an entry of a cup: %w", err)
	}
	return Entry{Time: s.Now.UTC().Truncate(time.Second), Kind: kind, By: s.By, Why: s.Why, Cause: s.Cause, Data: raw}, nil
}

// Enter adds an entrant. It refuses someone who is in the cup already, with any address of the same mailbox, and a name
// that another has or that could be confused with it.
func (c *Cup) Enter(s Source, name string, members []Member) (Entry, error) {
	if err := c.mayEnter(s, name, members); err != nil {
		return Entry{}, err
	}
	return s.entry(kindEnter, enterData{name, members})
}

// open returns an error if the cup accepts no entries now.
func (c *Cup) open(s Source) error {
	switch {
	case c.Over():
		return fail("", "%s is over", c.Settings.Title)
	case c.Paired > 0 && c.Settings.Format != ladderCup && c.Paired > c.Settings.Late:
		return fail("", "%s has begun: %s paired", c.Settings.Title, map[bool]string{true: "a round is", false: fmt.Sprintf("%d rounds are", c.Paired)}[c.Paired == 1])
	case s.By == ByMail && c.Settings.Entry != EntryMail:
		return fail("ask the referee", "%s does not take entries by mail", c.Settings.Title)
	}
	return nil
}

// inside returns the number of entrants who have not withdrawn.
func (c *Cup) inside() (n int) {
	for _, e := range c.Entrants {
		if !e.Withdrawn {
			n++
		}
	}
	return n
}

func (c *Cup) mayEnter(s Source, name string, members []Member) error {
	if err := c.open(s); err != nil {
		return err
	}
	switch {
	case c.inside() >= c.Settings.Places || len(c.Entrants) >= 2*maxPlaces:
		return fail("", "all %[2]d places of %[1]s are taken", c.Settings.Title, c.Settings.Places)
	case len(members) != c.Settings.boards() && s.By != ByMail: // by mail, a team's captains enter one by one
		return fail("", "an entrant of %s needs %s, not %d", c.Settings.Title, map[bool]string{true: "one address", false: fmt.Sprintf("%d addresses, one per board", c.Settings.boards())}[c.Settings.boards() == 1], len(members))
	}
	if problem := engine.PersonName(name); problem != "" || utf8.RuneCountInString(name) > maxName {
		return fail(fmt.Sprintf("use at most %d letters", maxName), "%q is not a name: %s", name, cmp.Or(problem, "it is too long"))
	}
	for i, m := range members {
		if err := c.mayPlay(m); err != nil {
			return err
		}
		if slices.ContainsFunc(members[:i], func(o Member) bool { return auth.SameAddress(o.Address, m.Address) }) {
			return fail("", "the address %s occurs twice", m.Address)
		}
	}
	for _, e := range c.Entrants {
		if c.Settings.Secret {
			break // a refused name would reveal who is in it
		}
		if sameName(e.Name, name) && !(e.Withdrawn && slices.EqualFunc(e.Members, members, func(a, b Member) bool { return auth.SameAddress(a.Address, b.Address) })) {
			return fail("choose another name; if you entered before from another address, you need not enter again", "the name %s is or was taken in %s", name, c.Settings.Title)
		}
	}
	return nil
}

// Did reports whether a cause has had an effect.
func (c *Cup) Did(cause string) bool {
	return slices.ContainsFunc([]string{kindEnter, kindMember, kindWithdraw, kindChallenge, kindDispute}, func(kind string) bool { return c.causes[kind+" "+cause] })
}

// sameName reports whether two names could be confused.
func sameName(a, b string) bool {
	fold := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	return fold(a) == fold(b)
}

// Withdraw removes an entrant, who loses all remaining games.
func (c *Cup) Withdraw(s Source, n int) (Entry, error) {
	switch {
	case n < 1 || n > len(c.Entrants):
		return Entry{}, fail("", "there is no entrant %d", n)
	case c.Over():
		return Entry{}, fail("", "%s is over", c.Settings.Title)
	case c.entrant(n).Withdrawn:
		return Entry{}, fail("", "%s has already withdrawn", c.Name(n))
	}
	return s.entry(kindWithdraw, numberData{n})
}

// Challenge makes an entrant of a ladder challenge one above.
func (c *Cup) Challenge(s Source, from, to int) (Entry, error) {
	if err := c.mayChallenge(from, to); err != nil {
		return Entry{}, err
	}
	return s.entry(kindChallenge, challengeData{from, to})
}

// Rule decides a game: what is the name of the winner, or draw or none. It replaces the
// result of the game, even after later rounds were paired: those stay as they are.
func (c *Cup) Rule(s Source, game, what string) (Entry, error) {
	o, ok := c.Game(game)
	if !ok {
		var ids []string
		for _, m := range c.Matches {
			for _, g := range m.Games {
				ids = append(ids, g.ID)
			}
		}
		return Entry{}, fail(orders.DidYouMean("%s", game, ids, "its games: starpost cup status "+c.Settings.Name), "%s has no game %q", c.Settings.Title, game)
	}
	if strings.TrimSpace(s.Why) == "" {
		return Entry{}, fail(`such as --why "the host was down"`, "a ruling needs a reason")
	}
	d := resultData{Game: o.Game.ID}
	a, b := o.Match.First, o.Match.Second
	switch {
	case what == resultDraw || what == resultNone:
		d.Result = what
	case sameName(what, c.entrant(a).Name) || sameName(what, c.Name(a)):
		d.Result = wonByFirst
	case sameName(what, c.entrant(b).Name) || sameName(what, c.Name(b)):
		d.Result = wonBySecond
	default:
		return Entry{}, fail(fmt.Sprintf("one of: %s, %s, draw, none", c.Name(a), c.Name(b)), "%q is not a result of %s", what, o.Game.ID)
	}
	return s.entry(kindRule, d)
}

// Played records the result of a game: won by the scenario's first side, by its second, or by neither.
func (c *Cup) Played(s Source, o OpenGame, firstSide, secondSide bool) (Entry, error) {
	d := resultData{o.Game.ID, wonBySecond}
	switch {
	case !firstSide && !secondSide:
		d.Result = resultDraw
	case firstSide != o.Game.Swapped:
		d.Result = wonByFirst
	}
	return s.entry(kindResult, d)
}

// Rate records the ratings of entrants that have none yet.
func (c *Cup) Rate(s Source, rating func(Member) int) (entries []Entry, err error) {
	found := map[int]int{}
	for i, e := range c.Entrants {
		if e.Rating != 0 || len(e.Members) < c.Settings.boards() {
			continue
		}
		sum := 0
		for _, m := range e.Members {
			sum += rating(m)
		}
		found[i+1] = sum / len(e.Members)
	}
	if len(found) == 0 {
		return nil, nil
	}
	e, err := s.entry(kindRate, rateData{found})
	return []Entry{e}, err
}

// Pair pairs the next round, or ends a cup in which no round is possible. Other errors are [ErrUnfinished], [ErrOver] or
// that there are too few entrants.
func (c *Cup) Pair(s Source) (Entry, error) {
	round, err := pairer{c}.next()
	if errors.Is(err, errExhausted) {
		s.Why = "no opponent is left after " + count(c.Paired, "round")
		if len(c.active()) < 2 {
			s.Why = "fewer than two are left after " + count(c.Paired, "round")
		}
		return s.entry(kindClose, struct{}{})
	}
	if err != nil {
		return Entry{}, err
	}
	return s.entry(kindPair, pairData{c.Paired + 1, round})
}

// Close ends a cup early, or ends a ladder.
func (c *Cup) Close(s Source) (Entry, error) {
	if c.Over() {
		return Entry{}, fail("", "%s is over", c.Settings.Title)
	}
	return s.entry(kindClose, struct{}{})
}
