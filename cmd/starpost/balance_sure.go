package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"starpost/engine"
	"starpost/engine/scenario"
	"starpost/pbem/rating"
	"starpost/pbem/trial"
)

// untilSure has robots play until it is clear whether the sides are balanced, with each value of a number if one is varied.
func (f battlesFlags) untilSure(cmd *cobra.Command, file string, r *engine.Rules, sc *scenario.Scenario, asJSON, strict bool) error {
	var vary *trial.Vary
	values := []int{0}
	if f.vary != "" {
		v, err := trial.ReadVary(f.vary)
		if err != nil {
			return usage("such as --vary Hood.superstructure=6..12, or 6..12/2 for every second", "--vary: %s", err)
		}
		if f.save != "" {
			return usage("leave one of them out", "--save keeps the score of the scenario as it is, --vary changes it")
		}
		vary, values = &v, v.Values()
	}
	bar := newProgress(cmd.ErrOrStderr(), f.battles*len(values), "playing")
	defer bar.done()
	var results []trial.Sure
	fair := false
	for i, value := range values {
		one, err := trial.UntilSure(cmd.Context(), r, sc, vary, value, f.battles, f.seed, func(n int) { bar.at(i*f.battles + n) })
		if err != nil {
			if hint := wayOut(err); hint != "" {
				return usage(hint, "%s", err)
			}
			return fmt.Errorf("play %s: %w", file, err)
		}
		results, fair = append(results, one), fair || one.Verdict == trial.VerdictFair
	}
	bar.done()
	if f.vary == "" {
		if err := f.keep(sc, r, results[0].Score, results[0].Battles); err != nil {
			return err
		}
	}
	err := show(cmd, asJSON, results, func(w io.Writer) { f.showSure(w, sc, r, results) })
	if err == nil && strict && !fair {
		return mistakes(nil, "change places, numbers or goals, and try again", "%s is not known to be balanced", file)
	}
	return err
}

// keep notes a score, of 100, for a host, where one is named.
func (f battlesFlags) keep(sc *scenario.Scenario, r *engine.Rules, score float64, battles int) error {
	if f.save == "" {
		return nil
	}
	if len(sc.Sides) != 2 {
		return usage("leave --save out", "%s has %d sides: a score is that of one against another", sc.Name, len(sc.Sides))
	}
	c, err := lookAtConfig(f.save)
	if err != nil {
		return err
	}
	return rating.Measured(c.State).Keep(rating.Measurement{Scenario: sc.Name, Rules: r.Name, Side: sc.Sides[0].ID, Other: sc.Sides[1].ID, Score: score, Battles: battles})
}

func (f battlesFlags) showSure(out io.Writer, sc *scenario.Scenario, r *engine.Rules, results []trial.Sure) {
	words := map[string]string{
		trial.VerdictFair: "fair", trial.VerdictOpen: "not clear yet",
		trial.VerdictStrong: sc.Sides[0].Name + " is too strong", trial.VerdictWeak: sc.Sides[1].Name + " is too strong",
	}
	fmt.Fprintf(out, "%s by %s: battles of robots until it is clear, %d at most, dice from seed %d\n\n", sc.Name, r.Name, f.battles, f.seed)
	columns(out, func(w io.Writer) {
		if f.vary != "" {
			fmt.Fprint(w, "VALUE\t")
		}
		fmt.Fprintf(w, "BATTLES\tSCORE OF %s\tTRUE SCORE, 95%% SURE\tSO\n", sc.Sides[0].ID)
		for _, s := range results {
			if f.vary != "" {
				fmt.Fprintf(w, "%d\t", s.Value)
			}
			fmt.Fprintf(w, "%d\t%.1f%%\t%.1f%% to %.1f%%\t%s\n", s.Battles, s.Score, s.Low, s.High, words[s.Verdict])
		}
	})
}
