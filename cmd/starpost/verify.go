package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

func verifyCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify DIR",
		Short: "Play every turn again and compare all of it",
		Long: `Plays every turn again from its orders and the game's secret and compares states,
events and dice byte for byte, and all other files with their hashes. What was
changed is named. The exit code is 1 if anything was. Turns that a referee changed are
played again in each of their revisions, and his rulings are listed.`,
		Example:           "  starpost verify wolf",
		Args:              exactly("a game directory"),
		RunE:              func(cmd *cobra.Command, args []string) error { return verify(cmd, args[0], asJSON) },
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "machine output")
	return cmd
}

func verify(cmd *cobra.Command, dir string, asJSON bool) error {
	g, err := vault.Open(dir, catalogue())
	if err != nil {
		return err
	}
	bar := newProgress(cmd.ErrOrStderr(), g.Turn()+1, "verifying")
	found, err := turn.Verify(g, func(n int) { bar.at(n) })
	bar.done()
	if err != nil {
		return err
	}
	if asJSON {
		if found == nil {
			found = []turn.Finding{}
		}
		if err := printJSON(cmd.OutOrStdout(), found); err != nil {
			return err
		}
	}
	if len(found) == 0 {
		if !asJSON {
			also := ""
			if at := g.Newest(); at.Round > 0 {
				also = ", and " + at.String() + ","
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: turns 0 to %d%s are just as they were played\n", g.ID(), g.Turn(), also)
			return changesOfThePast(cmd.OutOrStdout(), g)
		}
		return nil
	}
	for _, f := range found {
		fmt.Fprintln(cmd.ErrOrStderr(), filepath.Join(g.Dir(), f.String()))
	}
	findings := "1 finding"
	if len(found) > 1 {
		findings = fmt.Sprintf("%d findings", len(found))
	}
	return &hintedError{
		msg:  fmt.Sprintf("%s is not as it was played: %s", g.ID(), findings),
		hint: "restore the named files from a backup, or take them for what they are: altered",
	}
}

// changesOfThePast lists what referees changed of turns that were resolved.
func changesOfThePast(w io.Writer, g *vault.Game) error {
	for _, r := range g.Revisions() {
		state := ""
		switch {
		case r.Revision == 1 && r.Aside == 0:
			continue
		case !r.Current:
			state = ", counts no more"
		}
		line := fmt.Sprintf("turn %d, revision %d%s", r.Turn, r.Revision, state)
		switch {
		case r.Played:
			line += ": played again after a rollback"
		case r.Revision > 1:
			line += ": by " + r.By
			if r.Why != "" {
				line += ", " + r.Why
			}
		}
		fmt.Fprintln(w, line)
		rulings, err := turn.RulingsIn(g, r.Turn, r.Revision)
		if err != nil {
			return err
		}
		for _, ru := range rulings {
			line := fmt.Sprintf("  %s by %s: %s", ru.At, ru.By, ru.What)
			if ru.Before {
				line += " (from the beginning of the turn)"
			}
			if ru.Force {
				line += " (by force)"
			}
			if ru.Why != "" {
				line += ", " + ru.Why
			}
			fmt.Fprintln(w, line)
		}
	}
	return nil
}
