// Package balance has robots play a scenario until it is sure how its sides compare, for the command of that name, and keeps
// what came of it for a host. How one can be sure stands in pbem/trial.
package balance

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"starpost/engine"
	"starpost/engine/scenario"
	"starpost/pbem/config"
	"starpost/pbem/fault"
	"starpost/pbem/rating"
	"starpost/pbem/trial"
)

// Sure is what is played: at most so many battles, for each value of what is varied.
type Sure struct {
	Battles int
	Seed    uint64 // of the dice of the first
	Vary    string // "SHIP.FIELD=LOW..HIGH"; "" for nothing
}

// values are what is varied and its values; nothing has one value that does not count.
func (s Sure) values() (*trial.Vary, []int, error) {
	if s.Vary == "" {
		return nil, []int{0}, nil
	}
	v, err := trial.ReadVary(s.Vary)
	if err != nil {
		return nil, nil, fault.New("such as --vary Hood.superstructure=6..12, or 6..12/2 for every second", "--vary: %s", err)
	}
	return &v, v.Values(), nil
}

// Play gives what came of each value. At is told how many battles of how many at most are done.
func (s Sure) Play(ctx context.Context, r *engine.Rules, sc *scenario.Scenario, at func(done, most int)) (results []trial.Sure, err error) {
	vary, values, err := s.values()
	if err != nil {
		return nil, err
	}
	for i, value := range values {
		one, err := trial.UntilSure(ctx, r, sc, vary, value, s.Battles, s.Seed, func(n int) { at(i*s.Battles+n, len(values)*s.Battles) })
		if err != nil {
			return nil, err
		}
		results = append(results, one)
	}
	return results, nil
}

// Show writes the results as a table.
func (s Sure) Show(out io.Writer, r *engine.Rules, sc *scenario.Scenario, results []trial.Sure) error {
	words := map[string]string{
		trial.VerdictFair: "fair", trial.VerdictOpen: "not clear yet",
		trial.VerdictStrong: sc.Sides[0].Name + " is too strong", trial.VerdictWeak: sc.Sides[1].Name + " is too strong",
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s by %s: battles of robots until it is clear, %d at most, dice from seed %d\n\n", sc.Name, r.Name, s.Battles, s.Seed)
	value := func(text any) {
		if s.Vary != "" {
			fmt.Fprintf(&b, "%v\t", text)
		}
	}
	value("VALUE")
	fmt.Fprintf(&b, "BATTLES\tSCORE OF %s\tTRUE SCORE, 95%% SURE\tSO\n", sc.Sides[0].ID)
	for _, one := range results {
		value(one.Value)
		fmt.Fprintf(&b, "%d\t%.1f%%\t%.1f%% to %.1f%%\t%s\n", one.Battles, one.Score, one.Low, one.High, words[one.Verdict])
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("show how sides compare: %w", err)
	}
	return w.Flush()
}

// Keep notes the score of a scenario's first side, of 100, for a host.
func Keep(c *config.Config, r *engine.Rules, sc *scenario.Scenario, score float64, battles int) error {
	if len(sc.Sides) != 2 {
		return fault.New("leave --save out", "%s has %d sides: a score is that of one against another", sc.Name, len(sc.Sides))
	}
	return rating.Measured(c.State).Keep(rating.Measurement{Scenario: sc.Name, Rules: r.Name, Side: sc.Sides[0].ID, Other: sc.Sides[1].ID, Score: score, Battles: battles})
}
