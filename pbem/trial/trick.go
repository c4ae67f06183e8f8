package trial

import (
	"context"

	"starpost/engine"
	"starpost/engine/robots"
	"starpost/engine/scenario"
)

// Beaten is the least share of wins, in per cent, that robots should have against a simple trick.
const Beaten = 60

// Against is the result of robots against a trick, which each side played in turn.
type Against struct {
	Scenario string `json:"scenario"`
	Rules    string `json:"rules"`
	Trick    string `json:"trick"`
	Doc      string `json:"doc"`
	Seed     uint64 `json:"seed"` // of the first battle; the others follow by ones
	Battles  int    `json:"battles"`
	Robots   int    `json:"robots"` // wins
	Won      int    `json:"won"`    // by the trick
	Draws    int    `json:"draws"`
	Endless  int    `json:"endless"` // not over in time
	// Sides are the robots' wins by their side, in the scenario's order. The sides have equal
	// numbers of battles, give or take one.
	Sides []int `json:"sides"`
}

// Beats reports whether robots won at least Beaten per cent of the battles.
func (a Against) Beats() bool { return 100*a.Robots >= Beaten*a.Battles }

// RunTrick makes robots play battles against a trick, like [Run]. The first side plays the trick in
// the first battle, the next side in the next.
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
