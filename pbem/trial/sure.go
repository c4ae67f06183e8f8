package trial

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/robots"
	"starpost/engine/ruling"
	"starpost/engine/scenario"
)

// Verdicts of battles that are played until the result is certain.
const (
	VerdictFair   = "fair"   // the first side scores between 100-Fair and Fair per cent
	VerdictStrong = "strong" // the first side scores more
	VerdictWeak   = "weak"   // the first side scores less
	VerdictOpen   = "open"   // the maximum number of battles was played without a decision
)

// doubt is the maximum probability of a wrong verdict.
const doubt = 0.05

// batch is how many battles are played between evaluations.
const batch = 16

// Sure is the result of battles that ended when it was certain. Shares are in per cent; a draw is half a win.
type Sure struct {
	Value   int     `json:"value"` // of the varied number; 0 if there is none
	Battles int     `json:"battles"`
	Score   float64 `json:"score"` // of the first side
	Low     float64 `json:"low"`   // bounds of its true score, valid at every evaluation
	High    float64 `json:"high"`
	Verdict string  `json:"verdict"`
}

// Vary is a varied number of a ship: any that a referee can set.
type Vary struct {
	Ship, Field     string
	Low, High, Step int
}

// maxValues is the maximum number of values to try.
const maxValues = 100

// ReadVary reads SHIP.FIELD=LOW..HIGH, with an optional /STEP at the end.
func ReadVary(text string) (v Vary, err error) {
	what, span, ok := strings.Cut(text, "=")
	dot := strings.LastIndexByte(what, '.')
	low, high, isSpan := strings.Cut(span, "..")
	if !ok || dot < 1 || !isSpan {
		return v, fmt.Errorf("%q does not say what is varied", text)
	}
	v.Ship, v.Field, v.Step = what[:dot], what[dot+1:], 1
	if to, step, stepped := strings.Cut(high, "/"); stepped {
		if v.Step, err = strconv.Atoi(step); err != nil || v.Step < 1 {
			return v, fmt.Errorf("the step %q is no number above 0", step)
		}
		high = to
	}
	if v.Low, err = strconv.Atoi(low); err == nil {
		v.High, err = strconv.Atoi(high)
	}
	switch {
	case err != nil:
		return v, fmt.Errorf("%q is no span of whole numbers", span)
	case v.Low > v.High || (v.High-v.Low)/v.Step >= maxValues:
		return v, fmt.Errorf("from %d to %d in steps of %d are no 1 to %d values", v.Low, v.High, v.Step, maxValues)
	}
	return v, nil
}

// Values returns all values to try.
func (v Vary) Values() (out []int) {
	for n := v.Low; n <= v.High; n += v.Step {
		out = append(out, n)
	}
	return out
}

// setting returns the set-up game with the given value. If the ship already has it, no ruling is made.
func (v *Vary) setting(r *engine.Rules, g *engine.Game, value int) (*engine.Game, error) {
	if v == nil {
		return g, nil
	}
	s, _, ok := engine.FindShip(g.Ships, v.Ship)
	if !ok {
		var names []string
		for _, s := range g.Ships {
			names = append(names, s.Name)
		}
		return nil, fmt.Errorf("there is no ship %q; there are %s", v.Ship, strings.Join(names, ", "))
	}
	if has, ok := s.System.(ruling.Editable); ok && slices.ContainsFunc(has.Fields(), func(f ruling.Field) bool { return f.Name == v.Field && f.Now == strconv.Itoa(value) }) {
		return g, nil
	}
	after, _, err := ruling.Setup(r, g, []ruling.Ruling{{By: "balance", Why: "varied", What: fmt.Sprintf("set %s %s %d", s.Name, v.Field, value), Force: true}})
	return after, err
}

