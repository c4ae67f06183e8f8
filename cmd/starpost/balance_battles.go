package main

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"starpost/cmd/balance"
	"starpost/engine/scenario"
	"starpost/pbem/console"
)

// maxBattles limits a trial: more battles would not make the result clearer.
const maxBattles = 100_000

// battlesFlags are the flags of balance for battles between robots.
type battlesFlags struct {
	balance.Battles
	rules  string
	tables []string
}

// battlesKit returns what battles between robots need from the program.
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

// play has robots play a scenario and shows the result.
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

// trickNames returns the names of the tricks of all rule sets, sorted, and balance.AllTricks.
func trickNames() []string {
	names := []string{balance.AllTricks}
	for _, f := range families() {
		for _, set := range f.Sets {
			r, err := set.Rules(nil)
			if err != nil {
				continue // the error is reported when the rule set is played
			}
			for _, t := range r.Tricks {
				names = append(names, t.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
