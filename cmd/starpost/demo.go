package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"starpost/engine/scenario"
	"starpost/pbem/console"
	"starpost/pbem/demo"
	"starpost/pbem/turn"
)

func demoCommand() *cobra.Command {
	var seed uint64
	var keep, scenario, rules string
	cmd := &cobra.Command{
		Use:   "demo [--scenario NAME|FILE] [--rules SET] [--seed N] [--keep DIR]",
		Short: "Play a whole battle by mail between robots",
		Long: `Starts a mail server inside the program, gives each ship a robot captain (and each
officer of a ship with a crew, as in kobayashi-maru), and lets the daemon play a
scenario between them to its end (default: The Big Bad Wolf). Each mail is shown as it
passes. Nothing leaves this machine and nothing needs to be set up.

A scenario is played by its own rule set, or by another that covers everything in it: a
later course covers an earlier one.

The files (reports, maps, mails) are kept in the directory named at the end.`,
		Example: `  starpost demo
  starpost demo --seed 7 --keep battle
  starpost demo --scenario kobayashi-maru
  starpost demo --scenario romulan-gambit --rules ` + exampleSet(),
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return runDemo(cmd, seed, keep, scenario, rules) },
	}
	cmd.Flags().Uint64Var(&seed, "seed", 1, "derive the dice from this number; the same number plays the same battle")
	cmd.Flags().StringVar(&keep, "keep", "", "the directory for the files (default: a new temporary directory)")
	cmd.Flags().StringVar(&scenario, "scenario", "big-bad-wolf", "the scenario, built in or a file")
	cmd.Flags().StringVar(&rules, "rules", "", "the rule `SET` to play it by (default: the scenario's own; see: starpost rules)")
	completeFlag(cmd, "scenario", completeScenarios)
	completeFlag(cmd, "rules", fixed(ruleSetNames()...))
	return cmd
}

func runDemo(cmd *cobra.Command, seed uint64, dir, from, rules string) error {
	file, data, err := scenarioFor(from, rules)
	if err != nil {
		return err
	}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "starpost-demo-"); err != nil {
			return fmt.Errorf("make a directory for the files: %w", err)
		}
	}
	id := ""
	if from != "big-bad-wolf" {
		id = gameID(dir)
	}
	w := cmd.OutOrStdout()
	r, err := demo.Run(cmd.Context(), demo.Options{Seed: seed, Dir: dir, Out: w, Catalogue: catalogue(), Scenario: data, ID: id})
	if se, ok := errors.AsType[*turn.ScenarioError](err); ok {
		return mistakes(console.Mistakes(file, se.Diagnostics), "leave out --rules to play it by the rule set that it is made for", "%s cannot be played", file)
	}
	if err != nil {
		return err
	}
	who := "victory: " + r.Winner
	if r.Winner == "" {
		who = "a draw"
	}
	fmt.Fprintf(w, "\nturn %d: %s (%s)\n", r.Turn, who, r.Why)
	fmt.Fprintf(w, "%d mails passed in %.1f s; everything is in %s\n", r.Mails, r.Took.Seconds(), r.Game)
	if sc, _ := scenario.Parse(data); sc != nil {
		fmt.Fprintf(w, "  look:   starpost report %s --as %s\n", r.Game, sc.Ships[0].Name)
		for _, post := range slices.Sorted(maps.Keys(sc.Ships[0].Crew)) {
			fmt.Fprintf(w, "          starpost report %s --as %s/%s\n", r.Game, sc.Ships[0].Name, post)
		}
	}
	fmt.Fprintf(w, "  audit:  starpost verify %s\n", r.Game)
	return nil
}
