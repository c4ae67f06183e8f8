package cup

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"time"

	"starpost/pbem/auth"
)

// Cup is a cup as its journal tells it. Entrants have numbers, from 1 in the order of entry.
type Cup struct {
	Settings   Settings
	Began      time.Time // when it was made
	Entrants   []Entrant
	Matches    []Match // by round
	Paired     int     // rounds
	Challenges []Challenge
	Closed     bool
	Why        string // ... if there was a reason to tell

	aliases []string // of an anonymous cup
	settled int      // results so far
	causes  map[string]bool
	times   times
}

// Entrant is a captain, or a team of them.
type Entrant struct {
	Name      string
	Members   []Member // by board; a team that is being formed lacks some
	Rating    int      // 0: not known yet
	Since     int      // rounds that were paired before the entry
	Withdrawn bool
}

// Member is one captain of an entrant.
type Member struct {
	Name    string `json:"name,omitempty"`
	Address string `json:"address"`
}

// Match is two entrants meeting, by number. Second is 0 for a bye, and both are 0 for a place of a
// knock-out to which no one got.
type Match struct {
	Round  int `json:"round"`
	First  int `json:"first,omitempty"`
	Second int `json:"second,omitempty"`
	// Walkover is the entrant who had withdrawn already, so that the other need not play.
	Walkover int `json:"walkover,omitempty"`
	// Both tells that the two play both sides, though others play once: neither could have had the other side.
	// Each game counts half then.
	Both  bool   `json:"both,omitempty"`
	Games []Game `json:"games,omitempty"`
}

// Game is one battle of a match.
type Game struct {
	ID    string `json:"id"`
	Board int    `json:"board,omitempty"` // of a team, from 0
	// Swapped tells that the match's second entrant has the scenario's first side.
	Swapped bool     `json:"swapped,omitempty"`
	Result  *Result  `json:"-"`
	Dispute *Dispute `json:"-"` // nil where its result is not disputed now
}

// Result is what came of one game.
type Result struct {
	Outcome string // one of the constants below
	Ruled   bool   // by a referee
	Why     string // the referee's words
	order   int    // among all results, by which a ladder moves
}

// Outcomes of a game.
const (
	wonByFirst  = "first"  // the first entrant of the match won
	wonBySecond = "second" // the second did
	resultDraw  = "draw"
	resultNone  = "none" // neither gets points
)

// Challenge is that of one entrant of a ladder to another.
type Challenge struct{ From, To int }

// points are counted in quarters: a game that is won is a point, a draw half of one, and a game that counts half half of that.
type points int

const point points = 4

// legs is how many games a match has on each board.
func (c *Cup) legs(m *Match) int {
	if m.Both {
		return 2
	}
	return c.Settings.legs()
}

// most is what can be won in a match.
func (c *Cup) most() points { return point * points(c.Settings.boards()*c.Settings.legs()) }

// entrant is one by number.
func (c *Cup) entrant(n int) *Entrant { return &c.Entrants[n-1] }

// active are the numbers of those who have not withdrawn, but for teams that are not complete.
func (c *Cup) active() (out []int) {
	for i, e := range c.Entrants {
		if !e.Withdrawn && len(e.Members) == c.Settings.boards() {
			out = append(out, i+1)
		}
	}
	return out
}

// seeded sorts entrants by rating, equals by time of entry.
func (c *Cup) seeded(numbers []int) []int {
	out := slices.Clone(numbers)
	slices.SortFunc(out, func(a, b int) int {
		return cmp.Or(cmp.Compare(c.entrant(b).Rating, c.entrant(a).Rating), cmp.Compare(a, b))
	})
	return out
}

// field is who was in the first round.
func (c *Cup) field() (out []int) {
	for _, m := range c.Matches {
		if m.Round == 1 {
			out = append(out, m.entrants()...)
		}
	}
	return c.seeded(out)
}

// entrants are the numbers of those in a match; a bye has one.
func (m *Match) entrants() []int {
	return slices.DeleteFunc([]int{m.First, m.Second}, func(n int) bool { return n == 0 })
}

// round is the matches of a round.
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

// Last is how many rounds the cup has, as far as is known yet; 0 for a ladder, which has no last one.
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

// Over tells whether the cup has ended: all its games have been played, or it was closed.
func (c *Cup) Over() bool {
	return c.Closed || c.Settings.Format != ladderCup && c.Paired > 0 && c.Paired >= c.Last() && len(c.Open()) == 0
}

// Due tells whether the daemon is to pair the next round when it can be: a referee pairs the first one, but on a ladder,
// where it begins with a challenge.
func (c *Cup) Due() bool {
	return c.Settings.Pairs == pairsDaemon && (c.Paired > 0 || len(c.Challenges) > 0) && !c.Over()
}

// OpenGame is a game without a result, and who plays it.
type OpenGame struct {
	Match *Match
	Game  *Game
}

// Open are the games without results.
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

// done tells whether all of a match is known.
func (m *Match) done() bool {
	return !slices.ContainsFunc(m.Games, func(g Game) bool { return g.Result == nil })
}

// score is what the entrants of a match have from it so far.
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

// winner is the entrant who goes on from a knock-out match; a tie goes to the higher seed.
// 0 where no one can.
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

// points are those of all entrants so far, by number.
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

// Game finds a game by its name.
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

// Players are the captains of the scenario's first and second side. In an anonymous cup they have
// the aliases of their entrants.
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

// Of is the number of the entrant to whom an address belongs who is in the cup; 0 for none.
func (c *Cup) Of(address string) int {
	return 1 + slices.IndexFunc(c.Entrants, func(e Entrant) bool {
		return !e.Withdrawn && slices.ContainsFunc(e.Members, func(m Member) bool { return auth.SameAddress(m.Address, address) })
	})
}
