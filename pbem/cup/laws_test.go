package cup

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"
)

var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// script is a made-up cup with its entries.
type script struct {
	t    *testing.T
	cup  *Cup
	rand *rand.Rand
	log  []Entry
}

func begin(t *testing.T, s Settings, seed uint64) *script {
	t.Helper()
	s.complete()
	s.Balance(-1)
	if _, err := s.check(); err != nil {
		t.Fatal(err)
	}
	e, err := Source{By: ByReferee, Now: day}.entry(kindOpen, s)
	p := &script{t: t, cup: &Cup{}, rand: rand.New(rand.NewPCG(seed, 1))}
	p.do(e, err)
	return p
}

func (p *script) referee() Source { return Source{By: ByReferee, Why: "so it is", Now: day} }

// do applies an entry.
func (p *script) do(e Entry, err error) {
	p.t.Helper()
	if err == nil {
		err = p.cup.apply(e)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	p.log = append(p.log, e)
}

func (p *script) enter(rating int) int {
	p.t.Helper()
	n := len(p.cup.Entrants) + 1
	var members []Member
	for b := range p.cup.Settings.boards() {
		members = append(members, Member{Address: fmt.Sprintf("p%d.%d@home.example", n, b)})
	}
	p.do(p.cup.Enter(p.referee(), fmt.Sprintf("Player %d", n), members))
	p.cup.entrant(n).Rating = rating
	return n
}

// play gives all open games made-up results, which favour the stronger player.
func (p *script) play() {
	p.t.Helper()
	for _, o := range p.cup.Open() {
		a, b := p.cup.entrant(o.Match.First).Rating, p.cup.entrant(o.Match.Second).Rating
		first := p.rand.IntN(3000)+a > p.rand.IntN(3000)+b
		draw := p.rand.IntN(5) == 0
		p.do(p.cup.Played(p.referee(), o, first && !draw, !first && !draw))
	}
}

// cupsOfLaws returns the number of made-up cups to test: a small one, or the value of the variable CUPS.
func cupsOfLaws(t *testing.T) int {
	t.Helper()
	text := os.Getenv("CUPS")
	if text == "" {
		return 80
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("CUPS is %q, no number of cups", text)
	}
	return n
}

// TestPairingBreaksNoLaw makes up cups of all formats with 1 to 200 entrants, some of whom withdraw or come late, with
// draws and rulings, and checks each round against the laws. A cup may end early only if no lawful round was left.
func TestPairingBreaksNoLaw(t *testing.T) {
	t.Parallel()
	rounds, early, byes, walkovers := 0, 0, 0, 0
	for seed := range cupsOfLaws(t) {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		s := Settings{Name: "summer", Title: "Summer cup", Scenario: "x", Format: []string{swissCup, swissCup, swissCup, roundRobinCup, knockOutCup}[r.IntN(5)]}
		n := 1 + r.IntN(200)
		if r.IntN(3) == 0 {
			n = 1 + r.IntN(12) // where a round can be impossible
		}
		if s.Format == roundRobinCup {
			n = 1 + r.IntN(40)
		}
		if s.Format != knockOutCup {
			s.Sides = []string{SidesOnce, SidesBoth}[r.IntN(2)]
		}
		if s.Format == swissCup {
			s.Late, s.Rounds = r.IntN(4), r.IntN(12)
		}
		if r.IntN(4) == 0 {
			s.Boards = 1 + r.IntN(4)
		}
		p := begin(t, s, uint64(seed))
		for range n {
			p.enter(1000 + r.IntN(1000))
		}
		quits := r.IntN(3) // none, few, many
		for !p.cup.Over() {
			for quits > 0 && r.IntN(4) < quits && p.cup.Paired > 0 {
				if active := p.cup.active(); len(active) > 0 {
					p.do(p.cup.Withdraw(p.referee(), active[r.IntN(len(active))]))
				}
			}
			if s.Format == swissCup && p.cup.Paired <= s.Late && r.IntN(3) == 0 && len(p.cup.Entrants) < 200 {
				p.enter(1500)
			}
			if p.cup.Over() {
				break
			}
			before := p.cup.active()
			e, err := p.cup.Pair(p.referee())
			if len(before) < 2 && p.cup.Paired == 0 {
				if !errors.Is(err, errTooFew) {
					t.Fatalf("cup %d of %d entrants: got %v, want %v", seed, n, err, errTooFew)
				}
				break
			}
			p.do(e, err)
			if e.Kind == kindClose {
				early++
				if len(before) > 1 && lawfulRound(p.cup, before) {
					t.Fatalf("cup %d (%+v) of %d entrants ended after round %d, though a lawful round was left", seed, s, n, p.cup.Paired)
				}
				break
			}
			rounds++
			if problem := laws(p.cup, before); problem != "" {
				t.Fatalf("cup %d (%+v) of %d entrants, round %d: %s", seed, s, n, p.cup.Paired, problem)
			}
			for _, m := range p.cup.round(p.cup.Paired) {
				if m.Walkover != 0 {
					walkovers++
				} else if m.Second == 0 && m.First != 0 {
					byes++
				}
			}
			p.play()
			if r.IntN(3) == 0 && len(p.cup.Matches) > 0 { // a ruling on any game so far
				if m := p.cup.Matches[r.IntN(len(p.cup.Matches))]; len(m.Games) > 0 {
					p.do(p.cup.Rule(p.referee(), m.Games[0].ID, []string{resultDraw, resultNone, p.cup.Name(m.Second)}[r.IntN(3)]))
				}
			}
		}
		standInOrder(t, p.cup)
	}
	if rounds == 0 || early == 0 || byes == 0 || walkovers == 0 {
		t.Errorf("the cups were too tame: %d rounds, %d ended early, %d byes, %d walkovers", rounds, early, byes, walkovers)
	}
	t.Logf("%d rounds, %d cups ended early, %d byes, %d walkovers", rounds, early, byes, walkovers)
}

// laws returns the law that the newest round breaks; active are the entrants who had not withdrawn when it was paired.
func laws(c *Cup, active []int) string {
	met, sides, byes := map[[2]int]int{}, map[int]int{}, map[int]int{}
	in := map[int]int{}
	for _, m := range c.Matches {
		for _, n := range m.entrants() {
			if m.Round == c.Paired {
				in[n]++
			}
		}
		if m.Second == 0 {
			if m.First != 0 && m.Walkover == 0 {
				if byes[m.First]++; byes[m.First] > 1 {
					return fmt.Sprintf("%d sits out twice", m.First)
				}
			}
			continue
		}
		pair := [2]int{min(m.First, m.Second), max(m.First, m.Second)}
		if met[pair]++; met[pair] > 1 || m.First == m.Second {
			return fmt.Sprintf("%d and %d meet again", m.First, m.Second)
		}
		games := map[bool]int{}
		for _, g := range m.Games {
			games[g.Swapped]++
		}
		if c.Settings.Sides == SidesBoth || m.Both {
			if len(m.Games) > 0 && games[true] != games[false] {
				return fmt.Sprintf("%d and %d do not play both sides alike", m.First, m.Second)
			}
			continue
		}
		sides[m.First]++
		sides[m.Second]--
	}
	for n, d := range sides { // matches that neither entrant plays do not count
		if (d < -1 || d > 1) && !c.entrant(n).Withdrawn {
			return fmt.Sprintf("the sides of %d differ by %d", n, d)
		}
	}
	if c.Settings.Format == knockOutCup {
		for _, m := range c.round(c.Paired - 1) {
			w := c.winner(&m)
			if loser := m.First + m.Second - w; loser > 0 && in[loser] > 0 {
				return fmt.Sprintf("%d lost and plays on", loser)
			}
			if w > 0 && !c.entrant(w).Withdrawn && in[w] != 1 {
				return fmt.Sprintf("%d won and is in %d matches", w, in[w])
			}
		}
		if c.Paired > 1 {
			return ""
		}
	}
	for _, n := range active {
		if in[n] != 1 {
			return fmt.Sprintf("%d is in %d matches", n, in[n])
		}
	}
	return ""
}

// tried is the maximum number of entrants for which all pairings are tried.
const tried = 14

// lawfulRound reports, independently of the pairing, whether a lawful round of a Swiss cup is left: for few entrants by
// trying all pairings; many have one as long as each has met less than half of the others (Dirac, 1952).
func lawfulRound(c *Cup, active []int) bool {
	if c.Settings.Format != swissCup || len(active) > tried {
		return c.Settings.Format != swissCup || c.Paired+1 < (len(active)-1)/2
	}
	met, bye := map[[2]int]bool{}, map[int]bool{}
	for _, m := range c.Matches {
		if m.Second == 0 {
			bye[m.First] = true
		}
		met[[2]int{m.First, m.Second}], met[[2]int{m.Second, m.First}] = true, true
	}
	seen := map[string]bool{}
	var try func(left []int, sat bool) bool
	try = func(left []int, sat bool) bool {
		key := fmt.Sprint(left, sat)
		if len(left) == 0 || seen[key] {
			return len(left) == 0
		}
		seen[key] = true
		rest := left[1:]
		if !sat && !bye[left[0]] && try(rest, true) {
			return true
		}
		for i, o := range rest {
			if !met[[2]int{left[0], o}] && try(slices.Concat(rest[:i], rest[i+1:]), sat) {
				return true
			}
		}
		return false
	}
	return try(active, len(active)%2 == 0)
}

// standInOrder checks that each entrant has one place, and that no row has more points than the one above.
func standInOrder(t *testing.T, c *Cup) {
	t.Helper()
	rows := c.Standings()
	if len(rows) != len(c.Entrants) {
		t.Fatalf("%d stand in a table of %d entrants", len(rows), len(c.Entrants))
	}
	seen := map[int]bool{}
	for i, r := range rows {
		if seen[r.Entrant] || r.Place > i+1 {
			t.Fatalf("row %d of the standings is %+v", i, r)
		}
		seen[r.Entrant] = true
		if i > 0 && c.Settings.scored() && (r.Points > rows[i-1].Points || r.Points == rows[i-1].Points && slices.Compare(r.Breaks[:1], rows[i-1].Breaks[:1]) > 0) {
			t.Fatalf("%+v stands below %+v", r, rows[i-1])
		}
	}
}
