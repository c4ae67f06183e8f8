package main

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"starpost/cmd/balance"
	"starpost/engine/scenario"
	"starpost/pbem/console"
)

// maxBattles bounds a trial: more would tell no more.
const maxBattles = 100_000

// battlesFlags are those of balance that are about battles by robots.
type battlesFlags struct {
	balance.Battles
	rules  string
	tables []string
}

// battlesKit is what battles by robots need of the program.
func battlesKit() balance.Kit {
	return balance.Kit{
		Usage: usage, Nearest: nearest, Show: show, Columns: columns, Config: lookAtConfig, Tricks: trickNames,
		Mistakes: func(hint, format string, args ...any) error { return mistakes(nil, hint, format, args...) },
		Progress: func(w io.Writer, steps int) (at func(int), done func()) {
			bar := newProgress(w, steps, "playing")
			return bar.at, bar.done
		},
	}
}

// play has robots play a scenario and shows what came of it.
func (f battlesFlags) play(cmd *cobra.Command, name string, asJSON, strict bool) error {
	if f.Number < 1 || f.Number > maxBattles {
		return usage("such as --battles 400", "--battles is a number from 1 to %d, not %d", maxBattles, f.Number)
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
	return f.Play(cmd, balance.Played{File: file, Rules: r, Scenario: sc}, asJSON, strict)
}

// trickNames are the tricks of all rule sets, sorted, and all.
func trickNames() []string {
	names := []string{balance.AllTricks}
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
