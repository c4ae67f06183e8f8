package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"starpost/engine"
	"starpost/pbem/console"
	"starpost/pbem/trial"
)

// maxBattles bounds a trial: more would tell no more.
const maxBattles = 100_000

// battlesFlags are those of balance that are about battles by robots.
type battlesFlags struct {
	battles int
	rules   string
	seed    uint64
	tables  []string
}

// play has robots play a scenario and shows what came of it.
func (f battlesFlags) play(cmd *cobra.Command, name string, asJSON, strict bool) error {
	if f.battles < 1 || f.battles > maxBattles {
		return usage("such as --battles 400", "--battles is a number from 1 to %d, not %d", maxBattles, f.battles)
	}
	file, data, err := scenarioFor(name, f.rules)
	if err != nil {
		return err
	}
	sc, diags := engine.ParseScenario(data)
	if sc == nil {
		return mistakes(console.Mistakes(file, diags), "one that can: starpost balance big-bad-wolf --battles 100", "%s cannot be played", file)
	}
	if err := knownRules(sc.Rules); err != nil {
		return err
	}
	tables, err := readTables(f.tables)
	if err != nil {
		return err
	}
	r, err := catalogue()[sc.Rules](tables)
	if err != nil {
		return tablesError(err, f.tables, "")
	}
	if r.Robot == nil {
		return usage("one of: starpost rules", "the rule set %s has no robots to play its battles", r.Name)
	}
	if _, diags := sc.NewGame(r, "trial", nil); len(diags) > 0 {
		return mistakes(console.Mistakes(file, diags), "one that can: starpost balance big-bad-wolf --battles 100", "%s cannot be played", file)
	}
	bar := newProgress(cmd.ErrOrStderr(), f.battles, "playing")
	result, err := trial.Run(cmd.Context(), r, sc, f.battles, f.seed, bar.at)
	bar.done()
	if err != nil {
		return fmt.Errorf("play %s: %w", file, err)
	}
	err = show(cmd, asJSON, result, func(w io.Writer) { showTrial(w, result) })
	if err == nil && strict && !result.Even() {
		return mistakes(nil, "change places, numbers or goals, and try again", "%s is not balanced: a side wins more than %d%% of the battles", file, trial.Fair)
	}
	return err
}

func showTrial(out io.Writer, r trial.Result) {
	fmt.Fprintf(out, "%s by %s: %d battles of robots, dice of seeds %d to %d\n\n", r.Scenario, r.Rules, r.Battles, r.Seed, r.Seed+uint64(r.Battles)-1)
	columns(out, func(w io.Writer) {
		fmt.Fprintln(w, "SIDE\tWINS\tSHARE\tTRUE SHARE, 95% SURE")
		for _, s := range r.Sides {
			fmt.Fprintf(w, "%s\t%d\t%.1f%%\t%.1f%% to %.1f%%\n", s.ID, s.Wins, s.Share, s.Low, s.High)
		}
		fmt.Fprintf(w, "draws\t%d\n", r.Draws)
		if r.Endless > 0 {
			fmt.Fprintf(w, "not over in time\t%d\n", r.Endless)
		}
		fmt.Fprintf(w, "\nturns\t%.1f on average; half of the battles took %d to %d, the longest %d\n", r.Turns.Mean, r.Turns.Lower, r.Turns.Upper, r.Turns.Longest)
	})
	fmt.Fprintln(out, "\nDECIDED BY")
	columns(out, func(w io.Writer) {
		for _, d := range r.Decided {
			fmt.Fprintf(w, "%d\t%s\t%s\n", d.Battles, cmp.Or(d.Side, "draw"), d.Why)
		}
	})
	verdict := fmt.Sprintf("fair: no side wins more than %d%%", trial.Fair)
	if !r.Even() {
		verdict = fmt.Sprintf("not fair: a side wins more than %d%%", trial.Fair)
	}
	fmt.Fprintf(out, "\n%s\n", verdict)
}
