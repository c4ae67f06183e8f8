// Package balance has robots play a scenario, for "starpost balance": a fixed number of battles, battles until it is
// clear how the sides compare, or battles against tricks. It can record the score for a host. The statistics are in
// pbem/trial.
package balance

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"starpost/engine"
	"starpost/engine/scenario"
	"starpost/pbem/fault"
	"starpost/pbem/rating"
	"starpost/pbem/trial"
)

// values returns the field to vary and its values; without --vary, nil and a single value that is ignored.
func (b Battles) values() (*trial.Vary, []int, error) {
	if b.Vary == "" {
		return nil, []int{0}, nil
	}
	v, err := trial.ReadVary(b.Vary)
	if err != nil {
		return nil, nil, fault.New("such as --vary Hood.superstructure=6..12, or 6..12/2 for every second", "--vary: %s", err)
	}
	return &v, v.Values(), nil
}

// each plays battles for each value until the result is clear. It reports progress to at: battles done, and the most
// there can be.
func (b Battles) each(ctx context.Context, r *engine.Rules, sc *scenario.Scenario, at func(done, most int)) (results []trial.Sure, err error) {
	vary, values, err := b.values()
	if err != nil {
		return nil, err
	}
	for i, value := range values {
		one, err := trial.UntilSure(ctx, r, sc, vary, value, b.Number, b.Seed, func(n int) { at(i*b.Number+n, len(values)*b.Number) })
		if err != nil {
			return nil, err
		}
		results = append(results, one)
	}
	return results, nil
}

// showSure prints the results as a table.
func (b Battles) showSure(out io.Writer, r *engine.Rules, sc *scenario.Scenario, results []trial.Sure) error {
	words := map[string]string{
		trial.VerdictFair: "fair", trial.VerdictOpen: "not clear yet",
		trial.VerdictStrong: sc.Sides[0].Name + " is too strong", trial.VerdictWeak: sc.Sides[1].Name + " is too strong",
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s by %s: battles of robots until it is clear, %d at most, dice from seed %d\n\n", sc.Name, r.Name, b.Number, b.Seed)
	value := func(v any) {
		if b.Vary != "" {
			fmt.Fprintf(&text, "%v\t", v)
		}
	}
	value("VALUE")
	fmt.Fprintf(&text, "BATTLES\tSCORE OF %s\tTRUE SCORE, 95%% SURE\tSO\n", sc.Sides[0].ID)
	for _, one := range results {
		value(one.Value)
		fmt.Fprintf(&text, "%d\t%.1f%%\t%.1f%% to %.1f%%\t%s\n", one.Battles, one.Score, one.Low, one.High, words[one.Verdict])
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if _, err := io.WriteString(w, text.String()); err != nil {
		return fmt.Errorf("show how sides compare: %w", err)
	}
	return w.Flush()
}

// keep records the score of the scenario's first side, out of 100, for the host that --save names, if any.
func (b Battles) keep(r *engine.Rules, sc *scenario.Scenario, score float64, battles int) error {
	if b.Save == "" {
		return nil
	}
	c, err := b.Config(b.Save)
	if err != nil {
		return err
	}
	if len(sc.Sides) != 2 {
		return fault.New("leave --save out", "%s has %d sides: a score is that of one against another", sc.Name, len(sc.Sides))
	}
	return rating.Measured(c.State).Keep(rating.Measurement{Scenario: sc.Name, Rules: r.Name, Side: sc.Sides[0].ID, Other: sc.Sides[1].ID, Score: score, Battles: battles})
}
