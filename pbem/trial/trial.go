// Package trial makes robots play a scenario many times and evaluates the results: who wins how
// often and how certain that is, how long battles take, what decides them.
//
// It plays on all processors. The result depends only on the scenario, the rule set, the number of
// battles and the seed, not on how the work was divided.
package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/robots"
	"starpost/engine/scenario"
)

// Fair is the largest share of wins, in per cent, of one side in a fair scenario.
const Fair = 60

// Result is the result of the battles. Shares are in per cent.
type Result struct {
	Scenario string    `json:"scenario"`
	Rules    string    `json:"rules"`
	Seed     uint64    `json:"seed"` // of the first battle; the others follow by ones
	Battles  int       `json:"battles"`
	Sides    []Side    `json:"sides"` // in the scenario's order
	Draws    int       `json:"draws"`
	Endless  int       `json:"endless"` // not over in time
	Turns    Turns     `json:"turns"`
	Decided  []Decided `json:"decided"` // most frequent first
}

// Side is the result of a side. Low and High contain its true share of wins in 95 of 100 such trials
// (Wilson's score interval).
type Side struct {
	ID    string  `json:"id"`
	Name  string  `json:"name"`
	Wins  int     `json:"wins"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Turns is how long finished battles took. Half of them took from Lower to Upper turns.
type Turns struct {
	Mean    float64 `json:"mean"`
	Lower   int     `json:"lower"`
	Median  int     `json:"median"`
	Upper   int     `json:"upper"`
	Longest int     `json:"longest"`
}

// Decided is how many battles ended for a reason. Side is the winner's name, blank for a draw.
type Decided struct {
	Side    string `json:"side"`
	Why     string `json:"why"`
	Battles int    `json:"battles"`
}

// Even reports whether no side won more than Fair per cent of the battles.
func (r Result) Even() bool {
	return !slices.ContainsFunc(r.Sides, func(s Side) bool { return s.Share > Fair })
}

// Run plays battles with robots, the first with the dice of seed, the next with those of seed+1 and
// so on. It calls done after each battle with the number of finished ones, from one goroutine at a
// time; done may be nil. Battles that do not end are counted; any other error ends the trial, as
// does the context.
func Run(ctx context.Context, r *engine.Rules, sc *scenario.Scenario, battles int, seed uint64, done func(int)) (Result, error) {
	games, err := play(ctx, func(int) *engine.Rules { return r }, sc, battles, seed, done)
	if err != nil {
		return Result{}, err
	}
	return count(r, sc, seed, games), nil
}

// play plays battles like Run, the n-th by the rules by(n).
func play(ctx context.Context, by func(n int) *engine.Rules, sc *scenario.Scenario, battles int, seed uint64, done func(int)) ([]*engine.Game, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	games := make([]*engine.Game, battles)
	next := make(chan int)
	var mu sync.Mutex
	over := 0
	var playing sync.WaitGroup
	for range min(battles, runtime.GOMAXPROCS(0)) {
		playing.Go(func() {
			for n := range next {
				// Robots choose their starting points by the game's name.
				own := seed + uint64(n)
				g, err := robots.Battle(by(n), sc, fmt.Sprintf("trial-%d", own), dice.FromSeed(own), func(robots.Turn) error { return context.Cause(ctx) })
				if err != nil && !errors.Is(err, robots.ErrEndless) {
					stop(fmt.Errorf("battle of seed %d: %w", own, err))
					continue
				}
				games[n] = g
				mu.Lock()
				over++
				if done != nil {
					done(over)
				}
				mu.Unlock()
			}
		})
	}
	for n := range battles {
		if ctx.Err() != nil {
			break
		}
		next <- n
	}
	close(next)
	playing.Wait()
	return games, context.Cause(ctx)
}

// count evaluates games that are over, or took too long.
func count(r *engine.Rules, sc *scenario.Scenario, seed uint64, games []*engine.Game) Result {
	out := Result{Scenario: sc.Name, Rules: r.Name, Seed: seed, Battles: len(games)}
	wins, why := map[string]int{}, map[Decided]int{}
	var turns []int
	for _, g := range games {
		res := g.Result
		switch {
		case res == nil:
			out.Endless++
			continue
		case res.Draw:
			out.Draws++
		default:
			wins[res.Side]++
		}
		turns = append(turns, g.Turn)
		side, _ := g.Side(res.Side)
		key := Decided{Why: res.Why}
		if side != nil {
			key.Side = side.Name
		}
		why[key]++
	}
	for _, s := range sc.Sides {
		side := Side{ID: s.ID, Name: s.Name, Wins: wins[s.ID], Share: 100 * float64(wins[s.ID]) / float64(max(1, len(games)))}
		side.Low, side.High = Interval(wins[s.ID], len(games))
		out.Sides = append(out.Sides, side)
	}
	for key, n := range why {
		key.Battles = n
		out.Decided = append(out.Decided, key)
	}
	slices.SortFunc(out.Decided, func(a, b Decided) int {
		return cmp.Or(cmp.Compare(b.Battles, a.Battles), cmp.Compare(a.Side, b.Side), cmp.Compare(a.Why, b.Why))
	})
	out.Turns = lengths(turns)
	return out
}

// lengths summarises how many turns battles took.
func lengths(turns []int) Turns {
	if len(turns) == 0 {
		return Turns{}
	}
	slices.Sort(turns)
	sum := 0
	for _, n := range turns {
		sum += n
	}
	at := func(quarter int) int { return turns[(len(turns)-1)*quarter/4] }
	return Turns{Mean: float64(sum) / float64(len(turns)), Lower: at(1), Median: at(2), Upper: at(3), Longest: turns[len(turns)-1]}
}

// Interval returns Wilson's score interval of 95 per cent for n successes of total tries, in per
// cent (E. B. Wilson, Probable Inference, 1927).
func Interval(n, total int) (low, high float64) {
	if total == 0 {
		return 0, 100
	}
	const z = 1.959964
	p, t := float64(n)/float64(total), float64(total)
	middle := p + z*z/(2*t)
	spread := z * math.Sqrt(p*(1-p)/t+z*z/(4*t*t))
	scale := 100 / (1 + z*z/t)
	return max(0, scale*(middle-spread)), min(100, scale*(middle+spread))
}

// Score returns the score of the first side, in per cent. A draw or an endless battle counts as half
// a win.
func (r Result) Score() float64 {
	return 100 * (float64(r.Sides[0].Wins) + float64(r.Draws+r.Endless)/2) / float64(max(1, r.Battles))
}
