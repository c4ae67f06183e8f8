package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"starpost/cmd/balance"
	"starpost/engine"
	"starpost/engine/scenario"
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
	trick   string
	sure    bool
	vary    string
	save    string // a configuration
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
	sc, diags := scenario.Parse(data)
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
	if f.trick != "" && (f.sure || f.vary != "" || f.save != "") {
		return usage("leave --trick out", "--trick does not go with --sure, --vary or --save")
	}
	if f.sure || f.vary != "" {
		return f.untilSure(cmd, file, r, sc, asJSON, strict)
	}
	if f.trick != "" {
		return f.tryTricks(cmd, file, r, sc, asJSON, strict)
	}
	bar := newProgress(cmd.ErrOrStderr(), f.battles, "playing")
	result, err := trial.Run(cmd.Context(), r, sc, f.battles, f.seed, bar.at)
	bar.done()
	if err != nil {
		return fmt.Errorf("play %s: %w", file, err)
	}
	if err := f.keep(r, sc, result.Score(), result.Battles); err != nil {
		return err
	}
	err = show(cmd, asJSON, result, func(w io.Writer) { showTrial(w, result) })
	if err == nil && strict && !result.Even() {
		return mistakes(nil, "change places, numbers or goals, and try again", "%s is not balanced: a side wins more than %d%% of the battles", file, trial.Fair)
	}
	return err
}

// untilSure has robots play until it is clear how the sides compare.
func (f battlesFlags) untilSure(cmd *cobra.Command, file string, r *engine.Rules, sc *scenario.Scenario, asJSON, strict bool) error {
	if f.vary != "" && f.save != "" {
		return usage("leave one of them out", "--save keeps the score of the scenario as it is, --vary changes it")
	}
	sure := balance.Sure{Battles: f.battles, Seed: f.seed, Vary: f.vary}
	bar := newProgress(cmd.ErrOrStderr(), f.battles, "playing")
	results, err := sure.Play(cmd.Context(), r, sc, func(done, most int) { bar.at(done * f.battles / most) })
	bar.done()
	if hint := wayOut(err); hint != "" {
		return usage(hint, "%s", err)
	}
	if err != nil {
		return fmt.Errorf("play %s: %w", file, err)
	}
	if err := f.keep(r, sc, results[0].Score, results[0].Battles); err != nil {
		return err
	}
	if err := show(cmd, asJSON, results, func(w io.Writer) { err = sure.Show(w, r, sc, results) }); err != nil {
		return err
	}
	if strict && !slices.ContainsFunc(results, func(s trial.Sure) bool { return s.Verdict == trial.VerdictFair }) {
		return mistakes(nil, "change places, numbers or goals, and try again", "%s is not known to be balanced", file)
	}
	return err
}

// keep notes a score for a host, where one is named.
func (f battlesFlags) keep(r *engine.Rules, sc *scenario.Scenario, score float64, battles int) error {
	if f.save == "" {
		return nil
	}
	c, err := lookAtConfig(f.save)
	if err != nil {
		return err
	}
	return balance.Keep(c, r, sc, score, battles)
}

// allTricks in place of a trick's name is for each of them.
const allTricks = "all"

// tryTricks has robots play against one trick or all.
func (f battlesFlags) tryTricks(cmd *cobra.Command, file string, r *engine.Rules, sc *scenario.Scenario, asJSON, strict bool) error {
	tricks := r.Tricks
	if f.trick != allTricks {
		tricks = slices.DeleteFunc(slices.Clone(tricks), func(t engine.Trick) bool { return !strings.EqualFold(t.Name, f.trick) })
	}
	switch {
	case len(r.Tricks) == 0:
		return usage("leave --trick out", "the rule set %s has no tricks", r.Name)
	case len(tricks) == 0:
		return usage(nearest(f.trick, trickNames(), "one of: "), "there is no trick %q", f.trick)
	}
	bar := newProgress(cmd.ErrOrStderr(), f.battles*len(tricks), "playing")
	var results []trial.Against
	var lost []string
	for i, t := range tricks {
		a, err := trial.RunTrick(cmd.Context(), r, sc, t, f.battles, f.seed, func(n int) { bar.at(i*f.battles + n) })
		if err != nil {
			bar.done()
			return fmt.Errorf("play %s against the trick %s: %w", file, t.Name, err)
		}
		if results = append(results, a); !a.Beats() {
			lost = append(lost, a.Trick)
		}
	}
	bar.done()
	err := show(cmd, asJSON, results, func(w io.Writer) { showTricks(w, sc, results) })
	if err == nil && strict && len(lost) > 0 {
		return mistakes(nil, "give robots better orders", "robots of %s win less than %d%% of the battles of %s against: %s", r.Name, trial.Beaten, file, strings.Join(lost, ", "))
	}
	return err
}

// trickNames are the tricks of all rule sets, sorted, and all.
func trickNames() []string {
	names := []string{allTricks}
	for _, f := range families() {
		for _, set := range f.Sets {
			r, err := set.Rules(nil)
			if err != nil {
				continue // what is wrong is told where it is played
			}
			for _, t := range r.Tricks {
				names = append(names, t.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func showTricks(out io.Writer, sc *scenario.Scenario, results []trial.Against) {
	first := results[0]
	fmt.Fprintf(out, "%s by %s: %d battles of robots against each trick, dice of seeds %d to %d\n\n", first.Scenario, first.Rules, first.Battles, first.Seed, first.Seed+uint64(first.Battles)-1)
	columns(out, func(w io.Writer) {
		fmt.Fprint(w, "TRICK\tROBOTS WIN")
		for _, s := range sc.Sides {
			fmt.Fprintf(w, "\tAS %s", strings.ToUpper(s.ID))
		}
		fmt.Fprintln(w, "\tIT WINS\tDRAWS\tTHE TRICK")
		for _, a := range results {
			fmt.Fprintf(w, "%s\t%d", a.Trick, a.Robots)
			for _, n := range a.Sides {
				fmt.Fprintf(w, "\t%d", n)
			}
			fmt.Fprintf(w, "\t%d\t%d\t%s\n", a.Won, a.Draws+a.Endless, a.Doc)
		}
	})
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
