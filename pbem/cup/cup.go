package cup

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"starpost/pbem/auth"
)

// Cup is a cup according to its journal. Entrants have numbers, from 1 in the order of entry.
type Cup struct {
	Settings   Settings
	Entrants   []Entrant
	Matches    []Match // by round
	Paired     int     // number of rounds
	Challenges []Challenge
	Closed     bool
	Why        string // ... and the reason, if any

	aliases []string // of an anonymous cup
	settled int      // number of results so far
	causes  map[string]bool
	times   times
}

// Entrant is a captain, or a team of captains.
type Entrant struct {
	Name      string
	Members   []Member // by board; an incomplete team lacks some
	Rating    int      // 0: not known yet
	Since     int      // rounds paired before the entry
	Withdrawn bool
}

// Member is one captain of an entrant.
type Member struct {
	Name    string `json:"name,omitempty"`
	Address string `json:"address"`
}

// Match is a pairing of two entrants, by number. Second is 0 for a bye, and both are 0 for a place in a knock-out that
// no one reached.
type Match struct {
	Round  int `json:"round"`
	First  int `json:"first,omitempty"`
	Second int `json:"second,omitempty"`
	// Walkover is the entrant who had already withdrawn, so that the other need not play.
	Walkover int `json:"walkover,omitempty"`
	// Both means that the two play both sides although other pairs play once, because both are due the same side. Each
	// game then counts half.
	Both  bool   `json:"both,omitempty"`
	Games []Game `json:"games,omitempty"`
}

// Game is one battle of a match.
type Game struct {
	ID    string `json:"id"`
	Board int    `json:"board,omitempty"` // of a team, from 0
	// Swapped means that the match's second entrant has the scenario's first side.
	Swapped bool     `json:"swapped,omitempty"`
	Result  *Result  `json:"-"`
	Dispute *Dispute `json:"-"` // nil if its result is not disputed now
}

// Result is the result of one game.
type Result struct {
	Outcome string // one of the constants below
	Ruled   bool   // by a referee
	Why     string // the referee's words
	order   int    // its place among all results, by which a ladder moves
}

// Outcomes of a game.
const (
	wonByFirst  = "first"  // the first entrant of the match won
	wonBySecond = "second" // the second did
	resultDraw  = "draw"
	resultNone  = "none" // neither gets points
)

// Challenge is a challenge of one entrant of a ladder to another.
type Challenge struct{ From, To int }

// points are in quarters: a win is one point, a draw half a point, and a game that counts half gives half of that.
type points int

const point points = 4

// legs returns the number of games of a match on each board.
func (c *Cup) legs(m *Match) int {
	if m.Both {
		return 2
	}
	return c.Settings.legs()
}

// most returns the maximum points of a match.
func (c *Cup) most() points { return point * points(c.Settings.boards()*c.Settings.legs()) }

// entrant returns an entrant by number.
func (c *Cup) entrant(n int) *Entrant { return &c.Entrants[n-1] }

// active returns the numbers of entrants who have not withdrawn, without incomplete teams.
func (c *Cup) active() (out []int) {
	for i, e := range c.Entrants {
		if !e.Withdrawn && len(e.Members) == c.Settings.boards() {
			out = append(out, i+1)
		}
	}
	return out
}

// seeded sorts entrants by rating, and equal ones by time of entry.
func (c *Cup) seeded(numbers []int) []int {
	out := slices.Clone(numbers)
	slices.SortFunc(out, func(a, b int) int {
		return cmp.Or(cmp.Compare(c.entrant(b).Rating, c.entrant(a).Rating), cmp.Compare(a, b))
	})
	return out
}

// field returns the entrants of the first round.
func (c *Cup) field() (out []int) {
	for _, m := range c.Matches {
		if m.Round == 1 {
			out = append(out, m.entrants()...)
		}
	}
	return c.seeded(out)
}

// entrants returns the numbers of the entrants in a match; a bye has one.
func (m *Match) entrants() []int {
	return slices.DeleteFunc([]int{m.First, m.Second}, func(n int) bool { return n == 0 })
}

// round returns the matches of a round.
func (c *Cup) round(n int) []Match {
	from := slices.IndexFunc(c.Matches, func(m Match) bool { return m.Round == n })
	if from < 0 {
		return nil
	}
	to := from
	for to < len(c.Matches) && c.Matches[to].Round == n {
		to++
	}
	return c.Matches[from:to]
}

