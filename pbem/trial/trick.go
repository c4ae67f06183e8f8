package trial

import (
	"context"

	"starpost/engine"
	"starpost/engine/robots"
	"starpost/engine/scenario"
)

// Beaten is the least share of wins, in per cent, that robots have against a simple trick.
const Beaten = 60

// Against is how robots fared against a trick, which each side played in its turn.
type Against struct {
	Scenario string `json:"scenario"`
	Rules    string `json:"rules"`
	Trick    string `json:"trick"`
	Doc      string `json:"doc"`
	Seed     uint64 `json:"seed"` // of the first battle; the others follow by ones
	Battles  int    `json:"battles"`
	Robots   int    `json:"robots"`  // wins
	Won      int    `json:"won"`     // by the trick
	Draws    int    `json:"draws"`   //
	Endless  int    `json:"endless"` // not over in time
	// Sides are the robots' wins by the side that they had, in the scenario's order, each of
	// an equal number of battles or one less.
	Sides []int `json:"sides"`
}

// Beats tells whether robots won at least Beaten per cent of the battles.
func (a Against) Beats() bool { return 100*a.Robots >= Beaten*a.Battles }

// RunTrick has robots play so many battles against a trick, as [Run] does; in the first one
// the first side plays the trick, in the next the next one.
func RunTrick(ctx context.Context, r *engine.Rules, sc *scenario.Scenario, trick engine.Trick, battles int, seed uint64, done func(int)) (Against, error) {
	out := Against{Scenario: sc.Name, Rules: r.Name, Trick: trick.Name, Doc: trick.Doc, Seed: seed, Battles: battles, Sides: make([]int, len(sc.Sides))}
	by := make([]*engine.Rules, len(sc.Sides))
	for i, side := range sc.Sides {
		by[i] = robots.Tricked(r, side.ID, trick)
	}
	games, err := play(ctx, func(n int) *engine.Rules { return by[n%len(by)] }, sc, battles, seed, done)
	if err != nil {
		return Against{}, err
	}
	for n, g := range games {
		switch res := g.Result; {
		case res == nil:
			out.Endless++
		case res.Draw:
			out.Draws++
		case res.Side == sc.Sides[n%len(by)].ID:
			out.Won++
		default:
			out.Robots++
			for i, side := range sc.Sides {
				if side.ID == res.Side {
					out.Sides[i]++
				}
			}
		}
	}
	return out, nil
}
