package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"starpost/cmd/balance"
	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/scenario"
	"starpost/pbem/console"
	"starpost/pbem/trial"
)

func balanceCommand() *cobra.Command {
	f := battlesFlags{Battles: balance.Battles{Kit: battlesKit()}}
	var asJSON, strict bool
	var within int
	cmd := &cobra.Command{
		Use:   "balance NAME|FILE [--battles N]",
		Short: "Compare the sides of a scenario, or have robots play it",
		Long: `Adds up the strength of each side and compares each pair in the two ways of the rules:
by totals, where total D (defence) and total WDF (weapon damage) must balance,
and by combat efficiency, total D times total WDF over 100. The second works best
with equal numbers of ships.

Ships count as undamaged and present from the start, whatever the scenario says about
their repair and arrival. With --strict the command fails (exit code 3) if two
sides balance in neither way.

With --battles robots play the scenario that many times, on all processors, and the
command reports how often each side wins and how certain that is, how long battles
take, and what decides them; the same --seed gives the same result. With --strict it
fails if a side wins more than 60% of the battles.

With --sure they stop once it is clear whether the first side scores from
` + fmt.Sprintf("%d to %d", 100-trial.Fair, trial.Fair) + `%, more, or less. A draw is half a win. The interval shown
contains the true score in 95 of 100 cases, however often it was checked. --vary
SHIP.FIELD=LOW..HIGH[/STEP] repeats this for each value of a ship's field that a
referee can set. --save keeps the score for a host's cups and site.

With --skill SIDE=PERCENT a side's robots play well in that percentage of turns; in the
others they send back what their reports offer, as a newcomer does.

With --trick each side in turn also plays a simple trick against robots; "all" tries
every trick of the rule set. With --strict it fails if robots win less than 60% of
the battles against one.`,
		Example: `  starpost balance big-bad-wolf
  starpost balance my-raid.toml --ships my-ships.toml
  starpost balance convoy --within 20 --json
  starpost balance convoy --battles 400 --rules ` + exampleSet() + `
  starpost balance encounter --battles 100 --trick all
  starpost balance convoy --battles 400 --skill raiders=60
  starpost balance big-bad-wolf --battles 400 --vary Hood.superstructure=6..12/2`,
		Args: exactly("a scenario"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if within < 0 || within > 100 {
				return usage("such as --within 10", "--within is a per cent from 0 to 100, not %d", within)
			}
			if cmd.Flags().Changed("battles") {
				if cmd.Flags().Changed("within") {
					return usage("leave one of them out", "--within compares figures, --battles plays")
				}
				return f.play(cmd, args[0], asJSON, strict)
			}
			if f.rules != "" || f.Trick != "" || f.Sure || f.Vary != "" || f.Save != "" || len(f.Skill) > 0 || cmd.Flags().Changed("seed") {
				return usage("such as --battles 400", "--rules, --seed, --skill, --sure, --vary, --save and --trick go with --battles")
			}
			name, b, err := weighed(args[0], f.tables, within)
			if err != nil {
				return err
			}
			err = show(cmd, asJSON, b.Data, func(w io.Writer) { showBalance(w, b) })
			if err == nil && strict && !b.Even {
				return mistakes(nil, "change the ships, or allow for more with --within PERCENT", "%s is not balanced", name)
			}
			return err
		},
		ValidArgsFunction: once(scenarioNames),
	}
	fl := cmd.Flags()
	fl.IntVar(&f.Number, "battles", 0, "have robots play the scenario `N` times")
	fl.StringVar(&f.rules, "rules", "", "the rule `SET` of the battles (default: the scenario's own)")
	fl.Uint64Var(&f.Seed, "seed", 1, "derive the dice of the battles from this `NUMBER` and those after it")
	fl.StringVar(&f.Trick, "trick", "", "have one side play a simple trick, by its `NAME`; all tries each")
	fl.StringArrayVar(&f.Skill, "skill", nil, "weaken the robots of a side: `SIDE=PERCENT` (repeatable)")
	fl.BoolVar(&f.Sure, "sure", false, "stop before --battles once it is clear whether sides are balanced")
	fl.StringVar(&f.Vary, "vary", "", "play with each value of a ship's field: `SHIP.FIELD=LOW..HIGH`")
	fl.StringVar(&f.Save, "save", "", "keep the score for the host with this configuration, a TOML `FILE`")
	fl.StringArrayVar(&f.tables, "ships", nil, "a TOML `FILE` with ships or weapons of your own (repeatable)")
	fl.IntVar(&within, "within", family.UsualWithin, "the largest difference that counts as balanced, in `PERCENT` of the larger figure")
	fl.BoolVar(&strict, "strict", false, "fail if sides are not balanced")
	fl.BoolVar(&asJSON, "json", false, "print JSON")
	completeFlag(cmd, "ships", tomlFile)
	completeFlag(cmd, "rules", fixed(ruleSetNames()...))
	completeFlag(cmd, "trick", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return trickNames(), cobra.ShellCompDirectiveNoFileComp // computed only on demand: it reads all rule sets
	})
	return cmd
}

// weighed reads a scenario and compares its sides. It also returns the name of the file for messages.
func weighed(name string, tables []string, within int) (file string, b family.Balance, err error) {
	file, data, err := readScenario(name)
	if err != nil {
		return "", b, err
	}
	sc, diags := scenario.Parse(data)
	if sc == nil {
		return "", b, mistakes(console.Mistakes(file, diags), "one that can: starpost balance big-bad-wolf", "%s cannot be compared", file)
	}
	of, err := familyOf(sc.Rules)
	if err != nil {
		return "", b, err
	}
	own, err := readTables(tables)
	if err != nil {
		return "", b, err
	}
	var list family.Designs
	if of.Designs != nil {
		read, err := of.Designs(own)
		if err != nil {
			return "", b, tablesError(err, tables, "")
		}
		list = *read
	}
	if list.Balance == nil {
		return "", b, mistakes(nil, "these have: "+setsWith(func(f family.Family) bool { return f.Designs != nil }),
			"%s: the rule set %s has no figures to compare ships by", file, sc.Rules)
	}
	var entrants []family.Entrant
	for _, s := range sc.Ships {
		if s.Class != engine.ClassDecoy { // decoys cost nothing
			entrants = append(entrants, family.Entrant{Name: s.Name, Side: s.Side, Class: s.Class})
		}
	}
	if b, err = list.Balance(entrants, within); err != nil {
		return "", b, mistakes(nil, cmp.Or(wayOut(err), "see: starpost ships"), "%s: %s", file, err)
	}
	return file, b, nil
}

func showBalance(out io.Writer, b family.Balance) {
	table(out, append([][]string{b.Columns}, b.Rows...)...)
	for _, v := range b.Verdict {
		fmt.Fprintf(out, "\n%s\n", v)
	}
}