// Last returns the number of rounds of the cup, as far as known; 0 for a ladder, which has no last round.
func (c *Cup) Last() int {
	n := len(c.active())
	if c.Paired > 0 {
		n = len(c.field())
	}
	switch c.Settings.Format {
	case swissCup:
		return max(1, cmp.Or(c.Settings.Rounds, bits.Len(uint(max(n, 2)-1))))
	case roundRobinCup:
		return n - 1 + n%2
	case knockOutCup:
		return bits.Len(uint(max(n, 2) - 1))
	}
	return 0
}

// Over reports whether the cup has ended: all its games have been played, or it was closed.
func (c *Cup) Over() bool {
	return c.Closed || c.Settings.Format != ladderCup && c.Paired > 0 && c.Paired >= c.Last() && len(c.Open()) == 0
}

// Due reports whether the daemon should pair the next round when possible: a referee pairs the first one, except on a
// ladder, which begins with a challenge.
func (c *Cup) Due() bool {
	return c.Settings.Pairs == pairsDaemon && (c.Paired > 0 || len(c.Challenges) > 0) && !c.Over()
}

// OpenGame is a game without a result, with its match.
type OpenGame struct {
	Match *Match
	Game  *Game
}

// Open returns the games without results.
func (c *Cup) Open() (out []OpenGame) {
	for i := range c.Matches {
		for k := range c.Matches[i].Games {
			if g := &c.Matches[i].Games[k]; g.Result == nil {
				out = append(out, OpenGame{&c.Matches[i], g})
			}
		}
	}
	return out
}

// done reports whether all results of a match are known.
func (m *Match) done() bool {
	return !slices.ContainsFunc(m.Games, func(g Game) bool { return g.Result == nil })
}

// score returns the points of a match's entrants so far.
func (c *Cup) score(m *Match) (first, second points) {
	switch {
	case m.Second == 0 && m.First == 0:
	case m.Second == 0 || m.Walkover == m.Second && m.Walkover != 0:
		first = c.most()
	case m.Walkover != 0:
		second = c.most()
	}
	for _, g := range m.Games {
		worth := point * points(c.Settings.legs()) / points(c.legs(m))
		switch {
		case g.Result == nil || g.Result.Outcome == resultNone:
		case g.Result.Outcome == wonByFirst:
			first += worth
		case g.Result.Outcome == wonBySecond:
			second += worth
		default:
			first, second = first+worth/2, second+worth/2
		}
	}
	return first, second
}

// winner returns the entrant who advances from a knock-out match; a tie goes to the higher seed. 0 if none can.
func (c *Cup) winner(m *Match) int {
	there := m.entrants()
	if len(there) < 2 {
		return m.First
	}
	if m.Walkover != 0 {
		return m.First + m.Second - m.Walkover
	}
	switch a, b := c.score(m); {
	case a > b:
		return m.First
	case b > a:
		return m.Second
	}
	return c.seeded(there)[0]
}

// points returns the points of all entrants so far, by number.
func (c *Cup) points() []points {
	out := make([]points, len(c.Entrants)+1)
	for i := range c.Matches {
		m := &c.Matches[i]
		a, b := c.score(m)
		out[m.First] += a
		out[m.Second] += b
	}
	out[0] = 0
	return out
}

// Game returns a game by its name.
func (c *Cup) Game(id string) (OpenGame, bool) {
	for i := range c.Matches {
		for k := range c.Matches[i].Games {
			if g := &c.Matches[i].Games[k]; strings.EqualFold(g.ID, id) {
				return OpenGame{&c.Matches[i], g}, true
			}
		}
	}
	return OpenGame{}, false
}

// Players returns the captains of the scenario's first and second side. In an anonymous cup they have the aliases of
// their entrants.
func (c *Cup) Players(o OpenGame) (first, second Member) {
	a, b := o.Match.First, o.Match.Second
	if o.Game.Swapped {
		a, b = b, a
	}
	player := func(n int) Member {
		m := c.entrant(n).Members[o.Game.Board]
		if c.Settings.Secret {
			m.Name = c.Name(n)
		}
		return m
	}
	return player(a), player(b)
}

// Of returns the number of the active entrant with that address; 0 for none.
func (c *Cup) Of(address string) int {
	return 1 + slices.IndexFunc(c.Entrants, func(e Entrant) bool {
		return !e.Withdrawn && slices.ContainsFunc(e.Members, func(m Member) bool { return auth.SameAddress(m.Address, address) })
	})
}