// UntilSure makes robots play a scenario of two sides until a verdict is certain, or most battles have been played.
// If v is not nil, its number is set to value. The error for an impossible ruling is a [ruling.Error].
func UntilSure(ctx context.Context, r *engine.Rules, sc *scenario.Scenario, v *Vary, value, most int, seed uint64, done func(int)) (Sure, error) {
	if len(sc.Sides) != 2 {
		return Sure{}, fmt.Errorf("%s has %d sides: of two it can be told which is stronger", sc.Name, len(sc.Sides))
	}
	var seen evidence
	out := Sure{Value: value, Verdict: VerdictOpen}
	for seen.n < most && out.Verdict == VerdictOpen {
		scores := make([]float64, min(batch, most-seen.n))
		failed := make([]error, len(scores))
		var group sync.WaitGroup
		room := make(chan struct{}, runtime.GOMAXPROCS(0))
		for i := range scores {
			own := seed + uint64(seen.n+i)
			room <- struct{}{}
			group.Go(func() {
				defer func() { <-room }()
				scores[i], failed[i] = score(ctx, r, sc, v, value, own)
			})
		}
		group.Wait()
		for i, s := range scores {
			if failed[i] != nil {
				return Sure{}, failed[i]
			}
			seen.add(s)
		}
		out.Battles, out.Score = seen.n, 100*seen.sum/float64(seen.n)
		out.Low, out.High = seen.interval()
		switch {
		case out.Low >= 100-Fair && out.High <= Fair:
			out.Verdict = VerdictFair
		case out.Low > Fair:
			out.Verdict = VerdictStrong
		case out.High < 100-Fair:
			out.Verdict = VerdictWeak
		}
		if done != nil {
			done(seen.n)
		}
	}
	return out, nil
}

// score returns the first side's score in one battle: 1, a half, or 0.
func score(ctx context.Context, r *engine.Rules, sc *scenario.Scenario, v *Vary, value int, seed uint64) (float64, error) {
	id, secret := fmt.Sprintf("trial-%d", seed), dice.FromSeed(seed)
	g, diags := sc.Drawn(secret, id).NewGame(r, id, nil)
	if g == nil {
		return 0, fmt.Errorf("set up %s by %s: %v", sc.Name, r.Name, diags)
	}
	g, err := v.setting(r, g, value)
	if err == nil {
		g, err = robots.Fight(r, g, secret, func(robots.Turn) error { return context.Cause(ctx) })
	}
	switch {
	case ctx.Err() != nil:
		return 0, context.Cause(ctx)
	case err != nil && g == nil || err != nil && g.Result == nil && !isEndless(err):
		return 0, fmt.Errorf("battle of seed %d: %w", seed, err)
	case g.Result == nil || g.Result.Draw:
		return 0.5, nil
	case g.Result.Side == sc.Sides[0].ID:
		return 1, nil
	}
	return 0, nil
}

// evidence is the results so far. Its interval contains the true score with probability 1-doubt, not only after a
// number of battles chosen before, but after all numbers at once: so one may evaluate after each batch, and stop when
// the result is clear (H. Robbins, "Statistical methods related to the law of the iterated logarithm", 1970, with a
// uniform mixture; that results are from 0 to 1, and not 0 or 1 alone, makes it safer).
type evidence struct {
	n   int
	sum float64
}

func (e *evidence) add(score float64) { e.n, e.sum = e.n+1, e.sum+score }

// against returns the logarithm of how strongly the results speak against a true score p from 0 to 1: the mixed
// likelihood of all other scores, divided by that of p.
func (e *evidence) against(p float64) float64 {
	won, lost := e.sum, float64(e.n)-e.sum
	a, _ := math.Lgamma(won + 1)
	b, _ := math.Lgamma(lost + 1)
	both, _ := math.Lgamma(float64(e.n) + 2)
	out := a + b - both
	if won > 0 {
		out -= won * math.Log(p)
	}
	if lost > 0 {
		out -= lost * math.Log(1-p)
	}
	return out
}

// interval returns the bounds, in per cent, of the scores against which there is too little evidence.
func (e *evidence) interval() (low, high float64) {
	limit, middle := math.Log(1/doubt), e.sum/float64(max(1, e.n))
	edge := func(out float64) float64 {
		in := middle
		if e.against(out) < limit {
			return out
		}
		for range 50 {
			if half := (in + out) / 2; e.against(half) < limit {
				in = half
			} else {
				out = half
			}
		}
		return in
	}
	const least = 1e-9
	return 100 * edge(least), 100 * edge(1-least)
}

func isEndless(err error) bool { return errors.Is(err, robots.ErrEndless) }
