package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"starpost/engine"
	"starpost/engine/rules/fasa"
	"starpost/pbem/console"
)

func balanceCommand() *cobra.Command {
	var f battlesFlags
	var asJSON, strict bool
	var within int
	cmd := &cobra.Command{
		Use:   "balance NAME|FILE [--battles N]",
		Short: "Compare the sides of a scenario, or have robots play it",
		Long: `Adds up the strength of each side and compares every two in both ways of the
rules: by the totals, where all D (defence) together and all WDF (weapon damage)
together must balance, and by the combat efficiency, total D times total WDF over
100. The second works best with as many ships on either side.

Ships count as whole and as there from the start, whatever the scenario says of
their repair and arrival. With --strict the command fails (exit code 3) if two
sides balance in neither way.

With --battles robots play the scenario so many times, on all processors, and the
command tells who wins how often and how sure that is, how long battles take, and
what decides them; the same --seed gives the same result. With --strict it fails if
a side wins more than 60% of the battles.`,
		Example: `  starpost balance big-bad-wolf
  starpost balance my-raid.toml --ships my-ships.toml
  starpost balance convoy --within 20 --json
  starpost balance convoy --battles 400 --rules stcs-graduate`,
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
			if f.rules != "" || cmd.Flags().Changed("seed") {
				return usage("such as --battles 400", "--rules and --seed go with --battles")
			}
			name, b, err := weighed(args[0], f.tables, within)
			if err != nil {
				return err
			}
			if asJSON {
				err = printJSON(cmd.OutOrStdout(), b)
			} else {
				err = showBalance(cmd.OutOrStdout(), b)
			}
			if err == nil && strict && !b.Even() {
				return &mistakesError{msg: name + " is not balanced", hint: "change the ships, or allow for more with --within PERCENT"}
			}
			return err
		},
		ValidArgsFunction: once(scenarioNames),
	}
	fl := cmd.Flags()
	fl.IntVar(&f.battles, "battles", 0, "have robots play the scenario `N` times")
	fl.StringVar(&f.rules, "rules", "", "the rule `SET` of the battles (default: the scenario's own)")
	fl.Uint64Var(&f.seed, "seed", 1, "the dice of the battles come from this `NUMBER` and those after it")
	fl.StringArrayVar(&f.tables, "ships", nil, "a TOML `FILE` with ships or weapons of your own (repeatable)")
	fl.IntVar(&within, "within", fasa.Within, "what counts as balanced: a difference of so many `PERCENT` of the larger figure")
	fl.BoolVar(&strict, "strict", false, "fail if sides are not balanced")
	fl.BoolVar(&asJSON, "json", false, "machine output")
	completeFlag(cmd, "ships", tomlFile)
	completeFlag(cmd, "rules", fixed(ruleSetNames()...))
	return cmd
}

// weighed reads a scenario and compares its sides; file is what to call it.
func weighed(name string, tables []string, within int) (file string, b fasa.Balance, err error) {
	file, data, err := readScenario(name)
	if err != nil {
		return "", b, err
	}
	sc, diags := engine.ParseScenario(data)
	if sc == nil {
		return "", b, &mistakesError{lines: console.Mistakes(file, diags), msg: file + " cannot be compared", hint: "one that can: starpost balance big-bad-wolf"}
	}
	lib, err := libraryWith(tables)
	if err != nil {
		return "", b, err
	}
	entries := make([]fasa.Entry, len(sc.Ships))
	for i, s := range sc.Ships {
		entries[i] = fasa.Entry{Name: s.Name, Side: s.Side, Class: s.Class}
	}
	b, err = lib.Balance(entries, within)
	_, unknown := errors.AsType[*fasa.UnknownError](err)
	_, unweighed := errors.AsType[*fasa.UnweighedError](err)
	if hint := wayOut(err); unknown || unweighed {
		if hint == "" {
			hint = "see: starpost ships"
		}
		return "", b, &mistakesError{msg: fmt.Sprintf("%s: %s", file, err), hint: hint}
	}
	return file, b, err
}

func showBalance(out io.Writer, b fasa.Balance) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "SIDE\tSHIP\tCLASS\tD\tWDF\tCE")
	for _, s := range b.Sides {
		for _, ship := range s.Ships {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", s.Side, ship.Name, ship.Class, ship.D, ship.WDF, ship.CE)
		}
		fmt.Fprintf(w, "%s\t%s\t\t%s\t%s\t%s\n", s.Side, "total", s.D, s.WDF, s.CE)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write the comparison: %w", err)
	}
	for _, c := range b.Comparisons {
		fmt.Fprintf(out, "\n%s:\n  the smaller is %d%% of the larger in D, %d%% in WDF, %d%% in CE\n  within %d%%, %s\n",
			strings.Join(c.Sides[:], " and "), c.D, c.WDF, c.CE, b.Within, c.Verdict())
	}
	return nil
}
